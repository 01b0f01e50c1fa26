"""A channel in exact form: whole-number weights, one row per value, with one total for all rows."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, TypeAlias

from ..errors import ParameterError
from ..odds import LARGEST, exp_lower, log_upper

Ratio: TypeAlias = Fraction | float
"""A ratio of two probabilities: a Fraction, or infinity."""
Places: TypeAlias = Iterable[int] | None
"""Which rows: their places; None for all."""


SUMMED = 1 + Fraction(1, 1 << 48)
"""What the rounding of decimals in a sum of levels may amount to."""


class Rows(ABC):
    """Weights [values][reports]; what is asked of them by guarantees, whatever holds them."""

    reader: ClassVar[Callable[[Any], Rows] | None] = None
    """Reads a plain matrix of probabilities to be judged: the library's arrays; a device has none."""

    @classmethod
    def given(cls, matrix: Any) -> Rows:
        """The rows of a plain matrix, exactly as they are."""
        if Rows.reader is None:
            got = type(matrix).__name__
            raise ParameterError(f"channel must be a mechanism, got {got}; the package deniable reads matrices")
        return Rows.reader(matrix)

    @abstractmethod
    def __len__(self) -> int:
        """How many rows there are."""

    @abstractmethod
    def check(self) -> Rows:
        """The rows themselves, if they are valid weights."""

    @abstractmethod
    def listed(self, places: Places = None) -> list[list[int]]:
        """The weights of some rows as lists."""

    @abstractmethod
    def sorted(self, places: Sequence[int]) -> Rows:
        """The rows in another order."""

    @abstractmethod
    def worst_ratio(self, above: Places = None, below: Places = None) -> Ratio:
        """The largest ratio of a weight in the rows ``above`` to one of the same report in the rows ``below``.

        Infinity where the first is positive and the second is not.
        """

    @abstractmethod
    def log_ratios(self) -> Sequence[Sequence[float]]:
        """The logarithm of the worst ratio of every pair, as floats; infinity where floats cannot decide."""

    @abstractmethod
    def square(self, levels: list[list[float]]) -> Any:
        """A level for every pair of rows, as a table of the kind in which callers expect it."""


@dataclass(frozen=True)
class ListedRows(Rows):
    """Rows as tuples of integers."""

    weights: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        self.check()

    def check(self) -> ListedRows:
        """The rows themselves; those of several lengths or totals are refused."""
        shapes = {(len(row), sum(row)) for row in self.weights}
        if len(shapes) != 1 or self.total < 1:
            got = f"{len(shapes)} lengths and totals" if len(shapes) != 1 else "a total of 0"
            raise ParameterError(f"weights must be rows of one length that add up to one total, got {got}")
        return self

    @classmethod
    def reduced(cls, weights: Iterable[Iterable[int]]) -> ListedRows:
        """Rows without their common divisor."""
        listed = [list(row) for row in weights]
        divisor = math.gcd(*(w for row in listed for w in row)) or 1
        return cls(tuple(tuple(w // divisor for w in row) for row in listed))

    @property
    def total(self) -> int:
        """What every row adds up to."""
        return sum(self.weights[0])

    def __len__(self) -> int:
        return len(self.weights)

    def listed(self, places: Places = None) -> list[list[int]]:
        return [list(self.weights[place]) for place in self._places(places)]

    def sorted(self, places: Sequence[int]) -> ListedRows:
        return ListedRows(tuple(self.weights[place] for place in places))

    def worst_ratio(self, above: Places = None, below: Places = None) -> Ratio:
        """By the largest and the smallest weight of each column."""
        highest = map(max, zip(*self.listed(above), strict=True))
        lowest = map(min, zip(*self.listed(below), strict=True))
        return largest(zip(highest, lowest, strict=True))

    def log_ratios(self) -> list[list[float]]:
        return [[_log(self.worst_ratio([x], [z])) for z in range(len(self))] for x in range(len(self))]

    def square(self, levels: list[list[float]]) -> tuple[tuple[float, ...], ...]:
        return tuple(map(tuple, levels))

    def _places(self, places: Places) -> Iterable[int]:
        return range(len(self.weights)) if places is None else places


def largest(pairs: Iterable[tuple[int, int]]) -> Ratio:
    """The largest ratio above/below of the pairs with above > 0; at least 1.

    >>> largest([(3, 2), (0, 0), (5, 3)]), largest([(1, 0)])
    (Fraction(5, 3), inf)
    """
    worst, over = 1, 1
    for above, below in pairs:
        if above > 0 and below == 0:
            return math.inf
        if above * over > worst * below:
            worst, over = above, below
    return Fraction(worst, over)


def level(ratio: Ratio) -> float:
    """The least epsilon that can be proven for a worst ratio: an upper bound on its logarithm."""
    if isinstance(ratio, float):
        return math.inf
    return 0.0 if ratio == 1 else log_upper(ratio)


def within(ratio: Ratio, epsilon: float) -> bool:
    """Whether a ratio is proven to be at most e^epsilon; False if it cannot be proven."""
    if epsilon == math.inf:
        return True
    return isinstance(ratio, Fraction) and ratio <= exp_lower(min(epsilon, float(LARGEST)))


def within_sum(ratio: Ratio, level: float) -> bool:
    """Whether a ratio is proven to be at most e^level, where the level is a sum of levels, added as decimals.

    What keeps 0.1 three times keeps thrice the float that stands for it, which is more than the float of 0.3 by its
    last digit; so a sum may be beyond its float by 2^-48 of it.
    """
    if level == math.inf:
        return True
    most = Fraction(level) * SUMMED
    parts = math.ceil(most / LARGEST) or 1  # each of which has a proven bound, and so their product
    return isinstance(ratio, Fraction) and ratio <= exp_lower(most / parts) ** parts


def level_sum(ratio: Ratio) -> float:
    """An upper bound on the logarithm of a product of ratios, each of which has a level that is proven.

    >>> level_sum(Fraction(math.e) ** 100).__round__(6), level_sum(math.inf)
    (100.0, inf)
    """
    most = exp_lower(LARGEST)  # at most e^LARGEST
    if isinstance(ratio, float) or ratio <= most:
        return level(ratio)
    return math.nextafter(LARGEST + level_sum(ratio / most), math.inf)


def _log(ratio: Ratio) -> float:
    """The natural logarithm, of ratios of huge integers too."""
    return math.inf if isinstance(ratio, float) else math.log(ratio.numerator) - math.log(ratio.denominator)
