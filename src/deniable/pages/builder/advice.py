"""Warnings that would stop a careful colleague before the survey goes out."""

from __future__ import annotations

import re
from typing import Final

from deniable.pages.builder.draft import Draft
from deniable.pages.results.cautions import Caution
from deniable.pages.results.found import fakes_shift
from deniable.pages.words import points
from deniable.surveys.survey import Survey

RANGE: Final = re.compile(r"\s*(\d+)\s*(?:-|\N{EN DASH}|to|bis)\s*(\d+)\b")
MANY: Final = 1000
WEAK: Final = 3.0


def advice(draft: Draft, survey: Survey) -> list[Caution]:
    """All that should be looked at."""
    return [*_of_answers(draft), *_of_numbers(draft, survey)]


def _of_answers(draft: Draft) -> list[Caution]:
    told = []
    for asked in draft.questions:
        if pair := overlapping(asked.answers):
            told.append(Caution("Overlapping answers.", f"“{pair[0]}” and “{pair[1]}” may both be true of one person."))
        if len(asked.labels) > MANY:
            told.append(
                Caution("Many answers.", f"{len(asked.labels):,} are hard to choose from, and only frequent ones show.")
            )
    return told


def _of_numbers(draft: Draft, survey: Survey) -> list[Caution]:
    told = []
    if draft.error > draft.expected:
        told.append(
            Caution(
                "Rare answers.",
                f"You look for a share of about {draft.expected:g} in 100, and the error is {draft.error:.3g}: it will "
                "be lost in it. Ask more people, or protect less.",
            )
        )
    if draft.epsilon > WEAK:
        told.append(
            Caution(
                "Weak protection.",
                "Above 3, who sees the answers of somebody learns much about them: look at the table of guesses.",
            )
        )
    if not draft.owner:
        told.append(Caution("Nobody is named.", "People trust a survey that says who asks, and why: step 1."))
    shift = max(fakes_shift(survey, question.name) for question in survey.questions)
    told.append(
        Caution(
            "An open link.",
            f"Anybody who has it can answer, and more than once. If 1 in 100 answers were made up, a share could move "
            f"by up to {points(shift)} points. Codes, one a person, prevent it: make them once the survey runs.",
        )
    )
    return told


def overlapping(answers: tuple[str, ...]) -> tuple[str, str] | None:
    """Two answers of which both may be true: ranges that share a number, or the same words but for case.

    >>> overlapping(("18-25", "25-30")), overlapping(("18-24", "25-30")), overlapping(("Yes", "yes "))
    (('18-25', '25-30'), None, ('Yes', 'yes '))
    """
    for place, one in enumerate(answers):
        for other in answers[:place]:
            if _overlap(other, one):
                return other, one
    return None


def _overlap(one: str, other: str) -> bool:
    if one.casefold().split() == other.casefold().split():
        return True
    first, second = RANGE.match(one), RANGE.match(other)
    if first is None or second is None:
        return False
    (a, b), (c, d) = (map(int, found.groups()) for found in (first, second))
    return max(a, c) <= min(b, d)
