"""What a survey realises, over all of its joint answers: the exact reports of its parts, and ratios between answers.

The reports of the parts of one arm are independent once the answers are given, so their ratios multiply.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.repeat.remembered import Remembered
from deniable.protocol.errors import CapacityError
from deniable.protocol.privacy.rows import ListedRows, Ratio, largest, within_sum
from deniable.protocol.questions.question import Question
from deniable.surveys.arms import Part
from deniable.surveys.document import Document
from deniable.surveys.lifelong import Proof, lifelong
from deniable.surveys.questions.kinds import values_of

MOST_PAIRS = 1 << 12
"""The most pairs of joint answers, times the parts of all arms, that are looked at."""
Answer: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True)
class Reports:
    """What one part sends: for each answer to its questions a row of whole-number weights, of one total for all."""

    names: tuple[str, ...]
    rows: Mapping[tuple[Any, ...], tuple[int, ...]]

    @classmethod
    def of(cls, part: Part, mechanism: Mechanism, answers: Iterable[Answer]) -> Reports:
        """Those of a part, through its own mechanism or through the one whose reports it remembers."""
        channel = mechanism.channel()
        weights = channel.rows.listed()
        given = dict.fromkeys(tuple(answer[name] for name in part.names) for answer in answers)
        drawn = {each: part.encoder.chances(part.questions, each) for each in given}
        common = math.lcm(*(chance.denominator for chances in drawn.values() for _, chance in chances))
        rows = {}
        for each, chances in drawn.items():
            mixed = [(int(chance * common), weights[channel.domain.index(value)]) for value, chance in chances]
            rows[each] = tuple(sum(share * row[y] for share, row in mixed) for y in range(len(weights[0])))
        return cls(part.names, rows)

    def row(self, answer: Answer) -> tuple[int, ...]:
        """The weights of the reports of an answer."""
        return self.rows[tuple(answer[name] for name in self.names)]

    def ratio(self, answer: Answer, other: Answer) -> Ratio:
        """The largest ratio of the probability of a report from one answer to that from another."""
        return largest(zip(self.row(answer), self.row(other), strict=True))

    def overlaps(self, answer: Answer, other: Answer) -> bool:
        """Whether some report may come from both answers."""
        return any(p and q for p, q in zip(self.row(answer), self.row(other), strict=True))


@dataclass(frozen=True)
class SurveyChannel:
    """What a survey realises, over all of its joint answers; ``kept`` is about all rounds with the same answers."""

    document: Document
    answers: tuple[Answer, ...]
    arms: tuple[tuple[Reports, ...], ...]
    kept: tuple[tuple[Reports, ...], ...]

    @classmethod
    def of(cls, document: Document) -> SurveyChannel:
        """Enumerate a survey; one with too many joint answers is refused."""
        every = joint_answers(document.questions, MOST_PAIRS / sum(len(arm.parts) for arm in document.arms))
        asked = document.questions
        answers = tuple(each for each in every if all(q.is_covered(each[q.name]) for q in asked))
        arms = tuple(tuple(Reports.of(part, part.mechanism, answers) for part in arm.parts) for arm in document.arms)
        if document.repeat != "remembered":
            return cls(document, answers, arms, arms)
        kept = ((Reports.of(part, _permanent(part.mechanism), answers) for part in arm.parts) for arm in document.arms)
        return cls(document, answers, arms, tuple(map(tuple, kept)))

    def ratio(self, answer: Answer, other: Answer, kept: bool = False) -> Ratio:
        """The largest ratio of what is sent, whichever arm was drawn."""
        arms = self.kept if kept else self.arms
        return max(product(part.ratio(answer, other) for part in arm) for arm in arms)

    @cached_property
    def worst(self) -> Ratio:
        """The largest ratio of one answer, or one round, between any two joint answers."""
        return self._worst(kept=False)

    @cached_property
    def worst_unchanged(self) -> Ratio:
        """The largest ratio of all rounds together, as long as answers stay the same."""
        return self._worst(kept=True)

    @cached_property
    def lives(self) -> tuple[Proof, ...]:
        """For each arm what a life of its remembered reports costs, each of which is proven."""
        return tuple(lifelong([part.mechanism for part in arm.parts]) for arm in self.document.arms)

    def _worst(self, kept: bool) -> Ratio:
        return max(self.ratio(x, z, kept) for x, z in itertools.permutations(self.answers, 2))

    def about(self, name: str) -> list[tuple[Any, Any, Ratio]]:
        """Any two different answers to one question, and the largest ratio with the same answers to all others."""
        pairs = [
            (x, z)
            for x, z in itertools.permutations(self.answers, 2)
            if x[name] != z[name] and all(x[other] == z[other] for other in x if other != name)
        ]
        return [(x[name], z[name], self.ratio(x, z)) for x, z in pairs]


@dataclass(frozen=True)
class QuestionRatios:
    """The answers to one question, all others being the same: any two, and their largest ratio."""

    question: Question
    pairs: Sequence[tuple[Any, Any, Ratio]]
    rows: Sequence[ListedRows]
    """For each arm with one report about it alone the weights of its reports, answer by answer."""

    @classmethod
    def of(cls, realised: SurveyChannel, name: str) -> QuestionRatios:
        """Of the question with this name."""
        lone = [parts[0] for arm in realised.arms if len(parts := [p for p in arm if p.names == (name,)]) == 1]
        rows = [ListedRows.reduced(part.rows.values()) for part in lone]
        return cls(realised.document.by_name[name], realised.about(name), rows)

    def bound(self, level: float, some: Callable[[Any, Any], bool] = lambda a, b: True) -> bool:
        """Whether the pairs that are meant, of which there is one at least, are within a level."""
        meant = [ratio for a, b, ratio in self.pairs if some(a, b)]
        return bool(meant) and all(within_sum(ratio, level) for ratio in meant)

    def hidden(self) -> list[Any]:
        """The answers of which no report tells that it was another."""
        open_ones = {a for a, _, ratio in self.pairs if ratio == math.inf}
        return [a for a in dict.fromkeys(a for a, _, _ in self.pairs) if a not in open_ones]

    def groups(self) -> list[set[Any]]:
        """The answers in groups within which no report tells for certain which it was."""
        found: list[set[Any]] = []
        for a in dict.fromkeys(a for a, _, _ in self.pairs):
            home = next((group for group in found if all(self._bound(a, b) for b in group)), None)
            if home is None:
                found.append({a})
            else:
                home.add(a)
        return found

    def _bound(self, a: Any, b: Any) -> bool:
        return all(ratio < math.inf for x, z, ratio in self.pairs if {x, z} == {a, b})

    def place(self, answer: Any) -> int:
        """Where an answer stands in its order."""
        return values_of(self.question).index(answer)

    def apart(self, steps: int) -> Callable[[Any, Any], bool]:
        """Whether two answers stand so many steps apart."""
        return lambda a, b: abs(self.place(a) - self.place(b)) == steps


def joint_answers(questions: Sequence[Question], most: float) -> Iterator[dict[str, Any]]:
    """Every joint answer to some questions; refused if there are more than so many pairs of them."""
    sizes = [values_of(question).size for question in questions]
    if None in sizes or math.prod(size or 0 for size in sizes) ** 2 > most:
        raise CapacityError("joint answers must be fewer to be enumerated, and none in one's own words")
    every = [list(values_of(question).every()) for question in questions]
    names = [question.name for question in questions]
    return (dict(zip(names, answer, strict=True)) for answer in itertools.product(*every))


def _permanent(mechanism: Mechanism) -> Mechanism:
    return mechanism.permanent if isinstance(mechanism, Remembered) else mechanism


def product(ratios: Iterable[Ratio]) -> Ratio:
    """Ratios multiplied; infinite if one of them is."""
    found: Ratio = Fraction(1)
    for ratio in ratios:
        if isinstance(ratio, float):
            return math.inf
        found *= ratio
    return found
