"""A survey whose answers somebody mixes, as it is planned and as it is open, and crowds that cannot be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import deniable as dn

Json = dict[str, Any]
Change = Callable[[Json], object]

USED = dn.OneOf("used", ["yes", "no"], wording="Did you?")
KEY = "BP" + "xY_-" * 21 + "A"


def crowds() -> dict[str, dn.Survey]:
    """One without a key, and one that is asked every week, with one."""
    arms = [dn.Arm(dn.Part(USED, dn.RandomizedResponse(USED.labels, 2.5)))]
    closes = "2026-10-01T00:00:00Z"
    planned = dn.Crowd("https://mixer.example/a", "Works Council", 1000, 0.5, belief=0.7)
    opened = dn.Crowd(
        "http://127.0.0.1:8001", "Ünion", 200, 1.25, 1e-9, 0, 1.5, collector="http://127.0.0.1:8000", key=KEY
    )
    return {
        "a crowd": dn.Survey("used", [USED], arms, owner="North Hospital", closes=closes, crowd=planned),
        "a crowd every week": dn.Survey(
            "used", [USED], arms, owner="North Hospital", closes=closes, opens="2026-08-02T23:00:00Z", crowd=opened,
            period="week", repeat="fresh", cap=30.0,
        ),
    }  # fmt: skip


def _crowd(**change: Any) -> Change:
    return lambda d: d["crowd"].update(change)


BAD_CROWDS: dict[str, Change] = {
    "a crowd that is null": lambda d: d.update(crowd=None),
    "a crowd that is a list": lambda d: d.update(crowd=[]),
    "a crowd of two times the same party": lambda d: d.update(owner=" works council"),
    "a crowd without an owner": lambda d: d.update(owner=" "),
    "a crowd that never ends": lambda d: d.update(closes=None),
    "a crowd on one device": lambda d: d.update(kiosk=True),
    "a crowd in a room": lambda d: d.update(lan=True),
    "a crowd in a form": lambda d: d.update(carrier="field"),
    "a crowd of more than there are": lambda d: d.update(population=999),
    "a crowd with more fields": _crowd(extra=1),
    "a crowd without a level": lambda d: d["crowd"].pop("level"),
    "a crowd without a belief": lambda d: d["crowd"].pop("belief"),
    "a mixer without encryption": _crowd(mixer="http://mixer.example"),
    "a mixer with a slash at its end": _crowd(mixer="https://mixer.example/"),
    "a mixer with a query": _crowd(mixer="https://mixer.example?a"),
    "a mixer with a user": _crowd(mixer="https://me@mixer.example"),
    "a mixer of nobody": _crowd(operator=""),
    "a crowd of one": _crowd(least=1),
    "a crowd of half a person more": _crowd(least=1000.5),
    "a crowd of which all but one are made up": _crowd(made_up=999),
    "a delta that is no power of ten": _crowd(delta=2e-6),
    "a delta of 1": _crowd(delta=1),
    "a level in four digits": _crowd(level=0.5001),
    "a level as large as that of each answer": _crowd(level=2.5, belief=2.5),
    "a belief below the level": _crowd(belief=0.4),
    "a key without a collector": _crowd(key=KEY),
    "a key that is compressed": _crowd(collector="https://a.example", key="Ag" + KEY[2:44]),
    "a key with a bit too many": _crowd(collector="https://a.example", key=KEY[:-1] + "B"),
    "a mixer that is run by nobody who can be seen": _crowd(operator="\u200b "),
    "a party in other blanks": lambda d: d.update(owner="Works\u00a0Council\u200b"),
    "a collector at another port of the mixer": _crowd(collector="https://mixer.example:8443", key=KEY),
    "a collector on this machine": _crowd(collector="http://127.0.0.1:8000", key=KEY),
    "a collector where the mixer is": _crowd(collector="https://mixer.example/b", key=KEY),
}
PEOPLE: dict[str, Json] = {name: {"used": "no"} for name in ("a crowd", "a crowd every week")}
