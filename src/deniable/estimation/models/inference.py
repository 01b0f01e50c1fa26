"""How far coefficients err: covariances, and intervals by holding one at a value and fitting the others.

Wald intervals of protected answers are too wide where information is scarce, and blind (Hauck and Donner); score
intervals hold best with two labels, profile intervals with more (regression.md 5). An estimate that lies at infinity
has an interval with one finite end.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypeAlias, get_args

import numpy as np
import scipy

from deniable.arrays import Matrix, Vector
from deniable.estimation.models.newton import FitMaximum, inverse, maximised, solved
from deniable.estimation.models.surface import Surface, SurfacePoint
from deniable.estimation.survey_design import SurveyDesign
from deniable.protocol.errors import ParameterError

Method: TypeAlias = Literal["score", "profile", "wald"]
FARTHEST = 60.0
"""No coefficient of a scaled column is looked for beyond: there the likelihood has its limit."""
FINE, NEAR = 1e-7, (0.5, 1.5)
"""How exactly ends are found, in standard errors; by secants only so near to Wald's."""
CHORDS, CLOSE, SLOW = 6, 1e-12, 0.2
"""So many steps by a known inverse are tried first, until so little rise is left, while each leaves a fifth at most.

What the step that is left would change is worked out and not fitted: the statistic is then off by far less than FINE.
"""
MOST = 60
USUAL = 8.0
"""What a fit's log-likelihood lies below the maximum at most where an end is sought: four times what it does there."""


@dataclass(eq=False)
class HeldCoefficient:
    """The fit of all other coefficients while one is held."""

    surface: Surface
    top: FitMaximum
    place: int
    method: Method
    _fits: dict[float, Vector] = field(default_factory=dict, init=False)
    """All coefficients by the values at which the others are known, but for the maximum."""
    _bend: Vector | None = field(default=None, init=False)
    """How the others turn away from the tangent, as the first fit shows it."""

    def distance(self, value: float) -> float:
        """The root of the profile or score statistic at a value: as the size of a normal deviate if it is the truth."""
        theta, point, step = self._fitted(value)
        if self.method == "profile":
            statistic = 2 * (self.top.log_likelihood - point.log_likelihood) - float(point.slopes @ step)
        else:
            statistic = self._score(theta, point.slopes)
        return math.sqrt(max(statistic, 0.0))

    def _score(self, theta: Vector, slopes: Vector) -> float:
        """The form s' I^-1 s of the slopes s; I is the expected information if it can be worked out, else the observed.

        So what is left of the others' slopes does not matter. Far out it would: there the held one's is as small.
        """
        information = self.surface.expected(theta) if self.surface.expects else self.surface.observed(theta).information
        return float(slopes @ inverse(information) @ slopes)

    def _fitted(self, value: float) -> tuple[Vector, SurfacePoint, Vector]:
        """All coefficients, the others fitted from the nearest known fit; the point there; the step left untaken."""
        top = self._estimate
        beside = [(at, theta) for at, theta in self._fits.items() if (at - top) * (value - top) > 0]
        nearest = sorted([(top, self.top.theta), *beside], key=lambda fit: abs(fit[0] - value))[:2]
        start = self._on_curve(value, *nearest[0])
        fit = self._by_chords(start)
        if fit is None or self.top.log_likelihood - fit[1].log_likelihood > USUAL or self._is_far(value):
            start, least = self._likeliest(value, start, nearest)
            fit = self._by_chords(start)
            if fit is None or fit[1].log_likelihood < least:
                maximum = self._maximised(start)
                fit = maximum.theta, maximum.point, np.zeros(len(start))
        reached = fit[0] + fit[2]
        if value != top:
            self._fits[value] = reached
            if self._bend is None and not self.top.endless.any():
                self._bend = (reached - self.top.theta - (value - top) * self._tangent) / (value - top) ** 2
        return fit

    @property
    def _estimate(self) -> float:
        """The held coefficient at the maximum."""
        return float(self.top.theta[self.place])

    def _is_far(self, value: float) -> bool:
        """Whether a value is much farther from the maximum than the first one that was asked for."""
        top = self._estimate
        return bool(self._fits) and abs(value - top) > NEAR[1] * abs(next(iter(self._fits)) - top)

    def _on_curve(self, value: float, at: float, theta: Vector) -> Vector:
        """All coefficients, the others where the curve through the fit ``theta``, which holds ``at``, leads them."""
        top = self._estimate
        start = theta + (value - at) * self._tangent
        if self._bend is not None:
            start += ((value - top) ** 2 - (at - top) ** 2) * self._bend
        start[self.place] = value
        return start

    def _likeliest(
        self, value: float, on_curve: Vector, nearest: Sequence[tuple[float, Vector]]
    ) -> tuple[Vector, float]:
        """The likeliest of three starts, all coefficients, with its log-likelihood, which the fit must have at least.

        Far out the curve leads astray, and from there to no fit at all. So the others are sought where they are in the
        nearest fit too, and on the line through the two nearest ones, which follows others that make up for a
        coefficient that goes on without end.
        """
        (at, theta), *other = nearest
        starts = [on_curve, theta.copy()]
        for before, known in other:
            starts.append(theta + (value - at) / (at - before) * (theta - known))
        for start in starts:
            start[self.place] = value
        likely = [self.surface.slopes(start).log_likelihood for start in starts]
        best = int(np.nanargmax(likely))
        return starts[best], likely[best]

    def _maximised(self, start: Vector) -> FitMaximum:
        """The maximum from a start, and where no estimate is finite from 0 too, for far out nothing tells the way."""
        starts = [start]
        if self.top.endless.any():
            starts.append(np.where(np.arange(len(start)) == self.place, start, 0.0))
        maxima = (maximised(self.surface, each, self.place) for each in starts)
        return max(maxima, key=lambda maximum: maximum.log_likelihood)

    @cached_property
    def _others(self) -> Vector:
        return np.delete(np.arange(self.surface.size), self.place)

    @cached_property
    def _tangent(self) -> Vector:
        """How the others change with the held one near the maximum; not at all where that is not known."""
        others, tangent = self._others, np.zeros(self.surface.size)
        if len(others) and not self.top.endless.any():
            information = self.top.point.information
            slopes = solved(information[np.ix_(others, others)], -information[others, self.place])
            tangent[others] = 0 if slopes is None else slopes
        return tangent

    def _by_chords(self, theta: Vector) -> tuple[Vector, SurfacePoint, Vector] | None:
        """The coefficients that fit best, the point there, and the step that is left untaken.

        By steps with the information of the maximum; None where these do not soon come to an end.
        """
        others, left, step = self._others, math.inf, np.zeros(len(theta))
        if not len(others):
            return theta, self.surface.slopes(theta), step
        if self.top.endless.any():
            return None
        matrix = self.top.point.information[np.ix_(others, others)]
        for _ in range(CHORDS):
            point = self.surface.slopes(theta)
            change = solved(matrix, point.slopes[others])
            rise = math.inf if change is None else float(point.slopes[others] @ change)
            if change is None or not np.isfinite(rise) or rise > max(SLOW * left, CLOSE):
                return None
            step[others], left = change, rise
            if rise <= CLOSE:
                return theta, point, step
            theta = theta + step
        return None


def ends(surface: Surface, top: FitMaximum, place: int, error: float, z: float, method: Method) -> tuple[float, float]:
    """The interval of a coefficient around its estimate; without an end where the estimate lies at infinity."""
    estimate, bounds, known = float(top.theta[place]), list[float](), not top.endless[place] and 0 < error < 1e3
    step, held = z * error if known else 1.0, HeldCoefficient(surface, top, place, method)
    for side in (-1, 1):
        if top.endless[place] and math.copysign(1, estimate) == side:
            bounds.append(side * math.inf)
            continue
        if known and side > 0 and math.isfinite(bounds[0]):  # what is longer on one side is shorter on the other
            step = min(max(2 * step - (estimate - bounds[0]), step / 2), 2 * step)
        bounds.append(_end(held, estimate, side * step, z))
    return bounds[0], bounds[1]


def _end(coefficient: HeldCoefficient, estimate: float, step: float, z: float) -> float:
    """The first place on the way where the distance is z; infinity where it never is."""
    near = _by_secants(coefficient, estimate, step, z)
    return _by_search(coefficient, estimate, step, z) if near is None else near


def _by_secants(coefficient: HeldCoefficient, estimate: float, step: float, z: float) -> float | None:
    """The end where the distance is nearly a line, as it is of many people; else None."""
    before, at, short = estimate, estimate + step, -z
    for _ in range(CHORDS):
        over = coefficient.distance(at) - z
        if over == short:
            return None if over else at
        before, at, short = at, at - over * (at - before) / (over - short), over
        if over**2 < FINE / 100:  # a secant leaves ten times the square, or less
            return at
        if not NEAR[0] < (at - estimate) / step < NEAR[1]:
            return None
    return None


def _by_search(coefficient: HeldCoefficient, estimate: float, step: float, z: float) -> float:
    """The end between ever larger steps; infinity where the distance never is z."""
    inside, low = estimate, -z
    for _ in range(MOST):
        outside = inside + step
        high = coefficient.distance(outside) - z
        if high >= 0:
            known = {inside: low, outside: high}
            return float(scipy.optimize.brentq(_excess(coefficient, z, known), inside, outside, xtol=FINE * abs(step)))
        if abs(outside - estimate) > FARTHEST:
            break
        inside, low, step = outside, high, step * (1.0 if high > -0.1 * z else 1.6)
    return math.copysign(math.inf, step)


def _excess(coefficient: HeldCoefficient, z: float, known: dict[float, float]) -> Callable[[float], float]:
    """By how much a value's distance exceeds z, as a function; ``known`` ones are not worked out again."""

    def at(value: float) -> float:
        return known[value] if value in known else coefficient.distance(value) - z

    return at


# --- covariances ---------------------------------------------------------------------------------------------------

Kind: TypeAlias = Literal["observed", "expected", "scores", "sandwich"]
KINDS = get_args(Kind)


def covariance(surface: Surface, top: FitMaximum, kind: Kind, design: SurveyDesign | None) -> Matrix:
    """The covariance of the unconstrained coefficients."""
    if kind == "expected":
        if not surface.expects:
            raise ParameterError(
                'kind must be "observed" or "sandwich" here, got "expected", which is too much to list'
            )
        return inverse(surface.expected(top.theta))
    if kind == "scores":
        return inverse(meat_of(surface, top.theta, None))
    bread = inverse(top.point.information)
    if kind == "observed":
        return bread
    return bread @ meat_of(surface, top.theta, design) @ bread


def meat_of(surface: Surface, theta: Vector, design: SurveyDesign | None) -> Matrix:
    """The variance of the sum of all scores, around 0 or as the design has it."""
    scores, weights = surface.scores(theta), surface.rows.weights
    if design is None:
        return np.asarray((scores * weights[:, None]).T @ scores, np.float64)
    return design.meat(scores * weights[:, None])
