"""What whoever sees only the mixed reports of a crowd can learn of one of them (public as ``dn.crowd``).

A mixer passes reports on once enough are there, in an order that tells nothing. Whoever sees no more than that is held
to a level far below that of each report, of which each person stays sure even if both put together what they have.
Every number is certified: rounded to the safe side, whatever the other people answer.

``people`` are those whose devices follow the rules, the one who is protected among them: whoever expects made-up
answers takes them off. What is promised is that one person could have answered otherwise, in one crowd; not that
nobody sees who took part.

>>> import deniable as dn
>>> round(dn.crowd.level(dn.RandomizedResponse(16, epsilon=3.0), people=1000), 2)
0.59
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from deniable.checks import LARGEST_CROWD
from deniable.estimation.drawing import MARKERS, STYLES, canvas, legend
from deniable.estimation.frame import Frame
from deniable.estimation.table import Table, Tabled
from deniable.protocol.checks import check_int, check_positive, is_int, shown
from deniable.protocol.errors import ParameterError
from deniable.protocol.privacy.levels import rounded_up
from deniable.surveys.crowd_pairs import pairs_of
from deniable.theory.crowd import solving
from deniable.theory.crowd.blanket import Blanket
from deniable.theory.crowd.crowds import curve_of
from deniable.theory.crowd.curves import Curve

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["belief", "delta", "level", "people", "table"]
__dir__ = __all__.copy

SMALLEST_DELTA = 1e-12
MOST_PERIODS = 10_000
FLOAT_ERROR = 1 - 1e-12
"""Levels are taken so much smaller before they are rounded up, so that 3.0000000000000004 is shown as 3.00."""
WHOSE = "Level and belief are of whoever sees the mixed reports alone; together of whoever also sees whose each is."
CHANCE = 1e-6
"""One in a million."""


def level(m: Any, people: int, delta: float = CHANCE, periods: int = 1) -> float:
    """The least level that a crowd of ``people`` keeps with ``delta``, of a mechanism or a survey.

    ``periods`` is how often the same people answer, each time with fresh reports and in a crowd of their own.

    >>> import deniable as dn
    >>> m = dn.RandomizedResponse(16, 3.0)
    >>> [round(level(m, people), 3) for people in (100, 1_000, 10_000, 1_000_000)]
    [1.719, 0.59, 0.171, 0.014]
    """
    chance = check_delta(delta)
    return solving.least_level(_curve(pairs_of(m), people, chance, periods), chance)


def delta(m: Any, people: int, level: float) -> float:
    """The least delta that a crowd of ``people`` keeps at a ``level``: 0 from the level of each report on.

    >>> import deniable as dn
    >>> m = dn.RandomizedResponse(16, 3.0)
    >>> delta(m, 1_000, 0.6) < 1e-6 < delta(m, 1_000, 0.5), delta(m, 1_000, 3.1)
    (True, 0.0)
    """
    curve, checked = _curve(pairs_of(m), people, CHANCE, 1), check_positive("level", level)
    return 0.0 if checked >= curve.most else curve.delta(checked)


def people(m: Any, level: float, delta: float = CHANCE) -> int:
    """The smallest crowd that keeps a ``level`` with ``delta``: how many a mixer should wait for.

    >>> import deniable as dn
    >>> people(dn.RandomizedResponse(16, 3.0), 0.5)
    1361
    """
    checked, chance, pairs = check_positive("level", level), check_delta(delta), pairs_of(m)
    smallest = solving.least_people(lambda count: curve_of(pairs, count), checked, chance, LARGEST_CROWD)
    if smallest is None:
        raise ParameterError(f"level must be one that {LARGEST_CROWD} people keep, got level={checked:g}")
    return smallest


def belief(m: Any, people: int, chance: float = CHANCE, periods: int = 1) -> float:
    """The level within which beliefs stay, except with a ``chance``: above ``level``, which does not say so.

    The odds of one answer against any other grow at most e^belief times; for both ends of a range take half of the
    chance.

    >>> import deniable as dn
    >>> round(belief(dn.RandomizedResponse(16, 4.0), 10_000), 4)
    0.4595
    """
    most = check_delta(chance, "chance")
    return solving.belief(_curve(pairs_of(m), people, most, periods), most)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CrowdLevels(Frame, Tabled):
    """Levels of the mechanism ``subject`` in crowds of so many people; ``each`` is what both parties together see."""

    subject: str
    delta: float
    periods: int
    each: float
    people: Sequence[int]
    levels: Sequence[float]
    beliefs: Sequence[float]
    """Of two answers the odds grow by at most e to this, but for a chance of delta."""

    @property
    def about(self) -> dict[str, Any]:
        return {"subject": self.subject, "delta": self.delta, "periods": self.periods}

    @property
    def columns(self) -> dict[str, list[Any]]:
        rows = len(self.people)
        levels = {"level": list(self.levels), "belief": list(self.beliefs), "together": [self.each] * rows}
        return {"people": list(self.people), **levels}

    @property
    def named(self) -> Sequence[str]:
        return ()

    def table(self) -> Table:
        rows = [
            (f"{people:,}", *(f"{rounded_up(each * FLOAT_ERROR):#.3g}" for each in (level, belief, self.each)))
            for people, level, belief in zip(self.people, self.levels, self.beliefs, strict=True)
        ]
        title = f"{self.subject} in a crowd, delta {self.delta:g}"
        headings = ("people", "level", "belief", "together")
        return Table(title if self.periods == 1 else f"{title}, {self.periods} periods", headings, rows, [WHOSE])

    def plot(self) -> Figure:
        """Level and belief as the crowd grows, below the level of each report, which no crowd changes."""
        figure, axes = canvas((6.0, 4.2))
        lines = {"level, of the mixed reports": self.levels, "belief, of the mixed reports": self.beliefs}
        for style, marker, (name, values) in zip(STYLES, MARKERS, lines.items(), strict=False):
            axes.plot(self.people, values, style, marker=marker, markersize=4, color="black", label=name)
        axes.axhline(self.each, color="0.6", linewidth=3, label="each report: both parties together")
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.xaxis.set_major_formatter(lambda people, _: f"{people:,.0f}")
        axes.yaxis.set_major_formatter(lambda level, _: f"{level:g}")
        axes.set_xlabel("people in a crowd, whose devices follow the rules")
        axes.set_ylabel("epsilon")
        axes.set_title(f"{self.subject}, delta {self.delta:g}", loc="left", fontsize=10)
        legend(figure)
        return figure

    def __repr__(self) -> str:
        return f"CrowdLevels({self.subject}, {len(self.people)} crowds)"


def table(m: Any, people: int | Iterable[int], delta: float = CHANCE, periods: int = 1) -> CrowdLevels:
    """Level and belief for several sizes of a crowd, beside the level of each report.

    >>> import deniable as dn
    >>> print(table(dn.RandomizedResponse(["yes", "no"], 3.0), [1_000, 10_000]))
    RandomizedResponse in a crowd, delta 1e-06
     people   level   belief   together
     ──────────────────────────────────
     1,000    0.697    0.906       3.00
     10,000   0.170    0.229       3.00
    Level and belief are of whoever sees the mixed reports alone; together of whoever also sees whose each is.
    """
    sizes = [people] if is_int(people) else list(_listed(people))
    if not sizes:
        raise ParameterError("people must be one number of people or several, got none")
    chance, pairs = check_delta(delta), pairs_of(m)
    curves = [_curve(pairs, size, chance, periods) for size in sizes]
    levels = [solving.least_level(curve, chance) for curve in curves]
    beliefs = [solving.belief(curve, chance) for curve in curves]
    return CrowdLevels(str(m.name), chance, periods, curves[0].most, sizes, levels, beliefs)


def _curve(pairs: Sequence[Blanket], people: Any, delta: float, periods: Any) -> Curve:
    """The curve of a crowd, of numbers that are checked."""
    times = check_int("periods", periods, 1, MOST_PERIODS)
    return curve_of(pairs, check_int("people", people, 1, LARGEST_CROWD), times, delta)


def check_delta(value: Any, name: str = "delta") -> float:
    """A chance that is small but not so small that it drowns in rounding, as a float."""
    chance = check_positive(name, value)
    if not SMALLEST_DELTA <= chance < 1:
        raise ParameterError(f"{name} must be at least {SMALLEST_DELTA:g} and below 1, got {name}={shown(value)}")
    return chance


def _listed(people: Any) -> Iterable[Any]:
    if not isinstance(people, Iterable):
        raise ParameterError(f"people must be one number of people or several, got {type(people).__name__}")
    return people
