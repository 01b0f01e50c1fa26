"""How a number becomes a value: the block of the scale that it lies in, or a point that is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from ..canonical import Spec
from ..checks import check_int
from ..draws import uniform
from ..errors import ParameterError
from ..privacy.distance import Distance
from ..privacy.guarantees import LDP, Guarantee
from ..scale import MOST_STEPS
from ..values import Domain
from .encoding import Chances, Encoder, Source
from .numbers import Number
from .question import Question

MOST_POINTS, MOST_LEVELS = 33, 64


@dataclass(frozen=True)
class Block(Encoder):
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

    def check(self, questions: Sequence[Question], values: Any) -> None:
        """One number, and a mechanism over the numbers of its blocks."""
        self._same(Domain(self.blocks(self._only(questions, Number).scale.steps)), values)

    def of(self, answers: Sequence[Any]) -> Any:
        """The number of the block."""
        return (answers[0] + self.offset) // self.size

    def carries(self, guarantee: Guarantee) -> bool:
        """Every guarantee of single places; of larger blocks LDP and distances, for these hold no farther places."""
        return self.size == 1 or isinstance(guarantee, (LDP, Distance))

    def to_json(self) -> Spec:
        """The encoder as a document holds it."""
        return {"kind": self.kind, "size": self.size, "offset": self.offset}


@dataclass(frozen=True)
class Point(Encoder):
    """One of ``points`` that divide the scale evenly, drawn with a threshold of this ``level`` out of ``levels``.

    With ``about`` it is not the place that is drawn for but the square of its distance from that one.

    >>> minutes = Number("minutes", 0, 10)
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

    def check(self, questions: Sequence[Question], values: Any) -> None:
        """One number, and a mechanism over the numbers of the points."""
        question = self._only(questions, Number)
        if self.about is not None and self.about > question.scale.steps:
            raise ParameterError(f"about must be a place on the scale, got one of more than {question.scale.steps}")
        self._same(Domain(self.points), values)

    def reach(self, steps: int) -> int:
        """The largest number that is drawn for: that of steps, or the largest square."""
        return steps if self.about is None else max(self.about, steps - self.about) ** 2

    def value(self, questions: Sequence[Question], answers: Sequence[Any], source: Source) -> Any:
        """The point below the number or the one above, from words of their own."""
        below, ups, reach = self._split(questions[0], answers[0])
        return below + (uniform(source().part(), reach) < ups)

    def chances(self, questions: Sequence[Question], answers: Sequence[Any]) -> Chances:
        """Both points, each with its probability."""
        below, ups, reach = self._split(questions[0], answers[0])
        up = Fraction(ups, reach)
        return [(point, chance) for point, chance in ((below, 1 - up), (below + 1, up)) if chance]

    def to_json(self) -> Spec:
        """The encoder as a document holds it."""
        numbers = {"points": self.points, "levels": self.levels, "level": self.level, "about": self.about}
        return {"kind": self.kind, **numbers}

    def _split(self, question: Question, place: int) -> tuple[int, int, int]:
        """The point below, and in how many of how many equally likely cases the one above is drawn."""
        assert isinstance(question, Number)
        number, reach = place if self.about is None else (place - self.about) ** 2, self.reach(question.scale.steps)
        below, rest = divmod(number * (self.points - 1), reach)
        return below, min(max(rest * self.levels - self.level * reach, 0), reach), reach


HALF = Point(2, 1, 0)
"""Of a number either end of its scale, as a pair has it."""
