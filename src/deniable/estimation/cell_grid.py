"""A table of two questions as a picture: a panel for each answer to the second, in it a row for each to the first."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from deniable.arrays import Indices, Vector
from deniable.estimation.drawing import legend, name_rows, panels, percent
from deniable.estimation.table import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_ROWS, MOST_PANELS, ABREAST = 40, 12, 4
"""Of more answers those with the largest shares are drawn; so many panels stand side by side."""
PER_INCH, PER_PANEL = 13, 22
"""Characters that fit side by side, of a title and below a panel."""


@dataclass(frozen=True, slots=True)
class CellGrid:
    """The largest rows and columns of a table, a panel for each column."""

    names: tuple[str, str]
    """The questions."""
    labels: tuple[Sequence[Hashable], Sequence[Hashable]]
    """All answers to each."""
    rows: Indices
    columns: Indices

    @classmethod
    def of(
        cls, names: tuple[str, str], labels: tuple[Sequence[Hashable], Sequence[Hashable]], shares: Sequence[Vector]
    ) -> CellGrid:
        """The rows and columns with the largest of these ``shares``: of the rows, and of the columns."""
        of_rows, of_columns = shares
        return cls(names, labels, _largest(of_rows, MOST_ROWS), _largest(of_columns, MOST_PANELS))

    def figure(self, panel: Callable[[Axes, int], None], title: str, axis_label: str) -> Figure:
        """The picture, in which ``panel`` draws each column; ``axis_label`` says what its axis shows."""
        columns, (first, second) = self.columns, self.names
        abreast = min(len(columns), ABREAST)
        down = math.ceil(len(columns) / abreast)
        size = (max(7.5, 2.4 * abreast), 1.4 + down * max(1.3, 0.7 + 0.28 * len(self.rows)))
        figure, cells = panels(down, abreast, size, sharex=True, sharey=True)
        for axes, column in zip(cells, columns.tolist(), strict=False):
            panel(axes, column)
            name = f"{second}: {printable(self.labels[1][column], 24)}"
            axes.set_title(name, loc="left", fontsize=10, parse_math=False)
            axes.axvline(0, color="0.3", linewidth=0.8)
            percent(axes.xaxis)
        for axes in cells[len(columns) :]:
            axes.remove()
        for axes in cells[::abreast]:
            name_rows(axes, [printable(self.labels[0][row], 32) for row in self.rows.tolist()])
            axes.set_ylabel(printable(first), parse_math=False)
        for axes in cells[max(len(columns) - abreast, 0) : len(columns)]:
            axes.tick_params(labelbottom=True)
            axes.set_xlabel(textwrap.fill(axis_label, PER_PANEL))
        lines = (textwrap.fill(line, int(PER_INCH * size[0])) for line in f"{title}{self._note}".splitlines())
        figure.suptitle("\n".join(lines), x=0.01, ha="left", fontsize=10, parse_math=False)
        legend(figure, 3, cells[0])
        return figure

    @property
    def _note(self) -> str:
        left_out = math.prod(map(len, self.labels)) - len(self.rows) * len(self.columns)
        return f"\nthe largest rows and columns, {left_out:,} more cells not shown" if left_out else ""


def _largest(shares: Vector, most: int) -> Indices:
    """The places of the largest shares, at most so many, in the labels' order."""
    return np.sort(np.argsort(-shares, kind="stable")[:most])
