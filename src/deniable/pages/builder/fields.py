"""The fields of a form, each read with a fault where it cannot stand."""

from __future__ import annotations

from starlette.datastructures import FormData

from deniable.surveys.fields import MOST_WORDS

Faults = dict[str, str]
"""What is wrong, by the name of the field."""


def words(form: FormData, name: str) -> str:
    """What is written in a field."""
    return str(form.get(name, "")).strip()[:MOST_WORDS]


def at(form: FormData, name: str, place: int) -> str:
    """The same of a field that each question has."""
    values = form.getlist(name)
    return str(values[place]).strip() if place < len(values) else ""


def number(form: FormData, name: str, limits: tuple[float, float], usual: float, faults: Faults, solve: str) -> float:
    """A number within limits; what is worked out anyway is not read."""
    if name == solve:
        return usual
    written = str(form.get(name, "")).replace(",", "").replace("\N{NO-BREAK SPACE}", "").strip()
    low, high = limits
    try:
        found = float(written)
    except ValueError:
        found = float("nan")
    if not low <= found <= high:
        faults[name] = f"Write a number from {low:g} to {high:,g}."
        return usual
    return found


def whole(form: FormData, name: str, limits: tuple[float, float], usual: int, faults: Faults, solve: str) -> int:
    """A number without decimals."""
    found = number(form, name, limits, usual, faults, solve)
    if found != int(found):
        faults[name] = "Write a whole number."
        return usual
    return int(found)
