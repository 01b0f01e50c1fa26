"""What a fit says of people: how many hold a label, how many more would for other covariates, and what tells anything.

Errors are for people who are drawn: what the coefficients owe to chance, and what the people's own covariates do
(regression.md 5).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from scipy import special

from deniable.arrays import Matrix, Stack, Vector
from deniable.checks import as_vector
from deniable.estimation.finding import Finding
from deniable.estimation.frame import Rows, TabledFrame
from deniable.estimation.models.design import Columns, column_named, with_value
from deniable.estimation.models.newton import inverse
from deniable.estimation.models.report_rows import unbiased_by
from deniable.estimation.models.surface import Surface
from deniable.estimation.numbers.quantity import Quantity
from deniable.estimation.survey_design import SurveyDesign
from deniable.estimation.table import Table, printable
from deniable.estimation.words import listed, points, rounded
from deniable.protocol.errors import ParameterError
from deniable.protocol.say import Statement, english
from deniable.values.columns import python_values
from deniable.values.tables import columns_of


@dataclass(frozen=True, slots=True)
class NestedComparison(Finding):
    """The statistics of two tests of whether the coefficients of ``terms`` are all 0."""

    terms: tuple[str, ...]
    likelihood_ratio: float
    score: float

    @property
    def freedom(self) -> int:
        """The degrees of freedom of both."""
        return len(self.terms)

    @property
    def likelihood_ratio_p(self) -> float:
        """How often chance alone would show as much, by the likelihood."""
        return float(special.chdtrc(self.freedom, self.likelihood_ratio))

    @property
    def score_p(self) -> float:
        """How often chance alone would show as much, by the score, which holds better."""
        return float(special.chdtrc(self.freedom, self.score))

    @property
    def statement(self) -> Statement:
        key = "fit_terms_matter" if self.score_p < 0.05 else "fit_terms_may_not_matter"
        return Statement(key, terms=listed(self.terms), p=rounded(self.score_p, 2), score=rounded(self.score))


@dataclass(frozen=True, eq=False)
class Average:
    """Means over people of something that depends on their covariates and on the coefficients."""

    scores: Matrix
    """What each row adds to the slopes at the fit by the unconstrained coefficients of scaled columns, at weight 1."""
    weights: Vector
    covariance: Matrix
    """Of these coefficients."""
    design: SurveyDesign | None

    def of(self, each: Vector, slopes: Matrix, least: float, most: float) -> Quantity:
        """The mean, from ``least`` to ``most``, of a number of ``each`` row and its ``slopes`` by the coefficients."""
        total = self.weights.sum()
        value = float(self.weights @ each) / total
        slope = (self.weights @ slopes) / total
        influence = self.scores @ (self.covariance @ slope) + (each - value) / total
        if self.design is not None:
            variance = float(self.design.meat((influence * self.weights)[:, None])[0, 0])
        else:
            variance = float(self.weights @ influence**2)
        return Quantity.normal(value, float(np.sqrt(variance)), least, most)


def design_effects(surface: Surface, theta: Vector) -> Vector:
    """How many protected answers tell as much of each coefficient as one open one would."""
    protected, bare = inverse(surface.expected(theta)), inverse(surface.complete(theta))
    return np.asarray(np.diag(protected) / np.diag(bare), np.float64)


@dataclass(frozen=True, eq=False, repr=False)
class QuantityTable(TabledFrame):
    """Numbers with errors and intervals, a row for each."""

    title: str
    keys: Mapping[str, Sequence[Any]]
    """Columns that say what each number is, by their headings."""
    quantities: Sequence[Quantity]
    about: Mapping[str, Any] = field(default_factory=dict)
    notes: Sequence[str] = ()

    def _frame(self, level: float) -> Rows:
        documents = [each.to_dict(level) for each in self.quantities]
        numbers = {name: [each[name] for each in documents] for name in ("value", "stderr", "low", "high")}
        texts = [name for name, values in self.keys.items() if any(isinstance(value, str) for value in values)]
        columns = {**{name: list(values) for name, values in self.keys.items()}, **numbers}
        return Rows({**self.about, "level": level}, columns, texts)

    def table(self, level: float = 0.95) -> Table:
        headings = [*self.keys, "estimate", f"{100 * level:.10g}% interval"]
        rows = [
            [*map(_written, keys), points(each.value), " to ".join(points(end) for end in each.interval(level))]
            for keys, each in zip(zip(*self.keys.values(), strict=True), self.quantities, strict=True)
        ]
        return Table(self.title, headings, rows, self.notes)

    def __repr__(self) -> str:
        return f"QuantityTable({self.title!r}, {len(self.quantities)} rows)"


def _written(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else printable(value)


Chances: TypeAlias = Callable[[Matrix], tuple[Matrix, Stack]]
"""From rows of columns to the chances of labels [rows, labels], and their derivatives by the coefficients."""


def marginal(
    columns: Columns,
    table: Any,
    used: Sequence[str],
    labels: Mapping[int, Hashable],
    chances_of: Chances,
    mean: Average,
) -> QuantityTable:
    """The effect of each column of the table on each label's share, all else as people have it."""
    effects: list[tuple[str, str, Hashable, Quantity]] = []
    for name in used or columns.names[1:]:
        for change, low, high, span in _changes(column_named(table, columns, name)):
            (before, low_slopes), (after, high_slopes) = (
                chances_of(columns.of(with_value(table, columns, name, end))) for end in (low, high)
            )
            for place, label in labels.items():
                each, slopes = (after - before)[:, place] / span, (high_slopes - low_slopes)[:, place] / span
                most = 1.0 if span >= 1 else np.inf
                effects.append((name, change, label, mean.of(each, slopes, -most, most)))
    keys = {"term": [each[0] for each in effects], "change": [each[1] for each in effects]}
    if len(labels) > 1:
        keys["label"] = [str(each[2]) for each in effects]
    return QuantityTable("How many more of 100 people", keys, [each[3] for each in effects])


def _changes(column: Any) -> Iterator[tuple[str, Any, Any, float]]:
    """The changes of a column whose effects are shown: their names, both values, and how far these are apart."""
    numbers = as_vector(column)
    if numbers is None:
        first, *levels = sorted(set(column), key=str)
        for level in levels:
            yield f"{level} for {first}", first, level, 1.0
    elif set(np.unique(numbers).tolist()) <= {0.0, 1.0}:
        yield "1 for 0", 0.0, 1.0, 1.0
    else:
        step = 1e-3 * float(numbers.std())
        yield "1 more", numbers - step, numbers + step, 2 * step


def predicted(
    frame: Any, used: Sequence[str], labels: Mapping[int, Hashable], shares: Matrix, errors: Matrix
) -> QuantityTable:
    """The chances of labels for each row of a table: ``shares`` [rows, labels] with their standard ``errors``."""
    rows = [(row, place) for row in range(len(shares)) for place in labels]
    known = {} if isinstance(frame, np.ndarray) else {name: python_values(columns_of(frame)[name]) for name in used}
    keys = {name: [values[row] for row, _ in rows] for name, values in known.items()}
    if len(labels) > 1 or not keys:
        keys["label"] = [str(labels[place]) for _, place in rows]
    quantities = [Quantity.normal(float(shares[at]), float(errors[at]), 0.0, 1.0) for at in rows]
    return QuantityTable("Of 100 people with such covariates", keys, quantities)


def calibration(surface: Surface, shares: Matrix, groups: int) -> QuantityTable:
    """The share of the second label by reports, in groups of about as many people by their fitted share.

    Equal rows stay together. The test is that of Hosmer and Lemeshow (1980), by the variance of reports.
    """
    rows, order = surface.rows, np.argsort(shares[:, 1], kind="stable")
    reported, variance = _reported(surface, shares)
    before = np.cumsum(rows.weights[order]) - rows.weights[order] / 2
    place = np.minimum((before / rows.weights.sum() * groups).astype(np.int64), groups - 1)
    parts = [part for group in range(groups) if len(part := order[place == group])]
    people = np.array([rows.weights[part].sum() for part in parts])
    fitted, observed, spread = (
        np.array([rows.weights[part] @ each[part] for part in parts]) / people
        for each in (shares[:, 1], reported, variance)
    )
    chi2, freedom = float((people * (observed - fitted) ** 2 / spread).sum()), max(len(parts) - 2, 1)
    p = float(special.chdtrc(freedom, chi2))
    keys = {"group": list(range(1, len(parts) + 1)), "people": people.tolist(), "fitted": fitted.tolist()}
    errors = np.sqrt(spread / people).tolist()
    quantities = [Quantity.normal(*each) for each in zip(observed.tolist(), errors, strict=True)]
    about = {"chi2": chi2, "freedom": freedom, "p": p}
    test = Statement("fit_calibration", chi2=rounded(chi2), freedom=freedom, p=rounded(p, 2))
    return QuantityTable("Groups by the fitted share", keys, quantities, about, [english(test)])


def _reported(surface: Surface, shares: Matrix) -> tuple[Vector, Vector]:
    """What each row's report counts for the second label, and the variance of that at these shares."""
    reports, spread = surface.rows.reports, np.zeros(len(shares))
    for way, channel in enumerate(reports.channels):
        assert channel is not None
        counts, asked = unbiased_by(channel), reports.ways == way
        assert counts is not None
        spread[asked] = (shares[asked] @ channel.T) @ counts[:, 1] ** 2 - shares[asked, 1] ** 2
    if reports.unbiased is None:
        raise ParameterError("reports must tell the labels apart to be set beside a fit, got some that do not")
    return reports.unbiased[reports.places, 1], spread
