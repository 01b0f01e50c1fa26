"""Numbers of two estimates from different people: how much more the mean and the quantiles of the second are."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from deniable.checks import check_level
from deniable.estimation.difference import AnswerChange, Difference
from deniable.estimation.frame import Rows
from deniable.estimation.numbers.number_reading import Distributed
from deniable.estimation.numbers.number_saying import change_in_units, moved_in_units
from deniable.estimation.numbers.quantity import Quantity
from deniable.estimation.saying import ALIKE, RARE
from deniable.estimation.table import Table
from deniable.estimation.words import counted, fixed, precise
from deniable.protocol.errors import ParameterError
from deniable.protocol.number_scale import written
from deniable.protocol.say import Phrase, Statement, english

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MEAN, MEDIAN = "Mean", "Median"
QUARTER, THREE_QUARTERS = "A quarter are at or below", "Three quarters are at or below"
QUANTITIES: Final[dict[str, Callable[[Distributed], Quantity]]] = {
    MEAN: lambda found: found.mean,
    QUARTER: lambda found: found.quantile(0.25),
    MEDIAN: lambda found: found.quantile(0.5),
    THREE_QUARTERS: lambda found: found.quantile(0.75),
}
"""What is compared; all but the mean need ranges."""
HEADINGS: Final[dict[str, Statement]] = {
    MEAN: Statement("mean"),
    QUARTER: Statement("a_quarter_are_at_or_below"),
    MEDIAN: Statement("median"),
    THREE_QUARTERS: Statement("three_quarters_are_at_or_below"),
}
"""What each is called where it stands by itself."""
IN_SENTENCES: Final[dict[str, Statement]] = {
    MEAN: Statement("the_mean_word"),
    QUARTER: Statement("the_number_that_a_quarter"),
    MEDIAN: Statement("the_median"),
    THREE_QUARTERS: Statement("the_number_that_three"),
}
"""The same as they stand in a sentence."""
DIFFER: Final = Statement("the_two_differ_were_they_alike")


class QuantityChange(NamedTuple):
    """A mean or a quantile by its name, in both estimates, and how much more it is in the second."""

    name: str
    first: Quantity
    second: Quantity
    difference: Quantity


@dataclass(frozen=True, eq=False, repr=False)
class NumberDifference(Difference):
    """The difference of two distributions: of the mean and quantiles in units of the scale, and of the bins' shares."""

    first: Distributed
    second: Distributed

    @property
    def labels(self) -> Sequence[Hashable]:
        alike = list(self.first.labels) == list(self.second.labels)
        return self.first.labels if alike else ()

    @property
    def unit(self) -> str:
        """What differences are counted in: of dates days."""
        return english(self.first.counted_in)

    @cached_property
    def quantities(self) -> Sequence[QuantityChange]:
        """The mean, and quantiles where both have ranges."""
        ranged = self.first.reports.ranges is not None and self.second.reports.ranges is not None
        functions = [(name, of) for name, of in QUANTITIES.items() if ranged or name == MEAN]
        both = [(name, of(self.first), of(self.second)) for name, of in functions]
        return tuple(QuantityChange(name, before, after, after.minus(before)) for name, before, after in both)

    @property
    def compared(self) -> Sequence[Hashable]:
        """What changes are told of: the mean and the quantiles, by their names."""
        return [each.name for each in self.quantities]

    def changes(self, level: float) -> list[AnswerChange]:
        each_level = 1 - (1 - level) / len(self.quantities)
        return [self._change(quantity, each_level) for quantity in self.quantities]

    def _change(self, quantity: QuantityChange, level: float) -> AnswerChange:
        name, before, after, difference = quantity
        words = moved_in_units(self.first, difference, level)
        return AnswerChange(name, before.value, after.value, difference.value, *difference.interval(level), words)

    @property
    def at_once(self) -> float:
        """The level of intervals of which all hold in 95 of 100 comparisons."""
        return 1 - RARE / len(self.quantities)

    @property
    def verdict(self) -> Statement:
        """Whether the mean or a quantile differs."""
        return DIFFER if self._clear else ALIKE

    @property
    def _clear(self) -> list[QuantityChange]:
        """What surely differs."""
        ends = [(each, *each.difference.interval(self.at_once)) for each in self.quantities]
        return [each for each, low, high in ends if low > 0 or high < 0]

    def summary(self) -> str:
        sentences = [f"{each.name}: {english(self.words(each.difference, self.at_once))}." for each in self._clear]
        return " ".join([english(self.verdict), *sentences])

    def words(self, more: Quantity, level: float) -> Statement:
        """What the interval of a difference says."""
        return change_in_units(self.first, more, level)

    def amount(self, more: Quantity) -> Phrase:
        """A difference in units or days; of quantiles with the decimals of a step."""
        steps = len(written(self.first.scale.step).partition(".")[2])
        text = fixed(more.value, steps) if more.on_scale else precise(more.value, more.error)
        return counted(text, self.first.counted_in)

    def plot(self, level: float = 0.95) -> Figure:
        if not len(self.labels):
            raise ParameterError("a picture must be of bins that both have, got none; see quantities_table")
        return super().plot(level)

    def quantities_table(self, level: float = 0.95) -> Table:
        """A row for the mean and each quantile."""
        rows = [
            (name, english(self.amount(more)), *(precise(end, more.error) for end in more.interval(level)))
            for name, _, _, more in self.quantities
        ]
        note = f"{100 * check_level(level):.10g}% intervals; each holds on its own"
        return Table(self.people, ("", "difference", "at least", "at most"), rows, [note])

    def tables(self, level: float = 0.95) -> list[Table]:
        return [self.quantities_table(level), *([self.table(level)] if len(self.labels) else [])]

    def _frame(self, level: float) -> Rows:
        """A row for the mean and each quantile, in units of the scale, then one for the share of each bin."""
        changes = [(each.name, each.difference, each.difference.interval(level)) for each in self.quantities]
        columns: dict[str, list[Any]] = {
            "label": [name for name, _, _ in changes], "unit": [self.unit] * len(changes),
            "value": [each.value for _, each, _ in changes], "stderr": [each.stderr for _, each, _ in changes],
            "low": [low for _, _, (low, _) in changes], "high": [high for _, _, (_, high) in changes],
            "p": [None] * len(changes),
        }  # fmt: skip
        if not len(self.labels):
            return Rows({"n": [self.first.n, self.second.n], "level": level}, columns)
        bins = super()._frame(level)
        shares = {**bins.columns, "unit": ["share"] * len(self.labels)}
        return Rows(bins.about, {name: values + shares[name] for name, values in columns.items()})
