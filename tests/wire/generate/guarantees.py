"""`guarantees.json`: guarantees of every kind as JSON, and what is none."""

from __future__ import annotations

import datetime
import math
from typing import Any

import deniable as dn
from deniable.privacy.guarantee_json import to_dict
from deniable.protocol.privacy.guarantees import Guarantee

INF = math.inf
LABELS = ["\u00e9", "", ("a", (b"\x00", 1.5)), datetime.date(2024, 2, 29), 7, 7.5, True]
ASKED: dict[str, Guarantee] = {
    "plain": dn.LDP(1.0),
    "the least and the largest that may be asked for": dn.Pairwise(2, [[0, 1e-06], [32.0, 0]]),
    "an infinite level": dn.Pairwise(["yes", "no"], [[0, INF], [0.5, 0]]),
    "a number of labels, one of them sensitive": dn.HighLow(4, [2], 1.0),
    "labels of many kinds": dn.HighLow(LABELS, LABELS[::2], 0.5),
    "blocks": dn.Blocks([["Rome", "Milan"], ["Lyon"]], 2.0),
    "blocks in another order than the labels": dn.Blocks([[2, 0], [1]], 1.0, domain=3),
    "a prior": dn.InformationPrivacy(["a", "b", "c"], [0.5, 0.25, 0.25], 3.0),
    "a prior of 0": dn.InformationPrivacy(2, [1.0, 0.0], 3.0),
    "one-sided": dn.OneSidedInformationPrivacy(2, [0.75, 0.25], 3.0),
    "mutual information": dn.MutualInformationPrivacy(2, [0.75, 0.25], 3.0),
    "each label of a list by itself": dn.EachItem(["mail", "\u00e9"], 1.0),
    "only holding each label of a list": dn.EachItem(40, 0.5, one_sided=True),
    "by the distance of labels in their order": dn.Distance(["never", "rarely", "often"], 0.5),
    "by the distance of whole numbers": dn.Distance(dn.Domain.between(18, 120), 0.1),
    "what is published of many": dn.CentralInformationPrivacy(2, [0.75, 0.25], 3.0, 1000),
}
COMPUTED: dict[str, Guarantee] = {
    "no privacy": dn.LDP(1.0).at(INF),
    "a level of 0": dn.LDP(1.0).at(0.0),
    "more than may be asked for": dn.HighLow(2, [0], 1.0).at(96.0),
    "no privacy by distance": dn.Distance(3, 1.0).at(INF),
    "a prior, and an infinite level": dn.InformationPrivacy(2, [0.5, 0.5], 1.0).at(INF),
}
"""Levels that a channel or a sum came to; people may not ask for them."""

HIGH_LOW = to_dict(dn.HighLow(["a", "b"], ["b"], 1.0))
PRIOR = to_dict(dn.InformationPrivacy(["a", "b"], [0.75, 0.25], 1.0))
PAIRS = to_dict(dn.Pairwise(2, [[0, 1.0], [1.0, 0]]))
BLOCKS = to_dict(dn.Blocks([["a", "b"], ["c"]], 1.0))
ITEMS = to_dict(dn.EachItem(["a", "b"], 1.0))
UNITS = to_dict(dn.Distance(dn.Domain.between(1, 3), 1.0))
BAD: dict[str, Any] = {
    "null": None,
    "a number": 1.0,
    "a list": [],
    "no fields": {},
    "epsilon below 0": {"epsilon": -1.0},
    "epsilon as text": {"epsilon": "1"},
    "infinity by another name": {"epsilon": "Infinity"},
    "epsilon as a truth value": {"epsilon": True},
    "epsilon that is null": {"epsilon": None},
    "a field too many": {"epsilon": 1.0, "colour": 1},
    "a sensitive label that there is not": {**HIGH_LOW, "sensitive": ["c"]},
    "a sensitive label twice": {**HIGH_LOW, "sensitive": ["b", "b"]},
    "no sensitive label": {**HIGH_LOW, "sensitive": []},
    "sensitive labels without an epsilon": {name: HIGH_LOW[name] for name in ("domain", "sensitive")},
    "sensitive labels without a domain": {name: HIGH_LOW[name] for name in ("sensitive", "epsilon")},
    "two kinds at once": {**HIGH_LOW, "blocks": [["a", "b"]]},
    "blocks that overlap": {**BLOCKS, "blocks": [["a", "b"], ["b", "c"]]},
    "blocks that leave a label out": {**BLOCKS, "blocks": [["a", "b"]]},
    "an empty block": {**BLOCKS, "blocks": [["a", "b", "c"], []]},
    "a matrix beside an epsilon": {**PAIRS, "epsilon": 1.0},
    "a matrix of too few rows": {**PAIRS, "matrix": [[0, 1.0]]},
    "a matrix with a level below 0": {**PAIRS, "matrix": [[0, -1.0], [1.0, 0]]},
    "a matrix that is no list": {**PAIRS, "matrix": 1.0},
    "a prior of another length": {**PRIOR, "prior": [1.0]},
    "a prior that does not add up": {**PRIOR, "prior": [0.5, 0.25]},
    "a prior below 0": {**PRIOR, "prior": [1.25, -0.25]},
    "one_sided that is false": {**PRIOR, "one_sided": False},
    "an each_item of neither kind": {**ITEMS, "each_item": "one"},
    "each_item as a truth value": {**ITEMS, "each_item": True},
    "each_item without a domain": {name: ITEMS[name] for name in ("each_item", "epsilon")},
    "each_item beside blocks": {**ITEMS, "blocks": [["a", "b"]]},
    "per_unit that is false": {**UNITS, "per_unit": False},
    "per_unit without an epsilon": {name: UNITS[name] for name in ("domain", "per_unit")},
    "per_unit without a domain": {name: UNITS[name] for name in ("per_unit", "epsilon")},
    "a run that ends before it begins": {**UNITS, "domain": {"low": 5, "high": 4}},
    "a run without an end": {**UNITS, "domain": {"low": 5}},
    "no people": {**PRIOR, "people": 0},
    "half a person": {**PRIOR, "people": 1.5},
    "two kinds of a prior": {**PRIOR, "people": 2, "one_sided": True},
}


def guarantees() -> dict[str, list[dict[str, Any]]]:
    """The sections of the file."""
    return {
        "good": [{"name": name, "guarantee": to_dict(guarantee)} for name, guarantee in ASKED.items()],
        "computed": [{"name": name, "guarantee": to_dict(guarantee)} for name, guarantee in COMPUTED.items()],
        "bad": [{"why": why, "guarantee": written} for why, written in BAD.items()],
    }
