"""The bound of a sum's mean excess beside the exact value."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from tests.cases import each

from deniable.theory.crowd.excess import COARSE, FINE, ROUGH, Draws

KINDS = [
    {Fraction(1): Fraction(1, 4), Fraction(-2): Fraction(1, 4)},
    {Fraction(3, 2): Fraction(1, 10), Fraction(-5, 2): Fraction(1, 8), Fraction(-1, 4): Fraction(1, 2)},
    {Fraction(9): Fraction(1, 100), Fraction(-1): Fraction(1, 3)},
]


def exact(kind: dict[Fraction, Fraction], n: int) -> Fraction:
    """By convolution: E[(sum of n draws)_+] / n."""
    rest = 1 - sum(kind.values())
    sums = {Fraction(0): Fraction(1)}
    for _ in range(n):
        new: dict[Fraction, Fraction] = {}
        for (at, chance), (step, own) in itertools.product(sums.items(), [*kind.items(), (Fraction(0), rest)]):
            new[at + step] = new.get(at + step, Fraction(0)) + chance * own
        sums = new
    return sum((at * chance for at, chance in sums.items() if at > 0), Fraction(0)) / n


@each("kind", KINDS, ids=str)
@each("n", [1, 2, 3, 7, 20])
def test_no_bound_is_below_the_exact_value(kind: dict[Fraction, Fraction], n: int) -> None:
    draws = Draws(np.array([float(a) for a in kind]), np.array([float(p) for p in kind.values()]), n)
    truth = float(exact(kind, n))
    bounds = [draws.mean_excess(terms) for terms in (FINE, ROUGH, COARSE)]
    assert all(bound >= truth for bound in [*bounds, draws.cap])
    assert bounds[0] == pytest.approx(truth, rel=0.01)  # the smoothing costs .6% at n p = 1


def test_more_terms_are_nearer() -> None:
    draws = Draws(np.array([2.0, -2.5]), np.array([0.1, 0.1]), 10_000)
    fine, rough, coarse = (draws.mean_excess(terms) for terms in (FINE, ROUGH, COARSE))
    assert fine < rough < coarse < 2 * fine
    assert draws.cap > coarse


def test_terms_that_are_not_seen_change_nothing() -> None:
    """Of many values most terms are replaced by a bound below e^-80: the same as a law of the same values, split."""
    values, chances = np.array([2.0, -2.5, 0.5]), np.array([0.1, 0.1, 0.2])
    split = Draws(np.repeat(values, 10) * (1 + 1e-12 * np.arange(30)), np.repeat(chances, 10) / 10, 10_000)
    assert split.mean_excess() == pytest.approx(Draws(values, chances, 10_000).mean_excess(), rel=1e-8)


def test_sums_that_cannot_be_above_0_have_no_excess() -> None:
    assert Draws(np.array([-1.0, -0.5]), np.array([0.5, 0.25]), 1000).mean_excess() == 0


@each("n", [2, 3, 100])
def test_draws_that_are_hardly_ever_above_0_have_a_bound(n: int) -> None:
    """Where the best tilt is so large that a float ends, one of the other bounds is left."""
    draws = Draws(np.array([1e-6, -1.0, -2.0]), np.array([0.3, 0.3, 0.3]), n)
    assert 0 < draws.mean_excess(COARSE) <= 0.3e-6 * (1 + 1e-12)


@each("n", [100, 10**4, 10**9])
def test_it_is_near_the_normal_law_of_large_crowds(n: int) -> None:
    draws = Draws(np.array([1.0, -1.0]), np.array([0.2, 0.2]), n)
    deviation = math.sqrt(0.4 / n)
    assert draws.mean_excess() == pytest.approx(deviation / math.sqrt(2 * math.pi), rel=0.01)
