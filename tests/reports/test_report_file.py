"""Report files: what was written is read back, or one error names the file."""

from __future__ import annotations

import itertools
import os
import resource
import subprocess
import sys
import tracemalloc
from collections.abc import Iterable, Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import deniable as dn
from deniable.arrays import Column
from deniable.reports import report_file as columns
from deniable.reports.atomic_files import written_whole
from deniable.reports.index_layout import IndexLayout
from deniable.reports.layout import Layout
from deniable.reports.packed_layout import PackedLayout
from deniable.reports.report_file import ReportFile, rows_per_batch, write_reports

SPEC = {"version": 1, "mechanism": "Stand-in", "domain": ["où", "ウ", 3]}
GENERATOR = np.random.default_rng(5)
COLUMNS: list[tuple[Layout, Column]] = [
    (IndexLayout(2), GENERATOR.integers(0, 2, 40).astype(np.uint8)),
    (IndexLayout(8000), GENERATOR.integers(0, 8000, 300).astype(np.uint16)),
    (IndexLayout(1 << 20), GENERATOR.integers(0, 1 << 20, 70).astype(np.uint32)),
    (PackedLayout(20), GENERATOR.integers(0, 16, (90, 3)).astype(np.uint8)),
]


def write(path: Path, layout: Layout, *parts: Column) -> bytes:
    """A report file of the parts; its bytes."""
    return write_all(path, layout, parts)


def write_all(path: Path, layout: Layout, parts: Iterable[Column]) -> bytes:
    """The same for parts that come one after another."""
    with write_reports(path, SPEC, layout, counted=False) as writer:
        for part in parts:
            writer.write(part)
    return path.read_bytes()


def read(path: Path, layout: Layout) -> Column:
    """All reports of a file."""
    return np.concatenate(list(ReportFile.open(path).columns(layout)))


@pytest.mark.parametrize(("layout", "reports"), COLUMNS)
def test_reports_come_back_as_they_were(layout: Layout, reports: Column, tmp_path: Path) -> None:
    path = tmp_path / "reports.parquet"
    write(path, layout, reports, reports[:0], reports[3:9])
    file = ReportFile.open(path)
    assert (file.n, file.spec) == (len(reports) + 6, SPEC)
    again = read(path, layout)
    assert again.dtype == reports.dtype
    assert np.array_equal(again, np.concatenate([reports, reports[3:9]]))


@given(st.lists(st.integers(0, 99), max_size=30), st.integers(0, 30))
def test_any_split_is_the_same_file_of_reports(values: list[int], cut: int) -> None:
    layout, column = IndexLayout(100), np.array(values, np.uint8)
    path = Path("reports.parquet")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(columns, "MOST_ROWS", 7)
        write(path, layout, column[:cut], column[cut:])
        parts = list(ReportFile.open(path).columns(layout))
    assert np.concatenate([np.empty(0, np.uint8), *parts]).tolist() == values
    assert all(len(part) <= 7 for part in parts)


@pytest.fixture(autouse=True)
def _own_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("reports"))
        yield


def test_batches_are_bounded_in_bytes() -> None:
    assert rows_per_batch(IndexLayout(2)) == 1 << 20
    assert rows_per_batch(PackedLayout(1_000_000)) * 125_000 <= columns.BATCH_BYTES
    assert rows_per_batch(PackedLayout(1 << 40)) == 1


def test_memory_stays_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "BATCH_BYTES", 1 << 16)
    layout, reports = PackedLayout(8000), GENERATOR.integers(0, 256, (1 << 13, 1000)).astype(np.uint8)
    write_all(tmp_path / "f", layout, (reports[i : i + 64] for i in range(0, len(reports), 64)))
    tracemalloc.start()
    before, most = pa.total_allocated_bytes(), 0
    for _ in ReportFile.open(tmp_path / "f").columns(layout):
        most = max(most, pa.total_allocated_bytes() - before + tracemalloc.get_traced_memory()[1])
    tracemalloc.stop()
    assert 0 < most < 1 << 22  # the file has 8 MiB


def test_integers_take_about_the_bits_that_they_need(tmp_path: Path) -> None:
    reports = GENERATOR.integers(0, 8000, 100_000).astype(np.uint16)
    assert len(write(tmp_path / "reports.parquet", IndexLayout(8000), reports)) < 2 * len(reports)


def test_other_tools_can_read_the_column(tmp_path: Path) -> None:
    layout, reports = COLUMNS[1]
    write(tmp_path / "reports.parquet", layout, reports)
    table = pq.read_table(tmp_path / "reports.parquet")
    assert table.column_names == ["report"]
    assert table.column(0).to_pylist() == reports.tolist()


def outcome(path: Path, layout: Layout, reports: Column) -> str:
    """What became of a file that should hold the reports."""
    try:
        again = read(path, layout)
    except dn.FormatError as error:
        return "refused by name" if str(path) in str(error) else "refused"
    return "the same" if again.dtype == reports.dtype and np.array_equal(again, reports) else "changed unseen"


@pytest.mark.parametrize(("layout", "reports"), COLUMNS[1::2])
def test_an_altered_byte_is_refused_or_changes_nothing(layout: Layout, reports: Column, tmp_path: Path) -> None:
    path, outcomes = tmp_path / "reports.parquet", set()
    whole = write(path, layout, reports)
    for at in range(len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ (1 << at % 8)]) + whole[at + 1 :])
        outcomes.add(outcome(path, layout, reports))
    assert outcomes == {"refused by name", "the same"}  # the name of the writer and the like may change


@pytest.mark.parametrize(("layout", "reports"), COLUMNS[1::2])
def test_a_truncated_or_longer_file_is_refused(layout: Layout, reports: Column, tmp_path: Path) -> None:
    path = tmp_path / "reports.parquet"
    whole = write(path, layout, reports)
    for altered in [*(whole[:end] for end in range(0, len(whole), 3)), whole + b"\0", whole[1:], whole + whole[:-9]]:
        path.write_bytes(altered)
        with pytest.raises(dn.FormatError, match="must be a whole file of reports"):
            read(path, layout)


def rewrite(path: Path, footer: dict[str, str], **stored: Any) -> None:
    """The same column with another footer, by another tool."""
    table = pq.read_table(path)
    old = {k.decode(): v.decode() for k, v in (pq.read_metadata(path).metadata or {}).items() if k != b"ARROW:schema"}
    kept = {name: value for name, value in {**old, **footer}.items() if value}
    pq.write_table(table.replace_schema_metadata(kept), path, **stored)


@pytest.mark.parametrize(
    ("footer", "message"),
    [
        ({}, None),
        ({"deniable.spec": ""}, "got a Parquet file without their spec"),
        ({"deniable.spec": '{"version": 1}'}, "truncated, altered"),
        ({"deniable.spec": '{"version":1}'}, "truncated, altered"),
        ({"deniable.version": "2"}, "must have version 1, got '2'"),
        ({"deniable.version": ""}, "must have version 1, got 'none'"),
        ({"deniable.digest": ""}, "truncated, altered"),
        ({"deniable.reports": "299"}, "truncated, altered"),
        ({"deniable.reports": "many"}, "truncated, altered"),
        ({"deniable.sha256": "0" * 64}, "truncated, altered"),
    ],
)
def test_a_footer_that_does_not_fit_is_refused(footer: dict[str, str], message: str | None, tmp_path: Path) -> None:
    layout, reports = COLUMNS[1]
    path = tmp_path / "reports.parquet"
    write(path, layout, reports)
    rewrite(path, footer, compression="none", use_dictionary=False)
    if message is None:  # only its bytes are others
        assert np.array_equal(read(path, layout), reports)
    else:
        with pytest.raises(dn.FormatError, match=message):
            read(path, layout)


def test_a_million_equal_reports_are_read(tmp_path: Path) -> None:
    layout = dn.RandomizedResponse(4, 32.0).layout
    write(tmp_path / "reports.parquet", layout, np.full(1_000_000, 3, np.uint8))
    assert len(read(tmp_path / "reports.parquet", layout)) == 1_000_000


def test_what_unfolds_out_of_nothing_is_refused(tmp_path: Path) -> None:
    """Many equal reports, squeezed by another tool into a file smaller than their bytes."""
    path = tmp_path / "reports.parquet"
    for mechanism in (dn.Rappor(8000, 8.0), dn.RandomizedResponse(4, 1.0)):
        report = mechanism.privatize_many([1], seed=1)
        write(path, mechanism.layout, np.repeat(report, 1_000_000 if report.ndim == 1 else 2000, axis=0))
        rewrite(path, {}, compression="zstd", compression_level=19)
        with pytest.raises(dn.FormatError, match="truncated, altered"):
            read(path, mechanism.layout)


def test_a_column_of_another_type_or_with_nulls_is_refused(tmp_path: Path) -> None:
    layout, reports = COLUMNS[1]
    path = tmp_path / "reports.parquet"
    write(path, layout, reports)
    with pytest.raises(dn.FormatError):
        list(ReportFile.open(path).columns(IndexLayout(5)))
    footer = pq.read_metadata(path).metadata
    with_null = pa.array([None, *reports[1:].tolist()], pa.uint16())
    pq.write_table(pa.table({"report": with_null}).replace_schema_metadata(footer), path)
    with pytest.raises(dn.FormatError):
        read(path, layout)


def test_files_that_are_none_are_the_systems_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        ReportFile.open(tmp_path / "none.parquet")
    with pytest.raises(IsADirectoryError):
        ReportFile.open(tmp_path)


@pytest.mark.parametrize("name", ["où ウ.parquet", b"\xff.parquet"])
def test_a_file_may_have_any_name(name: str | bytes, tmp_path: Path) -> None:
    """On Linux a name is bytes, not always text."""
    if isinstance(name, bytes) and sys.platform != "linux":
        pytest.skip("names are text here")
    path, (layout, reports) = tmp_path / os.fsdecode(name), COLUMNS[0]
    write(path, layout, reports)
    assert np.array_equal(read(path, layout), reports)


def test_what_cannot_be_sought_in_is_no_file_of_reports(tmp_path: Path) -> None:
    """A pipe is opened once: its writer does not come back."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    Thread(target=lambda: pipe.open("wb").close(), daemon=True).start()
    words = [sys.executable, "-m", "deniable", "tally", str(pipe), "--out", str(tmp_path / "tally")]
    told = subprocess.run(words, stderr=subprocess.PIPE, text=True, timeout=100, check=False).stderr
    assert f"{pipe} must be a whole file of reports" in told


def broken_off(reports: Column, failure: BaseException) -> Iterator[Column]:
    """Some reports, then a failure."""
    yield reports
    raise failure


@pytest.mark.parametrize("failure", [ValueError("no"), KeyboardInterrupt()])
def test_a_failure_leaves_nothing_and_keeps_what_was_there(failure: BaseException, tmp_path: Path) -> None:
    layout, reports = COLUMNS[0]
    for before in (None, b"the old one"):
        path = tmp_path / "reports.parquet"
        if before is not None:
            path.write_bytes(before)
        with pytest.raises(type(failure)):
            write_all(path, layout, broken_off(reports, failure))
        assert [file.read_bytes() for file in tmp_path.iterdir()] == ([] if before is None else [before])


def test_a_full_disk_leaves_nothing(tmp_path: Path) -> None:
    layout, reports = COLUMNS[3]
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, before[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            write_all(tmp_path / "f", layout, itertools.repeat(reports, 1000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert list(tmp_path.iterdir()) == []


def test_a_file_written_whole_takes_its_place_only_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "tally"
    path.write_bytes(b"old")
    with written_whole(path) as file:
        file.write(b"new")
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
    assert [found.name for found in tmp_path.iterdir()] == ["tally"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "target")
    with written_whole(tmp_path / "link") as file:
        file.write(b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_bytes() == b"new"


def test_places_that_cannot_be_written_are_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="missing/tally"), written_whole(tmp_path / "missing" / "tally"):
        pass
    for place in (tmp_path, Path("/dev/null")):
        with pytest.raises(FileExistsError, match=f"{place} must be a file"), written_whole(place):
            pass
    assert Path("/dev/null").is_char_device()
