"""Errors of one person without a prior: the formulas of jiang2018, and its Fig. 5."""

import math

import pytest

from studies.jiang2018.losses import (
    histogram_unary_loss,
    optimized_unary_loss,
    response_loss,
    symmetric_unary_loss,
)


def test_the_error_of_figure_5_without_a_prior() -> None:
    assert round(math.sqrt(response_loss(1.0)), 4) == 0.9595


def test_the_losses_of_unary_encodings() -> None:
    t = math.e
    assert optimized_unary_loss(0.3, 1.0) == pytest.approx(4 * t / (t - 1) ** 2 + 0.3, rel=1e-14)
    assert symmetric_unary_loss(1.0) == pytest.approx(math.sqrt(t) / (math.sqrt(t) - 1) ** 2, rel=1e-14)
    assert histogram_unary_loss(7, 1.0) == pytest.approx(28 * t / (t - 1) ** 2 + 1, rel=1e-14)
