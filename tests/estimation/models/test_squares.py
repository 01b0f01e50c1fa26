"""Fits by equations, against the verified values of the mathematics (regression.md 6, 10)."""

from __future__ import annotations

import numpy as np
import pytest
from tests.estimation.models.made_up_people import drinkers

from deniable.estimation.models.report_rows import merged, one_way
from deniable.estimation.models.squares import counted_for, fractional, least_squares
from deniable.protocol.errors import ParameterError

LEVELS, TOP = 16, 20
ROWS = drinkers()
X = np.column_stack([np.ones(len(ROWS)), ROWS[:, 0], (ROWS[:, 1] - 45) / 10])
LEVEL, BIT = np.divmod(np.arange(2 * LEVELS), 2)
WORTH = 2.0 * (2 * BIT - 1) + (2 * LEVEL + 1) / LEVELS - 1
"""What each threshold report counts on the scale from -1 to 1: C = (3 + 1)/(3 - 1) = 2."""
ITEM = one_way(
    (0, TOP), np.ones((2 * LEVELS, 2)), ROWS[:, 3].astype(int), np.stack([1 - WORTH, 1 + WORTH], axis=1) / 2, None
)


def test_the_mean_of_a_number_by_threshold_reports() -> None:
    rows = merged(X, ITEM, None)
    solution = least_squares(rows, counted_for(rows, np.array([0.0, TOP])))
    assert solution.theta == pytest.approx([8.724002162, 2.029442188, 1.003916732], abs=1e-6)
    assert solution.leverage is not None
    half = (solution.scores / np.sqrt(1 - solution.leverage)[:, None]) * np.sqrt(rows.weights)[:, None]
    bread = np.linalg.inv(solution.bread)
    hc2 = np.sqrt(np.diag(bread @ half.T @ half @ bread))
    assert hc2 == pytest.approx([0.925585472, 1.304598928, 0.444777933], abs=1e-6)
    hc3 = np.sqrt(np.diag(solution.covariance(rows.weights, None)))
    assert (hc2 < hc3).all()
    assert hc3 == pytest.approx(hc2, rel=0.01)


def test_a_mean_between_its_ends() -> None:
    rows = merged(X, ITEM, None)
    shares = counted_for(rows, np.array([0.0, TOP])) / TOP
    assert shares.min() < 0 < 1 < shares.max()
    assert fractional(rows, shares).theta == pytest.approx([-0.262819697, 0.417283936, 0.206013261], abs=1e-6)


def test_merged_rows_and_all_rows_say_the_same() -> None:
    rows = merged(X[:, :2], ITEM, None)
    assert len(rows) < len(X) / 2
    told = counted_for(rows, np.array([0.0, TOP]))
    plain = np.linalg.lstsq(X[:, :2], told[rows.origin], rcond=None)[0]
    solution = least_squares(rows, told)
    assert solution.theta == pytest.approx(plain, abs=1e-9)
    assert solution.leverage is not None
    hat = X[:, :2] @ np.linalg.inv(X[:, :2].T @ X[:, :2]) @ X[:, :2].T
    wide = X[:, :2] * ((told[rows.origin] - X[:, :2] @ plain) / (1 - np.diag(hat)))[:, None]
    bread = np.linalg.inv(X[:, :2].T @ X[:, :2])
    assert solution.covariance(rows.weights, None) == pytest.approx(bread @ wide.T @ wide @ bread, rel=1e-9)


def test_labels_that_reports_do_not_tell_apart_are_refused() -> None:
    blind = one_way(("a", "b"), np.ones((2, 2)), np.zeros(9, int), None, None)
    rows = merged(np.ones((9, 1)), blind, None)
    with pytest.raises(ParameterError, match="reports must tell every label apart for least squares"):
        counted_for(rows, np.array([0.0, 1.0]))
