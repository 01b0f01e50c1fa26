"""A distribution as it is shown: the mean, the spread and quantiles in a table of their own, above the histogram's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol, cast

from deniable.arrays import Vector
from deniable.estimation.numbers.quantity import Quantity, quantities_first
from deniable.estimation.numbers.told import CumulativeBand, NumberReports
from deniable.estimation.reading import Reading
from deniable.estimation.share import Estimated
from deniable.estimation.table import Table
from deniable.estimation.words import precise
from deniable.protocol.grid import Grid
from deniable.protocol.say import Phrase, english

QUANTILES = {0.1: "10% are at most", 0.25: "25% are at most", 0.5: "median", 0.75: "75% are at most",
             0.9: "90% are at most"}  # fmt: skip
ALONE = "each interval holds on its own"
FROM_MEANS = "The spread's follows from those of the mean and of squared distances, and holds where both do."


class Distributed(Estimated, Protocol):
    """What a reading needs of a distribution."""

    @property
    def scale(self) -> Grid:
        """Which numbers there are."""

    @property
    def unit(self) -> str:
        """What they count."""

    @property
    def spec_bytes(self) -> bytes:
        """What the reports came from."""

    @property
    def counted_in(self) -> Phrase:
        """The unit of differences and errors: of dates days."""

    @property
    def told(self) -> NumberReports:
        """What people told."""

    @property
    def mean(self) -> Quantity:
        """The mean."""

    @property
    def spread(self) -> Quantity:
        """The standard deviation."""

    @property
    def edges(self) -> Vector:
        """Where bins begin and end."""

    def quantile(self, share: float) -> Quantity:
        """The number that this share of people do not exceed."""

    def band(self, level: float) -> CumulativeBand:
        """The share up to each number with limits for all at once."""

    def shown(self, value: float, error: float = 0.0) -> Phrase:
        """A number as people read it."""


class NumberReading(Reading):
    """The reading of numbers; see ``Reading``."""

    __slots__ = ()

    @property
    def of(self) -> Distributed:
        """The distribution that is read."""
        return cast("Distributed", self.estimate)

    def quantities(self) -> Iterator[tuple[str, Quantity]]:
        """What was asked for, by its name: the mean, the spread, five quantiles."""
        told = self.of.told
        yield "mean", self.of.mean
        if told.mean is not None and told.squares is not None:
            yield "spread", self.of.spread
        if told.ranges is not None:
            yield from ((name, self.of.quantile(share)) for share, name in QUANTILES.items())

    def quantities_table(self) -> Table:
        """The table of quantities."""
        rows = [(name, *self._written(name, quantity)) for name, quantity in self.quantities()]
        e = self.estimate
        people = "person" if e.n == 1 else "people"
        low, high = (english(self.of.shown(self.of.scale.value(end))) for end in (0, self.of.scale.steps))
        title = f"{e.title}: {e.n:,} {people}, numbers from {low} to {high}"
        return Table(title, ("", "estimate", "at least", "at most"), rows, self._below_quantities())

    def _written(self, name: str, quantity: Quantity) -> tuple[str, ...]:
        """The value and its bounds; quantiles as they stand on the scale, all else as precisely as is of use."""
        numbers = (quantity.value, *quantity.interval(self.level))
        if name == "spread":
            return tuple(precise(number, quantity.error) for number in numbers)
        error = 0.0 if quantity.on_scale else quantity.error
        return tuple(english(self.of.shown(number, error)) for number in numbers)

    def _below_quantities(self) -> list[str]:
        lines = [f"{self.interval_name}s; {ALONE}. Numbers beyond the bounds count as the bound."]
        if self.of.told.mean is not None and self.of.told.squares is not None:
            lines.append(FROM_MEANS)
        width = self.of.told.width
        if self.of.told.ranges is not None and width > 1:
            lines.append(
                f"People are told apart in stretches of {width} steps; within one they count as evenly spread."
            )
        return lines

    def __str__(self) -> str:
        tables = [self.quantities_table(), self.table()] if len(self.estimate.labels) else [self.quantities_table()]
        return "\n\n".join(map(str, tables))

    def _repr_html_(self) -> str:
        tables = [self.quantities_table(), self.table()] if len(self.estimate.labels) else [self.quantities_table()]
        return "".join(table._repr_html_() for table in tables)

    @property
    def about(self) -> dict[str, Any]:
        """All that is not said bin by bin: quantities among it, in the units of the scale."""
        found = {name: quantity.to_dict(self.level) for name, quantity in self.quantities()}
        scale = self.of.scale.to_json()
        return {**super().about, "unit": self.of.unit, "scale": scale, "quantities": found}

    @property
    def columns(self) -> dict[str, list[Any]]:
        """A row for each quantity, whose value stands in a column of its own, and one for each bin."""
        return quantities_first(dict(self.quantities()), super().columns, self.level)
