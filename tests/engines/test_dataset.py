"""Many files, one tally: whatever the threads and row groups; bad files are named; a killed count goes on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.engines.report_weeks import MECHANISMS, SURVEY, count, some_reports, week, write

import deniable as dn
from deniable.engines import accumulate, local_workers
from deniable.engines.counting import count_dataset
from deniable.engines.dataset import find_files, open_dataset
from deniable.engines.files import tally_files
from deniable.engines.local_workers import Threads
from deniable.mechanisms.mechanism import Mechanism
from deniable.reports import report_file as columns
from deniable.reports.arrow_columns import to_arrow
from deniable.reports.report_file import ReportFile, counts_digest, write_reports


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "MOST_ROWS", 64)
    monkeypatch.setattr(local_workers, "PART_BYTES", 200)
    monkeypatch.setattr(accumulate, "BATCH_BYTES", 50)
    monkeypatch.setattr(accumulate, "MOST_BATCH_BYTES", 50)


@pytest.mark.usefixtures("_small_parts")
@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda m: m.name)
def test_any_files_row_groups_and_threads_make_the_same_tally(mechanism: Mechanism, threads: int) -> None:
    reports, told = week(mechanism), list[int]()
    counted = count("week", threads=threads, progress=told.append)
    assert counted.tally == mechanism.tally(reports)
    assert (counted.files, counted.refused, counted.resumed) == (5, (), 0)
    assert len(ReportFile.open("week/day=0/part-0.parquet").groups) == 7
    assert sum(told) == len(reports)
    assert len(told) > 30


def test_a_file_of_an_earlier_release_is_counted() -> None:
    earlier = Path(__file__).with_name("earlier.parquet")  # written by version 0.1.0: 500 reports, no counts
    assert ReportFile.open(earlier).counts is None
    counted = tally_files([earlier])
    assert (counted.n, counted.spec_bytes) == (500, SURVEY.spec_bytes)
    assert counts_digest(counted.counts).startswith("fa82594c7c699afe")


def test_folders_become_files_without_what_other_tools_left_there() -> None:
    for name in ("b/2.parquet", "b/1.parquet", "a.parquet", "_SUCCESS", ".crc", "_temporary/x.parquet", "b/.2.crc"):
        Path("data", name).parent.mkdir(parents=True, exist_ok=True)
        Path("data", name).touch()
    found = [str(file) for file in find_files(["data"])]
    assert found == ["data/a.parquet", "data/b/1.parquet", "data/b/2.parquet"]
    with pytest.raises(dn.ParameterError, match="counted twice"):
        find_files(["data", "data/b/1.parquet"])
    Path("empty").mkdir()
    with pytest.raises(dn.ParameterError, match="must hold report files, got none in empty"):
        find_files(["data", "empty"])
    with pytest.raises(FileNotFoundError):
        open_dataset(["missing.parquet"], skip_bad=True)


@pytest.mark.parametrize("mechanism", MECHANISMS[1:4:2], ids=lambda m: m.name)
def test_an_altered_byte_is_refused_or_changes_no_count(mechanism: Mechanism) -> None:
    reports, outcomes = some_reports(mechanism, 150), set()
    path = write("reports.parquet", mechanism, reports)
    whole, expected = path.read_bytes(), mechanism.tally(reports)
    for at in range(len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ (1 << at % 8)]) + whole[at + 1 :])
        try:
            outcomes.add("the same" if tally_files([path]) == expected else "changed unseen")
        except dn.FormatError as error:
            outcomes.add("refused by name" if str(path) in str(error) else "refused")
    assert outcomes == {"refused by name", "the same"}  # the name of the writer and the like may change


def test_counting_tells_reports_that_do_not_add_up() -> None:
    path = write("reports.parquet", SURVEY, some_reports(SURVEY))
    table, footer = pq.read_table(path), pq.read_metadata(path).metadata
    values = table.column(0).to_numpy().copy()
    values[7] ^= 1  # well-formed, and every page has the checksum that fits it
    schema = table.schema.with_metadata(footer or {})
    pq.write_table(pa.table([pa.array(values)], schema=schema), path, compression="none", use_dictionary=False)
    with pytest.raises(dn.FormatError, match=r"reports.parquet must be a whole file"):
        tally_files([path])


def spoil(folder: str) -> dict[str, str]:
    """Five bad files beside the good ones, and what is said of each."""
    good = Path(folder, "day=1", "part-1.parquet").read_bytes()
    Path(folder, "altered.parquet").write_bytes(good[:300] + bytes([good[300] ^ 1]) + good[301:])
    Path(folder, "short.parquet").write_bytes(good[:-9])
    Path(folder, "notes.txt").write_text("not a Parquet file\n")
    pq.write_table(pa.table({"report": [1, 2]}), Path(folder, "foreign.parquet"))
    write(Path(folder, "other.parquet"), dn.Hadamard(700, 2.0), some_reports(dn.Hadamard(700, 2.0), 20))
    whole = "must be a whole file of reports"
    return {
        "altered.parquet": whole,
        "short.parquet": whole,
        "notes.txt": whole,
        "foreign.parquet": "without their spec",
        "other.parquet": "of one spec",
    }


def test_bad_files_are_left_out_named_and_the_rest_is_right() -> None:
    reports = week()
    expected = spoil("week")
    counted = count("week", skip_bad=True)
    assert counted.tally == SURVEY.tally(reports)
    assert counted.files == 5
    reasons = {refused.path.name: refused.reason for refused in counted.refused}
    assert reasons.keys() == expected.keys()
    assert all(words in reasons[name] and name in reasons[name] for name, words in expected.items())


@pytest.mark.parametrize("bad", ["altered.parquet", "short.parquet", "notes.txt", "foreign.parquet", "other.parquet"])
def test_without_skip_bad_one_bad_file_is_named_and_stops_the_count(bad: str) -> None:
    week()
    words = spoil("week")[bad]
    good = sorted(Path("week").glob("day=*/*.parquet"))
    with pytest.raises(dn.DenialError, match=words) as caught:
        count(*good, f"week/{bad}")
    assert bad in str(caught.value)


def test_where_others_are_skipped_the_survey_is_that_of_most_reports() -> None:
    write("a.parquet", dn.Rappor(9, 1.0), some_reports(dn.Rappor(9, 1.0), 10))
    write("b.parquet", dn.Rappor(9, 2.0), some_reports(dn.Rappor(9, 2.0), 11))
    assert count("a.parquet", "b.parquet", skip_bad=True).tally.n == 11
    with pytest.raises(dn.TallyError, match=r"that of b.parquet is another than that of a.parquet"):
        count("a.parquet", "b.parquet")


def test_nothing_is_counted_where_every_file_is_bad() -> None:
    Path("x.parquet").write_bytes(b"no")
    with pytest.raises(dn.FormatError, match=r"no file could be counted; the first: x.parquet"):
        count("x.parquet", skip_bad=True)
    whole = write("x.parquet", SURVEY, some_reports(SURVEY)).read_bytes()
    Path("x.parquet").write_bytes(whole[:400] + bytes([whole[400] ^ 1]) + whole[401:])
    with pytest.raises(dn.FormatError, match=r"no file could be counted; the first: x.parquet"):
        count("x.parquet", skip_bad=True)


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda m: m.name)
def test_reports_that_other_tools_keep_are_counted_with_a_spec(mechanism: Mechanism) -> None:
    reports = some_reports(mechanism, 3000)
    array = to_arrow(reports)
    wider = pa.int64() if pa.types.is_integer(array.type) else pa.binary()
    table = pa.table({"id": range(3000), "noisy": array.cast(wider)})
    pq.write_table(table, "spark.parquet", row_group_size=700, compression="zstd")
    dataset = open_dataset(["spark.parquet"], mechanism.spec(), "noisy")
    assert dataset.n == 3000
    assert count_dataset(dataset, workers=Threads(2)).tally == mechanism.tally(reports)
    write("ours.parquet", mechanism, reports)
    both = count_dataset(open_dataset(["spark.parquet", "ours.parquet"], mechanism.spec(), "noisy")).tally
    assert both == mechanism.tally(reports) + mechanism.tally(reports)


@pytest.mark.parametrize(
    ("mechanism", "column", "message"),
    [
        (SURVEY, pa.array([1, None, 2]), "got 1 of 3 that are null"),
        (SURVEY, pa.array([1, 5000, -1]), "got 1 of 3 that are below 0"),
        (SURVEY, pa.array([1, 5000]), "got 1 of 2 that are out of range"),
        (SURVEY, pa.array([1.0]), "must be a column of uint16, got one of double"),
        (SURVEY, pa.array([b"ab"]), "must be a column of uint16, got one of binary"),
        (MECHANISMS[3], pa.array([1]), r"must be a column of fixed_size_binary\[3\], got one of int64"),
        (MECHANISMS[3], pa.array([b"abc", b"abcd"]), "got some of another length"),
        (MECHANISMS[3], pa.array([b"\0\0\0"]), "another number of bits set"),
    ],
)
def test_columns_that_are_no_reports_are_refused_by_name(
    mechanism: Mechanism, column: pa.Array[Any], message: str
) -> None:
    pq.write_table(pa.table({"report": column}), "spark.parquet")
    with pytest.raises(dn.ReportError, match=rf"^spark.parquet: .*{message}"):
        count_dataset(open_dataset(["spark.parquet"], mechanism.spec()))


@pytest.mark.parametrize("paths", ["week", Path("week")])
def test_a_single_folder_must_be_in_a_list(paths: Any) -> None:
    with pytest.raises(dn.ParameterError, match=r"files must be a list of files and folders, got (str|\w+Path)"):
        find_files(paths)


def test_a_column_that_is_not_there_is_named() -> None:
    pq.write_table(pa.table({"a": [1], "b": [2]}), "spark.parquet")
    with pytest.raises(
        dn.FormatError, match=r"spark.parquet must have one column 'c' of reports, got columns: a, b; name the column"
    ):
        open_dataset(["spark.parquet"], SURVEY.spec(), "c")
    write("ours.parquet", dn.Hadamard(700, 2.0), some_reports(dn.Hadamard(700, 2.0)))
    with pytest.raises(dn.TallyError, match=r"that of ours.parquet is another than that of the one given"):
        open_dataset(["ours.parquet"], SURVEY.spec())


def test_a_spec_does_not_excuse_a_footer_that_does_not_fit() -> None:
    path = write("reports.parquet", SURVEY, some_reports(SURVEY))
    table, footer = pq.read_table(path), pq.read_metadata(path).metadata or {}
    footer = {key: value for key, value in footer.items() if key not in (b"deniable.spec", b"ARROW:schema")}
    pq.write_table(table.replace_schema_metadata(footer), path)
    with pytest.raises(dn.FormatError, match="without their spec"):
        open_dataset([path], SURVEY.spec())


def test_the_footer_of_a_file_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    week()
    footers = list[object]()
    original = pq.ParquetFile.__init__

    def noted(self: pq.ParquetFile, *words: Any, metadata: Any = None, **options: Any) -> None:
        footers.append(metadata)
        original(self, *words, metadata=metadata, **options)

    monkeypatch.setattr(pq.ParquetFile, "__init__", noted)
    count("week")
    assert sum(footer is None for footer in footers) == 5
    assert len(footers) >= 10


def test_a_footer_that_is_too_long_to_keep_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    reports = week()
    monkeypatch.setattr("deniable.reports.parquet.MOST_KEPT", 10)
    dataset = open_dataset(["week"])
    assert all(file.footer is None for file in dataset.files)
    assert count_dataset(dataset).tally == SURVEY.tally(reports)


MEMORY = """
import resource, pyarrow as pa
from deniable.engines.counting import count_dataset
from deniable.engines.dataset import open_dataset
from deniable.engines.local_workers import Threads
count_dataset(open_dataset(["small.parquet"]))  # what is compiled and loaded once
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
counted = count_dataset(open_dataset(["big"]), workers=Threads(2))
grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
print(counted.tally.n, pa.default_memory_pool().max_memory(), grown * 1024)
"""


def test_memory_does_not_grow_with_the_data() -> None:
    mechanism = dn.Rappor(4096, 1.0)
    reports = np.random.default_rng(1).integers(0, 256, (1 << 15, 512)).astype(np.uint8)
    write("small.parquet", mechanism, reports[:10])
    for name in ("big/0.parquet", "big/1.parquet"):
        Path("big").mkdir(exist_ok=True)
        with write_reports(name, mechanism.spec(), mechanism.layout) as writer:
            for _ in range(3):
                writer.write(reports)
    assert sum(file.stat().st_size for file in Path("big").iterdir()) >= 96 << 20
    ended = subprocess.run([sys.executable, "-c", MEMORY], check=True, timeout=120, capture_output=True, text=True)
    n, pool, grown = map(int, ended.stdout.split())
    assert n == 6 << 15
    assert pool < 48 << 20
    assert grown < 64 << 20
