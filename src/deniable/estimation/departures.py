"""How far tables are from the product of their margins, in units of how that varies: W of numbers.md 5.

The covariance of thousands of departures would have millions of entries for each table. It is never written down:
what is solved with it by conjugate gradients is known but for a few dimensions, so a few steps are enough.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from deniable.arrays import Indices, Matrix, Sparse, Stack, Vector
from deniable.estimation.simplex import project_rows
from deniable.estimation.sources import Source

STILL = 1e-12
"""What varies by so little, beside the rest of a table, is as good as known."""
AT_ONCE = 1 << 17
"""CellSources of tables that are worked on at a time: some twenty numbers of each are held."""
STEPS, CLOSE = 200, 1e-15
"""So many steps are taken at most; and none once what is left could change W by so small a part of it."""


@dataclass(frozen=True, eq=False)
class Tables:
    """Shares [tables, rows, columns] of pairs of answers, and those [tables, labels] of each source's own labels."""

    shares: Stack
    source_shares: Sequence[Matrix]

    @cached_property
    def margins(self) -> tuple[Matrix, Matrix]:
        """The shares of the rows and of the columns."""
        return self.shares.sum(axis=2), self.shares.sum(axis=1)

    @property
    def departures(self) -> Stack:
        """What tables are less the product of their margins."""
        rows, columns = self.margins
        return _centred(self.shares - rows[:, :, None] * columns[:, None, :])

    def parts(self) -> Iterator[Tables]:
        """Some tables at a time, which take a megabyte each time."""
        tables, *shape = self.shares.shape
        step = max(1, AT_ONCE // int(np.prod(shape)))
        for start in range(0, tables, step):
            part = slice(start, start + step)
            yield Tables(self.shares[part], [each[part] for each in self.source_shares])


@dataclass(frozen=True, eq=False)
class CellSources:
    """Sources of the shares of cells, with their weights [cells, labels] there."""

    sources: Sequence[Source]
    weights: Sequence[Sparse]
    places: Sequence[Indices | None]
    """Of a source that told both answers the cells of its labels, row after row; None of one that told a single one."""

    def squares(self, tables: Tables) -> Vector:
        """W of each table, by the covariance that its departures have if there is no connection."""
        return np.concatenate([self._covariance(part).squares(part.departures) for part in tables.parts()])

    @cached_property
    def squared(self) -> Sequence[Sparse]:
        """The squares of the weights: how much each label's own variance adds to that of cells."""
        return [weights * weights for weights in self.weights]

    def _covariance(self, tables: Tables) -> Covariance:
        """The covariance if answers are independent, with the tables' margins made distributions."""
        rows, columns = map(project_rows, tables.margins)
        cells = (rows[:, :, None] * columns[:, None, :]).reshape(len(rows), -1)
        truths = [
            project_rows(shares) if places is None else label_shares(cells, places)
            for shares, places in zip(tables.source_shares, self.places, strict=True)
        ]
        return Covariance(self, truths, *tables.margins)


def label_shares(cells: Matrix, places: Indices) -> Matrix:
    """The shares of a source's labels [tables, labels]: each cell's, evenly over the labels that it sums up.

    >>> label_shares(np.array([[0.6, 0.4]]), np.array([0, 0, 1])).tolist()
    [[0.3, 0.3, 0.4]]
    """
    return np.asarray(cells[:, places] / np.bincount(places)[places], np.float64)


@dataclass(frozen=True, eq=False)
class Covariance:
    """The covariance of the departures of tables, by the shares ``truths`` of each source's labels.

    To first order departures are the shares p less r(1'p) and less (p1)c', where r and c are the estimated margins,
    those of the ``rows`` and of the ``columns``.
    """

    cells: CellSources
    truths: Sequence[Matrix]
    rows: Matrix
    columns: Matrix

    def squares(self, stack: Stack) -> Vector:
        """Departures times the inverse of the covariance times departures: what conjugate gradients add up."""
        left, squares = stack, np.zeros(len(stack))
        direction = solved = self._preconditioned(left)
        size = first = _products(left, solved)
        for _ in range(STEPS):
            is_open = size > CLOSE * first
            if not is_open.any():
                break
            spread = self._times(direction)
            step = np.divide(size, _products(direction, spread), out=np.zeros_like(size), where=is_open)
            squares += step * size
            left = left - step[:, None, None] * spread
            solved = self._preconditioned(left)
            before, size = size, _products(left, solved)
            ratio = np.divide(size, before, out=np.zeros_like(size), where=is_open)
            direction = solved + ratio[:, None, None] * direction
        return squares

    def _times(self, departures: Stack) -> Stack:
        """The covariance times departures."""
        by_row = (self.rows[:, :, None] * departures).sum(axis=1, keepdims=True)
        moved = departures - by_row
        moved = moved - (moved * self.columns[:, None, :]).sum(axis=2, keepdims=True)
        flat = moved.reshape(len(moved), -1)
        parts = zip(self.cells.sources, self.cells.weights, self.truths, strict=True)
        shares = sum(source.covary(flat @ weights, truths) @ weights.T for source, weights, truths in parts)
        cells = np.asarray(shares, np.float64).reshape(moved.shape) + self._own_variances[1] * moved
        cells = cells - self.rows[:, :, None] * cells.sum(axis=1, keepdims=True)
        return _centred(cells - cells.sum(axis=2, keepdims=True) * self.columns[:, None, :])

    @cached_property
    def _own_variances(self) -> tuple[Stack, Stack]:
        """Each cell's own variance, by reports on both answers, raised where it is nearly 0; and by how much."""
        parts = zip(self.cells.sources, self.cells.squared, self.cells.places, self.truths, strict=True)
        own = sum(
            source.own_variances(truths) @ squared.T for source, squared, places, truths in parts if places is not None
        )
        variances = np.asarray(own, np.float64).reshape(len(self.rows), self.rows.shape[1], -1)
        least = STILL * np.maximum(variances.mean(axis=(1, 2), keepdims=True), STILL)
        raised = np.maximum(variances, least)
        return raised, raised - variances

    @cached_property
    def _inverse(self) -> tuple[Stack, Matrix, Stack]:
        """The cells' precisions, and of ``_preconditioned``'s normal equations z's diagonal and y's inverse block."""
        precisions = 1 / self._own_variances[0]
        weighed = precisions * self.columns[:, None, :]
        of_rows = (weighed * self.columns[:, None, :]).sum(axis=2)
        between = self.rows[:, :, None] * weighed
        matrix = -between.transpose(0, 2, 1) @ (between / of_rows[:, :, None])
        own = (self.rows[:, :, None] ** 2 * precisions).sum(axis=1)
        # y = c moves what z = -r moves back: any such solution will do
        outer = self.columns[:, :, None] * self.columns[:, None, :]
        matrix += own.mean(axis=1)[:, None, None] * outer / (self.columns**2).sum(axis=1)[:, None, None]
        places = np.arange(own.shape[1])
        matrix[:, places, places] += own
        return precisions, of_rows, np.linalg.inv(matrix)

    def _preconditioned(self, stack: Stack) -> Stack:
        """The covariance's inverse times ``stack`` if cells varied by themselves alone.

        Least squares over what departures do not show, ry' + zc'.
        """
        precisions, of_rows, inverse = self._inverse
        weighed = precisions * stack
        z = (weighed * self.columns[:, None, :]).sum(axis=2) / of_rows
        residual = weighed - precisions * (z[:, :, None] * self.columns[:, None, :])
        y = (inverse @ (self.rows[:, :, None] * residual).sum(axis=1)[:, :, None])[:, :, 0]
        both = self.rows[:, :, None] * y[:, None, :]
        back = (precisions * both * self.columns[:, None, :]).sum(axis=2) / of_rows
        return _centred(residual - precisions * (both - back[:, :, None] * self.columns[:, None, :]))


def _centred(tables: Stack) -> Stack:
    """Tables whose rows and columns add up to nothing."""
    tables = tables - tables.mean(axis=1, keepdims=True)
    return np.asarray(tables - tables.mean(axis=2, keepdims=True), np.float64)


def _products(first: Stack, second: Stack) -> Vector:
    return np.asarray((first * second).sum(axis=(1, 2)), np.float64)
