"""Tables of answers, CSV or Parquet, with a column for each question: read in pieces, each as a survey takes it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from deniable.arrays import Indices
from deniable.arrow import pq
from deniable.engines.csv_columns import near_name_hint, read_header, text_columns
from deniable.engines.labels import in_rows, is_text, plain_array
from deniable.privacy.entropy import entropy_of
from deniable.protocol.checks import near
from deniable.protocol.errors import FormatError, LabelError, ParameterError
from deniable.reports.magic import is_parquet
from deniable.surveys.answer_bytes import Answers
from deniable.surveys.answers import answer_many
from deniable.surveys.questions.kinds import companion
from deniable.surveys.survey import Survey
from deniable.values.columns import python_values, unquoted

ROWS = 1 << 16
SEPARATOR = ";"
"""Between the labels of a list in one field."""
SKIPPED = "; skip_blank (--skip-blank) leaves out rows with a blank"


def answer_batches(
    survey: Survey, path: Path | str, separator: str = SEPARATOR, skip_blank: bool = False, seed: int | None = None
) -> Iterator[Answers]:
    """The answers of everybody in a file, randomized here, piece by piece; a seed is for simulations only.

    A blank field answers a question that can be skipped by its answer for that; a row with another blank is refused,
    or left out if it may be.
    """
    _check_separator(survey, separator)
    entropy, rows_before = entropy_of(seed), 0
    for number, table in enumerate(_tables(Path(path), [question.name for question in survey.questions])):
        columns = {}
        for question in survey.questions:
            values, is_text = table[question.name]
            columns[question.name] = companion(question).fields(question, values, separator) if is_text else values
        rows = len(next(iter(columns.values())))
        complete = _complete_rows(survey, columns) if skip_blank else np.arange(rows)
        if len(complete) < rows:
            columns = {name: [column[row] for row in complete] for name, column in columns.items()}
        try:
            if not skip_blank or any(columns.values()):
                yield answer_many(survey, columns, entropy.part(number))
        except LabelError as error:
            first = None if error.first is None else int(complete[error.first])
            error_at = error if first is None else LabelError(error.placed(f"at position {first}"), first)
            placed = in_rows(error_at, str(path), "row", rows_before, rows)
            blank = "" if skip_blank or len(_complete_rows(survey, columns)) == rows else SKIPPED
            raise LabelError(f"{placed}{blank}", placed.first) from error
        rows_before += rows
    if not rows_before:
        raise LabelError(f"{path} must hold at least one row of answers, got none")


def _check_separator(survey: Survey, separator: str) -> None:
    """Refuse a separator that is empty, or that would split a label."""
    if not separator:
        raise ParameterError("the separator must be text of at least one character, got none")
    for question in survey.questions:
        companion(question).check_separator(question, separator)


def _require_columns(path: Path, names: list[str], columns: list[str], header: bool = True) -> None:
    """Refuse a file that lacks the column of a question: one that may be skipped would count as skipped by everybody.

    The names of a header's columns are not shown: without a header, they are somebody's answers.
    """
    for name in names:
        if columns.count(name) != 1:
            got = "several" if name in columns else "none"
            hint = "" if name in columns else near_name_hint(name, columns) if header else near(name, columns)
            raise FormatError(f"{path} must have one column for each question, got {got} named {name!r}{hint}")


def _tables(path: Path, names: list[str]) -> Iterator[dict[str, tuple[list[Any], bool]]]:
    """The columns of the questions, some rows at a time: their values, and whether these are fields of text."""
    return _parquet(path, names) if is_parquet(path) else _csv(path, names)


def _csv(path: Path, names: list[str]) -> Iterator[dict[str, tuple[list[Any], bool]]]:
    with path.open("rb") as file:
        header = read_header(file, str(path), *names)
        _require_columns(path, names, header.names)
        for columns in text_columns(file, str(path), header, names):
            yield {name: (column, True) for name, column in columns.items()}


def _parquet(path: Path, names: list[str]) -> Iterator[dict[str, tuple[list[Any], bool]]]:
    refusal = FormatError(
        f"{path} must be a whole Parquet file with a column for each question, got one that is cut off or is none"
    )
    with unquoted(lambda: pq.ParquetFile(path), refusal) as file:
        _require_columns(path, names, file.schema_arrow.names, header=False)
        batches = file.iter_batches(ROWS, columns=names)
        while (batch := unquoted(lambda: next(batches, None), refusal)) is not None:
            columns = {name: plain_array(batch.column(name)) for name in names}
            yield {name: (python_values(column), is_text(column.type)) for name, column in columns.items()}


def _complete_rows(survey: Survey, columns: dict[str, list[Any]]) -> Indices:
    """The numbers of the rows that answer every question that cannot be skipped."""
    required = [columns[question.name] for question in survey.questions if question.skip_answer is None]
    whole = [all(value is not None for value in row) for row in zip(*required, strict=True)]
    return np.flatnonzero(whole) if required else np.arange(len(next(iter(columns.values()))))
