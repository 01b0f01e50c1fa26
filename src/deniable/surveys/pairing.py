"""The answers to two questions as one label, so that they can be set side by side."""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Final

import numpy as np

from deniable.arrays import Counts, Indices
from deniable.privacy.entropy import Entropy
from deniable.protocol.errors import CapacityError, ParameterError
from deniable.protocol.surveys.numbers import Number
from deniable.protocol.surveys.one_of import OneOf
from deniable.protocol.surveys.question import Question
from deniable.surveys.encoding import Recoding, check_same
from deniable.surveys.scale_encoders import Point
from deniable.values.columns import Labels, python_values
from deniable.values.domain import Domain
from deniable.values.values import Values

MOST_CELLS: Final = 4096
"""The most pairs of labels of two crossed questions: the covariance of all their shares is held at once."""
HALF: Final = Point(2, 1, 0)
"""Of a number either end of its scale: the higher one as often as makes the mean right."""


@dataclass(frozen=True)
class Pair(Recoding):
    """The answers to two questions as one label: that of the first, then that of the second.

    A number is reported as 1 or 0, either end of its scale, drawn so that the mean is right (numbers.md 4).
    """

    kind: ClassVar[str] = "pair"

    def check(self, questions: Sequence[Question], values: Values) -> None:
        """Two different questions with one answer each, and a mechanism over all pairs of their labels."""
        if len(questions) != 2 or not all(isinstance(question, OneOf | Number) for question in questions):
            raise ParameterError("a pair must be of two questions with one answer each, got others")
        if questions[0].name == questions[1].name:
            raise ParameterError(f"a pair must be of two different questions, got {questions[0].name!r} twice")
        cells = math.prod(len(labels_of(question)) for question in questions)
        if cells > MOST_CELLS:
            raise CapacityError(f"a pair must have at most {MOST_CELLS} pairs of labels, got {cells}")
        if cells != values.size:  # before all pairs are written out
            raise ParameterError(f"the encoder 'pair' must have a mechanism over {cells} labels, got {values!r}")
        check_same(pairs_of(questions), values, self)

    def value(self, questions: Sequence[Question], answers: Sequence[Any], entropy: Entropy) -> Any:
        """Both labels."""
        asked = zip(questions, answers, strict=True)
        return tuple(HALF.value([q], [a], entropy) if isinstance(q, Number) else a for q, a in asked)

    def chances(self, questions: Sequence[Question], answers: Sequence[Any]) -> Sequence[tuple[Any, Fraction]]:
        """The pairs that may be drawn: one, unless there is a number."""
        sides = [
            HALF.chances([q], [a]) if isinstance(q, Number) else [(a, Fraction(1))]
            for q, a in zip(questions, answers, strict=True)
        ]
        return [((a, b), p * q) for (a, p), (b, q) in itertools.product(*sides)]

    def column(
        self, questions: Sequence[Question], answers: Sequence[Labels], values: Values, entropy: Entropy
    ) -> Indices:
        """The indices of the pairs."""
        sides = [
            HALF.column([q], [column], values, entropy.part(k)).tolist()
            if isinstance(q, Number)
            else python_values(column)
            for k, (q, column) in enumerate(zip(questions, answers, strict=True))
        ]
        return values.column(list(zip(*sides, strict=True)))

    def draw_held(
        self,
        questions: Sequence[Question],
        answers: Sequence[Labels],
        people: Counts,
        values: Values,
        generator: np.random.Generator,
    ) -> Counts:
        """How many people come to hold each pair: for simulation."""
        held: Counts = np.zeros(values.size or 0, np.int64)
        for sides, count in _split(questions, [python_values(column) for column in answers], people, generator):
            held += np.bincount(values.column(list(zip(*sides, strict=True))), count, len(held)).astype(np.int64)
        return held

    def to_json(self) -> dict[str, Any]:
        """The encoder as a document holds it."""
        return {"kind": self.kind}


def labels_of(question: Question) -> Sequence[Hashable]:
    """What a pair holds of a question: its labels, or the two ends of its scale."""
    return question.labels if isinstance(question, OneOf) else (0, 1)


def pairs_of(questions: Iterable[Question]) -> Domain:
    """All pairs of labels of two questions, those of the first label first."""
    return Domain.of(list(itertools.product(*map(labels_of, questions))))


def _split(
    questions: Sequence[Question], answers: Sequence[list[Any]], people: Counts, generator: np.random.Generator
) -> Iterator[tuple[list[list[Any]], Counts]]:
    """The people of each row parted by the end of the scale that they draw for a number."""
    place = next((k for k, question in enumerate(questions) if isinstance(question, Number)), None)
    if place is None:
        yield list(answers), people
        return
    question, rows = questions[place], len(people)
    assert isinstance(question, Number)
    above = generator.binomial(people, np.array(answers[place]) / question.scale.steps)
    others = [*questions[:place], *questions[place + 1 :]]
    for end, count in ((0, people - above), (1, above)):
        for sides, parted in _split(others, [*answers[:place], *answers[place + 1 :]], count, generator):
            yield [*sides[:place], [end] * rows, *sides[place:]], parted
