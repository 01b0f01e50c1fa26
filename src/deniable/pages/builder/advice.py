"""Warnings that would stop a careful colleague before the survey goes out."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from deniable.pages.builder.draft import Draft
from deniable.pages.builder.spoken import mistaken
from deniable.pages.kinds.draft_question import DraftQuestion
from deniable.pages.results.cautions import Caution
from deniable.protocol.say import Statement
from deniable.protocol.surveys.protection import Protection
from deniable.surveys.document import Document
from deniable.surveys.survey import Survey

RANGE: Final = re.compile(
    r"\s*(?P<start>[0-9]{1,15})\s*"
    r"(?:(?:-|\N{EN DASH}|to|bis)\s*(?P<end>[0-9]{1,15})(?![0-9])|\+)(?P<unit>.*)"
)
MANY: Final = 1000
WEAK: Final = 3.0


def advice(draft: Draft) -> list[Caution]:
    """All that should be looked at."""
    return [*mistaken(draft), *_of_answers(draft), *_of_terms(draft)]


def _of_answers(draft: Draft) -> list[Caution]:
    told = []
    for _, asked in draft.asked:
        find = overlapping if asked.kind == "one_of" else same_words
        if pair := find(asked.written):
            told.append(_overlap(*pair))
        if len(asked.labels) > MANY:
            told.append(
                Caution(
                    Statement("many_answers"),
                    Statement("are_hard_to_choose_from_and_only", count=len(asked.labels)),
                )
            )
        if known := alone(asked):
            told.append(
                Caution(
                    Statement("an_answer_that_is_not_protected"),
                    Statement("is_alone_in_its_group", answer=known),
                )
            )
    return told


def _overlap(first: str, second: str) -> Caution:
    return Caution(
        Statement("overlapping_answers"),
        Statement("and_may_both_be_true_of_one", first=first, second=second),
    )


def alone(asked: DraftQuestion) -> str | None:
    """The first answer that is a group of its own, where groups of answers become known."""
    if asked.protected != "blocks" or asked.kind != "one_of":
        return None
    groups = asked.grouped
    sizes = Counter(groups)
    lonely = (label for label, group in zip(asked.labels, groups, strict=True) if sizes[group] == 1)
    return next(lonely, None)


def shut_out(survey: Survey, others: Iterable[Document]) -> list[Caution]:
    """Whether devices that answered earlier surveys on the same topic have nothing left to spend on this one."""
    earlier = [other for other in others if other.topic == survey.topic and other.digest != survey.digest]
    full = [other for other in earlier if other.promise.charge + survey.promise.charge > min(other.cap, survey.cap)]
    if not full:
        return []
    return [
        Caution(
            Statement("who_answered_before_cannot"),
            Statement(
                "a_device_keeps_to_one",
                topic=survey.topic,
                earlier=full[-1].title or full[-1].name,
            ),
        )
    ]


def _of_terms(draft: Draft) -> list[Caution]:
    told = []
    if draft.level is not None and draft.level > WEAK:
        found = Protection(draft.level)
        told.append(Caution(Statement("caution_of_protection", grade=found.name), found.hint))
    if not draft.owner:
        told.append(Caution(Statement("nobody_is_named"), Statement("people_trust_a_survey_that_says")))
    return told


def overlapping(answers: tuple[str, ...]) -> tuple[str, str] | None:
    """Two answers of which both may be true: the same words but for case, or ranges that share a number.

    >>> overlapping(("18-25", "25-30")), overlapping(("18-24", "25-30")), overlapping(("Yes", "yes "))
    (('18-25', '25-30'), None, ('Yes', 'yes '))
    """
    return same_words(answers) or _shared_number(answers)


def same_words(answers: tuple[str, ...]) -> tuple[str, str] | None:
    """Two answers that differ in nothing but case, spaces, and how their accents are stored."""
    seen: dict[str, str] = {}
    for answer in answers:
        other = seen.setdefault(" ".join(unicodedata.normalize("NFKC", answer).casefold().split()), answer)
        if other is not answer:
            return other, answer
    return None


def _shared_number(answers: tuple[str, ...]) -> tuple[str, str] | None:
    """Two ranges of the same unit that share a number; sorted, each need be held against the widest before it alone."""
    widest: dict[str, tuple[float, int]] = {}
    for start, end, unit, place in sorted(_ranges(answers)):
        reach, other = widest.get(unit, (-math.inf, place))
        if start <= reach:
            first, second = sorted((other, place))
            return answers[first], answers[second]
        widest[unit] = (end, place)
    return None


def _ranges(answers: tuple[str, ...]) -> Iterator[tuple[int, float, str, int]]:
    """Start, end, unit and place of each answer that is a range, such as "18-25 years" or "65+"."""
    for place, answer in enumerate(answers):
        found = RANGE.fullmatch(answer)
        if found is None:
            continue
        start, end = int(found["start"]), math.inf if found["end"] is None else int(found["end"])
        if start <= end:
            yield start, end, found["unit"].strip().casefold(), place
