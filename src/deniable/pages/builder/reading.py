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
    LISTED,
    MOST_ANSWERS,
    MOST_QUESTIONS,
    PROTECTED,
    SOLVED,
    Draft,
    DraftQuestion,
    fault_of,
)
from deniable.pages.builder.fields import Faults, at, number, whole, words
from deniable.pages.builder.number_reading import read_number
from deniable.protocol.fields import MOST_WORDS, SURVEY

MOST_ERROR: Final = 50.0
"""The most points that one may ask for: beyond, a share says nothing."""


def read_questions(draft: Draft, form: FormData) -> tuple[Draft, Faults]:
    """The first form: a title, the questions, and who asks."""
    count = min(max(len(form.getlist("kind")), 1), MOST_QUESTIONS)
    before = [*draft.questions, *[DraftQuestion()] * count]
    asked: list[DraftQuestion] = []
    faults: Faults = {}
    for place, sent in enumerate(_written(form, count)):
        question, found = _question(before[sent], form, sent)
        asked.append(question)
        faults |= {f"{name}-{place}": said for name, said in found.items()}
    if sum(len(each.answers) for each in asked) > MOST_ANSWERS:
        asked = _cut(asked)
        faults["survey"] = (
            f"All questions together may have {MOST_ANSWERS:,} answers to choose from: the rest is cut off."
        )
    terms: dict[str, Any] = {name: words(form, name) for name in ("title", "name", "purpose", "owner", "contact")}
    if not terms["title"]:
        faults["title"] = "Give the survey a title, such as “How we come to work”."
    if terms["name"] and not SURVEY.fullmatch(terms["name"]):
        faults["name"] = "Use lower-case letters, digits and hyphens."
    return replace(draft, **terms, questions=tuple(asked)), faults


def _written(form: FormData, count: int) -> list[int]:
    """The places of the questions that are not left empty; the first one, if all are."""
    names = ("wording", "answers", "low", "high")
    return [place for place in range(count) if any(at(form, name, place) for name in names)] or [0]


def _cut(asked: list[DraftQuestion]) -> list[DraftQuestion]:
    """The questions with as many answers as there may be, so that the form can be sent again."""
    starts = itertools.accumulate((len(each.answers) for each in asked), initial=0)
    return [
        replace(each, answers=each.answers[: max(MOST_ANSWERS - start, 0)])
        for each, start in zip(asked, starts, strict=False)
    ]


def _question(before: DraftQuestion, form: FormData, place: int) -> tuple[DraftQuestion, Faults]:
    kind = at(form, "kind", place)
    kind = kind if kind in KINDS else "one_of"
    wording, faults = at(form, "wording", place)[:MOST_WORDS], {}
    asked = replace(before, wording=wording, kind=kind, **_listed(form, kind, place))
    if not wording:
        faults["wording"] = "Write the question."
    if kind == "number":
        asked, wrong = read_number(asked, form, place)
        return asked, faults | wrong
    return asked, faults | _of_answers(asked)


def _listed(form: FormData, kind: str, place: int) -> dict[str, Any]:
    """The answers to choose from, for the kinds that have some."""
    lines = [line.strip() for line in at(form, "answers", place).splitlines()]
    answers = tuple(line for line in lines if line) if kind in LISTED else ()
    return {"answers": answers, "silence": f"{place}" in form.getlist("silence") and kind == "one_of"}


def _of_answers(asked: DraftQuestion) -> Faults:
    """What is wrong with the answers to choose from."""
    if asked.kind not in LISTED:
        return {}
    answers = asked.answers
    if len(answers) < 2:
        return {"answers": "Write at least two answers, one per line."}
    if twice := next((label for place, label in enumerate(answers) if label in answers[:place]), None):
        return {"answers": f"“{twice[:80]}” stands there twice: each answer must be another one."}
    said = fault_of(replace(asked, protected="everybody"))
    return {"answers": said} if said else {}


def read_protection(draft: Draft, form: FormData) -> tuple[Draft, Faults]:
    """The second form: who is protected."""
    asked: list[DraftQuestion] = []
    faults: Faults = {}
    for place, before in enumerate(draft.questions):
        wanted = str(form.get(f"protected-{place}", "everybody"))
        wanted = wanted if wanted in PROTECTED and before.kind == "one_of" else "everybody"
        labels = [int(each) for each in map(str, form.getlist(f"chosen-{place}")) if each.isascii() and each.isdigit()]
        chosen = tuple(before.labels[label] for label in labels if label < len(before.labels))
        groups = tuple(str(each)[:40] for each in form.getlist(f"group-{place}"))[: len(before.labels)]
        question = replace(before, protected=wanted, chosen=chosen, groups=groups)
        asked.append(question)
        if said := fault_of(question) or _unprotected(question):
            faults[f"protected-{place}"] = said
    return replace(draft, questions=tuple(asked)), faults


def _unprotected(asked: DraftQuestion) -> str:
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
        "people": whole(form, "people", LIMITS["people"], draft.people, faults, solve),
        "error": number(form, "error", (LIMITS["error"][0], MOST_ERROR), draft.error, faults, solve),
        "epsilon": number(form, "epsilon", LIMITS["epsilon"], draft.epsilon, faults, solve),
        "expected": number(form, "expected", LIMITS["expected"], draft.expected, faults, solve),
    }
    return replace(draft, solve=solve, census="census" in form, **values), faults


def read_run(draft: Draft, form: FormData) -> tuple[Draft, Faults]:
    """The last form: when, and from how many answers on a result is shown."""
    faults: Faults = {}
    minimum = whole(form, "minimum", LIMITS["minimum"], draft.minimum, faults, "")
    times: dict[str, Any] = {name: words(form, name)[:16] for name in ("opens", "closes")}
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
