"""Exports of other people's questionnaires, as their programs write them, read to the same column."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.cases import each

from deniable.engines.host_export import FEWEST_ROWS, OTHERS, Columns, export_columns, groups_of
from deniable.protocol.errors import FormatError, ParameterError
from deniable.surveys.field_column import column_of_reports

VALUES = ["deniable:1:" + "0" * 32 + ":AAAA_-", "", "deniable:1:" + "f" * 32 + ":!declined"]
YEARS = ["1", "2", "2"]
PLAIN = "id,private,year\n" + "".join(f"{row},{value},{YEARS[row]}\n" for row, value in enumerate(VALUES))
QUALTRICS = PLAIN.replace(
    "year\n",
    'year\n"Response ID","Were you, ""lately"", hit?\nPlease say","Year"\n'
    '"{""ImportId"":""_recordId""}","{""ImportId"":""QID1_TEXT""}","{""ImportId"":""QID2""}"\n',
)
TEXTS = {
    "plain": PLAIN.encode(),
    "with a byte order mark": b"\xef\xbb\xbf" + PLAIN.encode(),
    "semicolons": PLAIN.replace(",", ";").encode(),
    "tabs": PLAIN.replace(",", "\t").encode(),
    "everything quoted": "\r\n".join(
        ",".join(f'"{field}"' for field in line.split(",")) for line in PLAIN.splitlines()
    ).encode(),
    "the three header rows of Qualtrics": QUALTRICS.encode(),
}


def columns_of(path: Path, *wanted: str) -> Columns:
    with path.open("rb") as file:
        return export_columns(file, path.name, wanted, others=not wanted)


@each("name", TEXTS)
def test_a_column_is_read_however_the_host_writes_it(name: str, tmp_path: Path) -> None:
    path = tmp_path / "export.csv"
    path.write_bytes(TEXTS[name])
    assert columns_of(path, "private", "year") == {"private": VALUES, "year": YEARS}


def test_tables_of_other_programs_hold_the_same(tmp_path: Path) -> None:
    pq.write_table(pa.table({"private": VALUES, "year": YEARS}), tmp_path / "export.parquet")
    assert columns_of(tmp_path / "export.parquet", "private", "year") == {"private": VALUES, "year": YEARS}


def test_what_is_no_such_table_is_refused_with_what_there_is(tmp_path: Path) -> None:
    path = tmp_path / "export.csv"
    path.write_text(PLAIN)
    with pytest.raises(ParameterError, match=r"one of export.csv: id, private, year, got column='privat'"):
        columns_of(path, "privat")
    path.write_text(PLAIN.replace("year", "private", 1))
    with pytest.raises(ParameterError, match="named once in the header, got 2 of column='private'"):
        columns_of(path, "private")
    path.write_text(PLAIN + "1,2\n")
    with pytest.raises(FormatError, match="3 fields in every row"):
        columns_of(path, "private")
    sheet = tmp_path / "export.xlsx"
    sheet.write_bytes(b"no spreadsheet")
    with pytest.raises(FormatError, match="save it as CSV"):
        columns_of(sheet, "private")


@each("name", TEXTS)
def test_the_column_of_reports_need_not_be_named(name: str, tmp_path: Path) -> None:
    path = tmp_path / "export.csv"
    path.write_bytes(TEXTS[name])
    assert column_of_reports(columns_of(path), path.name) == "private"


def test_where_no_column_or_more_than_one_holds_reports_it_is_asked_for() -> None:
    with pytest.raises(ParameterError, match=r"not one column of reports, got 0 of them; a report begins with"):
        column_of_reports({"year": YEARS}, "export.csv")
    with pytest.raises(ParameterError, match=r"got 2 of them: first, second"):
        column_of_reports({"first": VALUES, "year": YEARS, "second": VALUES}, "export.csv")


def test_small_groups_are_one() -> None:
    groups = groups_of(["a"] * FEWEST_ROWS + ["b"] * (FEWEST_ROWS - 1) + ["c", " a"])
    assert {name: len(rows) for name, rows in groups.items()} == {"a": FEWEST_ROWS + 1, OTHERS: FEWEST_ROWS}
    assert sorted(row for rows in groups.values() for row in rows) == list(range(2 * FEWEST_ROWS + 1))
    assert list(groups_of(["x"] * FEWEST_ROWS)) == ["x"]
