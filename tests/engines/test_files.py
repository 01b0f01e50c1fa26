"""Labels in, reports out; report files in, one tally out; nothing is half done."""

from __future__ import annotations

import io
import os
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import deniable as dn
from deniable.engines import chunks
from deniable.engines import labels as source
from deniable.engines.files import Privatized, privatize_file, tally_files
from deniable.engines.labels import label_indices, open_labels
from deniable.reports.report_file import write_reports
from deniable.values.domain import Domain

SECRET = "Zaphod"
"""A respondent's value that is no label: it must never show."""
NAMES = ["ja", "näin, ehkä", 'so "so"', "ウ\nエ"]
CERTAIN = dn.RandomizedResponse(NAMES, 32.0)
"""At this level a report is the truth but once in 10^13, so that what was read can be seen."""


def privatized(csv: bytes | Path, mechanism: Any = CERTAIN, column: str = "answer", **options: Any) -> dn.Tally:
    """The tally of a column that went through a report file."""
    with open_labels(io.BytesIO(csv) if isinstance(csv, bytes) else csv, column) as labels:
        privatize_file(mechanism, labels, "reports.parquet", **options)
    return tally_files(["reports.parquet"])


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


CSV = """\ufeffid,answer,age\r
1,ja,7\r
2,"näin, ehkä",8\r
3,"so ""so""\",9\r
4,"ウ\nエ",9\r
5,ja,
"""


@pytest.mark.parametrize("as_file", [True, False])
def test_quotes_commas_accents_lines_and_marks_are_read(as_file: bool) -> None:
    Path("answers.csv").write_bytes(CSV.encode())
    tally = privatized(Path("answers.csv") if as_file else CSV.encode())
    assert (tally.n, tally.counts.tolist()) == (5, [2, 1, 1, 1])


def test_small_blocks_and_chunks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [["ja", '"näin, ehkä"', '"so ""so"""'][i % 3] for i in range(3000)]
    csv = "\n".join(["answer", *rows]).encode()
    whole = privatized(csv)
    monkeypatch.setattr(source, "BLOCK_BYTES", 1000)
    monkeypatch.setattr(chunks, "CHUNK_BYTES", 100)
    told: list[int] = []
    assert privatized(csv, progress=told.append) == whole
    assert whole.counts.tolist() == [1000, 1000, 1000, 0]
    assert sum(told) == 3000
    assert max(told) <= 12


@pytest.mark.parametrize(
    "column",
    [
        pa.array(NAMES),
        pa.array(NAMES).dictionary_encode(),
        pa.array(NAMES, pa.large_string()),
        pa.array(NAMES, pa.string_view()),
    ],
)
def test_parquet_columns_of_text_are_read(column: pa.Array[Any]) -> None:
    pq.write_table(pa.table({"other": [1, 2, 3, 4], "answer": column}), "answers.parquet")
    with open_labels("answers.parquet", "answer") as labels:
        assert privatize_file(CERTAIN, labels, "reports.parquet") == Privatized(4, 0)
        assert labels.share == 1
    assert tally_files(["reports.parquet"]).counts.tolist() == [1, 1, 1, 1]


@pytest.mark.parametrize(
    ("domain", "column", "expected"),
    [
        (4, pa.array(["3", "0", "02"]), [3, 0, 2]),
        (4, pa.array([3, 0, 2], pa.uint8()), [3, 0, 2]),
        ([30, 10, 20], pa.array(["20", "30"]), [2, 0]),
        (["30", "10"], pa.array([10, 30, 30]), [1, 0, 0]),
        (["a", "b"], pa.array(["b"]), [0 + 1]),
        ([True, 7], pa.array([7]), [1]),
    ],
)
def test_numbers_and_text_meet(domain: Any, column: pa.Array[Any], expected: list[int]) -> None:
    assert label_indices(Domain.of(domain), column, False).tolist() == expected


@pytest.mark.parametrize("column", [pa.array([[1], [2]]), pa.array([{"a": 1}]), pa.array([1.5]), pa.array([b"ja"])])
def test_columns_of_other_kinds_are_refused(column: pa.Array[Any]) -> None:
    with pytest.raises(dn.LabelError):
        label_indices(Domain.of(4), column, False)


@pytest.mark.parametrize("text", ["x", "-1", "4", "0x1", "1.0", " 1", "99999999999999999999", "1e0", "\u0661"])
def test_text_that_is_no_label_of_an_integer_domain(text: str) -> None:
    with pytest.raises(dn.LabelError, match="got 1 of 3 that are not") as caught:
        label_indices(Domain.of(4), pa.array(["1", text, "2"]), False)
    assert text not in str(caught.value).replace("got 1 of 3", "").replace("position 1", "").replace("4 labels", "")


def test_values_that_are_no_labels_are_counted_and_never_shown() -> None:
    csv = f"answer\nja\n{SECRET}\n{SECRET}\nja\n".encode()
    with pytest.raises(dn.LabelError, match=r"the input, values 1 to 4: .*got 2 of 4 that are not") as caught:
        privatized(csv)
    assert SECRET not in str(caught.value)
    assert list(Path().iterdir()) == []


def test_a_late_fault_leaves_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "CHUNK_BYTES", 80)
    with pytest.raises(dn.LabelError, match="values 1001 to"):
        privatized(b"answer\n" + b"ja\n" * 1000 + SECRET.encode())
    assert list(Path().iterdir()) == []


def test_blank_values_are_refused_or_left_out_and_counted() -> None:
    csv = b'id,answer\n1,ja\n2,\n3,""\n4,ja\n'
    with pytest.raises(dn.LabelError, match="no value may be blank, got 2 of 4") as caught:
        privatized(csv)
    assert "--skip-blank" in str(caught.value)
    with open_labels(io.BytesIO(csv), "answer") as labels:
        assert privatize_file(CERTAIN, labels, "reports.parquet", skip_blank=True) == Privatized(2, 2)
    assert tally_files(["reports.parquet"]).n == 2
    with pytest.raises(dn.LabelError, match="got 1 of 3"):
        privatized(b"answer\nja\n\nja\n")
    with pytest.raises(dn.LabelError, match="got 1 of 2"):
        label_indices(Domain.of(4), pa.array([1, None]), False)
    with pytest.raises(dn.LabelError, match="got 1 of 2"):
        label_indices(Domain.of(NAMES), pa.array(["ja", ""]).dictionary_encode(), False)
    assert label_indices(Domain.of(["", "a"]), pa.array(["", "a", None]), True).tolist() == [0, 1]


@pytest.mark.parametrize(
    ("csv", "blank"), [(b"answer\n", 0), (b"answer", 0), (b"id,answer\n", 0), (b"id,answer\n1,\n2,\n", 2)]
)
def test_an_empty_column_is_refused(csv: bytes, blank: int) -> None:
    with pytest.raises(dn.LabelError, match=f"at least one value in its column that is not blank, got {blank} blank"):
        privatized(csv, skip_blank=True)
    assert list(Path().iterdir()) == []


def test_a_missing_column_lists_those_there_are() -> None:
    with pytest.raises(dn.ParameterError, match="column must be one of the 3 names in the first row of the CSV"):
        privatized(CSV.encode(), column="Answer")
    pq.write_table(pa.table({"a": [1], "b": [2]}), "answers.parquet")
    with pytest.raises(dn.ParameterError, match="column must be one of: a, b; got column='c'"):
        privatized(Path("answers.parquet"), column="c")
    with pytest.raises(dn.ParameterError, match="named once in the header, got 2"):
        privatized(b"a,b,a\n1,2,3\n", column="a")
    pq.write_table(pa.table({f"c{i}": [1] for i in range(50)}), "wide.parquet")
    with pytest.raises(dn.ParameterError, match="c19 and more; got"):
        privatized(Path("wide.parquet"), column="x")


def test_a_csv_without_a_header_shows_no_answer() -> None:
    with pytest.raises(dn.ParameterError, match="must hold names, not answers") as caught:
        privatized(b"Zaphod\nja\n", column="answer")
    assert "Zaphod" not in str(caught.value)


@pytest.mark.parametrize(
    ("csv", "message"),
    [
        (b"", "must be a CSV or Parquet file that names its columns in the first row"),
        (b"\n1\n", "must be a CSV or Parquet file that names its columns in the first row"),
        (b"id,answer\n1,ja\n2,Zaphod,ja\n", "with 2 fields in every row"),
        (b"id,answer\n1,ja\n\xff,Zaphod\xfe\n", "must be CSV in UTF-8"),
        (b"id,answer\n1,ja\n2\n", "with 2 fields in every row"),
        ("id,answer\n1,ja\n".encode("utf-16"), "must be CSV in UTF-8 or Parquet"),
        (b"PAR1, but not really", "must be a whole Parquet file"),
    ],
)
def test_files_that_are_neither_csv_nor_parquet(csv: bytes, message: str) -> None:
    Path("answers.csv").write_bytes(csv)
    with pytest.raises(dn.FormatError, match=message) as caught:
        privatized(Path("answers.csv"))
    assert "answers.csv" in str(caught.value)
    assert SECRET not in str(caught.value)
    assert caught.value.__suppress_context__ or caught.value.__context__ is None  # a traceback does not show it either
    assert not Path("reports.parquet").exists()


def test_a_named_pipe_is_read_as_a_stream() -> None:
    os.mkfifo("answers.pipe")
    Thread(target=Path("answers.pipe").write_bytes, args=(CSV.encode(),), daemon=True).start()
    assert privatized(Path("answers.pipe")).counts.tolist() == [2, 1, 1, 1]
    pq.write_table(pa.table({"answer": NAMES}), "answers.parquet")
    columns = Path("answers.parquet").read_bytes()
    Thread(target=Path("answers.pipe").write_bytes, args=(columns,), daemon=True).start()
    with pytest.raises(dn.FormatError, match="the input must be CSV"):
        privatized(columns)
    with pytest.raises(dn.FormatError, match=r"answers\.pipe must be CSV, .*got Parquet from a stream"):
        privatized(Path("answers.pipe"))


def test_a_seed_repeats_and_none_does_not() -> None:
    mechanism, csv = dn.Subset(16, 1.0), b"answer\n" + b"3\n" * 200
    first, again = privatized(csv, mechanism, seed=1), privatized(csv, mechanism, seed=1)
    assert first == again
    assert privatized(csv, mechanism, seed=2) != first
    assert privatized(csv, mechanism) != privatized(csv, mechanism)


def test_files_merge_into_the_tally_of_all_their_reports() -> None:
    mechanism = dn.Cyclic(50, 1.0)
    reports = mechanism.privatize_many(np.arange(50).repeat(20), seed=3)
    for name, part in (("a", reports[:1]), ("b", reports[1:600]), ("c", reports[600:])):
        with write_reports(name, mechanism.spec(), mechanism.layout, counted=False) as writer:
            writer.write(part)
    told: list[int] = []
    assert tally_files(["c", "a", Path("b")], told.append) == mechanism.tally(reports)
    assert sum(told) == 1000


def test_files_of_another_spec_are_refused_by_name() -> None:
    for name, epsilon in (("a", 1.0), ("b", 1.0), ("other", 2.0)):
        mechanism = dn.Rappor(9, epsilon)
        with write_reports(name, mechanism.spec(), mechanism.layout, counted=False) as writer:
            writer.write(mechanism.privatize_many([1, 2], seed=1))
    with pytest.raises(dn.TallyError, match="that of other is another than that of a"):
        tally_files(["a", "b", "other"])
    with pytest.raises(dn.ParameterError, match="counted twice"):
        tally_files(["a", "b", "./a"])
    with pytest.raises(dn.ParameterError, match="at least one"):
        tally_files([])


def test_a_file_of_malformed_reports_or_of_an_unknown_mechanism_is_refused_by_name() -> None:
    mechanism = dn.Subset(16, 1.0)
    with write_reports("weights", mechanism.spec(), mechanism.layout, counted=False) as writer:
        writer.write(np.array([[255, 255]], np.uint8))
    with pytest.raises(dn.ReportError, match=r"weights: every report must be .* got 1 of 1"):
        tally_files(["weights"])
    with write_reports("later", {**mechanism.spec(), "mechanism": "Later"}, mechanism.layout, counted=False) as writer:
        writer.write(mechanism.privatize_many([1], seed=1))
    with pytest.raises(dn.FormatError, match="later: a spec must name one of"):
        tally_files(["later"])


def test_nothing_replaces_what_is_being_read(tmp_path: Path) -> None:
    answers = tmp_path / "answers.csv"
    answers.write_text("answer\nyes\nno\n")
    before = answers.read_bytes()
    (tmp_path / "same.csv").symlink_to(answers)
    m = dn.RandomizedResponse(["yes", "no"], 1.0)
    for out in (answers, tmp_path / "same.csv", tmp_path / "." / "answers.csv"):
        with open_labels(answers, "answer") as labels, pytest.raises(dn.ParameterError, match="must be another file"):
            privatize_file(m, labels, out)
    assert answers.read_bytes() == before


def test_a_report_file_is_not_called_csv(tmp_path: Path) -> None:
    (tmp_path / "answers.csv").write_text("answer\nyes\n")
    m, out = dn.RandomizedResponse(["yes", "no"], 1.0), tmp_path / "reports.CSV"
    answers = tmp_path / "answers.csv"
    refused = pytest.raises(dn.ParameterError, match=r"must not be called \.csv, for it is Parquet, got .*reports\.CSV")
    with open_labels(answers, "answer") as labels, refused:
        privatize_file(m, labels, out)
    assert not out.exists()
    with open_labels(answers, "answer") as labels:
        assert privatize_file(m, labels, out, as_labels=True).reports == 1


@pytest.mark.parametrize("written", ["+7", "7.0", "--7", " 7", "1e1", "0x7"])
def test_another_writing_of_a_number_is_no_label(tmp_path: Path, written: str) -> None:
    answers = tmp_path / "answers.csv"
    answers.write_text(f"answer\n7\n{written}\n")
    with open_labels(answers, "answer") as labels, pytest.raises(dn.LabelError, match="got 1 of 2"):
        privatize_file(dn.RandomizedResponse(10, 1.0), labels, tmp_path / "reports.parquet")


def test_negative_labels_are_read(tmp_path: Path) -> None:
    answers = tmp_path / "answers.csv"
    answers.write_text("answer\n-1\n0\n1\n")
    with open_labels(answers, "answer") as labels:
        assert privatize_file(dn.Subset([-1, 0, 1], 1.0), labels, tmp_path / "reports.parquet").reports == 3
