"""Channels against the papers' formulas, enumerated here without the library's own arithmetic, for 2 to 8 labels."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest
from tests.cases import each

import deniable as dn
from deniable.privacy.exact_channel import ExactChannel
from deniable.theory.singer import positions

Rows = npt.NDArray[np.float64]
EPSILONS = (0.1, 1.0, 4.0)
SIZES = range(2, 9)


def response(d: int, e: float) -> Rows:
    """E/(E+d-1) on the diagonal, 1/(E+d-1) beside it."""
    return (np.ones((d, d)) + (e - 1) * np.eye(d)) / (e + d - 1)


def sets(d: int) -> list[set[int]]:
    """All sets of labels, set y holding the bits of y."""
    return [{j for j in range(d) if y >> j & 1} for y in range(2**d)]


def rappor(d: int, e: float) -> Rows:
    """wang2016: S^(d-|Z|+1)/(S+1)^d if x is in Z, else S^(d-|Z|-1)/(S+1)^d."""
    s = math.sqrt(e)
    return np.array([[s ** (d - len(z) + (1 if x in z else -1)) / (s + 1) ** d for z in sets(d)] for x in range(d)])


def optimized(d: int, e: float) -> Rows:
    """The own bit is a fair coin, every other is set with 1/(E+1)."""
    q = 1 / (e + 1)
    return np.array([[0.5 * q ** len(z - {x}) * (1 - q) ** (d - 1 - len(z - {x})) for z in sets(d)] for x in range(d)])


def subset(d: int, e: float) -> Rows:
    """wang2016: E/D or 1/D over the sets of the best size, D = C(d-1,k-1) E + C(d-1,k)."""
    k = min(range(1, d), key=lambda k: ((k * e + d - k) ** 2 / (k * (d - k)), k))
    total = math.comb(d - 1, k - 1) * e + math.comb(d - 1, k)
    chosen = itertools.combinations(range(d), k)
    return np.array([[(e if x in z else 1) / total for z in chosen] for chosen in [list(chosen)] for x in range(d)])


def hadamard(d: int, e: float) -> Rows:
    """acharya2019, one part: 2t/(b(t+1)) where the sign of row x + 1 is +, 2/(b(t+1)) elsewhere."""
    b = 1 << d.bit_length()
    signs = [[(-1) ** ((x + 1) & y).bit_count() for y in range(b)] for x in range(d)]
    return np.where(np.array(signs) > 0, e, 1) * 2 / (b * (e + 1))


def cyclic(d: int, e: float) -> Rows:
    """E on the shifts of a difference set, checked to be one, and 1 on the other residues."""
    m = dn.Cyclic(d, math.log(e))
    within = np.zeros(m.design.length)
    within[positions(m.design)] = 1
    held = np.array([np.roll(within, x) for x in range(d)])
    differences = [sum(held[0] * held[j]) for j in range(1, d)]
    assert len(set(differences)) == 1
    rows = np.where(held > 0, e, 1.0)
    return np.asarray(rows / rows.sum(axis=1, keepdims=True))


FAMILIES: list[tuple[Callable[[int, float], ExactChannel], Callable[[int, float], Rows]]] = [
    (lambda d, epsilon: dn.RandomizedResponse(d, epsilon).channel(), response),
    (lambda d, epsilon: dn.Rappor(d, epsilon).channel(), rappor),
    (lambda d, epsilon: dn.OptimizedUnary(d, epsilon).channel(), optimized),
    (lambda d, epsilon: dn.Subset(d, epsilon).channel(), subset),
    (lambda d, epsilon: dn.Hadamard(d, epsilon, parts=1).channel(), hadamard),
    (lambda d, epsilon: dn.Cyclic(d, epsilon).channel(), cyclic),
]


@each("epsilon", EPSILONS)
@each("d", SIZES)
@each(("channel", "formula"), FAMILIES, ids=lambda f: f.__name__)
def test_channels_are_the_papers(
    channel: Callable[[int, float], ExactChannel], formula: Callable[[int, float], Rows], d: int, epsilon: float
) -> None:
    realised, printed = channel(d, epsilon).probabilities, formula(d, math.exp(epsilon))
    assert realised.shape == printed.shape
    assert np.allclose(realised, printed, rtol=1e-9, atol=0)


def test_warner() -> None:
    """Q = [[E,1],[1,E]]/(E+1); p1 = ((E+1) n1/n - 1)/M; Var = p1(1-p1)/n + E/(n M^2)."""
    m, e, n = dn.RandomizedResponse(["yes", "no"], 1.0), math.e, 1000
    tally = dn.Tally(n, np.array([400, 600]), m.spec())
    estimate = m.estimate(tally, "unbiased")
    p = ((e + 1) * 0.4 - 1) / (e - 1)
    assert estimate.frequencies == pytest.approx([p, 1 - p], rel=1e-9)
    assert estimate.stderr[0] ** 2 == pytest.approx(p * (1 - p) / n + e / (n * (e - 1) ** 2), rel=1e-9)


def test_closed_form_likelihood_and_projection() -> None:
    """Golden values for the counts 50, 30, 15, 5, 0 at epsilon 1."""
    m = dn.RandomizedResponse(5, 1.0)
    tally = dn.Tally(100, np.array([50, 30, 15, 5, 0]), m.spec())
    likeliest = m.estimate(tally, "likelihood").frequencies
    assert likeliest == pytest.approx([0.77049418, 0.22950582, 0, 0, 0], abs=5e-9)
    assert m.estimate(tally).frequencies == pytest.approx([0.89098835, 0.10901165, 0, 0, 0], abs=5e-9)
