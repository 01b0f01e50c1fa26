"""Other writings of a spec, each with what it is read as: what people, Python and JavaScript make of one in JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tests.wire.generate.surveys import INFORMED, SURVEYS

import deniable as dn

GOOD = '{"domain":2,"epsilon":1.0,"mechanism":"RandomizedResponse","version":1}'
HASHED = '{"cohorts":4,"domain":null,"epsilon":1.0,"key":"","mechanism":"HashedResponse","symbols":4,"version":1}'
FILTER = HASHED.replace('"key"', '"hashes":1,"key"').replace("Response", "Rappor")
LARGE = '{"domain":2,"mechanism":"Channel","version":1,"weights":[[9007199254740993,1],[1,9007199254740993]]}'
PROMISED = (
    '{"domain":[0,1],"guarantee":{"domain":[0,1],"epsilon":0.5,"sensitive":[1]},"mechanism":"Channel",'
    '"version":1,"weights":[[4,6],[5,5]]}'
)
SUM = json.dumps({**INFORMED, "goal": "sum", "values": [1e20, 0.0, 1.2345678901234567e20]})
KEPT = dn.Remembered(dn.RandomizedResponse([1.0, 2.0], 2.0), 1.0).spec_bytes.decode()
BASES = (GOOD, HASHED, FILTER, LARGE, PROMISED, SUM, KEPT)

WRITINGS = {
    "a blank": GOOD.replace(",", ", "),
    "a line break at the end": GOOD + "\n",
    "blanks of all four kinds": GOOD.replace(",", "\t,\r\n ").replace("{", " {"),
    "keys out of order": '{"version":1,"domain":2,"epsilon":1.0,"mechanism":"RandomizedResponse"}',
    "keys of a guarantee out of order": PROMISED.replace(
        '"epsilon":0.5,"sensitive":[1]', '"sensitive":[1],"epsilon":0.5'
    ),
    "an escape where none is needed": GOOD.replace("Randomized", "\\u0052andomized"),
    "an escape in a key": GOOD.replace("epsilon", "\\u0065psilon"),
    "escapes in labels": GOOD.replace('"domain":2', r'"domain":["\u00e9","\ud83d\ude42","\/","\u000a"]'),
    "epsilon as an integer": GOOD.replace("1.0", "1"),
    "epsilon in a longer text": GOOD.replace("1.0", "1.00"),
    "epsilon with an exponent": GOOD.replace("1.0", "1e0"),
    "epsilon with a negative exponent": GOOD.replace("1.0", "10E-1"),
    "epsilon with more digits than a double has": GOOD.replace("1.0", "0.1000000000000000055511151231257827"),
    "a small epsilon without an exponent": GOOD.replace("1.0", "0.000001"),
    "a small epsilon with an exponent of one digit": GOOD.replace("1.0", "2.5e-6"),
    "a number of labels as a float": GOOD.replace('"domain":2', '"domain":2.0'),
    "a version with an exponent": GOOD.replace('"version":1', '"version":1e0'),
    "symbols as a float": HASHED.replace('"symbols":4', '"symbols":4.0'),
    "hashes as a float": FILTER.replace('"hashes":1', '"hashes":1.0'),
    "weights that are floats": '{"domain":2,"mechanism":"Channel","version":1,"weights":[[1.0,2.0],[2.0,1.0]]}',
    "integers beyond 2^53": LARGE.replace(",", ", "),
    "labels that are floats in other texts": GOOD.replace('"domain":2', '"domain":[1.50,1e1,25E-2]'),
    "labels that are integers beside floats": GOOD.replace('"domain":2', '"domain":[ 2, 1.00, false, "1" ]'),
    "labels of a guarantee that are floats": PROMISED.replace("[0,1]", "[0.0,1.00]").replace("[1]", "[1e0]"),
    "a permanent spec with its keys out of order": KEPT.replace(
        '"epsilon":2.0,"mechanism":"RandomizedResponse"', '"mechanism":"RandomizedResponse","epsilon":2.0'
    ),
    "labels of a permanent spec that are floats": KEPT.replace("[1.0,2.0]", "[1.00,2e0]"),
    "levels of a permanent spec as integers": KEPT.replace('"epsilon":2.0', '"epsilon":2').replace(":1.0,", ":1,"),
    "a coin as floats": KEPT.replace('"m":1099511627776', '"m":1.099511627776e12'),
    "floats beyond 2^53 as JavaScript writes them": SUM.replace("1e+20", "100000000000000000000").replace(
        "1.2345678901234567e+20", "123456789012345670000"
    ),
}


def _javascript(value: Any) -> Any:
    """What JSON.stringify makes of it: 1.0 becomes 1."""
    if isinstance(value, dict):
        return {name: _javascript(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_javascript(part) for part in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def equivalent_texts() -> Iterator[tuple[str, str]]:
    """The name of each writing, and the text. Keys of specs come in the order in which Python has them."""
    yield from WRITINGS.items()
    for m in SURVEYS:
        if any(isinstance(label, float) for label in m.domain.labels):
            raise ValueError(f"labels must be no floats here, got {m!r}: JavaScript would make other labels of them")
        yield f"{m.name} over {m.domain!r}, from JavaScript", json.dumps(_javascript(m.spec()), separators=(",", ":"))
    yield "any text, from Python", json.dumps(dn.HashedRappor(1.0, 12, 3, key="caf\u00e9 \U0001f642").spec())
