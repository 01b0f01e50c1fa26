"""The fit: coefficients with their errors and intervals, whatever they were fitted by."""

from __future__ import annotations

import math
from abc import abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import special

from deniable.arrays import Matrix, Vector
from deniable.checks import check_level
from deniable.estimation.binomial import quantile
from deniable.estimation.frame import Rows, TabledFrame
from deniable.estimation.models.fit_picture import forest
from deniable.estimation.models.fit_words import ODDS, Setting, fit_notes, fit_statements
from deniable.estimation.models.inference import Kind
from deniable.estimation.models.report_rows import PatternRows
from deniable.estimation.models.squares import Solution
from deniable.estimation.table import Table, sentences_text
from deniable.estimation.words import fixed
from deniable.protocol.errors import ParameterError
from deniable.protocol.say import Statement, english

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LEVEL = 0.95


class Fit(TabledFrame):
    """A regression on protected answers. Coefficients, errors and intervals are in the order of ``names``.

    Printed it is a table as statisticians know it; ``summary`` says besides what it says, term by term.
    """

    setting: Setting

    @property
    def names(self) -> tuple[str, ...]:
        """The coefficients' names."""
        return self.setting.names

    @property
    def n(self) -> int:
        """How many people it is a fit of."""
        return self.setting.people

    @property
    @abstractmethod
    def coefficients(self) -> Vector:
        """The estimates; infinite where the likelihood rises without end."""

    @abstractmethod
    def covariance(self, kind: Kind | None = None) -> Matrix:
        """Of the coefficients: "observed", "expected", "scores" or "sandwich"; unless told, what ``stderr`` is by."""

    @property
    @abstractmethod
    def freedom(self) -> float:
        """Degrees of freedom of Student's t in Wald intervals; infinite where they are normal."""

    @property
    @abstractmethod
    def methods(self) -> tuple[str, ...]:
        """How the interval of each coefficient is found."""

    @property
    @abstractmethod
    def p_values(self) -> Vector:
        """How often chance alone would show as much where a coefficient is 0, by the same methods."""

    @property
    def design_effects(self) -> Vector:
        """How many of these answers tell as much of each coefficient as one open answer; nan where that is unknown."""
        return np.full(len(self.names), np.nan)

    @property
    def log_likelihood(self) -> float | None:
        """That of the reports, up to one factor for each; None of a fit without one."""
        return None

    @cached_property
    def stderr(self) -> Vector:
        """Standard errors."""
        return np.sqrt(np.maximum(np.diag(self.covariance()), 0))

    def interval(self, level: float = LEVEL, method: str = "auto") -> Matrix:
        """Bounds [coefficients, 2] by "score", "profile" or "wald"; "auto" takes what holds best (see ``methods``)."""
        return np.array([self._ends(place, check_level(level), method) for place in range(len(self.names))])

    def odds_ratios(self, level: float = LEVEL) -> Matrix:
        """Ratios of odds with their bounds [coefficients, 3], of logit, multinomial and ordinal models."""
        if self.setting.model not in ODDS:
            raise ParameterError(f"odds ratios must be of a logit model, got model={self.setting.model!r}")
        with np.errstate(over="ignore"):
            return np.asarray(np.exp(np.column_stack([self.coefficients, self.interval(level)])), np.float64)

    def _ends(self, place: int, level: float, method: str) -> tuple[float, float]:
        """The interval of the coefficient at this place."""
        if method not in ("auto", "wald"):
            raise ParameterError(f'method must be "auto" or "wald" for a fit without a likelihood, got {method!r}')
        return self._wald(place, level)

    def _wald(self, place: int, level: float) -> tuple[float, float]:
        """The estimate give or take standard errors, by Student's t or the normal law."""
        tail = (1 - level) / 2
        z = quantile(tail) if np.isinf(self.freedom) else float(-special.stdtrit(self.freedom, tail))
        value, error = float(self.coefficients[place]), float(self.stderr[place])
        return value - z * error, value + z * error

    def _wald_p(self, place: int) -> float:
        """The two-sided p-value of the estimate in standard errors."""
        ratio = abs(float(self.coefficients[place])) / float(self.stderr[place])
        return float(2 * (special.ndtr(-ratio) if np.isinf(self.freedom) else special.stdtr(self.freedom, -ratio)))

    # --- faces

    @property
    def notes(self) -> list[Statement]:
        """What to know before anything of it is used."""
        log = self.log_likelihood if self.setting.design is None else None
        return [*fit_notes(self.setting, log, self.coefficients, self.methods), *self.setting.notes]

    @property
    def statements(self) -> list[Statement]:
        """What it says: a careful sentence for each coefficient, and what the protection costs."""
        return fit_statements(self.setting, self.interval(LEVEL), self.design_effects)

    @property
    def sentences(self) -> list[str]:
        """What it says, in English."""
        return [english(statement) for statement in self.statements]

    def summary(self, level: float = LEVEL) -> str:
        """The table and what it says, as text."""
        return f"{self.table(level)}\n\n{sentences_text(self.sentences)}"

    def plot(self, level: float = LEVEL) -> Figure:
        """The forest plot: an interval for each coefficient that says something, beside the line of no difference."""
        return forest(self.setting, self.coefficients, self.interval(level), level)

    def _frame(self, level: float) -> Rows:
        setting, bounds = self.setting, self.interval(level)
        columns: dict[str, list[Any]] = {
            "term": list(self.names), "estimate": self.coefficients.tolist(), "stderr": self.stderr.tolist(),
            "low": bounds[:, 0].tolist(), "high": bounds[:, 1].tolist(),
        }  # fmt: skip
        if setting.model in ODDS:
            names = ("odds_ratio", "or_low", "or_high")
            columns |= dict(zip(names, self.odds_ratios(level).T.tolist(), strict=True))
        columns |= {"p": self.p_values.tolist(), "method": list(self.methods)}
        if not np.isnan(self.design_effects).all():
            columns["design_effect"] = self.design_effects.tolist()
        about = {
            "model": setting.model, "outcome": setting.outcome, "labels": list(setting.labels), "n": self.n,
            "log_likelihood": self.log_likelihood, "level": level, "notes": [english(note) for note in self.notes],
        }  # fmt: skip
        return Rows(about, columns, ("term",))

    def table(self, level: float = LEVEL) -> Table:
        bounds, has_effects = self.interval(level), not np.isnan(self.design_effects).all()
        headings = ["", "coefficient", "std. error", "p", f"{100 * level:.10g}% interval"]
        headings += ["odds ratio"] * (self.setting.model in ODDS) + ["design effect"] * has_effects
        rows = [self._row(place, low, high, has_effects) for place, (low, high) in enumerate(bounds.tolist())]
        return Table(self.setting.title, headings, rows, list(map(english, self.notes)))

    def _row(self, place: int, low: float, high: float, has_effects: bool) -> list[str]:
        value, error, p = float(self.coefficients[place]), float(self.stderr[place]), float(self.p_values[place])
        estimate, deviation, first, last = (fixed(number, 3) for number in (value, error, low, high))
        row = [self.names[place], estimate, deviation, "<0.001" if p < 0.001 else f"{p:.3f}", f"{first} to {last}"]
        if self.setting.model in ODDS:
            row.append(
                "" if self.setting.terms[place].where is None else "inf" if value > 700 else fixed(math.exp(value), 3)
            )
        effect = float(self.design_effects[place])
        return [*row, *(["" if np.isnan(effect) else f"{effect:.2f}"] if has_effects else [])]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.setting.outcome!r}, n={self.n})"


class SquaresFit(Fit):
    """A fit by unbiased equations: least squares, a mean between two ends, or a private item as a covariate."""

    def __init__(self, setting: Setting, rows: PatternRows, solution: Solution) -> None:
        self.setting, self._rows, self._solution = setting, rows, solution

    @property
    def coefficients(self) -> Vector:
        return self._solution.theta

    def covariance(self, kind: Kind | None = None) -> Matrix:
        if kind not in (None, "sandwich"):
            raise ParameterError(f'kind must be "sandwich" for a fit by equations, got kind={kind!r}')
        return self._solution.covariance(self._rows.weights, self.setting.design)

    @property
    def freedom(self) -> float:
        design = self.setting.design
        return float(self.n - len(self.names)) if design is None else float(design.freedom)

    @property
    def methods(self) -> tuple[str, ...]:
        widened = self.setting.design is None and self._solution.leverage is not None
        return ("wald, HC3" if widened else "wald, sandwich",) * len(self.names)

    @property
    def p_values(self) -> Vector:
        return np.array([self._wald_p(place) for place in range(len(self.names))])
