"""The fields of a number, read into a draft with a fault for each that cannot stand as it is."""

from __future__ import annotations

import datetime
from dataclasses import replace
from typing import Any, Final

from starlette.datastructures import FormData

from deniable.pages.builder.draft import LONGEST_NUMBER, NUMBER, WANTED, DraftQuestion, fault_of, typed
from deniable.pages.builder.fields import Faults, at
from deniable.protocol.grid import DATE
from deniable.protocol.questions.number import MOST_UNIT

BOUND: Final = "Write a number such as 120 or 0.5, or a date such as 2026-12-31."
STEP: Final = "Write a number above 0, such as 1 or 0.5; of dates, a number of days."


def read_number(before: DraftQuestion, form: FormData, place: int) -> tuple[DraftQuestion, Faults]:
    """A question about a number: its bounds, step and unit, and what is wanted of it."""
    bounds: dict[str, Any] = {name: _bound(form, name, place) for name in ("low", "high", "step")}
    wanted = tuple(each for each in WANTED if f"{place}" in form.getlist(f"want-{each}"))
    unit = at(form, "unit", place)
    asked = replace(before, **{**bounds, "step": bounds["step"] or "1"}, unit=unit[:MOST_UNIT], wanted=wanted)
    faults = _faults(asked, unit)
    beyond = _share(at(form, "beyond", place))
    if beyond is None:
        return asked, {**faults, "beyond": "Write how many of 100 people, from 0 to 100, or leave it empty."}
    return replace(asked, beyond=beyond), faults


def _bound(form: FormData, name: str, place: int) -> str:
    return at(form, name, place).replace("\N{MINUS SIGN}", "-")[:LONGEST_NUMBER]


def _faults(asked: DraftQuestion, unit: str) -> Faults:
    """What is wrong with each field by itself, or else with all of them together."""
    faults: Faults = {name: BOUND for name in ("low", "high") if not _stands(getattr(asked, name))}
    if not NUMBER.fullmatch(asked.step):
        faults["step"] = STEP
    if len(unit) > MOST_UNIT:
        faults["unit"] = f"A unit has at most {MOST_UNIT} characters."
    if not asked.wanted:
        faults["want"] = "Tick at least one."
    if not faults and (said := fault_of(asked)):
        faults["high"] = said
    return faults


def _stands(text: str) -> bool:
    """Whether a bound is a number or a date."""
    try:
        return NUMBER.fullmatch(text) is not None or bool(DATE.fullmatch(text) and datetime.date.fromisoformat(text))
    except ValueError:
        return False


def _share(text: str) -> float | None:
    """A number of people of a hundred; none where nothing is written."""
    found = typed(text or "0")
    return float(found) if not isinstance(found, str) and 0 <= found <= 100 else None
