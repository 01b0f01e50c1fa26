"""Files that nobody vouches for: altered, replaced while they are read, named twice; and counts that are taken up."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.lengths import by_length

import deniable as dn
from deniable.engines import counting, local_workers, parts
from deniable.engines.checkpoint import Checkpoint
from deniable.engines.counting import Counted, count_dataset, count_into
from deniable.engines.dataset import open_dataset
from deniable.engines.files import tally_files
from deniable.engines.local_workers import Threads
from deniable.reports.atomic_files import check_apart, target_of
from deniable.reports.report_file import write_reports

SURVEY = dn.RandomizedResponse(4, 1.0)
LEFT, RIGHT = np.zeros(400, np.uint8), np.full(400, 3, np.uint8)


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def bare(path: str, row_group_size: int = 400, **columns: Any) -> None:
    """A file of another tool, uncompressed so that its bytes are those of the reports."""
    named = columns or {"report": LEFT}
    pq.write_table(pa.table(named), path, row_group_size=row_group_size, compression="none", use_dictionary=False)


def count(*paths: str, column: str = "report", threads: int | None = None, out: str | None = None) -> Counted:
    """Count files with the survey's spec, into a file if one is named."""
    dataset, workers = open_dataset(paths, SURVEY.spec(), column), Threads(threads)
    return count_dataset(dataset, workers=workers) if out is None else count_into(dataset, out, workers=workers)


# --- what is counted decides whether a count can be taken up ----------------------------------------------------------


def test_a_count_of_another_column_is_not_taken_up() -> None:
    bare("1.parquet", a=LEFT, b=RIGHT)
    bare("2.parquet", a=LEFT + 9, b=RIGHT)
    with pytest.raises(dn.ReportError, match=r"2\.parquet: every report must be"):
        count("1.parquet", "2.parquet", column="a", out="out.tally")
    bare("2.parquet", a=LEFT, b=RIGHT)
    with pytest.raises(
        dn.FormatError, match=r"counted another column of .*1\.parquet than is asked for now; remove it"
    ):
        count("1.parquet", "2.parquet", column="b", out="out.tally")
    resumed = count("1.parquet", "2.parquet", column="a", out="out.tally")
    assert (resumed.tally.counts.tolist(), resumed.resumed) == ([800, 0, 0, 0], 1)


def test_a_file_of_the_same_size_and_age_is_seen_to_be_another(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("1.parquet", "2.parquet"):
        bare(name)
    was = Path("1.parquet").stat()
    with monkeypatch.context() as patch:
        interrupt_after_the_first(patch)
        with pytest.raises(KeyboardInterrupt):
            count("1.parquet", "2.parquet", out="out.tally", threads=1)
    bare("other.parquet", report=RIGHT)
    Path("other.parquet").replace("1.parquet")
    os.utime("1.parquet", ns=(was.st_atime_ns, was.st_mtime_ns))
    assert Path("1.parquet").stat().st_size == was.st_size
    with pytest.raises(dn.FormatError, match=r"1\.parquet has changed since it was counted"):
        count("1.parquet", "2.parquet", out="out.tally")


def interrupt_after_the_first(patch: pytest.MonkeyPatch) -> None:
    """Only the first file is counted."""
    whole, done = counting._tally_of_file, list[object]()

    def counted(*words: Any) -> dn.Tally:
        if done:
            raise KeyboardInterrupt
        done.append(words)
        return whole(*words)

    patch.setattr(counting, "_tally_of_file", counted)


# --- a file that changes while it is read -----------------------------------------------------------------------------


def replaced() -> None:
    """Another file, of the same size and age, takes the place of the one that is counted."""
    was = Path("1.parquet").stat()
    bare("other.parquet", row_group_size=100, report=RIGHT)
    Path("other.parquet").replace("1.parquet")
    os.utime("1.parquet", ns=(was.st_atime_ns, was.st_mtime_ns))


def written_over() -> None:
    """The bytes of the reports change in their place."""
    whole = Path("1.parquet").read_bytes()
    bare("other.parquet", row_group_size=100, report=RIGHT)
    with Path("1.parquet").open("r+b") as file:
        file.write(Path("other.parquet").read_bytes()[: len(whole)])


@pytest.mark.parametrize("change", [replaced, written_over, lambda: Path("1.parquet").unlink()])
@pytest.mark.parametrize("part", [0, 2])
def test_a_file_that_changes_while_it_is_counted_is_refused(
    change: Callable[[], None], part: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare("1.parquet", row_group_size=100)
    monkeypatch.setattr(local_workers, "PART_BYTES", 100)
    original, begun = parts.count_part, list[object]()

    def counted(*words: Any) -> dn.Tally:
        if len(begun) == part:
            change()
        begun.append(words)
        return original(*words)

    monkeypatch.setattr(local_workers, "count_part", counted)
    with pytest.raises((dn.FormatError, FileNotFoundError), match=r"1\.parquet"):
        count("1.parquet", threads=1)
    assert len(begun) > part


def test_a_file_that_is_replaced_after_its_footer_was_read_is_refused() -> None:
    bare("1.parquet", row_group_size=100)
    dataset = open_dataset(["1.parquet"], SURVEY.spec())
    replaced()
    with pytest.raises(dn.FormatError, match=r"1\.parquet must stay as it is while it is counted"):
        count_dataset(dataset)


# --- altered numbers --------------------------------------------------------------------------------------------------


@pytest.mark.soak
def test_no_altered_footer_leaves_reports_out() -> None:
    bare("1.parquet", row_group_size=120, report=np.arange(240, dtype=np.uint8) % 4)
    whole, wrong = Path("1.parquet").read_bytes(), set[int]()
    footer = int.from_bytes(whole[-8:-4], "little")
    for place in range(len(whole) - 8 - footer, len(whole) - 8):
        for bit in by_length([(0, 1, 3, 6, 7)[place % 5], (1, 6, 7, 0, 3)[place % 5]], [0, 1, 3, 6, 7]):
            altered = bytearray(whole)
            altered[place] ^= 1 << bit
            Path("2.parquet").write_bytes(altered)
            wrong.add(counted_or_refused("2.parquet"))
    assert wrong <= {0, 240}


def counted_or_refused(path: str) -> int:
    """How many reports are counted of a file; none where it is refused."""
    try:
        return count(path, threads=1).tally.n
    except dn.DenialError:
        return 0


# --- one file by several names ----------------------------------------------------------------------------------------


def test_a_hard_link_is_not_counted_twice() -> None:
    bare("1.parquet")
    os.link("1.parquet", "2.parquet")
    with pytest.raises(dn.ParameterError, match="counted twice"):
        count("1.parquet", "2.parquet")
    Path("folder").mkdir()
    os.link("1.parquet", "folder/3.parquet")
    with pytest.raises(dn.ParameterError, match="counted twice"):
        count("1.parquet", "folder")
    with write_reports("ours.parquet", SURVEY.spec(), SURVEY.layout) as writer:
        writer.write(LEFT)
    os.link("ours.parquet", "again.parquet")
    with pytest.raises(dn.ParameterError, match="counted twice"):
        tally_files(["ours.parquet", "again.parquet"])
    with pytest.raises(dn.ParameterError, match="out must be another file"):
        check_apart("again.parquet", ["ours.parquet"])


@pytest.mark.parametrize("name", ["", ".", "/"])
def test_a_file_to_be_written_needs_a_name(name: str) -> None:
    for refused in (target_of, Checkpoint.beside):
        with pytest.raises(dn.ParameterError, match="must have a name"):
            refused(name)


def test_a_circle_of_links_is_the_systems_error() -> None:
    Path("a").symlink_to("b")
    Path("b").symlink_to("a")
    with pytest.raises(OSError, match="symbolic links"):
        target_of("a")
    with pytest.raises(OSError, match="symbolic links"):
        check_apart("a", ["1.parquet"])
