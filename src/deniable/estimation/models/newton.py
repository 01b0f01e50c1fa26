"""The greatest likelihood: Newton steps, made shorter until they rise, from several starts (regression.md 3, 4).

The log-likelihood of reports is not concave: it may have two maxima, and a finite limit in every direction, so that
the estimate may lie at infinity. Both are found and said.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy
from scipy import special

from deniable.arrays import Flags, Matrix, Vector
from deniable.estimation.models.report_rows import PatternRows
from deniable.estimation.models.responses import PROBIT, Ordered, Response, TwoLabels
from deniable.estimation.models.surface import Surface, SurfacePoint

STEPS = 100
DONE = 1e-11
"""The rise that the last step but one promises at most."""
LONGEST = 5.0
"""The most that a step changes any predictor."""
PART = 1e-4
"""A step is taken that rises by such a part of what it promises."""
ROUNDING = 1e-13
FAR = 12.0
"""Predictors so large say that an estimate lies at infinity, if they still move."""
FLAT = 1e-8
"""Eigenvalues of the scaled information that count as 0."""
APART = 1e-6
"""Maxima whose coefficients differ by more, in units of a scaled column, are two."""
MORE_STARTS = 8
FEW_ROWS = 1 << 14
"""Of so many rows a third start, on the other side, costs nothing; of twice as many it begins with a part of them."""


@dataclass(frozen=True, eq=False)
class FitMaximum:
    """Where a search ended."""

    theta: Vector
    point: SurfacePoint
    converged: bool
    endless: Flags
    """Which coefficients have no finite estimate: the likelihood rises, ever less, as they grow without end."""
    several: bool = False
    """Whether another start ended elsewhere."""

    @property
    def log_likelihood(self) -> float:
        """The log-likelihood."""
        return self.point.log_likelihood


def maximised(surface: Surface, start: Vector, held: int | None = None) -> FitMaximum:
    """The maximum that is reached from a start, with one coefficient ``held`` where it is if that is given."""
    theta, free = start.copy(), np.ones(len(start), np.bool_)
    if held is not None:
        free[held] = False
    point, last = surface.observed(theta), False
    for _ in range(STEPS):
        step = _step(surface, theta, point, free)
        promise = float(point.slopes @ step)
        if promise < DONE:
            last = True
        theta, higher = _uphill(surface, theta, step, point, promise)
        if higher is None:
            break
        point = higher
        if last:
            break
    return FitMaximum(theta, point, last, _endless(surface, theta, point, free))


def _step(surface: Surface, theta: Vector, point: SurfacePoint, free: Flags) -> Vector:
    """Newton's step, or one by the complete information where the likelihood is not concave; not too long."""
    step, inside = np.zeros(len(theta)), np.ix_(free, free)
    newton = solved(point.information[inside], point.slopes[free])
    if newton is None:
        complete = surface.complete(theta)[inside]
        ridge = np.eye(len(complete)) * (1e-10 * max(float(np.trace(complete)), 1e-10) / len(complete))
        newton = solved(complete + ridge, point.slopes[free])
    step[free] = point.slopes[free] if newton is None else newton
    longest = max([LONGEST, *np.abs(surface.parts(step)[1])])  # cuts grow as exponentials of such numbers
    step *= LONGEST / longest
    move = float(np.abs(surface.predictors(theta + step) - surface.predictors(theta)).max())
    return step if move <= LONGEST else step * (LONGEST / move)


def _uphill(
    surface: Surface, theta: Vector, step: Vector, point: SurfacePoint, promise: float
) -> tuple[Vector, SurfacePoint | None]:
    """The step, halved until the likelihood rises by a part of what it promises; None where it never does."""
    slack, part = ROUNDING * (abs(point.log_likelihood) + 1), 1.0
    while part > ROUNDING:
        with np.errstate(divide="ignore", invalid="ignore"):
            reached = surface.observed(theta + part * step)
        # never where it is no number
        if reached.log_likelihood >= point.log_likelihood + PART * part * promise - slack:
            return theta + part * step, reached
        part /= 2
    return theta, None


def solved(matrix: Matrix, right: Vector) -> Vector | None:
    """The solution of a positive definite system; None where it is not one, or nearly not."""
    scale = np.sqrt(np.maximum(np.diag(matrix), 0))
    if not scale.all() or not np.isfinite(matrix).all():
        return None
    try:
        factor = scipy.linalg.cho_factor(matrix / np.outer(scale, scale), check_finite=False)
    except scipy.linalg.LinAlgError:
        return None
    return np.asarray(scipy.linalg.cho_solve(factor, right / scale, check_finite=False) / scale, np.float64)


def inverse(matrix: Matrix) -> Matrix:
    """The inverse of information; the generalized one, without directions in which nothing is known."""
    scale = np.sqrt(np.maximum(np.diag(matrix), 1e-300))
    values, vectors = np.linalg.eigh(matrix / np.outer(scale, scale))
    large = values > FLAT * FLAT * max(float(values[-1]), 1e-300)
    basis = vectors[:, large] / scale[:, None]
    return np.asarray((basis / values[large]) @ basis.T, np.float64)


def _endless(surface: Surface, theta: Vector, point: SurfacePoint, free: Flags) -> Flags:
    """Where some predictor is far out, the coefficients in whose directions the information is all but nothing."""
    endless = np.zeros(len(theta), np.bool_)
    if np.abs(surface.predictors(theta)).max() <= FAR:
        return endless
    scale = surface.rows.weights.sum()
    values, vectors = np.linalg.eigh(point.information[np.ix_(free, free)] / scale)
    flat = vectors[:, values < FLAT]
    endless[free] = (flat**2).sum(axis=1) > 1e-6
    return endless


def best(surface: Surface, starts: Iterable[Vector]) -> FitMaximum:
    """The likeliest of what several starts reach; random ones are added where they end apart."""
    first = list(starts)
    if len(surface.rows) > 2 * FEW_ROWS:  # a part of the rows leads near the maxima of all
        part = [maximised(surface.part(len(surface.rows) // FEW_ROWS), start) for start in first]
        if not any(each.endless.any() for each in part):
            first = [each.theta for each in (part if _apart(part) else part[:1])]
    maxima = [maximised(surface, start) for start in first]
    if _apart(maxima):
        generator = np.random.default_rng(len(surface.rows))
        maxima += [maximised(surface, generator.standard_normal(surface.size)) for _ in range(MORE_STARTS)]
    return replace(max(maxima, key=lambda each: each.log_likelihood), several=_apart(maxima))


def _apart(maximums: Sequence[FitMaximum]) -> bool:
    """Whether searches ended at different maxima, of those with finite coefficients."""
    ended = [each for each in maximums if each.converged]
    if len(ended) < 2:
        return False
    logs = [each.log_likelihood for each in ended]
    distances = np.max(np.abs(ended[0].theta - np.array([each.theta for each in ended])), axis=1)
    finite = np.array([not each.endless.any() for each in ended])
    return bool(((distances > APART) & finite & finite[0]).any() or max(logs) - min(logs) > APART)


LEAST, STEEPEST = 0.01, 4.0
"""Shares that are nearer to 0 or 1 are moved away from there, and slopes of scaled columns are cut."""


def starts(response: Response, rows: PatternRows, constant: int | None) -> Iterator[Vector]:
    """Where to start: without slopes; where reports tell labels apart, with least squares' slopes and opposite ones."""
    size = response.on_covariates.shape[1] * rows.x.shape[1] + response.on_offsets.shape[1]
    if rows.reports.unbiased is None or not len(rows):
        yield np.zeros(size)
        return
    counted, weights = rows.reports.unbiased[rows.reports.places], rows.weights
    shares = np.clip(weights @ counted / weights.sum(), LEAST, 1 - LEAST)
    level, factors = _levels(response, shares / shares.sum())
    yield _coefficients(response, rows, constant, level, np.zeros((rows.x.shape[1], len(level))))
    if rows.x.shape[1] > (constant is not None):
        gram = (rows.x * weights[:, None]).T @ rows.x
        slopes = np.clip(np.linalg.solve(gram, (rows.x * weights[:, None]).T @ counted) @ factors, -STEEPEST, STEEPEST)
        if constant is not None:
            slopes[constant] = 0
        if constant is not None or isinstance(response, Ordered):
            level = level - (weights @ rows.x) / weights.sum() @ slopes
        yield _coefficients(response, rows, constant, level, slopes)
        if len(rows) <= FEW_ROWS:
            opposite = -np.sign(slopes) * STEEPEST / len(slopes)
            yield _coefficients(response, rows, constant, level, opposite)


def _levels(response: Response, shares: Vector) -> tuple[Vector, Matrix]:
    """The predictors at which people have these shares, and by what slopes of shares are multiplied to be theirs."""
    if isinstance(response, TwoLabels):
        level = special.ndtri(shares[1:]) if response.curve is PROBIT else special.logit(shares[1:])
        return level, np.array([[0.0], [1 / float(response.curve.slopes(level)[0][0])]])
    if isinstance(response, Ordered):
        up = np.cumsum(shares)[:-1]
        return special.logit(up), np.triu(np.ones((len(shares), len(shares))))[:, :-1] / (up * (1 - up))
    factors = np.vstack([-np.ones(len(shares) - 1) / shares[0], np.diag(1 / shares[1:])])
    return np.log(shares[1:] / shares[0]), factors


def _coefficients(response: Response, rows: PatternRows, constant: int | None, level: Vector, slopes: Matrix) -> Vector:
    """Levels and slopes [columns, predictors] as coefficients; ``constant`` is the place of the column of ones."""
    if isinstance(response, Ordered):
        least = np.arange(len(level)) * 1e-3
        cuts = np.maximum.accumulate(level - least) + least  # they ascend, also where the slopes moved them past others
        return np.append(-slopes.mean(axis=1), response.unconstrained(cuts))
    rows_of_slopes = slopes.T.copy()
    if constant is not None:
        rows_of_slopes[:, constant] += level
    return rows_of_slopes.ravel()
