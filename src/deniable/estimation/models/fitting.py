"""From people's columns and the reports of an item to a fit, by one of the models."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import special

from deniable.arrays import Indices, Matrix, Vector
from deniable.estimation.models import squares
from deniable.estimation.models.design import CONSTANT, RegressionDesign, check_rank, rows_of, settle
from deniable.estimation.models.fit import Fit, SquaresFit
from deniable.estimation.models.fit_words import (
    FRACTIONAL,
    IDENTITY,
    MEAN,
    MULTINOMIAL,
    NORMAL,
    ORDINAL,
    Setting,
    Term,
    column_terms,
    label_terms,
)
from deniable.estimation.models.likelihood_fit import LikelihoodFit
from deniable.estimation.models.newton import FitMaximum, best, starts
from deniable.estimation.models.private_predictor import NormalOutcome, PrivatePredictor, TwoOutcomes
from deniable.estimation.models.report_rows import (
    ItemReports,
    PatternRows,
    crossed,
    merged,
    open_answers,
    small_patterns,
)
from deniable.estimation.models.responses import LOGIT, PROBIT, LinkCurve, ManyLabels, Ordered, Response, TwoLabels
from deniable.estimation.models.surface import Surface
from deniable.estimation.survey_design import SurveyDesign
from deniable.protocol.errors import ParameterError
from deniable.protocol.say import Statement

FEW = 5
"""Patterns of fewer people are noted."""
EVEN = 1e-12
"""A deviation so small beside a column's entries is rounding: weighted, that of a constant is seldom exactly 0."""
MOST_COEFFICIENTS = 500
CURVES: dict[str, LinkCurve] = {"logit": LOGIT, "probit": PROBIT}


@dataclass(frozen=True, eq=False)
class People:
    """What is known of each person: open columns, reports of the outcome or its open value, reports of a covariate."""

    design: RegressionDesign
    table: Any
    outcome: ItemReports | Vector
    covariate: ItemReports | None
    pairs: ItemReports | None = None
    """Reports of pairs of labels of both private items, where some were asked as pairs."""
    weights: Vector | None = None
    drawn: SurveyDesign | None = None
    notes: tuple[Statement, ...] = ()
    counts: Vector | None = None
    """How many people each row stands for, where they are not one each."""


def fit_of(people: People, model: str) -> Fit:
    """The fit of a model, whose labels are in order: of two the event is the second."""
    fitting = Fitting(people, model)
    if people.covariate is not None:
        return fitting.of_covariate(people.covariate)
    assert isinstance(people.outcome, ItemReports)
    by = fitting.of_squares if model in (IDENTITY, MEAN, FRACTIONAL) else fitting.of_likelihood
    return by(people.outcome)


class Fitting:
    """A fit in the making, by any model: its covariates x [people, columns], their names, and notes about people."""

    def __init__(self, people: People, model: str) -> None:
        self.people, self.model = people, model
        self.columns, x = settle(people.design.columns, people.table)
        places = [place for place, name in enumerate(self.columns.names) if model != ORDINAL or name != CONSTANT]
        self.x, self.names = x[:, places], [self.columns.names[place] for place in places]
        self.n = len(x) if people.counts is None else int(people.counts.sum())
        check_rank(x, self.columns.names, self.n)
        few = small_patterns(x, FEW, people.counts)
        self.notes = (*people.notes, *([Statement("fit_small_patterns", count=few)] if few else []))

    def rows(self, reports: ItemReports, outcome: Vector | None, x: Matrix) -> PatternRows:
        """Rows, merged where people are all alike but for what they told."""
        if self.people.drawn is None:
            return merged(x, reports, outcome, self.people.counts)
        weights = np.ones(len(x)) if self.people.weights is None else self.people.weights
        return PatternRows(x, reports, outcome, weights, np.arange(len(x)))

    def setting(self, rows: PatternRows, labels: Sequence[Hashable], terms: Sequence[Term]) -> Setting:
        """What the fit is called, with the columns of one person of each row."""
        first = np.unique(rows.origin, return_index=True)[1]
        table = self.people.table
        used = self.people.design.used
        columns = rows_of(table if isinstance(table, np.ndarray) else {name: table[name] for name in used}, first)
        return Setting(
            self.model, self.people.design.outcome, tuple(labels), self.columns, columns, used, tuple(terms),
            self.n, self.people.drawn, self.notes,
        )  # fmt: skip

    # --- by equations

    def of_squares(self, item: ItemReports) -> Fit:
        """Risk differences, or a number's mean."""
        rows = self.rows(item, None, self.x)
        if self.model == IDENTITY:
            values, labels = np.eye(len(item.labels))[-1], item.labels
        else:
            values, labels = np.array(item.labels, np.float64), ()
        counted = squares.counted_for(rows, values)
        if self.model == FRACTIONAL:
            low, high = float(values.min()), float(values.max())
            solution = squares.fractional(rows, (counted - low) / (high - low))
        else:
            solution = squares.least_squares(rows, counted)
        return SquaresFit(self.setting(rows, labels, self._terms(labels)), rows, solution)

    def _terms(self, labels: Sequence[Hashable]) -> list[Term]:
        """The terms of the open columns, of the last label's chance or of the outcome itself."""
        outcome = self.people.design.outcome
        of = Statement("quoted", words=str(labels[-1])) if labels else Statement("quoted", words=outcome)
        return column_terms(self.names, self.columns, self.x, of)

    # --- by likelihood

    def of_likelihood(self, item: ItemReports) -> Fit:
        """Labels of a private outcome on open columns."""
        response, labels = self._response(len(item.labels)), item.labels
        if self.model == MULTINOMIAL:
            terms = label_terms(self.names, self.columns, self.x, labels)
        else:
            terms = self._terms(labels) if self.model != ORDINAL else column_terms(
                self.names, self.columns, self.x, Statement("fit_later_answer")
            )  # fmt: skip
            terms += [Term(f"{a} | {b}") for a, b in pairwise(labels)] * (self.model == ORDINAL)
        surface, scales = self._surface(response, item, None)
        top = best(surface, starts(response, surface.rows, self._constant))
        return self._fit(surface, scales, top, labels, terms, np.arange(surface.size))

    def _response(self, labels: int) -> Response:
        if self.model == MULTINOMIAL:
            return ManyLabels(labels)
        return Ordered(labels) if self.model == ORDINAL else TwoLabels(CURVES[self.model])

    @property
    def _constant(self) -> int | None:
        return self.names.index(CONSTANT) if CONSTANT in self.names else None

    def _surface(self, response: Response, item: ItemReports, outcome: Vector | None) -> tuple[Surface, Vector]:
        """The likelihood over columns that are divided by their deviations, and what coefficients are divided by."""
        spread = np.std(self.x, axis=0)
        if self.people.counts is not None:
            shares = self.people.counts / self.n
            spread = np.sqrt(shares @ (self.x - shares @ self.x) ** 2)
        varies = spread > EVEN * np.abs(self.x).max(axis=0)
        columns = np.where(varies, spread, 1.0)
        surface = Surface(response, self.rows(item, outcome, self.x / columns))
        if surface.size > MOST_COEFFICIENTS:
            raise ParameterError(f"a fit must have at most {MOST_COEFFICIENTS} coefficients, got {surface.size}")
        rows = response.on_covariates.shape[1]
        return surface, np.append(np.tile(columns, rows), np.ones(response.on_offsets.shape[1]))

    def _fit(
        self,
        surface: Surface,
        scales: Vector,
        top: FitMaximum,
        labels: Sequence[Hashable],
        terms: Sequence[Term],
        order: Indices,
    ) -> Fit:
        """The fit at the greatest likelihood; ``order`` lists the coefficients as they are shown."""
        self.notes += (Statement("fit_two_maxima"),) if top.several else ()
        self.notes += () if top.converged else (Statement("fit_not_converged"),)
        return LikelihoodFit(self.setting(surface.rows, labels, terms), surface, top, scales, order)

    # --- a private item as a covariate

    def of_covariate(self, item: ItemReports) -> Fit:
        """An outcome, open or private, on open columns and a private item."""
        outcome, p, k = self.people.outcome, self.x.shape[1], len(item.labels)
        labels = outcome.labels if isinstance(outcome, ItemReports) else ()
        terms = [*self._terms(labels), *self._private_terms(item, labels)]
        if self.model in (IDENTITY, MEAN):
            if isinstance(outcome, ItemReports):
                raise ParameterError(
                    f'model must be "logit" or "probit" where both items are private, got {self.model!r}'
                )
            rows, values = self.rows(item, outcome, self.x), None
            assert rows.outcome is not None
            if self.model == MEAN:
                name, values = self.people.design.private[0], np.array(item.labels, np.float64)
                of = Statement("quoted", words=self.people.design.outcome)
                terms = [*self._terms(()), Term(name, Statement("fit_where_more", term=name), of)]
            return SquaresFit(self.setting(rows, (), terms), rows, squares.corrected(rows, rows.outcome, values))
        if isinstance(outcome, ItemReports):
            response = PrivatePredictor(k, TwoOutcomes(CURVES[self.model]))
            pairs = self.people.pairs or crossed(item, outcome)
            surface, scales = self._surface(response, pairs, None)
        else:
            response = PrivatePredictor(k, NormalOutcome())
            surface, scales = self._surface(response, item, outcome)
        of_item = [Term(f"{label}: {name}") for label in item.labels[1:] for name in self.names]
        deviation = [Term("log(sd)")] if self.model == NORMAL else []
        order = np.append(np.arange((k - 1) * p, surface.size), np.arange((k - 1) * p))
        top = best(surface, self._joint_starts(item, outcome))
        return self._fit(surface, scales, top, labels, [*terms, *deviation, *of_item], order)

    def _private_terms(self, item: ItemReports, labels: Sequence[Hashable]) -> Iterator[Term]:
        name = self.people.design.private[0]
        of = Statement("quoted", words=str(labels[-1]) if labels else self.people.design.outcome)
        for label in item.labels[1:]:
            where = Statement("fit_where_level", term=name, level=str(label), first=str(item.labels[0]))
            yield Term(f"{name}[{label}]", where, of)

    def _joint_starts(self, item: ItemReports, outcome: ItemReports | Vector) -> Iterator[Vector]:
        """Where searches start: at the item by itself, the outcome without it, and some effects of it."""
        k, p = len(item.labels), self.x.shape[1]
        alone = next(iter(starts(TwoLabels(LOGIT) if k == 2 else ManyLabels(k), self._alone(item), self._constant)))
        level, log_width = np.zeros(p), np.zeros(0)
        if isinstance(outcome, ItemReports):
            reports = outcome.only(outcome.told)
            share = 0.5
            if len(reports) and reports.unbiased is not None:
                share = float(reports.unbiased[reports.places, 1].mean())
            middle, width = float(special.logit(np.clip(share, 0.01, 0.99))), 1.0
        else:
            middle, width = float(outcome.mean()), float(outcome.std()) or 1.0
            log_width = np.array([np.log(width)])
        if self._constant is not None:
            level[self._constant] = middle
        for effect in (0.0, width, -width):
            yield np.concatenate([alone, level, np.full(k - 1, effect), log_width])

    def _alone(self, item: ItemReports) -> PatternRows:
        """The rows of those who told of the item, for a fit of it by itself."""
        told = item.told
        return PatternRows(self.x[told], item.only(told), None, np.ones(int(told.sum())), np.flatnonzero(told))


def open_item(values: Sequence[Any], labels: Sequence[Hashable]) -> ItemReports:
    """An open outcome of two labels, as a private one that everybody told as it is, but for what is missing."""
    places = {label: place for place, label in enumerate(labels)}
    return open_answers(labels, np.array([places.get(value, -1) for value in values], np.int64))
