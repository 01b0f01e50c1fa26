"""Regression on the answers to a survey, each beside its person's row (``survey.regress``)."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from deniable.arrays import Column, Indices
from deniable.estimation.models.design import size_of, with_rows
from deniable.estimation.models.fit import Fit
from deniable.estimation.models.fit_words import FRACTIONAL, MEAN
from deniable.estimation.models.formula import NAME
from deniable.estimation.models.report_rows import ItemReports, one_way, together
from deniable.protocol.checks import shown
from deniable.protocol.errors import ParameterError
from deniable.protocol.questions.number import Point
from deniable.protocol.questions.one_of import Label, OneOf
from deniable.protocol.questions.path import Path
from deniable.protocol.questions.question import Question
from deniable.protocol.questions.scale import Scale
from deniable.surveys.answer_rows import PartColumn, answers_in_rows, check_in_rows, part_columns
from deniable.surveys.arms import Part
from deniable.surveys.document import Document
from deniable.surveys.field_column import column_of_reports, read_column
from deniable.surveys.part_errors import mean_points
from deniable.surveys.regressing import PairReports, regressed
from deniable.surveys.reported_item import ReadReports, ReportedItem, labels_of, read_reports
from deniable.surveys.weighted_reports import worth_of_points
from deniable.values import tables

ONE = (Label.kind, Path.kind)
"""How a question is reported that has one answer, by itself or with what follows from it."""


def regress_survey(
    document: Document,
    answers: Any,
    formula: Any,
    frame: Any,
    column: str | None,
    model: str,
    event: Hashable,
    sampling: Sequence[Any],
    missing: str,
) -> Fit:
    """The fit of a formula that names questions and columns; ``sampling`` has weights, strata and clusters."""
    table, by_row = _frame_and_answers(document, answers, frame, column)
    words = re.findall(NAME, formula) if isinstance(formula, str) else [formula[0], *formula[1]]
    questions = [document.by_name[name] for name in dict.fromkeys(words) if name in document.by_name]
    parts = list(part_columns(document, by_row))
    items = {question.name: _item(question, parts, len(by_row), model) for question in questions}
    pairs = _pairs(parts, [question.name for question in questions], len(by_row))
    return regressed(formula, table, items, model, event, (*sampling, None), missing, pairs, may_lack=True)


def _frame_and_answers(
    document: Document, answers: Any, frame: Any, column: str | None
) -> tuple[Any, Sequence[bytes | None]]:
    """The columns of people, and the answer of each, or None."""
    check_in_rows(answers)
    if frame is None:
        if not tables.is_table(answers):
            raise ParameterError("frame must be given, a table with a row for each answer, got answers alone")
        known = dict(tables.columns_of(answers))
        name = column or column_of_reports(known, "the table")
        if name not in known:
            raise ParameterError(f"column must name the column of reports, got {shown(name)}")
        return {each: known[each] for each in known if each != name}, read_column(document, known[name]).answers
    by_row = answers_in_rows(document, answers)
    frame = with_rows(frame, len(by_row))
    if len(by_row) != size_of(frame):
        raise ParameterError(f"answers must be one for each of {size_of(frame)} rows of the frame, got {len(by_row)}")
    return frame, by_row


def _item(question: Any, parts: Sequence[PartColumn], rows: int, model: str) -> ReportedItem:
    """What was reported of a question by itself: of a number by points of its scale, else by labels.

    If other questions follow from it, what was reported of whole ways through them, where that is one label.
    """
    if question.only_if is not None:
        raise ParameterError(
            f"{question.name!r} must be asked of everybody to be regressed on or by, got one that only some are asked; "
            f"the ways on from {question.only_if.question!r} can be an outcome of several, or one of them its event"
        )
    reported = [each for each in parts if each[0].names == (question.name,)] or _ways(question, parts)
    by_points = [(points, *each) for each in reported if (points := mean_points(each[0])) is not None]
    if by_points and model not in (MEAN, FRACTIONAL):
        raise ParameterError(f'model must be "mean" or "fractional" of the number {question.name!r}, got {model!r}')
    if by_points:
        ends = tuple(question.scale.value(place) for place in (0, question.scale.steps))
        return ReportedItem(question.name, (), (), together([_of_points(ends, *each, rows) for each in by_points]))
    if question.kind not in (OneOf.kind, Scale.kind) or any(part.encoder.kind not in ONE for part, _, _ in reported):
        raise ParameterError(
            f'the question {question.name!r} must have one answer, or be a number with want "mean", '
            f"got one of kind {question.kind!r}"
        )
    first = reported[0][0] if reported else None
    labels = labels_of(question.name, first.mechanism) if first else tuple(question.pair_labels)
    if question.kind == Scale.kind and model in (MEAN, FRACTIONAL) and first and first.encoder.kind == Label.kind:
        labels = tuple(range(1, len(labels) + 1))
    sources = [read_reports(part.mechanism, labels, column, at, rows) for part, column, at in reported]
    nobody = ReadReports(None, np.arange(len(labels)), np.full(rows, -1, np.int64))
    return ReportedItem(question.name, labels, tuple(sources or [nobody]))


def _ways(question: Question, parts: Sequence[PartColumn]) -> list[PartColumn]:
    """The reports of whole ways from a question on, and of nothing beside them."""
    ways = [each for each in parts if each[0].encoder.tells_asked and not each[0].crossed]
    return [each for each in ways if each[0].estimable[0] == question.name]


def _of_points(
    ends: tuple[float, float], points: Point, part: Part, column: Column, at: Indices, rows: int
) -> ItemReports:
    """Points as reports of a person at one of the ``ends`` of the scale: what each adds to the share of either end."""
    worth = worth_of_points(points, part)
    places = np.full(rows, -1, np.int64)
    places[at] = part.mechanism.layout.report_index(column)
    return one_way(ends, np.ones((len(worth), 2)), places, np.stack([(1 - worth) / 2, (1 + worth) / 2], axis=1), None)


def _pairs(parts: Sequence[PartColumn], asked: Sequence[str], rows: int) -> list[PairReports]:
    """What was reported of two of the questions together: the names in their order, and the reports."""
    pairs: list[PairReports] = []
    for part, column, at in parts:
        if len(part.names) == 2 and not part.encoder.tells_asked and set(part.names) <= set(asked):
            labels = labels_of(" and ".join(part.names), part.mechanism)
            pairs.append((part.names, read_reports(part.mechanism, labels, column, at, rows)))
    return pairs
