"""Fits without a likelihood: unbiased equations in what each report counts (regression.md 2, 6, 7).

A report counts for a number whose mean, whatever the answer, is right. Least squares of that on covariates is unbiased
for risk differences and for means; errors are those of residuals (HC3), which hold the protection's noise too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from deniable.arrays import Matrix, Vector
from deniable.estimation.models.report_rows import PatternRows
from deniable.estimation.survey_design import SurveyDesign
from deniable.protocol.errors import ParameterError

STEPS = 50
DONE = 1e-12


@dataclass(frozen=True, eq=False)
class Solution:
    """Coefficients theta that solve equations: each row's term in these, and ``bread``, their slopes by theta."""

    theta: Vector
    scores: Matrix
    """For a weight of 1."""
    bread: Matrix
    leverage: Vector | None = None
    """How much a person moves their own fitted value, where residuals are widened for that."""

    def covariance(self, weights: Vector, design: SurveyDesign | None) -> Matrix:
        """The sandwich; HC3 of plain people with leverages."""
        if design is not None:
            meat = design.meat(self.scores * weights[:, None])
        else:
            wide = self.scores if self.leverage is None else self.scores / (1 - self.leverage)[:, None]
            meat = (wide * weights[:, None]).T @ wide
        inverse = np.linalg.inv(self.bread)
        return np.asarray(inverse @ meat @ inverse.T, np.float64)


def counted_for(rows: PatternRows, values: Vector) -> Vector:
    """What each row's report counts for numbers ``values``, one for each label: about their middle.

    The middle matters where what a report counts for all labels together is no constant, as of one bit for each.
    """
    unbiased = rows.reports.unbiased
    if unbiased is None:
        raise ParameterError("reports must tell every label apart for least squares, got some that do not")
    middle = float(values.max() + values.min()) / 2
    return np.asarray((middle + unbiased @ (values - middle))[rows.reports.places], np.float64)


def least_squares(rows: PatternRows, y: Vector) -> Solution:
    """Least squares of what reports count on covariates."""
    x, bread = rows.x, (rows.x * rows.weights[:, None]).T @ rows.x
    theta = np.asarray(np.linalg.solve(bread, (x * rows.weights[:, None]).T @ y), np.float64)
    leverage = np.asarray(np.einsum("ni,ij,nj->n", x, np.linalg.inv(bread), x), np.float64)
    if leverage.max() >= 1 - 1e-9:
        raise ParameterError("every pattern must have another that tells of it too, got a row that fits itself alone")
    return Solution(theta, x * (y - x @ theta)[:, None], bread, leverage)


def fractional(rows: PatternRows, share: Vector) -> Solution:
    """A mean between 0 and 1 that is the logit curve of x'b; what single reports count may lie outside."""
    x, weighed = rows.x, rows.x * rows.weights[:, None]
    theta = np.zeros(x.shape[1])
    for _ in range(STEPS):
        mean = scipy.special.expit(x @ theta)
        bread, slope = (weighed * (mean * (1 - mean))[:, None]).T @ x, weighed.T @ (share - mean)
        step = np.linalg.solve(bread, slope)
        theta = theta + step * min(1.0, 5 / max(float(np.abs(x @ step).max()), 1e-300))
        if float(slope @ step) < DONE:
            return Solution(theta, x * (share - scipy.special.expit(x @ theta))[:, None], bread)
    raise ParameterError("the mean must lie inside its ends for every pattern, got one that does not")


def corrected(rows: PatternRows, outcome: Vector, values: Vector | None = None) -> Solution:
    """An open outcome on x and a private item: what its reports count, and unbiased squares of what people hold.

    Coefficients are those of x, then of every label but the first: indicators are their own squares, and no two hold.
    With ``values``, the numbers that labels are, there is one of the number. No model of the item is needed: in the
    mean of all reports that might have been sent, these are the equations of what people hold.
    """
    if rows.reports.unbiased is None:
        raise ParameterError("reports must tell every label apart for least squares, got some that do not")
    held = rows.reports.unbiased[rows.reports.places]
    counts, squares = (held[:, 1:],) * 2 if values is None else (held @ values[:, None], held @ values[:, None] ** 2)
    x, w, p = rows.x, rows.weights[:, None], rows.x.shape[1]
    mixed, gram, variances = (x * w).T @ counts, (x * w).T @ x, np.diag((squares * w).sum(axis=0))
    bread = np.block([[gram, mixed], [mixed.T, variances]])
    if values is not None and (variances - mixed.T @ np.linalg.solve(gram, mixed)).min() <= 0:
        raise ParameterError(
            "the private number must be seen to vary among people alike in x, got reports that do not show it; "
            "it takes more people"
        )
    right = np.append((x * w).T @ outcome, (counts * w).T @ outcome)
    theta = np.linalg.solve(bread, right)
    residual = outcome - x @ theta[:p]
    scores = np.column_stack(
        [x * (residual - counts @ theta[p:])[:, None], counts * residual[:, None] - squares * theta[p:]]
    )
    return Solution(theta, scores, bread)
