"""How a number becomes a value: the block of the scale that it lies in, or a point that is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ..canonical import Spec
from ..checks import check_int
from ..draws import uniform
from ..privacy.distance import Distance
from ..privacy.guarantees import LDP, Guarantee
from ..scale import MOST_STEPS
from ..values import Domain, Values
from .encoding import Chances, Encoder, Source
from .numbers import Number
from .question import Question

MOST_POINTS, MOST_LEVELS = 33, 64


class Block(Encoder):
    """The number of the block of ``size`` places, the first of which begins ``offset`` places below the scale."""

    kind = "block"

    def __init__(self, size: Any, offset: Any) -> None:
        self.size = check_int("size", size, 1, MOST_STEPS)
        self.offset = check_int("offset", offset, 0, self.size - 1)

    def check(self, questions: Sequence[Question], values: Values) -> None:
        """One number, and a mechanism over the numbers of its blocks."""
        self._same(Domain((self._only(questions, Number).scale.steps + self.offset) // self.size + 1), values)

    def of(self, answers: Sequence[Any]) -> Any:
        """The number of the block."""
        return (answers[0] + self.offset) // self.size

    def carries(self, guarantee: Guarantee) -> bool:
        """Every guarantee of single places; of larger blocks LDP and distances, for these hold no farther places."""
        return self.size == 1 or isinstance(guarantee, (LDP, Distance))

    def to_json(self) -> Spec:
        """The encoder as a document holds it."""
        return {"kind": self.kind, "size": self.size, "offset": self.offset}


class Point(Encoder):
    """One of ``points`` that divide the scale evenly, drawn so that its mean is the number.

    With ``about`` it is drawn for the square of the distance from that place.
    """

    kind = "point"

    def __init__(self, points: Any, levels: Any, level: Any, about: Any) -> None:
        self.points = check_int("points", points, 2, MOST_POINTS)
        self.levels = check_int("levels", levels, 1, MOST_LEVELS)
        self.level = check_int("level", level, 0, self.levels - 1)
        self.about: int | None = None if about is None else check_int("about", about, 0, MOST_STEPS)

    def check(self, questions: Sequence[Question], values: Values) -> None:
        """One number, and a mechanism over the numbers of the points."""
        question = self._only(questions, Number)
        if self.about is not None:
            check_int("about", self.about, 0, question.scale.steps)
        self._same(Domain(self.points), values)

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
        number, reach = place, question.scale.steps
        if self.about is not None:
            number, reach = (place - self.about) ** 2, max(self.about, reach - self.about) ** 2
        below, rest = divmod(number * (self.points - 1), reach)
        return below, min(max(rest * self.levels - self.level * reach, 0), reach), reach


HALF = Point(2, 1, 0, None)
"""Of a number either end of its scale, as a pair has it."""
