"""Least squares over nonnegative shares that leave a nonnegative unlisted share (0 in a closed survey).

Nesterov's (1983) accelerated projected gradient on the two maps, with restarts (O'Donoghue and Candes 2015): no matrix
is stored, whatever the number of candidates. It stops when no share would move by more than a small part of its
standard error.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from deniable.arrays import Vector
from deniable.estimation.cohorts import CohortSurvey
from deniable.estimation.simplex import project

NEGLIGIBLE = 0.02
"""The fraction of a standard error by which the search may miss its optimum."""
STEPS = 500
LANCZOS, MARGIN = 5, 1.05
"""Steps to the largest eigenvalue, which they leave at most so many times below the true one."""
NOTHING = 1e-9


class CohortShares(NamedTuple):
    """Shares of the candidates and the unlisted share; ``settled`` says whether the search converged."""

    frequencies: Vector
    unlisted: float
    settled: bool = True


def nonnegative(survey: CohortSurvey, stderr: float) -> CohortShares:
    """The constrained least-squares shares of the rows, to a small fraction of ``stderr``."""
    right = survey.slopes(survey.sizes[:, None] * survey.observed)
    diagonal = np.maximum(survey.diagonal, 1e-9)

    def slope(p: Vector) -> Vector:
        return right - survey.slopes(survey.sizes[:, None] * survey.centred(p))

    def allowed(p: Vector) -> Vector:
        nearest = np.asarray(np.maximum(p, 0))
        return project(p) if survey.closed or nearest.sum() > 1 else nearest

    step = 1 / largest_eigenvalue(survey)
    p = ahead = allowed(np.zeros(len(diagonal)))
    pace, settled = 1.0, False
    for _ in range(STEPS):
        rise = slope(ahead)
        reached = allowed(ahead + step * rise)
        # the step size if each candidate were alone
        if np.abs(allowed(ahead + rise / diagonal) - ahead).max() < NEGLIGIBLE * stderr:
            p, settled = ahead, True
            break
        next_pace = (1 + math.sqrt(1 + 4 * pace * pace)) / 2
        if rise @ (reached - p) < 0:  # the momentum points the wrong way: restart
            next_pace, ahead = 1.0, reached
        else:
            ahead = allowed(reached + (pace - 1) / next_pace * (reached - p))
        p, pace = reached, next_pace
    return CohortShares(p, 0.0 if survey.closed else 1 - float(p.sum()), settled)


def largest_eigenvalue(survey: CohortSurvey) -> float:
    """A slight overestimate of the largest eigenvalue of the normal equations.

    By the steps of Lanczos (1950): the largest eigenvalue of the small matrix that they leave, and how far it may be
    below the true one. Power iteration takes three times as many steps to come as near.
    """
    v = np.random.default_rng(0).standard_normal(len(survey.symbols))
    v, before, norm = v / np.linalg.norm(v), np.zeros_like(v), 0.0
    diagonal: list[float] = []
    off_diagonal: list[float] = []
    for _ in range(LANCZOS):
        after = survey.slopes(survey.sizes[:, None] * survey.centred(v)) - norm * before
        diagonal.append(float(after @ v))
        after -= diagonal[-1] * v
        norm = float(np.linalg.norm(after))
        off_diagonal.append(norm)
        if norm <= NOTHING * max(diagonal):
            break
        v, before = after / norm, v
    small = np.diag(diagonal) + np.diag(off_diagonal[:-1], 1) + np.diag(off_diagonal[:-1], -1)
    values, vectors = np.linalg.eigh(small)
    return MARGIN * float(values[-1] + off_diagonal[-1] * abs(vectors[-1, -1])) or 1.0
