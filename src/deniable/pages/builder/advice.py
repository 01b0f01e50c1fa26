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
from deniable.pages.results.caution import Caution
from deniable.pages.results.made_up import MADE_UP
from deniable.sentence import Sentence, sentence
from deniable.surveys.document import Document
from deniable.surveys.survey import Survey

RANGE: Final = re.compile(
    r"\s*(?P<start>[0-9]{1,15})\s*"
    r"(?:(?:-|\N{EN DASH}|to|bis)\s*(?P<end>[0-9]{1,15})(?![0-9])|\+)(?P<unit>.*)"
)
MANY: Final = 1000
WEAK: Final = 3.0


def advice(draft: Draft, survey: Survey) -> list[Caution]:
    """All that should be looked at."""
    return [*mistaken(draft), *_of_answers(draft), *_of_terms(draft, survey)]


def _of_answers(draft: Draft) -> list[Caution]:
    told = []
    for _, asked in draft.asked:
        find = overlapping if asked.kind == "one_of" else same_words
        if pair := find(asked.written):
            told.append(_overlap(*pair))
        if len(asked.labels) > MANY:
            told.append(
                Caution(
                    sentence("Many answers."),
                    sentence("{count} are hard to choose from, and only frequent ones show.", count=len(asked.labels)),
                )
            )
        if known := alone(asked):
            told.append(
                Caution(
                    sentence("An answer that is not protected."),
                    sentence(
                        "“{answer}” is alone in its group: whoever gives it is known to have given it.", answer=known
                    ),
                )
            )
    return told


def _overlap(first: str, second: str) -> Caution:
    return Caution(
        sentence("Overlapping answers."),
        sentence("“{first}” and “{second}” may both be true of one person.", first=first, second=second),
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
            sentence("Who answered before cannot answer this."),
            sentence(
                "A device keeps to one limit for all surveys named “{topic}”, and an answer to the earlier one, "
                "“{earlier}”, uses it up. If other people are asked, or if they should all answer again, give this "
                "survey another name in step 1: each answer then tells a little more of them.",
                topic=survey.topic,
                earlier=full[-1].title or full[-1].name,
            ),
        )
    ]


def _of_terms(draft: Draft, survey: Survey) -> list[Caution]:
    told = []
    if draft.level is not None and draft.level > WEAK:
        told.append(
            Caution(
                sentence("Weak protection."),
                sentence("Above 3, who sees what a device sent learns much about its owner."),
            )
        )
    if not draft.owner:
        told.append(
            Caution(
                sentence("Nobody is named."), sentence("People trust a survey that says who asks, and why: step 1.")
            )
        )
    told.append(
        Caution(
            sentence("Anybody with the link can answer, and more than once."),
            sentence(
                "If 1 in 100 answers were made up, {moved}. Codes prevent it: make them on the last page.",
                moved=_moved(survey),
            ),
        )
    )
    return told


def _moved(survey: Survey) -> Sentence:
    """How far made-up answers may move a share, and the mean of each number."""
    shifts = survey.manipulation(MADE_UP).shifts.values()
    shares = [each for each in shifts if not each.of_mean]
    largest = [max(shares, key=lambda each: each.shift)] if shares else []
    told = [sentence("a share could move by up to {points}", points=each.moved) for each in largest]
    told += [
        sentence("the mean of “{question}” could move by up to {amount}", question=each.wording, amount=each.moved)
        for each in shifts
        if each.of_mean and each.moved
    ]
    if not told:
        return sentence("a share could move by more than 1 point")
    first, *others = told
    for other in others:
        first = sentence("{first}, and {then}", first=first, then=other)
    return first


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
