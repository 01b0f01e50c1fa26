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

import numpy as np
import scipy

from deniable.arrays import Matrix, Vector
from deniable.estimation.departures import CellSources, Tables, label_shares
from deniable.estimation.finding import Significance
from deniable.estimation.simplex import project
from deniable.protocol.say import Statement

HYPOTHESIS = "the answers are independent"
ROUNDS, FEWEST = 1999, 199
"""So many surveys are simulated at each null; fewer of larger tables, but never less than the second number."""
WORK = 1 << 20
"""About how many cells the surveys that are simulated at one null may have in all."""
TAIL = 0.0025
"""Below this share of the simulated surveys the p-value follows chi-square, stretched to meet them there."""
SEEN = 2.0
"""Answers within so many standard errors of nobody might be given by nobody."""
FINE = 1e9
"""Shares are rounded to so many parts before they seed the simulation: the same data give the same p-value."""


@dataclass(frozen=True, eq=False)
class Independence:
    """The test for a table of ``shape``, from the sources of its cells."""

    shape: tuple[int, int]
    cells: CellSources

    def test(self, errors: Sequence[Vector]) -> Significance:
        """The largest p-value of those that chi-square gives and that simulated surveys give at two nulls.

        The nulls are the products of the estimated margins, and of the same without answers that might be nobody's;
        ``errors`` are the standard errors of the margins. How far tables depart by chance depends on the truth a
        little, most where an answer is rare; the largest p-value allows for that (Berger and Boos 1994).
        """
        table = self._tables([source.evidence.unbiased()[None] for source in self.cells.sources])
        (rows, columns), distance = self.shape, float(self.cells.squares(table)[0])
        df, rounds = (rows - 1) * (columns - 1), max(min(WORK // (rows * columns), ROUNDS), FEWEST)
        chances, generator = [float(scipy.special.chdtrc(df, distance))], self._generator()
        for null in self._nulls(table, errors):
            simulated = self.cells.squares(self._simulated(null, rounds, generator))
            chances.append(chance_among(simulated, distance, df))
        method = Statement("chi_square_and_simulated", surveys=rounds)
        return Significance(HYPOTHESIS, method, max(chances), distance, df)

    def _generator(self) -> np.random.Generator:
        """Seeded by the data alone, whichever question comes first."""
        evidence = [source.evidence for source in self.cells.sources]
        parts = sorted(
            [each.n, *np.rint(np.abs(each.unbiased()) * FINE).astype(np.int64).tolist()] for each in evidence
        )
        return np.random.default_rng([number for part in parts for number in part])

    def _nulls(self, table: Tables, errors: Sequence[Vector]) -> list[tuple[Vector, Vector]]:
        """Margins, which have these errors, as distributions, and without answers that may be nobody's, if any."""
        row, column = (project(margin[0]) for margin in table.margins)
        clear = [_clear_answers(margin, error) for margin, error in zip((row, column), errors, strict=True)]
        same = np.array_equal(clear[0], row) and np.array_equal(clear[1], column)
        return [(row, column)] if same else [(row, column), (clear[0], clear[1])]

    def _simulated(self, null: tuple[Vector, Vector], rounds: int, generator: np.random.Generator) -> Tables:
        """Surveys without a connection; sources of one answer keep their own estimated shares."""
        cells: Matrix = np.outer(*null).reshape(1, -1)
        truths = [
            project(source.evidence.unbiased()) if places is None else label_shares(cells, places)[0]
            for source, places in zip(self.cells.sources, self.cells.places, strict=True)
        ]
        drawn: dict[int, Matrix] = {}
        for k in sorted(range(len(truths)), key=lambda k: self.cells.sources[k].evidence.n):
            drawn[k] = self.cells.sources[k].draws(truths[k], rounds, generator)
        surveys = [drawn[k] for k in range(len(truths))]
        noise = self._tables([each - truth for each, truth in zip(surveys, truths, strict=True)])
        return Tables(cells.reshape(self.shape) + noise.shares, surveys)

    def _tables(self, source_shares: Sequence[Matrix]) -> Tables:
        """The tables that shares [tables, labels] of each source's labels add up to."""
        shares = sum(each @ weights.T for each, weights in zip(source_shares, self.cells.weights, strict=True))
        return Tables(np.reshape(shares, (-1, *self.shape)), source_shares)


def chance_among(simulated: Vector, distance: float, df: int) -> float:
    """The p-value of a distance among simulated ones; beyond them by chi-square, stretched to meet their tail.

    >>> chance_among(np.arange(1.0, 200.0), 190.5, 1)
    0.05
    """
    rounds = len(simulated) + 1
    few = max(int(TAIL * rounds), 1)
    edge = float(np.partition(simulated, -few)[-few])
    if distance <= edge:
        return (1 + int(np.count_nonzero(simulated >= distance * (1 - 1 / FINE)))) / rounds
    stretch = edge / float(scipy.special.chdtri(df, few / rounds))
    return float(scipy.special.chdtrc(df, distance / stretch)) if stretch > 0 else 0.0


def _clear_answers(margin: Vector, error: Vector) -> Vector:
    """A margin without answers that might be nobody's; the largest share stays."""
    clear = np.where(margin > SEEN * error, margin, 0.0)
    clear[margin.argmax()] = margin.max()
    return margin if np.array_equal(clear, margin) else np.asarray(clear / clear.sum())
