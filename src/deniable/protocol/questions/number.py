"""Questions answered by a number or a date between bounds that people are told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Final

from ..canonical import Spec
from ..checks import check_choice, check_int
from ..draws import uniform
from ..errors import ParameterError
from ..fields import check_question_name, check_words
from ..number_scale import MOST_STEPS, NumberScale
from ..privacy.guarantees import Guarantee
from ..say import Statement
from ..values import Domain
from .only_if import refuse_branch
from .question import Chances, Encoder, Question, QuestionWords, Source, about

WANTS: Final = ("mean", "quantiles", "histogram", "spread")
"""What may be wanted of a number: each costs people of its own, but quantiles and histogram, which share theirs."""
MOST_UNIT: Final = 40
MOST_POINTS, MOST_LEVELS = 33, 64


@dataclass(frozen=True, init=False, repr=False)
class Number(Question):
    """A number, or a date, from ``low`` to ``high``; answers beyond them count as the bound, and people are told so.

    Dates may be given as texts such as "2026-08-01". Answers go to the nearest ``step``. ``want`` says what is to be
    told: the mean, quantiles (and the share of any range), a histogram, the spread about the mean.

    >>> Number("minutes", 0, 120, unit="min"), Number("weight", 40, 160, 0.5, "kg", want=("mean",))
    (Number('minutes', 0 to 120 by 1, min), Number('weight', 40 to 160 by 0.5, kg))
    """

    kind: ClassVar[str] = "number"
    remembers: ClassVar[bool] = False
    name: str
    scale: NumberScale
    unit: str
    want: tuple[str, ...]
    wording: str

    def __init__(
        self,
        name: str,
        low: Any,
        high: Any,
        step: Any = 1,
        unit: str = "",
        want: Iterable[str] = ("mean", "quantiles", "histogram"),
        wording: str = "",
        only_if: Any = None,
    ) -> None:
        known = check_question_name(name)
        with about(known):
            refuse_branch(only_if, "a Number")
            self._settle(
                name=known,
                scale=NumberScale.of(low, high, step),
                unit=check_unit(unit),
                want=_check_want(want),
                wording=check_words("wording", wording),
            )

    @property
    def values(self) -> NumberScale:
        return self.scale

    @property
    def plain_encoder(self) -> Block:
        return Block(1)

    @property
    def pair_labels(self) -> tuple[int, int]:
        return (0, 1)

    def pair_label(self, answer: int, source: Source) -> Any:
        """Either end, drawn so that the mean is right."""
        return HALF.value([self], [answer], source)

    def pair_chances(self, answer: int) -> Chances:
        return HALF.chances([self], [answer])

    def check(self, answer: Any) -> None:
        if answer not in self.scale:
            raise self._refused(self.scale.wanted, answer)

    def encoder_input(self, answer: Any) -> int:
        """The place of a checked answer on the scale."""
        return self.scale.index(answer)

    @property
    def words(self) -> QuestionWords:
        return QuestionWords(self.wording, unit=self.unit)

    def to_json(self) -> Spec:
        return {**super().to_json(), **self.scale.to_json(), "unit": self.unit, "want": list(self.want)}

    @classmethod
    def from_json(cls, written: Mapping[str, Any]) -> Number:
        """The question that ``to_json`` wrote: bounds and step are texts, in one way only."""
        low, high, step = (written[field] for field in ("low", "high", "step"))
        for name, kind in (("low", str), ("high", str), ("step", str), ("want", list)):
            if not isinstance(written[name], kind):
                raise ParameterError(f"{name} must be a {kind.__name__}, got {type(written[name]).__name__}")
        return cls(written["name"], low, high, step, written["unit"], written["want"], written["wording"])

    def __repr__(self) -> str:
        return f"Number({self.name!r}, {self.scale!r}{f', {self.unit}' if self.unit else ''})"


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
        self._same(Domain(self.blocks(self._only(questions, Number).scale.steps)), values)

    def of(self, answers: Sequence[Any]) -> Any:
        return (answers[0] + self.offset) // self.size

    def carries(self, guarantee: Guarantee) -> bool:
        """Every guarantee of single places; of larger blocks LDP and distances, for these hold no farther places."""
        return self.size == 1 or guarantee.alike or guarantee.by_distance

    def to_json(self) -> Spec:
        return {"kind": self.kind, "size": self.size, "offset": self.offset}


@dataclass(frozen=True)
class Point(Encoder):
    """A place rounded at random to one of ``points`` that divide the scale evenly; the value is the point's number.

    It goes up to the next point if its fraction of the way there is more than a threshold, which is uniform between
    level/levels and (level + 1)/levels. With ``about`` the square of its distance from that place is rounded instead.

    >>> minutes = Number("minutes", 0, 10)
    >>> [(value, str(chance)) for value, chance in Point(2, 4, 1).chances([minutes], [3])]
    [(0, '4/5'), (1, '1/5')]
    """

    kind: ClassVar[str] = "point"
    is_drawn: ClassVar[bool] = True
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
        question = self._only(questions, Number)
        if self.about is not None and self.about > question.scale.steps:
            raise ParameterError(f"about must be a place on the scale, got one of more than {question.scale.steps}")
        self._same(Domain(self.points), values)

    def largest(self, steps: int) -> int:
        """The largest number that is rounded: the number of steps, or the largest square."""
        return steps if self.about is None else max(self.about, steps - self.about) ** 2

    def value(self, questions: Sequence[Question], answers: Sequence[Any], source: Source) -> Any:
        """The point below the number or the one above, from words of their own."""
        below, ups, largest = self._split(questions[0].values.steps, answers[0])
        return below + (uniform(source().part(), largest) < ups)

    def chances(self, questions: Sequence[Question], answers: Sequence[Any]) -> Chances:
        below, ups, largest = self._split(questions[0].values.steps, answers[0])
        up = Fraction(ups, largest)
        return [(point, chance) for point, chance in ((below, 1 - up), (below + 1, up)) if chance]

    def to_json(self) -> Spec:
        numbers = {"points": self.points, "levels": self.levels, "level": self.level, "about": self.about}
        return {"kind": self.kind, **numbers}

    def _split(self, steps: int, place: int) -> tuple[int, int, int]:
        """The point below a place, and in how many cases the one above is drawn, of how many equally likely ones."""
        number, largest = place if self.about is None else (place - self.about) ** 2, self.largest(steps)
        below, above = divmod(number * (self.points - 1), largest)
        return below, min(max(above * self.levels - self.level * largest, 0), largest), largest


HALF = Point(2, 1, 0)
"""Rounds a number to either end of its scale, as a pair of questions holds it."""


def check_unit(unit: Any) -> str:
    """A unit: text of at most 40 characters, perhaps empty."""
    text = check_words("unit", unit)
    if len(text) > MOST_UNIT:
        raise ParameterError(Statement("unit_at_most", most=MOST_UNIT, got=len(text)))
    return text


def _check_want(want: Any) -> tuple[str, ...]:
    """What is wanted, each once, in the order of ``WANTS``."""
    listed = [want] if isinstance(want, str) else list(want) if isinstance(want, Iterable) else []
    for each in listed:
        check_choice("want", each, WANTS)
    if not listed or len(set(listed)) < len(listed):
        raise ParameterError(Statement("want_some", known=", ".join(WANTS)))
    return tuple(each for each in WANTS if each in listed)
