"""The fit of the greatest likelihood: its intervals and tests, and what it says of people."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
from scipy import special

from deniable.arrays import Flags, Indices, Matrix, Stack, Vector
from deniable.estimation.binomial import quantile
from deniable.estimation.models import effects
from deniable.estimation.models.design import CONSTANT
from deniable.estimation.models.effects import Average, NestedComparison, QuantityTable
from deniable.estimation.models.fit import Fit
from deniable.estimation.models.fit_words import ORDINAL, Setting
from deniable.estimation.models.inference import KINDS, HeldCoefficient, Kind, Method, covariance, ends
from deniable.estimation.models.newton import FitMaximum, inverse
from deniable.estimation.models.responses import LabelResponse
from deniable.estimation.models.surface import Surface
from deniable.estimation.numbers.quantity import Quantity
from deniable.protocol.checks import check_choice
from deniable.protocol.errors import ParameterError

PRECISE = 0.1
"""Wald intervals are right where the error of a coefficient times its column's deviation is at most this."""


class LikelihoodFit(Fit):
    """A fit by the greatest likelihood of what was sent.

    ``surface`` has columns divided by their deviations; ``scales`` undo that, ``order`` says which is shown where.
    """

    def __init__(self, setting: Setting, surface: Surface, top: FitMaximum, scales: Vector, order: Indices) -> None:
        self.setting, self.surface, self.top = setting, surface, top
        self._scales, self._order = scales, order
        self._known: dict[tuple[int, float, str], tuple[float, float]] = {}
        """Intervals that were found, by the place of the coefficient, the level and the method."""

    @property
    def log_likelihood(self) -> float:
        return self.top.log_likelihood

    @property
    def endless(self) -> Flags:
        """Which coefficients have no finite estimate."""
        return self.top.endless[self._order]

    @cached_property
    def coefficients(self) -> Vector:
        """The estimates; infinite where the likelihood rises without end."""
        values = (self.surface.shown(self.top.theta) / self._scales)[self._order]
        return np.where(self.endless, np.copysign(np.inf, values), values)

    @property
    def freedom(self) -> float:
        return np.inf if self.setting.design is None else float(self.setting.design.freedom)

    def covariance(self, kind: Kind | None = None) -> Matrix:
        jacobian = self.surface.jacobian(self.top.theta)
        matrix = jacobian @ self._covariance(kind) @ jacobian.T / np.outer(self._scales, self._scales)
        return np.asarray(matrix[np.ix_(self._order, self._order)], np.float64)

    def _covariance(self, kind: Kind | None = None) -> Matrix:
        """Of the unconstrained coefficients of scaled columns."""
        design = self.setting.design
        wanted: Any = "observed" if design is None else "sandwich"
        if kind is not None:
            wanted = check_choice("kind", kind, KINDS)
        return covariance(self.surface, self.top, wanted, design)

    @cached_property
    def stderr(self) -> Vector:
        """Standard errors; infinite where there is no finite estimate."""
        return np.where(self.endless, np.inf, np.sqrt(np.maximum(np.diag(self.covariance()), 0)))

    # --- intervals and tests

    @cached_property
    def methods(self) -> tuple[str, ...]:
        """How the interval of each coefficient is found: by the score of two labels, else by the profile; or Wald's."""
        suffix = "" if self.setting.design is None else ", sandwich"
        return tuple(f"{self._method(place, 'auto')}{suffix}" for place in range(len(self.names)))

    def _method(self, place: int, wanted: str) -> Method:
        """How a coefficient's interval is found."""
        check_choice("method", wanted, ("auto", "score", "profile", "wald"))
        scores = self.surface.expects and self.surface.response.predictors == 1
        if self.setting.design is not None and wanted in ("score", "profile"):
            raise ParameterError(f'method must be "wald" with weights, strata or clusters, got {wanted!r}')
        if wanted == "score" and not scores:
            raise ParameterError('method must be "profile" or "wald" for such a model, got "score"')
        precise = wanted == "auto" and self._scaled_error(place) <= PRECISE
        if self.setting.design is not None or wanted == "wald" or precise or self._is_cut(place):
            return "wald"
        return "score" if scores and wanted != "profile" else "profile"

    def _is_cut(self, place: int) -> bool:
        return self.setting.model == "ordinal" and place >= len(self.names) - self.surface.response.on_offsets.shape[1]

    def _scaled_error(self, place: int) -> float:
        return float(self.stderr[place] * self._scales[self._order[place]])

    def _ends(self, place: int, level: float, method: str) -> tuple[float, float]:
        """The ends of the interval of the coefficient at this place, in its column's own units."""
        how = self._method(place, method)
        if how == "wald":
            return (-np.inf, np.inf) if self.endless[place] else self._wald(place, level)
        key, inner = (place, level, how), int(self._order[place])
        if key not in self._known:
            z, error = quantile((1 - level) / 2), self._scaled_error(place)
            low, high = ends(self.surface, self.top, inner, error, z, how)
            self._known[key] = (low / float(self._scales[inner]), high / float(self._scales[inner]))
        return self._known[key]

    @cached_property
    def p_values(self) -> Vector:
        """How often chance alone would show as much where a coefficient is 0, by the same methods."""
        return np.array([self._p(place) for place in range(len(self.names))])

    def _p(self, place: int) -> float:
        """The p-value of the coefficient at this place."""
        how = self._method(place, "auto")
        if how == "wald":
            return self._wald_p(place)
        distance = HeldCoefficient(self.surface, self.top, int(self._order[place]), how).distance(0.0)
        return float(2 * special.ndtr(-distance))

    def compare(self, smaller: Fit) -> NestedComparison:
        """Tests of a fit with fewer columns of the same people against this one, by the likelihood and by the score."""
        if self.setting.design is not None:
            raise ParameterError("fits to compare must be without weights, strata and clusters, got one with them")
        if not isinstance(smaller, LikelihoodFit) or not set(smaller.names) < set(self.names):
            got = ", ".join(getattr(smaller, "names", [type(smaller).__name__]))
            raise ParameterError(f"smaller must be a fit of the same kind with some of these columns only, got {got}")
        if smaller.n != self.n or smaller.setting.labels != self.setting.labels:
            raise ParameterError(f"smaller must be of the same answers of {self.n} people, got {smaller.setting.title}")
        theta = np.zeros(len(self.top.theta))
        shared = self._order[[self.names.index(name) for name in smaller.names]]
        theta[shared] = (smaller.top.theta / smaller._scales)[smaller._order] * self._scales[shared]
        point = self.surface.observed(theta)
        information = self.surface.expected(theta) if self.surface.expects else point.information
        score = float(point.slopes @ inverse(information) @ point.slopes)
        dropped = tuple(name for name in self.names if name not in smaller.names)
        return NestedComparison(dropped, 2 * (self.log_likelihood - smaller.log_likelihood), score)

    # --- what it says of people

    @cached_property
    def design_effects(self) -> Vector:
        """How many of these answers tell as much of each coefficient as one open answer; nan where that is unknown."""
        if not self.surface.expects:
            return np.full(len(self.names), np.nan)
        return np.where(self.endless, np.nan, effects.design_effects(self.surface, self.top.theta)[self._order])

    @property
    def prevalence(self) -> Quantity | Mapping[Hashable, Quantity]:
        """The share of people with the event, or with each of many labels, as the fit has it."""
        (shares, slopes), labels = self._shares(self.surface.rows.x), self.setting.labels
        means = {label: self._average.of(shares[:, k], slopes[:, k], 0.0, 1.0) for k, label in enumerate(labels)}
        return means[self.setting.event] if len(labels) == 2 else means

    def marginal_effects(self) -> QuantityTable:
        """How the share of each label changes on average, of two labels that of the event.

        With 1 for 0, with a level for the first one, and by each unit of a number, as a slope.
        """
        setting = self.setting

        def shares_at(x: Matrix) -> tuple[Matrix, Stack]:
            return self._shares(self._scaled(x))

        return effects.marginal(
            setting.columns, setting.table, setting.used, self._shown_labels, shares_at, self._average
        )

    def predict(self, frame: Any) -> QuantityTable:
        """The chance of the event, or of each label, for people with such covariates; intervals by the delta method."""
        shares, slopes = self._shares(self._scaled(self.setting.columns.of(frame)))
        variance = np.einsum("nyc,cd,nyd->ny", slopes, self._covariance(), slopes)
        errors = np.sqrt(np.maximum(variance, 0))
        return effects.predicted(frame, self.setting.used, self._shown_labels, shares, errors)

    def calibration(self, groups: int = 10) -> QuantityTable:
        """So many groups of people by the fit, and what the reports of each say by themselves: do they agree?"""
        setting = self.setting
        if len(setting.labels) != 2 or not self.surface.expects:
            raise ParameterError(f"calibration must be of two labels whose reports can be listed, got {setting.title}")
        shares, _ = self._shares(self.surface.rows.x)
        return effects.calibration(self.surface, shares, groups)

    @property
    def _shown_labels(self) -> dict[int, Hashable]:
        """The labels whose shares are shown, by their places: of two the event alone."""
        labels = self.setting.labels
        return {1: labels[1]} if len(labels) == 2 else dict(enumerate(labels))

    def _scaled(self, x: Matrix) -> Matrix:
        """Columns as the surface has them, which has no constant beside cuts."""
        if self.setting.model == ORDINAL:
            x = x[:, [name != CONSTANT for name in self.setting.columns.names]]
        return x / self._scales[: x.shape[1]]

    def _shares(self, x: Matrix) -> tuple[Matrix, Stack]:
        """Chances [rows, labels] at rows of scaled columns, and their derivatives by the unconstrained coefficients."""
        response = self.surface.response
        if not isinstance(response, LabelResponse):
            raise ParameterError("shares of people must be of a fit without private covariates, got one with them")
        on_x, unconstrained = self.surface.parts(self.top.theta)
        offsets, jacobian, _ = response.offsets_with_derivatives(unconstrained)
        eta = (x @ on_x.T) @ response.on_covariates.T + response.on_offsets @ offsets
        slopes = response.share_slopes(eta)
        by_x = np.einsum("nyj,ja,np->nyap", slopes, response.on_covariates, x).reshape(*slopes.shape[:2], on_x.size)
        return response.shares(eta), np.concatenate([by_x, slopes @ response.on_offsets @ jacobian], axis=2)

    @cached_property
    def _average(self) -> Average:
        scores, weights = self.surface.scores(self.top.theta), self.surface.rows.weights
        return Average(scores, weights, self._covariance(), self.setting.design)
