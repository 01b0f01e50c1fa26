"""Cells of labels that a channel treats alike, and how a channel of cells becomes one of labels.

Under eps-LIP every posterior is r_y = P/t + (1-1/t) P h_y, where the *focus* h_y lies in 0 <= h <= 1+t with P.h_y = 1,
and sum_y lam_y h_y = 1 for every label. So lifts are s = 1/t + (1-1/t) h. The functions of this folder look for
focuses, which are of order 1 at every epsilon.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from deniable.arrays import Matrix, Vector

Indices: TypeAlias = npt.NDArray[np.intp]

RAREST = 1e-12
"""A label with a smaller prior gets no cell: its reports are drawn from the average channel, which leaks nothing."""
SAME_VALUE = 1e-9
"""Values closer than this, in standard deviations, share a cell."""


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """The cell of each label (-1 for none) and the prior mass of each cell; the masses add up to 1."""

    of: Indices
    mass: Vector

    def total(self, amounts: Vector) -> Vector:
        """The sum of an amount per label over the labels of each cell."""
        held = self.of >= 0
        return np.bincount(self.of[held], amounts[held], len(self.mass)).astype(np.float64)

    def hold(self, prior: Vector, values: Vector | None = None) -> bool:
        """Whether every label of positive prior has a cell and no cell mixes labels with different ``values``."""
        likely = prior > 0
        kinds = len(self.mass) if values is None else len(np.unique(values[likely]))
        return bool((self.of[likely] >= 0).all()) and kinds == len(self.mass)


@dataclass(frozen=True, slots=True, eq=False)
class Release:
    """The outputs of a channel of cells: their probabilities and the focus h [cells, outputs] of each on every cell."""

    chances: Vector
    focus: Matrix


def _cells_of_numbers(prior: Vector, order: Indices, numbers: Indices) -> Cells:
    """Cells from a number for each label of ``order``; the numbers increase and may have gaps."""
    of = np.full(len(prior), -1)
    of[order] = np.unique(numbers, return_inverse=True)[1]
    mass = np.bincount(of[order], prior[order])
    return Cells(of, mass / mass.sum())


def _group_numbers(sizes: Vector, count: int) -> Indices:
    """Group numbers along a list, at most ``count``, so that the groups have about equal total sizes."""
    starts = np.cumsum(sizes) - sizes
    numbers: Indices = np.minimum(starts / sizes.sum() * count, count - 1).astype(np.intp)
    return numbers


def by_mass(prior: Vector, alone: int, runs: int) -> Cells:
    """Cells of labels from the likeliest down: the first ``alone`` one each, the rest in ``runs`` runs of like mass."""
    order = np.argsort(-prior, kind="stable")[: int((prior > RAREST).sum())]
    numbers = np.arange(len(order))
    if len(order) > alone + runs:
        numbers[alone:] = alone + _group_numbers(prior[order[alone:]], runs)
    return _cells_of_numbers(prior, order, numbers)


def by_value(prior: Vector, values: Vector, most: int) -> Cells:
    """Cells of labels by value, in standard units: equal values together, and neighbours beyond ``most`` of them.

    Nothing is lost by treating equal values alike: averaging their lifts changes neither a posterior mean nor a bound.
    The wider and the likelier a stretch of values is, the more cells it gets. The least squared error suggests a
    density of (P width^2)^(1/3); a far tail is worth less, as no output can identify it, and (P width)^(1/3) did better
    in trials.
    """
    with_mass = np.flatnonzero(prior > RAREST)
    order = with_mass[np.argsort(values[with_mass], kind="stable")]
    is_new = np.diff(values[order], prepend=-math.inf) > SAME_VALUE
    numbers = np.cumsum(is_new) - 1
    if is_new.sum() > most:
        widths = np.gradient(values[order][is_new])
        numbers = _group_numbers(np.cbrt(np.bincount(numbers, prior[order]) * widths), most)[numbers]
    return _cells_of_numbers(prior, order, numbers)


def settled(prior: Vector, cells: Cells, release: Release, epsilon: float) -> tuple[Vector, Matrix]:
    """Probabilities and lifts of labels that are feasible up to rounding, from a release that is nearly so.

    What a row lacks is filled up from the probabilities, rows are scaled to 1, and the lifts are then moved towards 1,
    which is feasible, just as far as their bounds require.
    """
    is_used = release.chances > 1e-9 * min(cells.mass.min(), 1 / (1 + math.exp(epsilon)))
    chances, focus = release.chances[is_used] / release.chances[is_used].sum(), release.focus[:, is_used]
    lifts = np.ones((len(prior), len(chances)))
    has_cell = cells.of >= 0
    lifts[has_cell] = (math.exp(-epsilon) - math.expm1(-epsilon) * focus)[cells.of[has_cell]]
    matrix = lifts * chances
    sums = matrix.sum(axis=1, keepdims=True)
    matrix = matrix / np.maximum(sums, 1) + np.maximum(1 - sums, 0) * chances
    chances = prior @ matrix
    lifts = matrix / chances
    excess_ratio = max((lifts.max() - 1) / math.expm1(epsilon), (1 - lifts.min()) / -math.expm1(-epsilon), 1.0)
    lifts = np.clip(1 + (lifts - 1) / excess_ratio, math.exp(-epsilon), math.exp(epsilon))
    lifts[~has_cell] = 1  # they are, up to rounding
    return chances, lifts
