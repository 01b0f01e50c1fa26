"""Errors of simulated surveys: means with standard errors."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from deniable.arrays import Vector
from deniable.engines.repeat import surveys
from deniable.estimation.estimate import Estimate
from deniable.estimation.simplex import project
from deniable.mechanisms.mechanism import Mechanism
from studies.study import Row


def total_variation(found: Vector, truth: Vector) -> float:
    """Half of the sum of the absolute differences.

    >>> total_variation(np.array([0.5, 0.5]), np.array([0.75, 0.25]))
    0.25
    """
    return float(np.abs(found - truth).sum() / 2)


def nearest(estimate: Estimate) -> Vector:
    """The distribution nearest to the unbiased shares, as in the papers: of all, whatever else reports tell."""
    return project(estimate.unbiased)


def survey_errors(mechanism: Mechanism, truths: Iterable[Vector], users: int, generator: np.random.Generator) -> Row:
    """For one survey per truth: dTV, projected and unbiased, and the squared error relative to its prediction."""
    found = []
    for truth in truths:
        (survey,) = surveys(mechanism, truth, users, seed_from(generator), 1)
        estimate = mechanism.estimate(survey.tally)
        squared = float(((estimate.unbiased - truth) ** 2).sum()) / mechanism.risk(users, truth=truth)
        apart = (total_variation(each, truth) for each in (nearest(estimate), estimate.unbiased))
        found.append((*apart, squared))
    return averaged(("dtv", "unbiased_dtv", "squared_ratio"), found)


def seed_from(generator: np.random.Generator) -> int:
    """A seed for one survey, drawn from a generator."""
    return int(generator.integers(2**53))


def averaged(names: Sequence[str], found: Sequence[Sequence[float]]) -> Row:
    """The mean of each column with its standard error.

    >>> averaged(("l1",), [(1.0,), (3.0,)])
    {'l1': 2.0, 'l1_error': 1.0}
    """
    values = np.array(found)
    errors = values.std(axis=0, ddof=1) / math.sqrt(len(values))
    row: Row = {}
    for name, mean, error in zip(names, values.mean(axis=0).tolist(), errors.tolist(), strict=True):
        row |= {name: mean, f"{name}_error": error}
    return row
