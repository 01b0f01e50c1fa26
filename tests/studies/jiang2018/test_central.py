"""The centralized optimum: golden values, a linear program, and people with priors of their own."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import optimize

from deniable.protocol.errors import ParameterError
from deniable.theory.informed.optimum import optimal
from studies.jiang2018.central import central_bound, central_loss

Array = np.ndarray[Any, np.dtype[np.float64]]


def central_optimum(priors: list[float], epsilon: float) -> float:
    """Prop. 5 by a linear program: how much of each sum goes to each of a grid of possible posterior means."""
    p, t, users = np.array(priors), math.exp(epsilon), len(priors)
    low, high = np.maximum(p / t, 1 - (1 - p) * t).sum(), np.minimum(p * t, 1 - (1 - p) / t).sum()
    sums = np.arange(users + 1)
    inner = sums[(sums > low) & (sums < high)]
    means = np.concatenate([[low], inner, np.linspace(low, high, 41)[1:-1], [high]])
    cost = (sums[:, None] - means) ** 2
    to_sum = np.kron(np.eye(users + 1), np.ones(len(means)))
    to_mean = np.hstack([np.diag(s - means) for s in sums])
    found = optimize.linprog(
        cost.ravel(),
        A_eq=np.vstack([to_sum, to_mean]),
        b_eq=np.concatenate([sum_chances(p), np.zeros(len(means))]),
        options={"primal_feasibility_tolerance": 1e-10},
    )
    assert found.fun is not None
    return found.fun


def sum_chances(p: Array) -> Array:
    """By listing what everybody may hold."""
    chances = np.zeros(len(p) + 1)
    for held in itertools.product((0, 1), repeat=len(p)):
        chances[sum(held)] += np.where(held, p, 1 - p).prod()
    return chances


@pytest.mark.parametrize("epsilon", [0.05, 0.3, 0.5, 1.0, 2.0])
@pytest.mark.parametrize(("users", "p"), [(1, 0.3), (2, 0.5), (5, 0.1), (10, 0.3), (12, 0.8)])
def test_the_central_release_is_the_best(users: int, p: float, epsilon: float) -> None:
    assert central_loss(users, p, epsilon) == pytest.approx(central_optimum([p] * users, epsilon), abs=1e-9)
    assert central_bound([p] * users, epsilon) == pytest.approx(central_loss(users, p, epsilon), abs=1e-12)


@pytest.mark.parametrize("epsilon", [0.05, 0.5, 1.0, 2.0])
@pytest.mark.parametrize("priors", [[0.1, 0.5], [0.02, 0.3, 0.9], [0.0, 1.0, 0.4, 0.6], [0.1, 0.2, 0.3, 0.4, 0.95]])
def test_the_bound_of_people_with_priors_of_their_own(priors: list[float], epsilon: float) -> None:
    """It is the program's optimum, and what they send on their own under eps-LIP, hence under CIP, errs more."""
    bound = central_bound(priors, epsilon)
    assert bound == pytest.approx(central_optimum(priors, epsilon), abs=1e-9)
    assert central_bound(priors[::-1], epsilon) == pytest.approx(bound, abs=1e-12)
    assert bound <= sum(optimal([1 - p, p], epsilon, [0, 1]).loss for p in priors) + 1e-12


def test_the_golden_central_loss_and_its_limits() -> None:
    """Maths sheet context.md, "Localized information privacy": N=10, p=.3, eps=.5; tests/privacy enumerates it."""
    assert central_loss(10, 0.3, 0.5) == pytest.approx(0.46963722, abs=5e-9)
    assert central_loss(10, 0.3, 1e-6) == pytest.approx(10 * 0.3 * 0.7, rel=1e-5)
    assert central_loss(10, 0.3, 20.0) < 1e-6
    assert central_loss(10**5, 0.3, 1.0) < 1e-12
    assert central_bound([0.2] * 300 + [0.7] * 300, 1.0) < 1e-12


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: central_loss(0, 0.3, 1.0), "users must be an int of at least 1, got users=0"),
        (lambda: central_loss(9, 1.3, 1.0), "p must be between 0 and 1, got p=1.3"),
        (lambda: central_bound([0.5, 1.3], 1.0), "p must be between 0 and 1, got p=1.3"),
        (lambda: central_bound([], 1.0), "priors must be of at least one person, got none"),
        (lambda: central_bound([0.5], 0), "epsilon must be a finite number above 0, got epsilon=0"),
    ],
)
def test_wrong_inputs_get_one_clear_error(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(ParameterError, match=f"^{message}"):
        call()
