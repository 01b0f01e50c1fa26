"""Which rank each label can have among all: the ranges that intervals leave which hold all at once."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from deniable.arrays import Indices, Matrix, Vector
from deniable.estimation.frame import Frame
from deniable.estimation.share import digits_of
from deniable.estimation.table import Table, Tabled, printable
from deniable.estimation.words import percent
from deniable.protocol.say import Statement, english
from deniable.theory.contrasts import rank_ranges

MOST, LARGEST = 40, 20
"""Tables show up to so many labels; of more, so many with the largest shares."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RankRanges(Frame, Tabled):
    """The ranks of all labels; 1 is the largest share. Every true rank lies in its range at once, at ``level``.

    >>> found = RankRanges(["a", "b", "c"], np.array([0.55, 0.25, 0.3]), np.full(3, 0.02),
    ...                    np.array([[0.5, 0.6], [0.2, 0.3], [0.25, 0.35]]), 0.95)
    >>> found.words
    ('1', '2 to 3', '2 to 3')
    """

    labels: Sequence[Hashable]
    shares: Vector
    """The unbiased shares."""
    stderr: Vector
    """Their standard errors."""
    bounds: Matrix
    """Intervals [labels, 2] of the shares that hold for all labels at once."""
    level: float
    """How often all of the intervals, and so all ranges of ranks, hold."""

    @property
    def ranges(self) -> Indices:
        """The first and the last rank [labels, 2] that each label can have."""
        return rank_ranges(self.bounds)

    @property
    def words(self) -> tuple[str, ...]:
        """The ranges as text."""
        return tuple(map(english, self.statements))

    @property
    def statements(self) -> tuple[Statement, ...]:
        """The ranges as statements, for any language."""
        return tuple(_rank(*each) for each in self.ranges.tolist())

    @property
    def about(self) -> dict[str, Any]:
        return {"level": self.level}

    @property
    def columns(self) -> dict[str, list[Any]]:
        (first, last), (low, high) = self.ranges.T.tolist(), self.bounds.T.tolist()
        ranks = {"first": first, "last": last}
        return {"label": list(self.labels), "share": self.shares.tolist(), "low": low, "high": high, **ranks}

    def table(self) -> Table:
        """The largest share first; of very many labels the largest."""
        order = np.argsort(-np.nan_to_num(self.shares, nan=-np.inf), kind="stable")
        shown = order if len(order) <= MOST else order[:LARGEST]
        digits, words = digits_of(self.stderr), self.words
        rows = [
            (printable(self.labels[j]), words[j], percent(self.shares[j], digits), self._interval(j, digits))
            for j in shown.tolist()
        ]
        left_out = len(order) - len(shown)
        note = [f"... and {left_out:,} more labels with smaller shares; CSV and JSON list all"] if left_out else []
        level = f"{100 * self.level:.10g}%"
        return Table(
            f"ranks of {len(order):,} labels, {level} intervals, all at once",
            ("label", "rank", "share", f"{level} interval"),
            rows,
            [*note, "Every true rank lies in the range shown."],
        )

    def _interval(self, place: int, digits: int) -> str:
        low, high = (percent(bound, digits) for bound in self.bounds[place].tolist())
        return f"{low} to {high}"

    def __repr__(self) -> str:
        return f"RankRanges({len(self.labels)} labels, level={self.level:g})"


def _rank(first: int, last: int) -> Statement:
    """A rank, or a range of them."""
    if first == last:
        return Statement("count_alone", count=first)
    return Statement("to_first_last", first=first, last=last)
