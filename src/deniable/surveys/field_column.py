"""A column of somebody else's table that holds reports: read value by value, and counted by what each is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from deniable.arrays import Vector
from deniable.protocol.errors import ParameterError, ReportError
from deniable.protocol.surveys.field_value import NAMED, PREFIX, read_field
from deniable.surveys.answer_bytes import fault_of, read_answers
from deniable.surveys.document import Document
from deniable.surveys.tally import SurveyTally
from deniable.values.columns import is_missing, python_values

USED, EMPTY, DECLINED, ALTERED, STRANGE, REPEATED = (
    "used", "empty", "declined", "altered", "another survey", "repeated",
)  # fmt: skip
KINDS: Final = (USED, EMPTY, DECLINED, ALTERED, STRANGE, REPEATED)
"""What a value counts as; each row is one of them."""
BLANK: Final = ("", "na", "nan", "none", "null")
"""What tables write, in any letters, where nothing is."""

MOST_NAMED: Final = 20
"""So many names of columns are listed where one is to be chosen."""


@dataclass(frozen=True, eq=False)
class FieldColumn:
    """The rows of a column of reports."""

    document: Document
    answers: tuple[bytes | None, ...]
    """The answer of each row, in order; None where none is counted."""
    kinds: tuple[str, ...]
    """What each row's value counts as."""
    weights: Vector | None = None
    """How much each row counts, where that is said; of no matter where there is no answer."""

    @property
    def counts(self) -> Mapping[str, int]:
        """How many values count as what; they add up to the rows."""
        return {kind: self.kinds.count(kind) for kind in KINDS}

    def part(self, rows: Sequence[int]) -> FieldColumn:
        """The column of some rows; what counts as repeated among all rows does so here too."""
        answers, kinds = tuple(self.answers[row] for row in rows), tuple(self.kinds[row] for row in rows)
        return FieldColumn(self.document, answers, kinds, None if self.weights is None else self.weights[list(rows)])

    @cached_property
    def tally(self) -> SurveyTally:
        """The answers counted."""
        return SurveyTally.of(read_answers(self.document, [each for each in self.answers if each is not None]))


def column_of_reports(columns: Mapping[Any, Iterable[Any]], what: str) -> Any:
    """The one column of a table in which a report stands; refused if it is not one."""
    names = [
        name for name, values in columns.items()
        if any(isinstance(value, str) and value.startswith(PREFIX) for value in python_values(values))
    ]  # fmt: skip
    if len(names) != 1:
        raise ParameterError(
            f"column must be named where {what} has not one column of reports, got {len(names)} of them"
            + (f": {', '.join(map(str, names[:MOST_NAMED]))}" if names else f"; a report begins with {PREFIX}")
        )
    return names[0]


def read_column(document: Document, column: Iterable[Any]) -> FieldColumn:
    """The reports of a column; refused if none of its values can be used."""
    if document.carrier is None:
        raise ParameterError(
            'a survey whose reports stand in a column must have carrier="field", got one that a collector counts'
        )
    if isinstance(column, str | bytes) or not isinstance(column, Iterable):
        raise ParameterError(f"column must be a column of values, got {type(column).__name__}")
    values = python_values(column)
    rows = list(_rows(document, values))
    read = FieldColumn(document, tuple(answer for _, answer in rows), tuple(kind for kind, _ in rows))
    if not read.counts[USED]:
        got = ", ".join(f"{number} {kind}" for kind, number in read.counts.items() if number) or "no rows"
        altered = [str(value) for kind, value in zip(read.kinds, values, strict=True) if kind == ALTERED]
        begun = "export them whole" if any(text.startswith(PREFIX) for text in altered) else "none begins like a report"
        raise ReportError(
            f"a column must have a value of survey {document.name!r} that can be used, got {got}"
            + (f"; {begun}" if altered else "")
        )
    return read


def _rows(document: Document, column: Sequence[Any]) -> Iterator[tuple[str, bytes | None]]:
    """What each value counts as, with its answer if that is counted."""
    values = [_value(document.digest, value) for value in column]
    refused, seen = _refused(document, [answer for kind, _, answer in values if kind == USED]), set[bytes]()
    for by_itself, report_id, answer in values:
        kind = by_itself
        if by_itself == USED:
            kind = ALTERED if answer in refused else REPEATED if report_id in seen else USED
            seen.add(report_id)
        yield kind, answer if kind == USED else None


def _refused(document: Document, answers: Sequence[bytes]) -> set[bytes]:
    """The answers that the survey refuses, which are looked at one by one only where there are any."""
    try:
        read_answers(document, answers)
    except ReportError:
        return {answer for answer in answers if fault_of(document, answer) is not None}
    return set()


def _value(digest: str, value: Any) -> tuple[str, bytes, bytes]:
    """What a value counts as by itself, the report's id and its answer; no bytes where it is no report."""
    text = value.strip() if isinstance(value, str) else "" if is_missing(value) else None
    if text is not None and text.lower() in BLANK:
        return EMPTY, b"", b""
    field = None if text is None else read_field(digest, text)
    if field is None:
        return ALTERED, b"", b""
    if field.survey != digest[:NAMED]:
        return STRANGE, b"", b""
    return (DECLINED if field.is_declined else USED), field.id, field.answer
