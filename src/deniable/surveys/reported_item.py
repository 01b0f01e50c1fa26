"""A private item as regression reads it: what each report of each way of asking says of every label."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from deniable.arrays import Column, Indices, Matrix
from deniable.estimation.laws.support_law import SupportLaw
from deniable.estimation.models.report_rows import (
    MOST_OUTPUTS,
    ItemReports,
    one_way,
    open_answers,
    together,
    unbiased_by,
)
from deniable.mechanisms.mechanism import CELLS, Mechanism
from deniable.mechanisms.weighted_reports import distinct_reports
from deniable.protocol.checks import near, shown
from deniable.protocol.errors import LabelError, ParameterError, ReportError
from deniable.values.columns import bare_column, is_column, is_missing, python_values, strangers
from deniable.values.domain import Domain

SMALLEST = 1e-250
"""Reports of which every chance is smaller are told without their common factor."""


@dataclass(frozen=True, eq=False)
class ReadReports:
    """A column of one mechanism's reports, or of open answers: the different ones, and which each row has, or -1."""

    mechanism: Mechanism | None
    distinct: Column
    places: Indices

    def of_labels(self, labels: Sequence[Hashable]) -> ItemReports:
        """What reports say of every label."""
        if self.mechanism is None:
            return open_answers(labels, self.places)
        channel = _channel(self.mechanism)
        chances, unbiased = _chances(self.mechanism, self.distinct), None
        if channel is not None and (by_report := unbiased_by(channel)) is not None:
            unbiased = by_report[self.mechanism.layout.report_index(self.distinct)]
        elif isinstance(law := self.mechanism.law, SupportLaw):
            unbiased = np.asarray((law.supports(self.distinct) - law.support.h) / law.support.gap, np.float64)
        return one_way(labels, chances, self.places, unbiased, channel)

    def of_event(self, labels: Sequence[Hashable], event: int) -> ItemReports:
        """What reports say of one label of many, against all others: whether they support it, as a yes or no."""
        names = (f"not {labels[event]}", labels[event])
        if self.mechanism is None:
            places = np.where(self.places < 0, -1, self.places == event).astype(np.int64)
            return open_answers(names, places)
        law = self.mechanism.law
        if not isinstance(law, SupportLaw):
            raise ParameterError(
                f"{self.mechanism.name} does not tell one label from all others alike: "
                'take model="multinomial", got one event of many'
            )
        g, h = law.support.g, law.support.h
        channel = np.array([[1 - h, 1 - g], [h, g]])
        supports = law.supports(self.distinct)[:, event].astype(np.int64)
        places = np.where(self.places < 0, -1, supports[self.places])
        return one_way(names, channel, places, unbiased_by(channel), channel)


@dataclass(frozen=True, eq=False)
class ReportedItem:
    """An item with all its ways of asking; ``number`` is given where reports are points of a number's scale."""

    name: str
    labels: tuple[Hashable, ...]
    sources: tuple[ReadReports, ...]
    number: ItemReports | None = None

    def of_labels(self) -> ItemReports:
        """What reports say of every label."""
        return self.number or together([each.of_labels(self.labels) for each in self.sources])

    def of_event(self, event: Hashable) -> ItemReports:
        """What reports say of an event and of whatever is not it, the event second."""
        place = self.labels.index(event)
        if len(self.labels) == 2:
            return self.of_labels().in_order([1 - place, place])
        return together([each.of_event(self.labels, place) for each in self.sources])


def item_of(name: str, sources: Sequence[Any], rows: int) -> ReportedItem:
    """An item from mechanisms with columns of reports, of so many rows each."""
    mechanisms = [mechanism for mechanism, _ in sources if isinstance(mechanism, Mechanism)]
    if any(isinstance(reports, Mechanism) for _, reports in sources):
        raise ParameterError(f"{name!r} must be given as (mechanism, reports), got the mechanism second")
    if not mechanisms:
        raise ParameterError(f"{name!r} must be reported by a mechanism at least once, got open answers alone")
    labels = labels_of(name, mechanisms[0])
    read = (_read(name, labels, mechanism, reports, rows) for mechanism, reports in sources)
    return ReportedItem(name, labels, tuple(read))


def labels_of(name: str, mechanism: Mechanism) -> tuple[Hashable, ...]:
    """What people may hold; a mechanism for any text is refused."""
    if mechanism.domain.size is None:
        raise ParameterError(f"{name!r} must have a list of labels to be regressed on, got any text; give it a domain")
    return tuple(mechanism.domain.every())


def _read(name: str, labels: Sequence[Hashable], mechanism: Any, column: Any, rows: int) -> ReadReports:
    if mechanism is not None and labels_of(name, mechanism) != tuple(labels):
        got = " and then ".join(", ".join(map(str, each[:5])) for each in (labels, labels_of(name, mechanism)))
        raise ParameterError(f"mechanisms of {name!r} must have the same labels in the same order, got {got}")
    bare = bare_column(column)
    listed = isinstance(bare, np.ndarray) or is_column(bare)
    if not listed or len(bare) != rows:
        got = f"{len(bare)} values" if listed else type(column).__name__
        raise ParameterError(f"reports of {name!r} must be a column with a value for each of {rows} rows, got {got}")
    if isinstance(bare, np.ndarray) and bare.dtype.kind in "iu":
        return read_reports(mechanism, labels, bare, np.arange(rows), rows)
    values = python_values(bare)
    at = np.array([row for row, value in enumerate(values) if not is_missing(value)], np.int64)
    return read_reports(mechanism, labels, [values[row] for row in at.tolist()], at, rows)


def read_reports(
    mechanism: Mechanism | None, labels: Sequence[Hashable], reports: Any, at: Indices, rows: int
) -> ReadReports:
    """Checked reports of so many rows, of which those ``at`` these places have one."""
    places = np.full(rows, -1, np.int64)
    if mechanism is None:
        places[at] = _open_places(labels, python_values(reports))
        return ReadReports(None, np.arange(len(labels)), places)
    column = mechanism.layout.check(_numbers(reports))
    distinct, places[at] = distinct_reports(column)
    return ReadReports(mechanism, distinct, places)


def _numbers(reports: Any) -> Any:
    """Whole numbers that a table with gaps holds as floats, as the whole numbers that they are."""
    if isinstance(reports, list) and reports and all(isinstance(each, float) and each.is_integer() for each in reports):
        return [int(each) for each in reports]
    return reports


def _open_places(labels: Sequence[Hashable], values: Sequence[Any]) -> Indices:
    domain = Domain.of(list(labels))
    wrong = [place for place, value in enumerate(values) if value not in domain]
    if wrong:
        raise LabelError(f"open answers must be labels of the item, {strangers(wrong, len(values), 0)}", wrong[0])
    return np.array([domain.index(value) for value in values], np.int64)


def _chances(mechanism: Mechanism, distinct: Column) -> Matrix:
    """The chance of each report from each label, [reports, labels]: exact, then rounded once.

    Reports that support labels have two chances; of those too small for floats only the ratio is told.
    """
    law = mechanism.law
    if isinstance(law, SupportLaw):
        levels = np.array([[float(each) for each in level] for level in law.reports.levels(distinct)])
        low = np.maximum(levels[:, 1], SMALLEST)[:, None]
        chances = np.where(law.supports(distinct), levels[:, :1], levels[:, 1:])
        return np.where(low > SMALLEST, chances, np.where(law.supports(distinct), float(law.largest_ratio), 1.0))
    chances = np.asarray(law.chances(distinct).T.astype(np.float64))
    if not chances.any(axis=1).all():
        raise ReportError("reports must be ones that some label sends, got some that none does")
    return chances


def _channel(mechanism: Mechanism) -> Matrix | None:
    """Every report's chances [reports, labels]; None where there are too many reports."""
    size = mechanism.domain.size or 0
    if mechanism.layout.outputs > MOST_OUTPUTS or size * mechanism.layout.outputs > CELLS:
        return None
    return np.ascontiguousarray(mechanism.channel().probabilities.T)


def event_of(labels: Sequence[Hashable], wanted: Hashable, usual: Sequence[Hashable]) -> Hashable:
    """The label whose chance is modelled: the one that is wanted, or of two a usual one."""
    if wanted is not None:
        if wanted not in labels:
            got = f"event={shown(wanted)}{near(wanted, labels)}"
            raise ParameterError(f"event must be one of the labels, got {got}")
        return wanted
    known = [label for label in usual if label in labels]
    if len(labels) != 2 or not known:
        raise ParameterError(
            f"event must be one of the {len(labels)} labels of this model, such as {shown(labels[-1])}, got none; "
            'or take the model "multinomial" of all labels'
        )
    return known[0]
