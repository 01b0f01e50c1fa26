"""The least error under localized information privacy (jiang2018) when the prior is known: the two-sided optimum.

With t = e^eps, the channel whose lifts s = Q/lam lie in [1/t, t] and whose posterior mean has the least error.
jiang2018's closed form is that optimum only if no positive prior is below 1/(1+t); this module finds it for every
prior.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy

from deniable.arrays import Matrix, Vector
from deniable.protocol.checks import check_epsilon
from deniable.theory.informed.baselines import channel_loss, check_prior, check_values, too_rare
from deniable.theory.informed.cells import Cells, Release, by_mass, by_value, settled
from deniable.theory.informed.columns import generate, mix, moment_ceiling, price_moments, price_squares, vertices

_SAME, _SAME_FOCUS = 1e-13, 1e-9


def truth(mass: Vector) -> Release:
    """One output for each cell, focused on it alone: jiang2018's channel, feasible if no mass is below 1/(1+t)."""
    return Release(mass, np.diag(1 / mass))


def arc(mass: Vector, epsilon: float) -> Release:
    """Cells as intervals of a circle of length 1, in their order; an output is focused on an arc of length 1/(1+t).

    The arcs are those that begin or end at the boundary of a cell. Between two of them the focus is linear in the
    offset, so a release with half of each gap on either side has the marginals of a uniformly drawn arc: each cell's
    mass. It is the optimum for two cells, and the paper's channel if that is feasible.

    >>> release = arc(np.array([0.9, 0.1]), 1.0)
    >>> release.chances.round(6).tolist(), (release.focus @ release.chances).round(6).tolist()
    ([0.731059, 0.268941], [1.0, 1.0])
    """
    length = 1 / (1 + math.exp(epsilon))
    starts = np.cumsum(mass) - mass
    offsets = np.sort(np.concatenate([starts, (starts - length) % 1]))
    offsets = offsets[np.diff(offsets, append=offsets[0] + 1) > _SAME]
    after = np.diff(offsets, append=offsets[0] + 1)
    return _merged((after + np.roll(after, 1)) / 2, _overlaps(starts, mass, offsets, length) / (mass[:, None] * length))


def _overlaps(starts: Vector, mass: Vector, offsets: Vector, length: float) -> Matrix:
    """How much of each cell (row) an arc from each offset (column) covers."""
    covered = np.zeros((len(mass), len(offsets)))
    for turn in (0, 1):
        begin = starts[:, None] + turn
        covered += np.maximum(np.minimum(offsets + length, begin + mass[:, None]) - np.maximum(offsets, begin), 0)
    return covered


def _merged(chances: Vector, focus: Matrix) -> Release:
    """Merge neighbouring outputs with equal focus; arcs within one cell have such."""
    new = np.abs(focus - np.roll(focus, 1, axis=1)).max(axis=0) > _SAME_FOCUS
    new[0] |= not new.any()
    turn = -int(np.argmax(new))  # the first output may continue the last
    chances, focus, new = np.roll(chances, turn), np.roll(focus, turn, axis=1), np.roll(new, turn)
    return Release(np.add.reduceat(chances, np.flatnonzero(new)), focus[:, new])


ENUMERATED = 11
"""Up to so many cells all vertices are listed: a few thousand at most."""
FINE = 512
"""How many likely labels ARC keeps apart, and into how many runs it groups the others: at most 2048 outputs."""
HEADS, TAILS = 40, 20
"""The same for column generation, for a histogram."""
LEVELS = 40
"""How many cells of neighbouring values column generation uses for a mean."""
PROOFS = 12
"""How many of the last prices are tried as prices of labels: equally good ones for cells differ by 5% for labels."""
ENOUGH = 0.995
"""If ARC gains this share of the bound, nothing better is searched for."""


@dataclass(frozen=True, slots=True, eq=False)
class Informed:
    """A channel for a known prior, its loss, and a lower bound on the loss of any channel with the same level.

    ``chances`` are those of each report, and ``lifts`` [labels, reports] by how much a label multiplies them.
    """

    chances: Vector
    lifts: Matrix
    loss: float
    bound: float
    method: str

    @property
    def matrix(self) -> Matrix:
        """The channel Q [labels, reports], whose rows add up to 1."""
        return self.chances * self.lifts


def optimal(prior: Any, epsilon: Any, values: Any = None, share: float = 1.0) -> Informed:
    """The best eps-LIP channel for a prior, or nearly: for the mean of ``values``, or a histogram if they are left out.

    ``loss`` is the mean squared error of one person's posterior mean; no channel of the level has one below ``bound``.
    ``share`` of the level is used: a little less than 1 leaves room for rounding.

    >>> found = optimal([0.5, 0.3, 0.2], 1.0)
    >>> round(found.loss, 8), found.method, found.lifts.shape
    (0.41323418, 'vertices', (3, 3))
    """
    p, level = check_prior(prior), check_epsilon(epsilon) * share
    if values is None:
        return _for_histogram(p, level)
    return _for_values(p, level, check_values(values, len(p)))


def box_ceiling(mass: Vector, weights: Vector, epsilon: float) -> float:
    """An upper bound on the mean of weights.(s^2 - 1) in any channel: sum weights (1-L)(U-1).

    A lift has mean 1 and stays in [L, U], U = min(t, (1-(1-M)/t)/M) and L = max(1/t, (1-(1-M)t)/M), because of the
    lifts of the other cells; and (s-L)(U-s) >= 0. With weights P^2 it bounds the gain of a histogram over 1 - sum P^2.
    """
    t = math.exp(epsilon)
    highest = np.minimum(t, (1 - (1 - mass) / t) / mass)
    with np.errstate(over="ignore"):  # for a very rare cell this is far below 1/t
        lowest = np.maximum(1 / t, (1 - (1 - mass) * t) / mass)
    return float(weights @ ((1 - lowest) * (highest - 1)))


def _for_histogram(p: Vector, epsilon: float) -> Informed:
    """The optimum for a histogram: in closed form, by enumeration of few cells, or by a search."""
    cells, likely = by_mass(p, len(p), 0), p[p > 0]
    bound = float(p @ (1 - p)) - box_ceiling(likely, likely**2, epsilon)
    if not too_rare(cells.mass, epsilon).any():
        return _with_loss(p, epsilon, None, cells, truth(cells.mass), "closed form", bound)
    if len(cells.mass) == 2:
        return _with_loss(p, epsilon, None, cells, arc(cells.mass, epsilon), "closed form", bound)
    if len(cells.mass) <= ENUMERATED:
        return _enumerated(p, epsilon, cells, bound)
    return _by_search(p, epsilon, bound)


def _with_loss(
    p: Vector, epsilon: float, values: Vector | None, cells: Cells, release: Release, method: str, bound: float
) -> Informed:
    """The channel of labels that a release of cells becomes, with its loss and a bound that is at most the loss."""
    chances, lifts = settled(p, cells, release, epsilon)
    loss = channel_loss(p, chances * lifts, values)
    return Informed(chances, lifts, loss, min(max(bound, 0.0), loss), method)


def _enumerated(p: Vector, epsilon: float, cells: Cells, bound: float) -> Informed:
    """The exact optimum over all vertices; its prices bound any gain, unless a label is too rare to have a cell."""
    focus, weights = _with_constant(vertices(cells.mass, epsilon)), cells.total(p**2)
    worth = weights @ focus**2
    chances, prices = mix(focus, worth)
    if cells.hold(p):
        ceiling = prices.sum() + (worth - prices @ focus).max()
        bound = max(bound, float(p @ (1 - p)) - math.expm1(-epsilon) ** 2 * (ceiling - weights.sum()))
    return _with_loss(p, epsilon, None, cells, Release(chances, focus), "vertices", bound)


def _by_search(p: Vector, epsilon: float, bound: float) -> Informed:
    """The better of ARC, with fine cells for all labels, and column generation, with fine cells for likely labels."""
    cells = by_mass(p, FINE, FINE)
    arcs = _with_loss(p, epsilon, None, cells, arc(cells.mass, epsilon), "arc", bound)
    base = float(p @ (1 - p))
    if base - arcs.loss >= ENOUGH * (base - bound):
        return arcs
    cells = by_mass(p, HEADS, TAILS)
    mass, weights = cells.mass, cells.total(p**2)
    search = generate(
        mass,
        _with_constant(arc(mass, epsilon).focus),
        utility=lambda focus: weights @ focus**2,
        price=lambda prices: price_squares(mass, weights, prices, epsilon),
        target=float(weights.sum()) + box_ceiling(mass, weights, epsilon) / math.expm1(-epsilon) ** 2,
    )
    mixed = _with_loss(p, epsilon, None, cells, search.release, "column generation", bound)
    return min(arcs, mixed, key=lambda found: found.loss)


def _with_constant(focus: Matrix) -> Matrix:
    return np.hstack([np.ones((len(focus), 1)), focus])


def _for_values(p: Vector, epsilon: float, values: Vector) -> Informed:
    """The optimum for a mean, computed in standard units, so that no tolerance depends on the scale of the values."""
    centred = values - p @ values
    scale = math.sqrt(p @ centred**2) or 1.0
    found = _for_units(p, epsilon, centred / scale)
    return replace(found, loss=found.loss * scale**2, bound=found.bound * scale**2)


def _for_units(p: Vector, epsilon: float, values: Vector) -> Informed:
    """The optimum for the mean of values in standard units: in closed form, or by column generation over cells."""
    cells = by_value(p, values, len(p))
    bound = (1 - math.expm1(-epsilon) ** 2) * float(p @ (values - p @ values) ** 2)  # as paper_loss
    if not too_rare(cells.mass, epsilon).any():
        return _with_loss(p, epsilon, values, cells, truth(cells.mass), "closed form", bound)
    if len(cells.mass) == 2 and cells.hold(p, values):
        return _with_loss(p, epsilon, values, cells, arc(cells.mass, epsilon), "closed form", math.inf)
    cells = by_value(p, values, LEVELS)
    mass = cells.mass
    levels = cells.total(p * values) / cells.total(p)
    search = generate(
        mass,
        _with_constant(arc(mass, epsilon).focus),
        utility=lambda focus: ((mass * levels) @ focus) ** 2,
        price=lambda prices: price_moments(mass, levels, prices, epsilon),
    )
    ceiling = search.ceiling
    if not cells.hold(p, values):
        ceiling = min(_label_ceiling(p, values, levels, prices / mass, epsilon) for prices in search.prices[-PROOFS:])
    bound = max(bound, 1 - math.expm1(-epsilon) ** 2 * ceiling)
    return _with_loss(p, epsilon, values, cells, search.release, "column generation", bound)


def _label_ceiling(p: Vector, values: Vector, levels: Vector, rates: Vector, epsilon: float) -> float:
    """The upper bound for labels that follows from the prices of their cells, per unit mass."""
    likely = p > 0
    interpolated = scipy.interpolate.make_interp_spline(levels, rates, k=1)
    return moment_ceiling(p[likely], values[likely], interpolated(values[likely]), epsilon)
