"""What reports of numbers are compared with: the worst variance of published mechanisms for a mean, trees for ranges.

Means are of numbers in [-1, 1], one report each. E = e^epsilon, S = e^(epsilon/2), C = (E+1)/(E-1).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np
import scipy

from deniable.arrays import Vector
from deniable.protocol.errors import ParameterError
from deniable.theory.numbers.network import Network
from deniable.theory.numbers.staggered import Risks, cuts, labels, least_variance, mode_variance, network_risks
from deniable.theory.sizes import best_l2_size

BELOW_HYBRID = 0.61
"""Up to this epsilon the hybrid mechanism is Duchi's."""


def laplace(epsilon: float) -> float:
    """Laplace noise of scale 2/epsilon (Dwork and others 2006)."""
    return 8 / epsilon**2


def staircase(epsilon: float) -> float:
    """Staircase noise with the steps of least variance (Geng and Viswanath 2014), at a sensitivity of 2.

    >>> round(staircase(1.0), 6)
    7.672414
    """
    b = math.exp(-epsilon)
    return 4 * (math.cbrt(b * (1 + b) / 2) ** 2 + b) / math.expm1(-epsilon) ** 2


def duchi(epsilon: float) -> float:
    """One of two outputs (Duchi, Jordan and Wainwright 2013): C^2 - u^2, worst in the middle."""
    return 1 / math.tanh(epsilon / 2) ** 2


def piecewise(epsilon: float) -> float:
    """The piecewise mechanism (Wang and others 2019), worst at the ends."""
    excess = math.expm1(epsilon / 2)
    return 1 / excess + (excess + 4) / (3 * excess**2)


def hybrid(epsilon: float) -> float:
    """Piecewise or Duchi's by a coin (Wang and others 2019): the same variance at every number.

    >>> round(hybrid(1.0), 6)
    4.288992
    """
    if epsilon <= BELOW_HYBRID:
        return duchi(epsilon)
    root = math.exp(epsilon / 2)
    return (root + 3) / (3 * root * (root - 1)) + duchi(epsilon) / root


def three_outputs(epsilon: float) -> float:
    """-b, 0 or b (Zhao and others 2020), with the least worst variance over the chance z of 0 at the ends.

    At u the chance of 0 is z(E - (E-1)|u|), and b = C/(1-z): Var = b^2 (1 - zE + z(E-1)|u|) - u^2.

    >>> round(three_outputs(2.0), 6)
    0.999918
    """
    odds = math.exp(epsilon)
    most = 1 / (odds + 2)  # else b would be E times likelier at an end than in the middle, and more

    def worst(z: float) -> float:
        b = duchi(epsilon) / (1 - z) ** 2
        slope = b * z * (odds - 1)
        at = min(slope / 2, 1.0)
        return b * (1 - z * odds) + slope * at - at**2

    found = scipy.optimize.minimize_scalar(worst, bounds=(0, most), method="bounded", options={"xatol": 1e-12})
    return min(float(found.fun), worst(0.0), worst(most))


MEANS: Mapping[str, Callable[[float], float]] = {
    "Laplace": laplace,
    "staircase": staircase,
    "Duchi": duchi,
    "piecewise": piecewise,
    "hybrid": hybrid,
    "three outputs": three_outputs,
}
"""The worst variances by the mechanisms' names."""

REAL_NUMBER = 64
"""The bits of a double, in which the mechanisms with infinitely many outputs are sent."""
MEAN_BITS: Mapping[str, int] = {**dict.fromkeys(MEANS, REAL_NUMBER), "Duchi": 1, "three outputs": 2}


def tree(cells: int, arity: int, epsilon: float, *, subsets: bool = False) -> Risks:
    """A tree of blocks with people shared evenly among its levels, made consistent by weighted least squares.

    A node's share has the variance 4E/(E-1)^2 of the usual oracles, or with ``subsets`` that of the best subsets, which
    is less at levels of few nodes.

    >>> [round(risk, 1) for risk in tree(64, 4, 1.0)]
    [15.9, 24.2, 23.3]
    """
    if arity < 2 or cells < 2:
        raise ParameterError(f"arity and cells must be at least 2, got {arity} and {cells}")
    sizes = tree_sizes(cells, arity)

    def variance(size: int) -> float:
        return mode_variance(labels(cells, size, 0), epsilon) if subsets else least_variance(epsilon)

    return network_risks(Network.of(cells, [(cuts(cells, s, 0), 1 / (len(sizes) * variance(s))) for s in sizes]))


def tree_sizes(cells: int, arity: int) -> list[int]:
    """The sizes of a tree's blocks, a level each.

    >>> tree_sizes(64, 4)
    [1, 4, 16]
    """
    return [arity**level for level in range(cells.bit_length()) if arity**level < cells]


def tree_bits(cells: int, arity: int, epsilon: float) -> int:
    """The most bits of a report about a tree with the best subsets: its level, and one label or a bit for each.

    >>> tree_bits(64, 4, 1.0), tree_bits(64, 4, 5.0)
    (66, 8)
    """
    sizes = tree_sizes(cells, arity)
    counts = [labels(cells, size, 0) for size in sizes]
    reports = ((n - 1).bit_length() if best_l2_size(n, epsilon) == 1 else n for n in counts)
    return (len(sizes) - 1).bit_length() + max(reports)


def haar_bits(cells: int) -> int:
    """A level, a row of the Hadamard matrix of its largest number of blocks, half the cells, and a sign.

    >>> haar_bits(64)
    9
    """
    levels = cells.bit_length() - 1
    return (levels - 1).bit_length() + levels


def haar(cells: int, epsilon: float) -> Risks:
    """HaarHRR (Cormode, Kulkarni and Srivastava 2019): a level's Haar coefficient, told with variance C^2 a node.

    >>> [round(risk, 1) for risk in haar(64, 1.0)]
    [15.9, 24.4, 21.8]
    """
    if cells < 2 or cells & (cells - 1):
        raise ParameterError(f"cells must be a power of 2 of at least 2, got {cells}")
    count, cut = cells.bit_length() - 1, np.arange(cells + 1)
    prefixes, ranges = np.zeros(cells + 1), 0.0
    for level in range(count):
        size = 2 << level
        within = cut % size
        parts = np.minimum(within, size - within) / size
        prefixes += parts**2
        ranges += _of_pairs(cells, size, parts[:size])
    scale = duchi(epsilon) * count
    pairs = cells * (cells + 1) / 2
    return Risks(scale * float(prefixes[1:-1].mean()), scale * ranges / pairs, scale * float(prefixes.max()))


def _of_pairs(cells: int, size: int, parts: Vector) -> float:
    """The sum over all pairs of cuts of their squared coefficients, of which those in one block are subtracted."""
    return cells // size * ((cells + 1) * float((parts**2).sum()) - float(parts.sum()) ** 2)
