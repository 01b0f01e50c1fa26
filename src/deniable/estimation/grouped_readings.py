"""The readings of groups, such as countries and days, as one table with the groups in its first columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from deniable.estimation.cell_grid import CellGrid
from deniable.estimation.drawing import INTERVAL
from deniable.estimation.frame import Frame
from deniable.estimation.reading import Reading
from deniable.estimation.table import Table, Tabled, printable
from deniable.estimation.words import amount

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class GroupedReadings(Frame, Tabled):
    """Readings of one mechanism, with the same intervals, by the values of the columns that make the groups.

    >>> import deniable as dn
    >>> coin = dn.RandomizedResponse(["yes", "no"], 2.0)
    >>> weeks = {(f"W{week}",): dn.simulate(coin, [0.3, 0.7], 1000, week).reading(level=0.9) for week in (1, 2)}
    >>> print(GroupedReadings(("week",), weeks))
    RandomizedResponse(2 labels, epsilon=2.0): 2,000 people in 2 groups, decoder projected
     week   label   share     90% interval   people
     ──────────────────────────────────────────────
     W1       yes   31.1%   27.8% to 34.5%      311
     W1        no   68.9%   65.5% to 72.2%      689
     W2       yes   31.6%   28.3% to 35.0%      316
     W2        no   68.4%   65.0% to 71.7%      684
    """

    names: tuple[str, ...]
    """The columns that make the groups."""
    readings: Mapping[tuple[str, ...], Reading]

    def table(self) -> Table:
        """The tables of all groups, one below the other; what is said below several of them is said once."""
        tables = {group: reading.table() for group, reading in self.readings.items()}
        return Table(
            self._title,
            (*map(printable, self.names), *next(iter(tables.values())).headings),
            [(*map(printable, group), *row) for group, table in tables.items() for row in table.rows],
            list(dict.fromkeys(note for table in tables.values() for note in table.notes)),
            [bar for table in tables.values() for bar in table.bars],
        )

    def plot(self) -> Figure:
        """A panel for each label, in it a row for each group."""
        first, estimates = next(iter(self.readings.values())), [each.estimate for each in self.readings.values()]
        people, shares = np.array([each.n for each in estimates]), np.stack([each.frequencies for each in estimates])
        bounds = np.stack([reading.bounds for reading in self.readings.values()])
        groups = [", ".join(map(printable, group)) for group in self.readings]
        labels = (groups, first.estimate.labels)
        grid = CellGrid.of((", ".join(self.names), "label"), labels, (people, people @ shares))

        def panel(axes: Axes, column: int) -> None:
            rows, (low, high) = np.arange(len(grid.rows)), bounds[grid.rows, column].T
            axes.hlines(rows, low, high, label=first.interval_name, **INTERVAL)
            axes.plot(shares[grid.rows, column], rows, "o", color="black", markersize=4, label="estimate")

        return grid.figure(panel, self._title, "share of the group's people")

    @property
    def _title(self) -> str:
        about, groups = self.about, amount(len(self.readings), "group")
        people = "person" if about["n"] == 1 else "people"
        return f"{about['mechanism']}: {about['n']:,} {people} in {groups}, decoder {about['decoder']}"

    @property
    def about(self) -> dict[str, Any]:
        """What the readings have in common, and how many people all groups are."""
        abouts = [reading.about for reading in self.readings.values()]
        remarks = {name: list(dict.fromkeys(line for each in abouts for line in each[name])) for name in REMARKS}
        return {**{name: abouts[0][name] for name in SHARED}, "n": sum(each["n"] for each in abouts), **remarks}

    @property
    def columns(self) -> dict[str, list[Any]]:
        """The groups and the people of each, then the columns of its reading, one group below the other."""
        tables = [reading.columns for reading in self.readings.values()]
        sizes = [len(table["label"]) for table in tables]
        people = tuple(reading.estimate.n for reading in self.readings.values())
        of_groups = [*zip(*self.readings, strict=True), people]
        repeated = [[value for value, size in zip(each, sizes, strict=True) for _ in range(size)] for each in of_groups]
        joined = {name: [value for table in tables for value in table[name]] for name in tables[0]}
        return {**dict(zip((*self.named[:-1], "n"), repeated, strict=True)), **joined}

    @property
    def named(self) -> Sequence[str]:
        """The columns of groups and of labels; a group's column with the name of one of a reading gets another."""
        taken = {"n", *next(iter(self.readings.values())).columns}
        return (*(f"group_{name}" if name in taken else name for name in self.names), "label")


SHARED = ("mechanism", "decoder", "level", "simultaneous", "target")
REMARKS = ("notes", "warnings")
