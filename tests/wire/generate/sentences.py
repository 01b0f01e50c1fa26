"""Every key of every language, said with values: counts of each plural form, numbers of each kind, statements."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from deniable.protocol.say import PLACE, Statement, Wording, codes, language

SECTIONS = ("label", "mechanism")
ELEMENT = ("question", "account", "intro", "field", "kiosk", "crowd")
"""What pages of a collector, results and certificates say, no client says."""
OF_KIND: dict[str, tuple[float, ...]] = {
    "number": (0.5, 1.5e6, 4.0),
    "factor": (1.0, 14.5, 0.25),
    "percent": (0.1, 0.01, 0.5),
    "hundred": (0.04, 0.24, 0.9997, 1.0),
}
"""Values of the places of each kind, which take their turns."""
COUNTS = (1, 2, 1200)
NAMED = Statement("question", name="way")


def sentences() -> dict[str, list[dict[str, Any]]]:
    """The one section."""
    return {
        "said": [vector for code in codes() for section in (*SECTIONS, *ELEMENT) for vector in _said(code, section)]
    }


def _said(code: str, section: str) -> Iterator[dict[str, Any]]:
    own = language(code)
    said = own.sections[section] if section in SECTIONS else own.element[section]
    for key, wording in said.items():
        turns = len(COUNTS) if "{count}" in str(wording) or isinstance(wording, dict) else 1
        for turn in range(turns):
            values = _values(key, wording, turn)
            shown = {name: each.to_json() if isinstance(each, Statement) else each for name, each in values.items()}
            told = {"language": code, "section": section, "key": key, "values": shown}
            yield {**told, "text": own.worded(wording, values)}


def _values(key: str, wording: Wording, turn: int) -> dict[str, Any]:
    """A value for each place, in the order of their names; those of one key differ."""
    forms = [wording] if isinstance(wording, str) else list(wording.values())
    places = sorted({(name, kind) for form in forms for name, kind in PLACE.findall(form)})
    values: dict[str, Any] = {} if isinstance(wording, str) else {"count": COUNTS[turn]}
    for number, (name, kind) in enumerate(places):
        if name == "count":
            values[name] = COUNTS[turn]
        elif kind:
            values[name] = OF_KIND[kind][(len(key) + number + turn) % 3]
        else:
            values[name] = NAMED if name in {"of", "promise", "any"} else f"{name} {{count}} 1.5"
    return dict(sorted(values.items()))
