"""Columns of plain values as CSV and JSON. Labels may be anything, and spreadsheets run no text of theirs."""

from __future__ import annotations

import csv
import datetime
import io
import json
import math
import re
from collections.abc import Hashable, Iterable, Mapping
from typing import Any, TypeAlias

from deniable.protocol.say import Statement, english

Columns: TypeAlias = Mapping[str, list[Any]]
"""Values by the name of their column; the column "label" holds labels."""

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""How text begins that spreadsheets run, the wide signs of East Asian ones too."""
NOT_ASKED = Statement("not_asked")
NUMBER = re.compile(r"[+-]?[0-9]+([.,][0-9]+)?")


def json_ready(value: Any) -> Any:
    """A document that JSON can hold: numbers that are not finite become text, as does what JSON does not know.

    >>> json_ready({"error": math.inf, "labels": ("a", 1)})
    {'error': 'inf', 'labels': ['a', 1]}
    """
    if isinstance(value, dict):
        return {str(name): json_ready(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [json_ready(part) for part in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value if isinstance(value, str | int | float | None) else str(value)


def json_text(document: Any, indent: int | None = None) -> str:
    """A document as strict JSON."""
    return json.dumps(json_ready(document), ensure_ascii=False, allow_nan=False, indent=indent)


def written_label(label: Hashable) -> str | int | float | bool:
    """A label as JSON and CSV know it; half characters, which no file can hold, are escaped.

    None is what a table tells of those who were not asked.
    """
    if isinstance(label, int | float):
        return label
    return str(english(NOT_ASKED) if label is None else label).encode("utf-8", "backslashreplace").decode()


def csv_text(columns: Columns, labels: Iterable[str] = ("label",)) -> str:
    """A row for each label; text that a spreadsheet would run as a formula begins with an apostrophe."""
    inert = {**columns, **{name: [_inert(written_label(label)) for label in columns[name]] for name in labels}}
    return "".join(map(_line, [inert, *zip(*inert.values(), strict=True)]))


def _line(fields: Iterable[Any]) -> str:
    """A row that ends in a line feed; a carriage return in a field is quoted, as Python does if rows end with one."""
    page = io.StringIO()
    csv.writer(page, lineterminator="\r\n").writerow(map(_field, fields))
    return page.getvalue().removesuffix("\r\n") + "\n"


def _field(value: Any) -> Any:
    """Yes and no as JSON writes them."""
    return str(value).lower() if isinstance(value, bool) else value


def _inert(label: Any) -> Any:
    """A label that a spreadsheet shows as it stands: numbers are no formulas, though they begin with a sign."""
    if isinstance(label, str) and label.lstrip(" ").startswith(FORMULA) and not NUMBER.fullmatch(label):
        return f"'{label}"
    return label


def column_of(labels: list[Any]) -> list[Any]:
    """Labels as one Arrow column holds them: as they are where all are alike, else as text."""
    kinds = {type(label) for label in labels}
    if len(kinds) == 1 and kinds <= {bool, float, datetime.date, datetime.datetime}:
        return labels
    if kinds == {int} and all(-(2**63) <= label < 2**63 for label in labels):
        return labels
    return [str(written_label(label)) for label in labels]
