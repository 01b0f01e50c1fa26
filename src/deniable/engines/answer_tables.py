"""Tables of answers, CSV or Parquet, with a column for each question: read in pieces, each as a survey takes it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

import numpy as np

from deniable.arrays import Indices
from deniable.arrow import pq
from deniable.engines.csv_columns import nearly, read_header, text_columns
from deniable.engines.labels import in_rows, is_text, plain_array
from deniable.privacy.entropy import entropy_of
from deniable.protocol.checks import near
from deniable.protocol.errors import FormatError, LabelError, ParameterError
from deniable.protocol.surveys.numbers import Number
from deniable.protocol.surveys.one_of import OneOf
from deniable.protocol.surveys.question import Question
from deniable.protocol.surveys.questions import AnyOf
from deniable.reports.magic import is_parquet
from deniable.surveys.answer_bytes import Answers
from deniable.surveys.answers import answer_many
from deniable.surveys.survey import Survey
from deniable.values.columns import python_values, unquoted
from deniable.values.domain import Domain

ROWS = 1 << 16
SEPARATOR = ";"
"""Between the labels of a list in one field."""


def answer_batches(
    survey: Survey,
    path: Path | str,
    separator: str = SEPARATOR,
    skip_blank: bool = False,
    seed: int | None = None,
) -> Iterator[Answers]:
    """The answers of everybody in a file, randomized here, piece by piece; a seed is for simulations only.

    A blank field answers a question that can be skipped by its answer for that; a row with another blank is refused,
    or left out if it may be.
    """
    _check_separator(survey, separator)
    entropy, read = entropy_of(seed), 0
    for number, table in enumerate(_tables(Path(path), [question.name for question in survey.questions])):
        columns = {question.name: _column(question, *table[question.name], separator) for question in survey.questions}
        rows = len(next(iter(columns.values())))
        kept = _kept(survey, columns) if skip_blank else np.arange(rows)
        if len(kept) < rows:
            columns = {name: [column[row] for row in kept] for name, column in columns.items()}
        try:
            if not skip_blank or any(columns.values()):
                yield answer_many(survey, columns, entropy.part(number))
        except LabelError as error:
            first = None if error.first is None else int(kept[error.first])
            told = error if first is None else LabelError(error.placed(f"at position {first}"), first)
            raise in_rows(told, str(path), "row", read, rows) from error
        read += rows
    if not read:
        raise LabelError(f"{path} must hold at least one row of answers, got none")


def _check_separator(survey: Survey, separator: str) -> None:
    """Refuse a separator that is empty or part of a label, which it would split."""
    labels = [label for question in survey.questions if isinstance(question, AnyOf) for label in question.labels]
    if not separator or any(separator in str(label) for label in labels):
        raise ParameterError(f"the separator must be text that no label of a list holds, got {separator!r}")


def _require(path: Path, names: list[str], columns: list[str], header: bool = True) -> None:
    """Refuse a file that lacks the column of a question: one that may be skipped would count as skipped by everybody.

    The names of a header's columns are not shown: without a header, they are somebody's answers.
    """
    for name in names:
        if columns.count(name) != 1:
            got = "several" if name in columns else "none"
            raise FormatError(
                f"{path} must have one column for each question, got {got} named {name!r}{_hint(name, columns, header)}"
            )


def _hint(name: str, columns: list[str], header: bool) -> str:
    """The end of a message that says which column may be meant, if one is named nearly as the question."""
    if name in columns:
        return ""
    if not header:
        return near(name, columns)
    said = nearly(name, columns)
    return f"; {said}" if said else ""


def _tables(path: Path, names: list[str]) -> Iterator[dict[str, tuple[list[Any], bool]]]:
    """The columns of the questions, some rows at a time: their values, and whether these are fields of text."""
    return _parquet(path, names) if is_parquet(path) else _csv(path, names)


def _csv(path: Path, names: list[str]) -> Iterator[dict[str, tuple[list[Any], bool]]]:
    with path.open("rb") as file:
        header = read_header(file, str(path), *names)
        _require(path, names, header.names)
        for columns in text_columns(file, str(path), header, names):
            yield {name: (column, True) for name, column in columns.items()}


def _parquet(path: Path, names: list[str]) -> Iterator[dict[str, tuple[list[Any], bool]]]:
    refusal = FormatError(f"{path} must be a whole Parquet file with a column for each question, got another")
    with unquoted(lambda: pq.ParquetFile(path), refusal) as file:
        _require(path, names, file.schema_arrow.names, header=False)
        batches = file.iter_batches(ROWS, columns=names)
        while (batch := unquoted(lambda: next(batches, None), refusal)) is not None:
            columns = {name: plain_array(batch.column(name)) for name in names}
            yield {name: (python_values(column), is_text(column.type)) for name, column in columns.items()}


def _column(question: Question, values: list[Any], texts: bool, separator: str) -> list[Any]:
    """A column as the survey takes it: fields of text as labels, as lists, or as they are; blank ones as none."""
    if not texts:
        return values
    if isinstance(question, AnyOf):
        of_list = _reader(question)
        return [[of_list(part) for part in _listed(value, separator)] for value in values]
    if isinstance(question, Number):
        return [_number(question, value) for value in values]
    if isinstance(question, OneOf):
        of_field, blank = _reader(question), "" not in question.labels
        return [None if value == "" and blank else of_field(value) for value in values]
    return [value or None for value in values]


def _kept(survey: Survey, columns: dict[str, list[Any]]) -> Indices:
    """The rows that answer all that cannot be skipped."""
    needed = [columns[question.name] for question in survey.questions if question.skipped is None]
    whole = [all(value is not None for value in row) for row in zip(*needed, strict=True)]
    return np.flatnonzero(whole) if needed else np.arange(len(next(iter(columns.values()))))


def _listed(value: str | None, separator: str) -> list[str]:
    parts = (part.strip() for part in (value or "").split(separator))
    return [part for part in parts if part]


def _number(question: Number, value: str | None) -> Any:
    """A number as it is written, or a date, which stays text; what is neither stays too, to be refused."""
    if question.scale.dated or not value:
        return value or None
    try:
        return Decimal(value.strip())
    except InvalidOperation:
        return value


def _reader(question: OneOf | AnyOf) -> Callable[[Any], Any]:
    """How a field becomes a label: where all labels are whole numbers, by its digits."""
    return _whole if Domain.of(question.labels).kind == "integers" else lambda value: value


def _whole(value: Any) -> Any:
    """A whole number from its text; anything else stays, to be refused where it is no label."""
    try:
        return int(value)
    except (TypeError, ValueError):
        return value
