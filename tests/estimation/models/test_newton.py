"""Fits of labels in an order begin and go on within what numbers can hold."""

from __future__ import annotations

import math

import numpy as np

import deniable as dn


def test_labels_in_an_order_are_fitted_without_a_warning_of_numbers() -> None:
    """Warnings are errors here: starts whose cuts lie in disorder, and steps too long for exponentials, gave some."""
    labels, rng = ["bad", "fair", "good", "great"], np.random.default_rng(4)
    health = dn.RandomizedResponse(labels, 1.0)
    age = rng.integers(18, 80, 60)
    answers = [labels[int(place)] for place in np.digitize(0.05 * age + rng.logistic(size=60), [1, 2.5, 4])]
    fit = dn.regress(
        "late ~ age", {"age": age}, {"late": (health, health.privatize_many(answers, seed=4))}, model="ordinal"
    )
    assert fit.log_likelihood is not None
    assert math.isfinite(fit.log_likelihood)
    assert fit.names == ("age", "bad | fair", "fair | good", "good | great")
