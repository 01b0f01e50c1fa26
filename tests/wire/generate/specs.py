"""`specs.json`: canonical specs with their digests, and texts that are no spec."""

from __future__ import annotations

import datetime
import re
from collections.abc import Hashable, Iterator
from typing import Any

from tests.wire.generate.equivalent import FILTER, GOOD, HASHED, KEPT, LARGE, PROMISED, equivalent_texts
from tests.wire.generate.surveys import SURVEYS

import deniable as dn
from deniable.mechanisms.mechanism import Mechanism
from deniable.protocol.designs import Design
from deniable.reports.headed_layouts import BlockLayout, CohortLayout
from deniable.reports.index_layout import IndexLayout
from deniable.reports.packed_layout import PackedLayout
from deniable.reports.spec import digest
from deniable.theory.singer import positions

DOMAINS: dict[str, list[Hashable]] = {
    "text beyond ASCII; composed and decomposed are two labels": ["caf\u00e9", "cafe\u0301", "ウ", "\U0001f642", ""],
    "text that JSON escapes, and text that it does not": ['"', "\\", "/", "\b\f\n\r\t", "\0\x1f", "\x7f\u2028\u2029"],
    "integers beyond 53 and 64 bits": [-1, 0, 2**53 + 1, -(2**63), 2**64, 2**100, 1 - 2**1024],
    "floats in their shortest text": [0.1, 2.0, 1e-05, 0.0001, 1e16, 123456789012345.6, 5e-324, 1e22, 1 / 3],
    "truth values": [False, True],
    "bytes": [b"", b"\x00\xff", b"deniable"],
    "tuples, nested ones too": [(), ("a", 1), ("a", (1.5, b"\x01", ("b",))), (datetime.date(2024, 2, 29), True)],
    "dates": [datetime.date(1, 1, 1), datetime.date(2024, 2, 29), datetime.date(9999, 12, 31)],
    "dates with times": [
        datetime.datetime(2024, 2, 29, 23, 59, 59),
        datetime.datetime(2024, 2, 29, 23, 59, 59, 1),
        datetime.datetime(2024, 2, 29, tzinfo=datetime.UTC),
        datetime.datetime(2024, 2, 29, tzinfo=datetime.timezone(datetime.timedelta(hours=-5, minutes=-30))),
    ],
    "integers": [1, 2],
    "floats that equal integers, which are other labels": [1.0, 2.0],
    "labels of many kinds": ["1", 1, 1.5, False, b"1", ("1",), datetime.date(2000, 1, 1)],
}
DESIGNS = ((2, 3), (3, 3), (4, 3), (2, 4), (8, 3), (9, 3), (2, 7), (5, 4), (16, 3))
ANY_TEXT: dict[str, Mechanism] = {
    "one hash": dn.HashedResponse(3.0, 16, 64),
    "two hashes": dn.HashedRappor(3.0, 16, 64, 2),
    "a key beyond ASCII": dn.HashedRappor(1.0, 12, 3, key="caf\u00e9 \U0001f642"),
    "a key that JSON escapes": dn.HashedResponse(1.0, 2, 1, key='"\\\0\n'),
    "as many symbols and cohorts as there may be": dn.HashedResponse(1.0, 65536, 65536),
    "as many bits, cohorts and hashes as there may be": dn.HashedRappor(32.0, 65536, 65536, 64),
}
EPSILONS = (1e-06, 5e-05, 0.0001, 0.1, 1 / 3, 0.6931471805599453, 1.0, 2.5, 10.0, 32.0)

BAD = {
    "a byte order mark": "\ufeff" + GOOD,
    "a key twice": GOOD.replace('"domain":2', '"domain":2,"domain":2'),
    "epsilon as text": GOOD.replace("1.0", '"1.0"'),
    "epsilon of 0": GOOD.replace("1.0", "0.0"),
    "epsilon below 0": GOOD.replace("1.0", "-1.0"),
    "epsilon above 32": GOOD.replace("1.0", "32.5"),
    "epsilon infinite": GOOD.replace("1.0", "Infinity"),
    "epsilon not a number": GOOD.replace("1.0", "NaN"),
    "epsilon beyond floats": GOOD.replace("1.0", "1e999"),
    "no epsilon": GOOD.replace('"epsilon":1.0,', ""),
    "no domain": GOOD.replace('"domain":2,', ""),
    "no version": GOOD.replace(',"version":1', ""),
    "version 2": GOOD.replace('"version":1', '"version":2'),
    "version as text": GOOD.replace('"version":1', '"version":"1"'),
    "a field too many": GOOD.replace('"domain"', '"colour":1,"domain"'),
    "a mechanism that there is not": GOOD.replace("RandomizedResponse", "Magic"),
    "a mechanism in lower case": GOOD.replace("RandomizedResponse", "randomizedresponse"),
    "one label": GOOD.replace('"domain":2', '"domain":1'),
    "too many labels": GOOD.replace('"domain":2', '"domain":16777217'),
    "labels as an object": GOOD.replace('"domain":2', '"domain":{}'),
    "a run of numbers from 0": GOOD.replace('"domain":2', '"domain":{"high":1,"low":0}'),
    "a run of one number": GOOD.replace('"domain":2', '"domain":{"high":7,"low":7}'),
    "a run that ends before it begins": GOOD.replace('"domain":2', '"domain":{"high":6,"low":7}'),
    "a run without an end": GOOD.replace('"domain":2', '"domain":{"low":7}'),
    "a run with a field too many": GOOD.replace('"domain":2', '"domain":{"high":9,"low":7,"step":1}'),
    "a run of fractions": GOOD.replace('"domain":2', '"domain":{"high":9.5,"low":7.5}'),
    "a run beyond what every language holds": GOOD.replace(
        '"domain":2', '"domain":{"high":9007199254740993,"low":9007199254740990}'
    ),
    "Geometric with an epsilon": '{"domain":6,"epsilon":1.0,"mechanism":"Geometric","version":1}',
    "too many labels for Geometric": '{"domain":1048577,"epsilon_per_unit":1.0,"mechanism":"Geometric","version":1}',
    "a label twice": GOOD.replace('"domain":2', '"domain":["a","a"]'),
    "a label that is null": GOOD.replace('"domain":2', '"domain":["a",null]'),
    "a label that is a list": GOOD.replace('"domain":2', '"domain":["a",[1]]'),
    "a label of an unknown kind": GOOD.replace('"domain":2', '"domain":["a",{"colour":"red"}]'),
    "a date that there is not": GOOD.replace('"domain":2', '"domain":["a",{"date":"2023-02-29"}]'),
    "bytes in capitals": GOOD.replace('"domain":2', '"domain":["a",{"bytes":"FF"}]'),
    "half a byte": GOOD.replace('"domain":2', '"domain":["a",{"bytes":"f"}]'),
    "a subset of no label": '{"domain":6,"epsilon":1.0,"mechanism":"Subset","size":0,"version":1}',
    "a subset of all labels": '{"domain":6,"epsilon":1.0,"mechanism":"Subset","size":6,"version":1}',
    "a subset without its size": '{"domain":6,"epsilon":1.0,"mechanism":"Subset","version":1}',
    "parts that are no power of two": '{"domain":6,"epsilon":1.0,"mechanism":"Hadamard","parts":3,"version":1}',
    "more parts than twice the labels": '{"domain":6,"epsilon":1.0,"mechanism":"Hadamard","parts":16,"version":1}',
    "a design of no prime power": '{"domain":6,"epsilon":1.0,"mechanism":"Cyclic","q":6,"t":3,"version":1}',
    "a design with too little room": '{"domain":10,"epsilon":1.0,"mechanism":"Cyclic","q":2,"t":3,"version":1}',
    "rows of different sums": '{"domain":2,"mechanism":"Channel","version":1,"weights":[[1,2],[2,2]]}',
    "rows of different lengths": '{"domain":2,"mechanism":"Channel","version":1,"weights":[[1,2],[3]]}',
    "a weight below 0": '{"domain":2,"mechanism":"Channel","version":1,"weights":[[-1,4],[1,2]]}',
    "weights with a common divisor": '{"domain":2,"mechanism":"Channel","version":1,"weights":[[2,4],[4,2]]}',
    "more rows than labels": '{"domain":2,"mechanism":"Channel","version":1,"weights":[[1,2],[2,1],[1,2]]}',
    "any text where nothing is hashed": GOOD.replace('"domain":2', '"domain":null'),
    "any text in Rappor": '{"domain":null,"epsilon":1.0,"mechanism":"Rappor","version":1}',
    "any text by no domain at all": HASHED.replace('"domain":null,', ""),
    "any text as an empty list": HASHED.replace("null", "[]"),
    "any text as false": HASHED.replace("null", "false"),
    "one symbol": HASHED.replace('"symbols":4', '"symbols":1'),
    "too many symbols": HASHED.replace('"symbols":4', '"symbols":65537'),
    "no symbols": HASHED.replace('"symbols":4,', ""),
    "no cohort": HASHED.replace('"cohorts":4', '"cohorts":0'),
    "too many cohorts": HASHED.replace('"cohorts":4', '"cohorts":65537'),
    "cohorts as a truth value": HASHED.replace('"cohorts":4', '"cohorts":true'),
    "a key that is null": HASHED.replace('"key":""', '"key":null'),
    "a key that is a number": HASHED.replace('"key":""', '"key":1'),
    "a key left out": HASHED.replace('"key":"",', ""),
    "a hashed response of two hashes": HASHED.replace('"key"', '"hashes":2,"key"'),
    "a hashed response with a field too many": HASHED.replace('"domain"', '"colour":1,"domain"'),
    "a filter of no hash": FILTER.replace('"hashes":1', '"hashes":0'),
    "a filter of too many hashes": FILTER.replace('"hashes":1', '"hashes":65'),
    "a filter without its hashes": FILTER.replace('"hashes":1,', ""),
    "a filter with a field too many": FILTER.replace('"domain"', '"colour":1,"domain"'),
    "symbols as a fraction": HASHED.replace('"symbols":4', '"symbols":4.5'),
    "a domain of a fraction": GOOD.replace('"domain":2', '"domain":2.5'),
    "a domain as text": GOOD.replace('"domain":2', '"domain":"2"'),
    "version as a truth value": GOOD.replace('"version":1', '"version":true'),
    "a weight of 2^53 with a point": LARGE.replace("9007199254740993", "9007199254740992.0"),
    "a weight with an exponent beyond 2^53": LARGE.replace("9007199254740993", "1e16"),
    "weights whose sums differ by 1 beyond 2^53": LARGE.replace("9007199254740993", "9007199254740992", 1),
    "a label that is half a surrogate pair": GOOD.replace('"domain":2', '"domain":["a","\\ud83d"]'),
    "a key twice within a guarantee": PROMISED.replace('"epsilon":0.5', '"epsilon":0.5,"epsilon":0.5'),
    "a guarantee with a field too many": PROMISED.replace('"epsilon":0.5', '"colour":1,"epsilon":0.5'),
    "a guarantee whose domain is written in another way": PROMISED.replace('"domain":[0,1]', '"domain":2', 1),
    "a guarantee that is broken": PROMISED.replace('"epsilon":0.5', '"epsilon":0.125'),
    "a sensitive label of another kind": PROMISED.replace('"sensitive":[1]', '"sensitive":[1.0]'),
    "a coin that does not follow from the levels": re.sub('"u":[0-9]+', '"u":1', KEPT),
    "a coin of other parts": KEPT.replace('"m":1099511627776', '"m":1099511627775'),
    "a coin left out": re.sub(',"u":[0-9]+', "", KEPT),
    "a round of a higher level than all": KEPT.replace('"each":1.0', '"each":2.5'),
    "a permanent spec of version 2": KEPT.replace('"version":1}', '"version":2}', 1),
    "a permanent spec left out": re.sub('"ever":{[^}]*},', "", KEPT),
    "a permanent spec that is null": re.sub('"ever":{[^}]*}', '"ever":null', KEPT),
    "a permanent spec that is remembered": re.sub('"ever":{[^}]*}', f'"ever":{KEPT}', KEPT),
    "a permanent spec of Channel": re.sub('"ever":{[^}]*}', f'"ever":{LARGE}', KEPT),
    "labels beside a permanent spec": KEPT.replace('"each"', '"domain":2,"each"'),
    "a number with a leading 0": GOOD.replace("1.0", "01.0"),
    "a number with a plus": GOOD.replace("1.0", "+1.0"),
    "a number that ends with its point": GOOD.replace("1.0", "1."),
    "a comma too many": GOOD.replace("1}", "1,}"),
    "a comment": GOOD + " // of the commute",
    "two texts": GOOD + GOOD,
    "no JSON": GOOD[:-1],
    "a list": "[]",
    "a number": "1",
    "null": "null",
    "nothing": "",
}


def _mechanisms() -> Iterator[tuple[str, Mechanism]]:
    yield from ((f"{m.name} over {m.domain!r}", m) for m in SURVEYS)
    yield from ((f"{m.name} of any text: {name}", m) for name, m in ANY_TEXT.items())
    yield from ((f"labels: {name}", dn.RandomizedResponse(labels, 1.0)) for name, labels in DOMAINS.items())
    yield from ((f"epsilon {epsilon!r}", dn.OptimizedUnary(4, epsilon)) for epsilon in EPSILONS)


def _layout(mechanism: Mechanism) -> dict[str, Any]:
    """What a client must know to write a report."""
    match mechanism.layout:
        case IndexLayout(outputs):
            return {"kind": "index", "outputs": outputs}
        case PackedLayout(symbols, weight, single_from):
            single = {} if single_from is None else {"single_from": single_from}
            return {"kind": "bits", "symbols": symbols, "weight": weight, **single}
        case CohortLayout(cohorts, symbols):
            return {"kind": "cohort", "cohorts": cohorts, "symbols": symbols}
        case BlockLayout(sizes, weights):
            return {"kind": "block", "sizes": list(sizes), "weights": list(weights)}
    raise TypeError(f"a layout must be of a known kind, got {mechanism.layout!r}")


def _good(name: str, mechanism: Mechanism) -> dict[str, Any]:
    return {
        "name": name,
        "spec": mechanism.spec_bytes.decode(),
        "sha256": digest(mechanism.spec()),
        "labels": None if mechanism.domain.size is None else len(mechanism.domain.labels),
        "layout": _layout(mechanism),
    }


def _equivalent(name: str, text: str) -> dict[str, Any]:
    """Another writing of a spec, and the one that it is read as."""
    mechanism = dn.from_spec(text)
    return {"name": name, "text": text, "spec": mechanism.spec_bytes.decode(), "sha256": digest(mechanism.spec())}


def _design(q: int, t: int) -> dict[str, Any]:
    """The residues that a client must know to draw: those of any domain that fits are the same."""
    design = Design.singer(q, t)
    return {"q": q, "t": t, "length": design.length, "block": positions(design).tolist()}


def specs() -> dict[str, list[dict[str, Any]]]:
    """The sections of the file."""
    return {
        "good": [_good(name, mechanism) for name, mechanism in _mechanisms()],
        "equivalent": [_equivalent(name, text) for name, text in equivalent_texts()],
        "designs": [_design(q, t) for q, t in DESIGNS],
        "bad": [{"why": why, "spec": text} for why, text in BAD.items()],
    }
