"""Tables of another program's reports: what is read, and what is refused by the file's name without a row of it."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import deniable as dn
from deniable.engines.trial_reports import audit_trials
from deniable.protocol.errors import FormatError

COIN = dn.RandomizedResponse(["no", "yes"], 1.0)
VALUES = ["no", "yes"] * 2000


def csv_of(values: list[object], reports: list[object]) -> bytes:
    """A table as another program writes it."""
    rows = [f"{value},{report}\n" for value, report in zip(values, reports, strict=True)]
    return "".join(["value,report\n", *rows]).encode()


def test_a_csv_and_a_parquet_file_say_the_same(tmp_path: Path) -> None:
    reports = COIN.privatize_many(VALUES, seed=1)
    (tmp_path / "trials.csv").write_bytes(csv_of(list(VALUES), reports.tolist()))
    pq.write_table(pa.table({"value": VALUES, "report": pa.array(reports)}), tmp_path / "trials.parquet")
    found = audit_trials(COIN, tmp_path / "trials.csv")
    assert found.holds
    assert found == audit_trials(COIN, tmp_path / "trials.parquet")


def test_bytes_are_hexadecimal_digits_and_labels_may_be_numbers(tmp_path: Path) -> None:
    survey, values = dn.Subset(12, 1.0), [0, 11] * 2000
    reports = [bytes(report).hex() for report in survey.privatize_many(values, seed=1)]
    (tmp_path / "trials.csv").write_bytes(csv_of(list(values), list(reports)))
    assert audit_trials(survey, tmp_path / "trials.csv").holds


@pytest.mark.parametrize(
    ("written", "message"),
    [
        (b"", "names its columns in the first row, got an empty file"),
        (b"\x89PNG\r\n\x1a\n\xff\xfe", "must be CSV in UTF-8 or Parquet, got a file that is neither"),
        (
            b"value,report\nZaphod,\xff\n",
            "must be CSV in UTF-8 with 2 fields in every row, as in its header, got a row",
        ),
        (b"PAR1 and no more", "must be a whole Parquet file, got one that cannot be read"),
        (b"Zaphod,1\n", "must have the columns value and report, once each, got 2 unlike them"),
        (b"value,report,report\nZaphod,1,1\n", "must have the columns value and report, once each, got 3 unlike them"),
        (b"value,report\n", "must have a row for each report, got none"),
        (csv_of(["no", "Zaphod"] * 2000, [0, 1] * 2000), "one of the domain's 2 labels, got 2000 of 4000"),
        (csv_of(["no", "yes"] * 9, [0, 1] * 9), "got 2, the rarest of them with 9"),
        (csv_of(["no", "yes"] * 2000, [0, 7] * 2000), "every report must be an integer from 0 to 1, got 2000"),
        (csv_of(["no", "yes"] * 2000, [0, "Zaphod"] * 2000), "reports must be whole numbers, or bytes"),
        (csv_of(["no", "yes"] * 2000, [0, 0.5] * 2000), "reports must be whole numbers, or bytes"),
    ],
)
def test_others_are_refused_by_name_and_show_no_row(written: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "trials"
    path.write_bytes(written)
    with pytest.raises(FormatError, match=message) as refused:
        audit_trials(COIN, path)
    assert str(refused.value).startswith(str(path))
    assert "Zaphod" not in str(refused.value)


def test_rows_without_a_value_are_refused(tmp_path: Path) -> None:
    pq.write_table(pa.table({"value": ["no", None], "report": [0, 1]}), tmp_path / "trials")
    with pytest.raises(FormatError, match="must have a value and a report in every row, got some without"):
        audit_trials(COIN, tmp_path / "trials")
