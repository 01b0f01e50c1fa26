"""A private item as a covariate: slopes and curvature by differences, and the likelihood by its definition."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import special, stats
from tests.cases import each

from deniable.estimation.models.private_predictor import NormalOutcome, PrivatePredictor, TwoOutcomes
from deniable.estimation.models.report_rows import merged, one_way
from deniable.estimation.models.responses import LOGIT, PROBIT
from deniable.estimation.models.surface import Surface

RNG = np.random.default_rng(5)
N, LABELS = 40, 3
X = np.column_stack([np.ones(N), RNG.normal(size=N)])
CASES = {
    "logit": (TwoOutcomes(LOGIT), 2 * LABELS), "probit": (TwoOutcomes(PROBIT), 2 * LABELS),
    "normal": (NormalOutcome(), LABELS),
}  # fmt: skip


def surface_of(name: str) -> Surface:
    """Random chances for each row's report, and an open outcome for the normal one."""
    outcome, states = CASES[name]
    reports = one_way(range(states), RNG.uniform(0.1, 1, (N, states)), np.arange(N), None, None)
    return Surface(PrivatePredictor(LABELS, outcome), merged(X, reports, RNG.normal(size=N)))


@each("name", CASES)
def test_slopes_and_curvature_are_those_of_the_likelihood(name: str) -> None:
    surface, step = surface_of(name), 1e-5
    theta = RNG.normal(size=surface.size) * 0.5
    shifted = [(theta + step * d, theta - step * d) for d in np.eye(surface.size)]
    slopes = [
        (surface.slopes(up).log_likelihood - surface.slopes(down).log_likelihood) / (2 * step) for up, down in shifted
    ]
    bends = [(surface.slopes(up).slopes - surface.slopes(down).slopes) / (2 * step) for up, down in shifted]
    point = surface.observed(theta)
    assert point.slopes == pytest.approx(slopes, abs=1e-6)
    assert point.information == pytest.approx(-np.array(bends), abs=1e-5)
    assert point.slopes == pytest.approx(surface.rows.weights @ surface.scores(theta), abs=1e-9)


@each("name", CASES)
def test_the_likelihood_is_the_sum_over_labels(name: str) -> None:
    surface = surface_of(name)
    theta = RNG.normal(size=surface.size) * 0.5
    c, b, t = theta[:4].reshape(2, 2), theta[4:6], np.append(0.0, theta[6:8])
    q = surface.rows.reports.chances[surface.rows.reports.places].reshape(N, LABELS, -1)
    rho = special.softmax(np.column_stack([np.zeros(N), X @ c.T]), axis=1)
    eta = (X @ b)[:, None] + t
    if name == "normal":
        told: Any = surface.rows.outcome
        f = q[:, :, 0] * stats.norm.pdf(told[:, None], eta, np.exp(theta[8]))
    else:
        up = special.expit(eta) if name == "logit" else special.ndtr(eta)
        f = q[:, :, 0] * (1 - up) + q[:, :, 1] * up
    assert surface.slopes(theta).log_likelihood == pytest.approx(float(np.log((rho * f).sum(axis=1)).sum()), rel=1e-12)
