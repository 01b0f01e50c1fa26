"""Forms read into a draft, with a fault for each field that cannot stand as it is."""

from __future__ import annotations

import datetime
import itertools
from dataclasses import replace
from typing import Any, Final

from starlette.datastructures import FormData

from deniable.pages.builder.draft import (
    KINDS,
    LIMITS,
    MOST_ANSWERS,
    MOST_QUESTIONS,
    PROTECTED,
    SOLVED,
    Asked,
    Draft,
    fault_of,
)
from deniable.surveys.fields import MOST_WORDS, SURVEY

Faults = dict[str, str]
"""What is wrong, by the name of the field."""
MOST_ERROR: Final = 50.0
"""The most points that one may ask for: beyond, a share says nothing."""


def read_questions(draft: Draft, form: FormData) -> tuple[Draft, Faults]:
    """The first form: a title, the questions, and who asks."""
    count = min(max(len(form.getlist("kind")), 1), MOST_QUESTIONS)
    before = [*draft.questions, *[Asked()] * count]
    asked: list[Asked] = []
    faults: Faults = {}
    for place, number in enumerate(_written(form, count)):
        question, found = _question(before[number], form, number)
        asked.append(question)
        faults |= {f"{name}-{place}": said for name, said in found.items()}
    if sum(len(each.answers) for each in asked) > MOST_ANSWERS:
        asked = _cut(asked)
        faults["survey"] = (
            f"All questions together may have {MOST_ANSWERS:,} answers to choose from: the rest is cut off."
        )
    words: dict[str, Any] = {name: _words(form, name) for name in ("title", "name", "purpose", "owner", "contact")}
    if not words["title"]:
        faults["title"] = "Give the survey a title, such as “How we come to work”."
    if words["name"] and not SURVEY.fullmatch(words["name"]):
        faults["name"] = "Use lower-case letters, digits and hyphens."
    return replace(draft, **words, questions=tuple(asked)), faults


def _written(form: FormData, count: int) -> list[int]:
    """The places of the questions that are not left empty; the first one, if all are."""
    found = [number for number in range(count) if _at(form, "wording", number) or _at(form, "answers", number)]
    return found or [0]


def _cut(asked: list[Asked]) -> list[Asked]:
    """The questions with as many answers as there may be, so that the form can be sent again."""
    starts = itertools.accumulate((len(each.answers) for each in asked), initial=0)
    return [
        replace(each, answers=each.answers[: max(MOST_ANSWERS - start, 0)])
        for each, start in zip(asked, starts, strict=False)
    ]


def _question(before: Asked, form: FormData, number: int) -> tuple[Asked, Faults]:
    kind = _at(form, "kind", number)
    kind = kind if kind in KINDS else "one_of"
    wording, faults = _at(form, "wording", number)[:MOST_WORDS], {}
    lines = [line.strip() for line in _at(form, "answers", number).splitlines()]
    answers = tuple(line for line in lines if line) if kind != "text" else ()
    silence = f"{number}" in form.getlist("silence") and kind == "one_of"
    asked = replace(before, wording=wording, kind=kind, answers=answers, silence=silence)
    if not wording:
        faults["wording"] = "Write the question."
    if kind != "text" and len(answers) < 2:
        faults["answers"] = "Write at least two answers, one a line."
    elif twice := next((label for place, label in enumerate(answers) if label in answers[:place]), None):
        faults["answers"] = f"“{twice[:80]}” stands there twice: each answer must be another one."
    elif kind != "text" and (said := fault_of(replace(asked, protected="everybody"))):
        faults["answers"] = said
    return asked, faults


def read_protection(draft: Draft, form: FormData) -> tuple[Draft, Faults]:
    """The second form: who is protected."""
    asked: list[Asked] = []
    faults: Faults = {}
    for number, before in enumerate(draft.questions):
        wanted = str(form.get(f"protected-{number}", "everybody"))
        wanted = wanted if wanted in PROTECTED and before.kind == "one_of" else "everybody"
        places = [int(each) for each in map(str, form.getlist(f"chosen-{number}")) if each.isascii() and each.isdigit()]
        chosen = tuple(before.labels[place] for place in places if place < len(before.labels))
        groups = tuple(str(each)[:40] for each in form.getlist(f"group-{number}"))[: len(before.labels)]
        question = replace(before, protected=wanted, chosen=chosen, groups=groups)
        asked.append(question)
        if said := fault_of(question) or _unprotected(question):
            faults[f"protected-{number}"] = said
    return replace(draft, questions=tuple(asked)), faults


def _unprotected(asked: Asked) -> str:
    """What is wrong with groups that protect nobody; empty if nothing is."""
    if asked.protected == "blocks" and len(set(asked.grouped)) == len(asked.labels):
        return "Every answer is a group of its own, so nobody is protected: give at least two answers the same word."
    return ""


def read_people(draft: Draft, form: FormData) -> tuple[Draft, Faults]:
    """The third form: of people, error and epsilon two, and which of them is worked out."""
    faults: Faults = {}
    solve = str(form.get("solve", draft.solve))
    solve = solve if solve in SOLVED else draft.solve
    values: dict[str, Any] = {
        "people": _whole(form, "people", LIMITS["people"], draft.people, faults, solve),
        "error": _number(form, "error", (LIMITS["error"][0], MOST_ERROR), draft.error, faults, solve),
        "epsilon": _number(form, "epsilon", LIMITS["epsilon"], draft.epsilon, faults, solve),
        "expected": _number(form, "expected", LIMITS["expected"], draft.expected, faults, solve),
    }
    return replace(draft, solve=solve, **values), faults


def read_run(draft: Draft, form: FormData) -> tuple[Draft, Faults]:
    """The last form: when, and from how many answers on a result is shown."""
    faults: Faults = {}
    minimum = _whole(form, "minimum", LIMITS["minimum"], draft.minimum, faults, "")
    times: dict[str, Any] = {name: _words(form, name)[:16] for name in ("opens", "closes")}
    for name, written in times.items():
        if written and time_of(written) is None:
            faults[name] = "Write a day and a time, such as 2026-12-31T23:59, or leave it empty."
    opens, closes = (time_of(times[name]) for name in ("opens", "closes"))
    if opens and closes and opens >= closes:
        faults["closes"] = "The survey must close after it opens."
    if "minimum" not in faults and minimum > draft.people:
        faults["minimum"] = f"You expect {draft.people:,} people, so no result would ever be shown: write fewer."
    return replace(draft, minimum=minimum, **times), faults


def is_past(draft: Draft, now: float) -> bool:
    """Whether a survey would be closed before it opens, at a moment in seconds since 1970."""
    closes = time_of(draft.closes)
    return closes is not None and closes.timestamp() <= now


def time_of(written: str) -> datetime.datetime | None:
    """A moment in UTC as browsers and people write it, to the minute."""
    try:
        return datetime.datetime.strptime(written.replace(" ", "T"), "%Y-%m-%dT%H:%M").replace(tzinfo=datetime.UTC)
    except ValueError:
        return None


def _words(form: FormData, name: str) -> str:
    return str(form.get(name, "")).strip()[:MOST_WORDS]


def _at(form: FormData, name: str, number: int) -> str:
    values = form.getlist(name)
    return str(values[number]).strip() if number < len(values) else ""


def _number(form: FormData, name: str, limits: tuple[float, float], usual: float, faults: Faults, solve: str) -> float:
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


def _whole(form: FormData, name: str, limits: tuple[float, float], usual: int, faults: Faults, solve: str) -> int:
    found = _number(form, name, limits, usual, faults, solve)
    if found != int(found):
        faults[name] = "Write a whole number."
        return usual
    return int(found)
