"""How many standard errors wide a band must be to hold everywhere at once: the largest of many correlated normals.

The chance that any |Z_i| exceeds c is (the sum of their chances) times E[1/number that exceed it], where one index is
drawn evenly, its Z given that it exceeds c, and the others given that one (Adler, Blanchet and Liu 2012). The
expectation is simulated, with a seed of its own: it is of moderate size, so that a few hundred draws give c to a
hundredth. With very many nodes c is that of independent normals, which is never too small (Sidak 1967) and 3% wider.
"""

from __future__ import annotations

import numpy as np
import scipy

from deniable.arrays import Matrix, Vector
from deniable.estimation.binomial import quantile
from deniable.theory.numbers.network import Network

SIMULATED = 1 << 13
"""With more cells than this nothing is simulated."""
DRAWS, ENTRIES, LEAST = 4000, 1 << 20, 256
"""How many draws there are at most, about how many entries in all of them, and how many draws at least."""
ROUNDS = 6


def band_factor(network: Network, level: float) -> float:
    """The c such that all |Z_i| of a network's nodes stay below it at this level.

    >>> from deniable.theory.numbers.staggered import network, parts
    >>> round(band_factor(network(2, parts(2), 1.0), 0.95), 3)
    1.96
    """
    nodes = network.cells - 1
    if nodes < 1:
        return quantile((1 - level) / 2)
    c = quantile(float(-np.expm1(np.log(level) / nodes)) / 2)
    if network.cells > SIMULATED:
        return c
    rng = np.random.default_rng(nodes)
    apart, along = _drawn(network, rng, min(DRAWS, max(ENTRIES // nodes, LEAST)))
    tails = rng.random(apart.shape[1])
    for _ in range(ROUNDS):
        beyond = -scipy.special.ndtri(tails * scipy.special.ndtr(-c))
        counts = (np.abs(apart + along * beyond) > c * (1 - 1e-9)).sum(axis=0)
        share = float((1 / np.maximum(counts, 1)).mean())
        c = quantile(min((1 - level) / nodes / share, 1.0) / 2)
    return max(c, quantile((1 - level) / 2))


def _drawn(network: Network, rng: np.random.Generator, draws: int) -> tuple[Matrix, Matrix]:
    """Normals [nodes, draws] without what depends on the drawn index, and their correlations with it."""
    inner = network.cells - 1
    errors: Vector = np.sqrt(network.resistances[1:-1])[:, None]
    noise = np.sqrt(network.conductances)[:, None] * rng.standard_normal((len(network.starts), draws))
    normals = network.potentials(network.into(noise))[1:-1] / errors
    drawn, each = rng.integers(inner, size=draws), np.arange(draws)
    currents = np.zeros((inner + 2, draws))
    currents[drawn + 1, each] = 1
    along = network.potentials(currents)[1:-1] / errors / errors[drawn, 0]
    return normals - along * normals[drawn, each], along
