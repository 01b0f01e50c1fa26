"""The test of whether the answers to two crossed questions are independent, beside surveys simulated as if they were.

numbers.md 5 compares the distance W from the product of the margins with chi-square. That holds for very many people.
Of fewer the margins are themselves told with noise, and where one answer is rare or everybody answers alike W is larger
than chi-square far too often. So W is compared with that of surveys that are simulated without a connection.

W here takes the margins as they were estimated, even below 0: drawn to a distribution first, its own error would be
estimated too small where an answer is rare.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce

import numpy as np
import scipy

from deniable.arrays import Indices, Matrix, Stack, Vector
from deniable.estimation.finding import Significance
from deniable.estimation.simplex import project, project_rows
from deniable.estimation.sources import Source
from deniable.protocol.say import Statement

HYPOTHESIS = "the answers are independent"
ROUNDS, FEWEST = 1999, 199
"""So many surveys are simulated at each null; fewer of larger tables, but never less than the second number."""
WORK, LARGEST = 1 << 23, 1_500_000
"""About how many products the simulation of one null may take if that leaves the fewest surveys; and one survey."""
TAIL = 0.0025
"""Below this share of the simulated surveys the p-value follows chi-square, stretched to meet them there."""
SEEN = 2.0
"""Answers within so many standard errors of nobody might be given by nobody."""
STILL = 1e-12
"""What varies by so little, beside the rest of a table, is as good as known."""
FINE = 1e9
"""Shares are rounded to so many parts before they seed the simulation: the same data give the same p-value."""


@dataclass(frozen=True, eq=False)
class Tables:
    """Shares [tables, rows, columns] of pairs of answers, and what each source told [tables, labels] of its own."""

    shares: Stack
    told: Sequence[Matrix]

    @cached_property
    def margins(self) -> tuple[Matrix, Matrix]:
        """The shares of the rows and of the columns."""
        return self.shares.sum(axis=2), self.shares.sum(axis=1)

    @cached_property
    def contrasts(self) -> tuple[Matrix, Matrix]:
        """The same in one coordinate less, without their mean."""
        rows, columns = self.margins
        return rows @ scipy.linalg.helmert(rows.shape[1]).T, columns @ scipy.linalg.helmert(columns.shape[1]).T

    @cached_property
    def departures(self) -> Matrix:
        """What tables are less the product of their margins, in (rows - 1)(columns - 1) coordinates."""
        (rows, columns), (_, d, e) = self.contrasts, self.shares.shape
        inside = _inside(self.shares, scipy.linalg.helmert(d), scipy.linalg.helmert(e))
        found = inside - rows[:, :, None] * columns[:, None, :]
        return np.asarray(found.reshape(len(found), -1), np.float64)


@dataclass(frozen=True, eq=False)
class Independence:
    """The test for a table of ``shape``, from the ``sources`` of its cells and their weights [cells, labels] there."""

    shape: tuple[int, int]
    sources: Sequence[Source]
    weights: Sequence[Matrix]
    places: Sequence[Indices | None]
    """Of a source that told both answers the cells of its labels, row after row; None of one that told a single one."""

    def test(self, errors: Sequence[Vector]) -> Significance:
        """The largest p-value of those that chi-square gives and that simulated surveys give at two nulls.

        The nulls are the products of the estimated margins, and of the same without answers that might be nobody's;
        ``errors`` are the standard errors of the margins. How large W is depends on the truth a little, most where an
        answer is rare, and the largest p-value allows for that (Berger and Boos 1994).
        """
        told = self._tables([source.evidence.unbiased()[None] for source in self.sources])
        spread, df = self._spread(told), told.departures.shape[1]
        found = float(_squares(told.departures, spread)[0])
        chances, generator = [float(scipy.special.chdtrc(df, found))], self._generator()
        rounds, refitted = self._rounds(df)
        for null in self._nulls(told, errors):
            simulated = self._simulated(null, rounds, generator)
            distances = _squares(simulated.departures, self._spread(simulated) if refitted else spread)
            chances.append(chance_among(distances, found, df))
        method = Statement("chi_square_and_simulated", surveys=rounds)
        return Significance(HYPOTHESIS, method, max(chances), found, df)

    def _rounds(self, df: int) -> tuple[int, bool]:
        """How many surveys to simulate, and whether the covariance follows from each, as it does from the data.

        That takes long for tables beyond 10 by 10. With the data's own covariance simulated distances are larger where
        people are few: a connection is found less often, and never too often.
        """
        products = df * df * (sum(weights.shape[1] for weights in self.weights) + df)
        return max(min(WORK // products, ROUNDS), FEWEST), products <= LARGEST

    def _generator(self) -> np.random.Generator:
        """Seeded by the data alone, whichever question comes first."""
        told = [source.evidence for source in self.sources]
        parts = sorted([each.n, *np.rint(np.abs(each.unbiased()) * FINE).astype(np.int64).tolist()] for each in told)
        return np.random.default_rng([number for part in parts for number in part])

    def _nulls(self, told: Tables, errors: Sequence[Vector]) -> list[tuple[Vector, Vector]]:
        """Margins as they were estimated, and without answers that might be nobody's if there are any."""
        row, column = (project(margin[0]) for margin in told.margins)
        seen = [_seen(margin, error) for margin, error in zip((row, column), errors, strict=True)]
        same = np.array_equal(seen[0], row) and np.array_equal(seen[1], column)
        return [(row, column)] if same else [(row, column), (seen[0], seen[1])]

    def _simulated(self, null: tuple[Vector, Vector], rounds: int, generator: np.random.Generator) -> Tables:
        """Surveys without a connection; sources of one answer keep their own estimated shares."""
        cells: Vector = np.outer(*null).ravel()
        truths = [
            project(source.evidence.unbiased()) if places is None else cells[places]
            for source, places in zip(self.sources, self.places, strict=True)
        ]
        drawn: dict[int, Matrix] = {}
        for k in sorted(range(len(truths)), key=lambda k: self.sources[k].evidence.n):
            drawn[k] = self.sources[k].draws(truths[k], rounds, generator)
        told = [drawn[k] for k in range(len(truths))]
        noise = self._tables([each - truth for each, truth in zip(told, truths, strict=True)])
        return Tables(cells.reshape(self.shape) + noise.shares, told)

    def _tables(self, told: Sequence[Matrix]) -> Tables:
        shares = sum(each @ weights.T for each, weights in zip(told, self.weights, strict=True))
        return Tables(np.reshape(shares, (-1, *self.shape)), told)

    def _spread(self, tables: Tables) -> Stack:
        """The covariance [tables, contrasts, contrasts] of departures, if there is no connection."""
        row, column = map(project_rows, tables.margins)
        cells = (row[:, :, None] * column[:, None, :]).reshape(len(row), -1)
        parts = zip(self.sources, self.weights, self.places, tables.told, strict=True)
        each = (
            source.covariances(
                _shifts(weights.reshape(*self.shape, -1), *tables.contrasts),
                project_rows(told) if places is None else cells[:, places],
            )
            for source, weights, places, told in parts
        )
        return reduce(np.add, each)


def chance_among(simulated: Vector, found: float, df: int) -> float:
    """The p-value of a distance among simulated ones; beyond them by chi-square, stretched to meet their tail.

    >>> chance_among(np.arange(1.0, 200.0), 190.5, 1)
    0.05
    """
    rounds = len(simulated) + 1
    few = max(int(TAIL * rounds), 1)
    edge = float(np.partition(simulated, -few)[-few])
    if found <= edge:
        return (1 + int(np.count_nonzero(simulated >= found * (1 - 1 / FINE)))) / rounds
    stretch = edge / float(scipy.special.chdtri(df, few / rounds))
    return float(scipy.special.chdtrc(df, found / stretch)) if stretch > 0 else 0.0


def _seen(margin: Vector, error: Vector) -> Vector:
    """A margin without answers that might be nobody's; the largest share stays."""
    kept = np.where(margin > SEEN * error, margin, 0.0)
    kept[margin.argmax()] = margin.max()
    return margin if np.array_equal(kept, margin) else np.asarray(kept / kept.sum())


def _shifts(weights: Stack, rows: Matrix, columns: Matrix) -> Stack:
    """How the shares of a source with ``weights`` [rows, columns, labels] move departures [tables, contrasts, labels].

    Those are the contrasts of I - r1' and I - c1'; given are the contrasts of the margins r and c.
    """
    by_row, by_column = (scipy.linalg.helmert(size) for size in weights.shape[:2])
    both = _inside(weights.transpose(2, 0, 1), by_row, by_column).transpose(1, 2, 0)
    of_row, of_column = by_row @ weights.sum(axis=1), by_column @ weights.sum(axis=0)
    r, c = rows[:, :, None, None], columns[:, None, :, None]
    sums = both - r * of_column
    sums -= of_row[:, None, :] * c
    sums += r * c * weights.sum(axis=(0, 1))
    return np.asarray(sums.reshape(len(rows), -1, weights.shape[2]), np.float64)


def _inside(tables: Stack, by_row: Matrix, by_column: Matrix) -> Stack:
    """The contrasts of the rows and columns of tables, in whichever order of products takes least."""
    return np.asarray(np.einsum("ij,tjk,lk->til", by_row, tables, by_column, optimize=True), np.float64)


def _squares(found: Matrix, spread: Stack) -> Vector:
    """The squares of what was found in units of its spread: that of each table, or one of all.

    What hardly varies counts as if it varied a little.
    """
    size = found.shape[1]
    scale = np.maximum(np.trace(spread, axis1=1, axis2=2) / size, STILL)
    spread, diagonal = spread.copy(), np.arange(size)
    spread[:, diagonal, diagonal] += (STILL * scale)[:, None]
    shared = len(spread) == 1
    solved = np.linalg.solve(spread[0], found.T).T if shared else np.linalg.solve(spread, found[..., None])[..., 0]
    return np.asarray((found * solved).sum(axis=1), np.float64)
