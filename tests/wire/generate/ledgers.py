"""`ledgers.json`: ledgers as JSON with what they have spent, and what is none."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import deniable as dn
from deniable.privacy.guarantee_json import to_dict
from deniable.protocol.privacy.guarantees import Guarantee

LABELS = ["ill", "well", "away"]
SPENT: dict[str, tuple[Guarantee, list[tuple[str, Guarantee]]]] = {
    "nothing spent": (dn.LDP(1.0), []),
    "levels that add as decimals": (dn.LDP(0.3), [("March", dn.LDP(0.1)), ("June", dn.LDP(0.2))]),
    "to the cap, in surveys without names": (dn.LDP(2.0), [("", dn.LDP(1.0)), ("", dn.LDP(1.0))]),
    "names beyond ASCII": (dn.LDP(2.0), [("M\u00e4rz \U0001f642", dn.LDP(1.5))]),
    "sensitive labels": (
        dn.HighLow(LABELS, ["ill"], 2.0),
        [("a", dn.HighLow(LABELS, ["ill"], 0.5)), ("b", dn.LDP(1.0))],
    ),
    "pairs": (
        dn.Pairwise(2, [[0, 1.5], [2.5, 0]]),
        [("a", dn.Pairwise(2, [[0, 1.0], [2.0, 0]])), ("b", dn.LDP(0.5))],
    ),
    "a prior": (dn.InformationPrivacy(2, [0.75, 0.25], 2.0), [("a", dn.InformationPrivacy(2, [0.75, 0.25], 1.25))]),
}
LEDGER: dict[str, Any] = {
    "version": 1,
    "cap": {"epsilon": 1.0},
    "entries": [{"survey": "March", "guarantee": {"epsilon": 0.75}}],
}
ENTRY: dict[str, Any] = LEDGER["entries"][0]
BAD: dict[str, Any] = {
    "null": None,
    "a list": [],
    "no version": {name: LEDGER[name] for name in ("cap", "entries")},
    "version 2": {**LEDGER, "version": 2},
    "version as text": {**LEDGER, "version": "1"},
    "version as a truth value": {**LEDGER, "version": True},
    "no cap": {name: LEDGER[name] for name in ("version", "entries")},
    "a cap that is a number": {**LEDGER, "cap": 1.0},
    "a cap below 0": {**LEDGER, "cap": {"epsilon": -1.0}},
    "no entries": {name: LEDGER[name] for name in ("version", "cap")},
    "entries that are null": {**LEDGER, "entries": None},
    "an entry without its survey": {**LEDGER, "entries": [{"guarantee": {"epsilon": 0.5}}]},
    "an entry without its guarantee": {**LEDGER, "entries": [{"survey": "March"}]},
    "a survey that is a number": {**LEDGER, "entries": [{**ENTRY, "survey": 3}]},
    "a guarantee that is none": {**LEDGER, "entries": [{**ENTRY, "guarantee": {"colour": 1}}]},
    "more than the cap": {**LEDGER, "entries": [ENTRY, ENTRY]},
    "a guarantee that does not imply the cap": {
        **LEDGER,
        "entries": [{**ENTRY, "guarantee": to_dict(dn.HighLow(LABELS, ["ill"], 0.5))}],
    },
}


def _good() -> Iterator[dict[str, Any]]:
    for name, (cap, surveys) in SPENT.items():
        ledger = dn.Ledger(cap)
        for survey, guarantee in surveys:
            ledger.spend(guarantee, survey)
        spent = None if ledger.spent is None else to_dict(ledger.spent)
        yield {"name": name, "ledger": json.loads(ledger.to_json()), "spent": spent}


def ledgers() -> dict[str, list[dict[str, Any]]]:
    """The sections of the file."""
    return {"good": list(_good()), "bad": [{"why": why, "ledger": written} for why, written in BAD.items()]}
