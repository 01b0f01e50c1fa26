"""The F that rises and is nearest to the unbiased one, in the distance by which that was fitted (numbers.md 2).

Sought is the rising f with the least (F-f)' Laplacian (F-f), from 0 to 1. An interior-point method keeps every cell's
share positive; each of its steps is a fit of the same network with more conductance between neighbouring cuts.
"""

from __future__ import annotations

import numpy as np

from deniable.arrays import Vector
from deniable.theory.numbers.network import Network

STEPS = 80
CLOSE = 1e-9
"""The mean product of a cell's share and its price, relative to the greatest price, at which it stops."""
KEPT, TOWARDS = 0.99, 0.1
"""How near to 0 a step may take a share or a price, and how far it is to bring their products down."""


def monotone(network: Network, shares: Vector) -> Vector:
    """The rising f that is nearest to ``shares`` at the cuts.

    >>> from deniable.theory.numbers.staggered import network, parts
    >>> monotone(network(3, parts(3), 1.0), np.array([0, 0.5, 0.4, 1.0])).round(6).tolist()
    [0.0, 0.45, 0.45, 1.0]
    """
    cells, laplacian = network.cells, network.laplacian
    if cells < 2 or bool((np.diff(shares) >= 0).all()):
        return shares
    rising = np.linspace(0, 1, cells + 1)
    cell_shares = np.full(cells, 1 / cells)
    scale = max(float(np.abs(laplacian @ (rising - shares)).max()), 1e-300)
    prices: Vector = np.full(cells, scale)
    for _ in range(STEPS):
        gap = float(cell_shares @ prices) / cells
        if gap * cells < CLOSE * scale:
            break
        currents = -(laplacian @ (rising - shares))
        barrier = TOWARDS * gap / cell_shares
        currents[:-1] -= barrier
        currents[1:] += barrier
        move = network.with_chain(prices / cell_shares).potentials(currents)
        widening = np.diff(move)
        change = barrier - prices - prices / cell_shares * widening
        length = min(1.0, _longest(cell_shares, widening), _longest(prices, change))
        rising = rising + length * move
        cell_shares, prices = cell_shares + length * widening, prices + length * change
    return _cleaned(rising)


def _longest(values: Vector, step: Vector) -> float:
    """How much of a step leaves all values positive."""
    return KEPT / max(float((-step / values).max()), KEPT)


def _cleaned(rising: Vector) -> Vector:
    """Without errors of rounding: rising, from 0 to 1."""
    rising[0], rising[-1] = 0, 1
    return np.asarray(np.clip(np.maximum.accumulate(rising), 0, 1), np.float64)
