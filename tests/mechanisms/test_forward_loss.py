"""The loss of a model that sees reports: the likelihood written anew, its slope by differences, and what it fits."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

import deniable as dn

MECHANISMS = [
    dn.RandomizedResponse(["no", "yes"], 0.5),
    dn.RandomizedResponse(5, 2.0),
    dn.Subset(6, 1.0, size=2),  # packed bits
    dn.Hadamard(5, 1.0),
    dn.Channel(3, [[0.5, 0.25, 0.25], [0.25, 0.5, 0.25], [0.125, 0.375, 0.5]]),
]


def model(labels: int, people: int, seed: int) -> tuple[Any, Any]:
    """Scores of some people, and labels that are drawn by them."""
    source = np.random.default_rng(seed)
    scores = source.normal(0, 2, (people, labels))
    return scores, np.argmax(scores + source.gumbel(size=scores.shape), axis=1)


@pytest.mark.parametrize("m", MECHANISMS, ids=repr)
def test_the_loss_is_that_of_the_exact_channel(m: dn.Mechanism) -> None:
    scores, labels = model(m.law.labels, 7, 1)
    reports = m.privatize_many(np.array(list(m.domain.every()))[labels], seed=2)
    exact = m.channel().exact
    expected = 0.0
    for row, place in zip(scores.tolist(), m.layout.report_index(reports).tolist(), strict=True):
        held = [math.exp(score) for score in row]
        told = sum(each * float(exact[label, place]) for label, each in enumerate(held)) / sum(held)
        expected -= math.log(told) / len(reports)
    assert dn.forward_loss(m)(scores, reports)[0] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("m", MECHANISMS, ids=repr)
def test_the_slope_is_what_the_loss_does(m: dn.Mechanism) -> None:
    scores, labels = model(m.law.labels, 3, 3)
    reports, loss = m.privatize_many(np.array(list(m.domain.every()))[labels], seed=4), dn.forward_loss(m)
    slope, step = loss(scores, reports)[1], 1e-5
    for place in np.ndindex(*scores.shape):
        moved = np.zeros_like(scores)
        moved[place] = step
        change = (loss(scores + moved, reports)[0] - loss(scores - moved, reports)[0]) / (2 * step)
        assert slope[place] == pytest.approx(change, abs=1e-8)


def test_scores_beyond_what_an_exponential_holds_stay_finite() -> None:
    """Sure and right, the loss is that of the truth's own report; sure and wrong, that of another's."""
    m = dn.RandomizedResponse(["no", "yes"], 1.0)
    value, slope = dn.forward_loss(m)([[-1e4, 1e4], [1e4, -1e4]], [1, 1])
    assert value == pytest.approx(-(math.log(1 - float(m.flip)) + math.log(float(m.flip))) / 2)
    assert slope.tolist() == [[0, 0], [0, 0]]


def test_a_model_fitted_by_it_has_the_slope_of_the_labels() -> None:
    """40,000 people, the slope 2. By the labels' own loss reports show a third of it.

    The standard error of the fit at this seed is 0.09 (from the curvature of the loss), so 5 of them are allowed.
    """
    m, source = dn.RandomizedResponse(["no", "yes"], 1.0), np.random.default_rng(5)
    x = source.normal(size=40_000)
    held = source.random(len(x)) < 1 / (1 + np.exp(-(2 * x - 1)))
    reports = m.privatize_many(np.where(held, "yes", "no"), seed=6)

    def fitted(mechanism: dn.Mechanism) -> Any:
        loss, columns = dn.forward_loss(mechanism), np.column_stack([np.ones_like(x), x])

        def both(at: Any) -> Any:
            value, slope = loss(np.column_stack([np.zeros_like(x), columns @ at]), reports)
            return value, columns.T @ slope[:, 1]

        return minimize(both, np.zeros(2), jac=True, method="BFGS").x

    assert fitted(m) == pytest.approx([-1, 2], abs=0.45)
    same = dn.regress("y ~ x", {"x": x}, {"y": (m, reports)})
    assert fitted(m) == pytest.approx(same.coefficients, abs=1e-3)  # which is the same likelihood
    assert fitted(dn.RandomizedResponse(["no", "yes"], 32.0))[1] < 0.9


def test_what_does_not_fit_is_refused() -> None:
    m = dn.RandomizedResponse(3, 1.0)
    loss = dn.forward_loss(m)
    with pytest.raises(dn.ParameterError, match=r"scores must be 2 rows of 3 numbers, got an array of shape \(2, 2\)"):
        loss([[0, 0], [0, 0]], [1, 2])
    with pytest.raises(dn.ParameterError, match="scores must be finite"):
        loss([[0, math.nan, 0]], [1])
    with pytest.raises(dn.ReportError):
        loss([[0, 0, 0]], [3])
    silent = dn.Channel(["a", "b"], [[0.5, 0.5, 0], [0.25, 0.75, 0]])
    with pytest.raises(dn.ParameterError, match="got one that none can"):
        dn.forward_loss(silent)([[0, 0]], [2])
    with pytest.raises(dn.ParameterError, match="must be one that reports one label of each person, got ItemResponse"):
        dn.forward_loss(dn.ItemResponse(["a", "b"], 1.0))
    word: Any = "RandomizedResponse"
    with pytest.raises(dn.ParameterError, match="must be one that reports one label of each person, got str"):
        dn.forward_loss(word)
    with pytest.raises(dn.CapacityError):
        dn.forward_loss(dn.RandomizedResponse(1000, 1.0))
    with pytest.raises(dn.CapacityError):
        dn.forward_loss(dn.HashedResponse(1.0, 4, 8))
