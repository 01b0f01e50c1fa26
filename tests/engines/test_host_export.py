"""Exports of other people's questionnaires, as their programs write them, read to the same column."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.cases import each

from deniable.engines.host_export import FEW, OTHERS, export_columns, groups_of
from deniable.protocol.errors import FormatError, ParameterError

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


@each("name", TEXTS)
def test_a_column_is_read_however_the_host_writes_it(name: str, tmp_path: Path) -> None:
    path = tmp_path / "export.csv"
    path.write_bytes(TEXTS[name])
    assert export_columns(path, ["private", "year"]) == {"private": VALUES, "year": YEARS}


def test_tables_of_other_programs_hold_the_same(tmp_path: Path) -> None:
    pq.write_table(pa.table({"private": VALUES, "year": YEARS}), tmp_path / "export.parquet")
    assert export_columns(tmp_path / "export.parquet", ["private", "year"]) == {"private": VALUES, "year": YEARS}


def test_what_is_no_such_table_is_refused_with_what_there_is(tmp_path: Path) -> None:
    path = tmp_path / "export.csv"
    path.write_text(PLAIN)
    with pytest.raises(ParameterError, match=r"one of export.csv: id, private, year, got column='privat'"):
        export_columns(path, ["privat"])
    path.write_text(PLAIN.replace("year", "private", 1))
    with pytest.raises(ParameterError, match="named once in the header, got 2 of column='private'"):
        export_columns(path, ["private"])
    path.write_text(PLAIN + "1,2\n")
    with pytest.raises(FormatError, match="3 fields in every row"):
        export_columns(path, ["private"])
    sheet = tmp_path / "export.xlsx"
    sheet.write_bytes(b"no spreadsheet")
    with pytest.raises(FormatError, match="save it as CSV"):
        export_columns(sheet, ["private"])


def test_small_groups_are_one() -> None:
    groups = groups_of(["a"] * FEW + ["b"] * (FEW - 1) + ["c", " a"])
    assert {name: len(rows) for name, rows in groups.items()} == {"a": FEW + 1, OTHERS: FEW}
    assert sorted(row for rows in groups.values() for row in rows) == list(range(2 * FEW + 1))
    assert list(groups_of(["x"] * FEW)) == ["x"]
