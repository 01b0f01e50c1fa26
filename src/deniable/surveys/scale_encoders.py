"""How a number becomes a value: the block of the scale that it lies in, or one of a few points, drawn at random.

A point is drawn so that its mean is the number: between two points a device takes the upper one with just the
probability that makes it so (numbers.md 1). The threshold of that draw is uniform; its ``level``, which everybody may
know, is the arm's, and the rest of it the device's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Final

import numpy as np

from deniable.arrays import Counts, Indices
from deniable.privacy.entropy import Entropy, draw_uniform
from deniable.protocol.checks import check_int
from deniable.protocol.errors import ParameterError
from deniable.protocol.privacy.distance import Distance
from deniable.protocol.privacy.guarantees import LDP, Guarantee
from deniable.protocol.scale import MOST_STEPS
from deniable.protocol.surveys.numbers import Number
from deniable.protocol.surveys.question import Question
from deniable.surveys.encoding import Fixed, Recoding, check_same, only
from deniable.values.columns import Labels
from deniable.values.domain import Domain
from deniable.values.values import Values

MOST_POINTS: Final = 33
MOST_LEVELS: Final = 64


@dataclass(frozen=True)
class Block(Fixed):
    """The number of the block of ``size`` places, the first of which begins ``offset`` places below the scale.

    >>> [Block(4, 1).of([place]) for place in (0, 2, 3, 7)]
    [0, 0, 1, 2]
    """

    kind: ClassVar[str] = "block"
    size: int
    offset: int = 0

    def __post_init__(self) -> None:
        check_int("size", self.size, 1, MOST_STEPS)
        check_int("offset", self.offset, 0, self.size - 1)

    def blocks(self, steps: int) -> int:
        """How many blocks a scale of so many steps has."""
        return (steps + self.offset) // self.size + 1

    def check(self, questions: Sequence[Question], values: Values) -> None:
        """One question of kind number, and a mechanism over the numbers of its blocks."""
        check_same(Domain.of(self.blocks(only(questions, Number, self).scale.steps)), values, self)

    def of(self, answers: Sequence[Any]) -> Any:
        """The number of the block."""
        place: int = answers[0]
        return (place + self.offset) // self.size

    def column(
        self, questions: Sequence[Question], answers: Sequence[Labels], values: Values, entropy: Entropy
    ) -> Indices:
        """The numbers of the blocks."""
        return (_places(answers[0]) + self.offset) // self.size

    def carries(self, guarantee: Guarantee) -> bool:
        """Every guarantee of single places; of larger blocks LDP and distances, for these hold no farther places."""
        return self.size == 1 or isinstance(guarantee, LDP | Distance)

    def to_json(self) -> dict[str, Any]:
        """The encoder as a document holds it."""
        return {"kind": self.kind, "size": self.size, "offset": self.offset}


@dataclass(frozen=True)
class Point(Recoding):
    """One of ``points`` that divide the scale evenly, drawn with a threshold of this ``level`` out of ``levels``.

    With ``about`` it is not the place that is drawn for but the square of its distance from that one.

    >>> import deniable as dn
    >>> minutes = dn.Number("minutes", 0, 10)
    >>> [(value, str(chance)) for value, chance in Point(2, 4, 1).chances([minutes], [3])]
    [(0, '4/5'), (1, '1/5')]
    """

    kind: ClassVar[str] = "point"
    points: int
    levels: int
    level: int
    about: int | None = None

    def __post_init__(self) -> None:
        check_int("points", self.points, 2, MOST_POINTS)
        check_int("levels", self.levels, 1, MOST_LEVELS)
        check_int("level", self.level, 0, self.levels - 1)
        if self.about is not None:
            check_int("about", self.about, 0, MOST_STEPS)

    def check(self, questions: Sequence[Question], values: Values) -> None:
        """One question of kind number, and a mechanism over the numbers of the points."""
        question = only(questions, Number, self)
        if self.about is not None and self.about > question.scale.steps:
            raise ParameterError(f"about must be a place on the scale, got one of more than {question.scale.steps}")
        check_same(Domain.of(self.points), values, self)

    def reach(self, steps: int) -> int:
        """The largest number that is drawn for: that of steps, or the largest square."""
        return steps if self.about is None else max(self.about, steps - self.about) ** 2

    def value(self, questions: Sequence[Question], answers: Sequence[Any], entropy: Entropy) -> Any:
        """The point that is drawn for one answer."""
        return int(self._drawn(_steps(questions), np.array(answers, np.int64), entropy)[0])

    def chances(self, questions: Sequence[Question], answers: Sequence[Any]) -> Sequence[tuple[Any, Fraction]]:
        """The point below and the one above, if both may be drawn."""
        steps = _steps(questions)
        below, ups = (int(found[0]) for found in self._split(steps, np.array(answers, np.int64)))
        up = Fraction(ups, self.reach(steps))
        return [(point, chance) for point, chance in ((below, 1 - up), (below + 1, up)) if chance]

    def column(
        self, questions: Sequence[Question], answers: Sequence[Labels], values: Values, entropy: Entropy
    ) -> Indices:
        """The points that are drawn for a column."""
        return self._drawn(_steps(questions), _places(answers[0]), entropy)

    def draw_held(
        self,
        questions: Sequence[Question],
        answers: Sequence[Labels],
        people: Counts,
        values: Values,
        generator: np.random.Generator,
    ) -> Counts:
        """How many people come to hold each point: for simulation."""
        steps = _steps(questions)
        below, ups = self._split(steps, _places(answers[0]))
        above = generator.binomial(people, ups / self.reach(steps))
        held = np.bincount(below, people - above, self.points) + np.bincount(below + 1, above, self.points + 1)[:-1]
        return held.astype(np.int64)

    def to_json(self) -> dict[str, Any]:
        """The encoder as a document holds it."""
        numbers = {"points": self.points, "levels": self.levels, "level": self.level, "about": self.about}
        return {"kind": self.kind, **numbers}

    def _drawn(self, steps: int, places: Indices, entropy: Entropy) -> Indices:
        below, ups = self._split(steps, places)
        return below + (draw_uniform(len(places), self.reach(steps), entropy) < ups)

    def _split(self, steps: int, places: Indices) -> tuple[Indices, Indices]:
        """The point below each number, and in how many of ``reach`` equally likely cases the one above is drawn."""
        reach = self.reach(steps)
        numbers = places if self.about is None else (places - self.about) ** 2
        below, rest = np.divmod(numbers * (self.points - 1), reach)
        return below, np.clip(rest * self.levels - self.level * reach, 0, reach)


def _steps(questions: Sequence[Question]) -> int:
    """The steps of the only question's scale, which has been checked."""
    question = questions[0]
    assert isinstance(question, Number)
    return question.scale.steps


def _places(answers: Labels) -> Indices:
    return np.asarray(answers, np.int64)
