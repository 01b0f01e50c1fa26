"""Files of a store are found, counted and refused as those of this machine are.

A store is stood in for by PyArrow's file system of this machine, reached through a URI as any other is.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import deniable as dn
from deniable.engines.checkpoint import Checkpoint
from deniable.engines.counting import count_dataset, count_into
from deniable.engines.dataset import find_files, open_dataset
from deniable.engines.files import tally_files
from deniable.engines.local_workers import Threads
from deniable.reports.places import StorePath, file_system_of, place_of, stamp_of
from deniable.reports.report_file import write_reports

SURVEY = dn.Subset(21, 1.0)


@pytest.fixture
def store(tmp_path: Path) -> StorePath:
    """A folder of three files, two of them in a folder of their own, beside what other tools left there."""
    (tmp_path / "week" / "day=1").mkdir(parents=True)
    for number, name in enumerate(["a.parquet", "day=1/b c%20.parquet", "day=1/d.parquet"]):
        with write_reports(tmp_path / "week" / name, SURVEY.spec(), SURVEY.layout) as writer:
            writer.write(SURVEY.privatize_many([number] * 100, seed=number))
    (tmp_path / "week" / "_SUCCESS").touch()
    return StorePath(f"file://{tmp_path}/week")


def test_what_is_a_path_and_what_a_store() -> None:
    assert place_of("week/a.parquet") == Path("week/a.parquet")
    assert place_of("file:///week/a%20b.parquet") == Path("/week/a b.parquet")
    placed = place_of("s3://bucket/week/a.parquet?region=eu-north-1")
    assert placed == place_of(placed) == StorePath("s3://bucket/week/a.parquet?region=eu-north-1")
    assert placed.name == "a.parquet"


def test_a_pattern_in_the_place_of_a_bucket_is_refused() -> None:
    with pytest.raises(dn.ParameterError, match=r"below a bucket, got s3://\*/week/\*.parquet") as caught:
        open_dataset(["s3://key:secret@*/week/*.parquet"])
    assert "secret" not in str(caught.value)


def test_credentials_are_not_shown() -> None:
    placed = StorePath("s3://key:secret@bucket/week")
    assert (str(placed), repr(placed)) == ("s3://bucket/week", "StorePath('s3://bucket/week')")
    with pytest.raises(dn.ParameterError, match="gopher://bucket/ must be a store") as caught:
        open_dataset(["gopher://key:secret@bucket/week"])
    assert "secret" not in str(caught.value)


def test_files_below_a_folder_keep_the_settings(store: StorePath, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [file.name for file in find_files([store])] == ["a.parquet", "b c%20.parquet", "d.parquet"]
    asked = list[str]()

    def noted(uri: str) -> Any:
        asked.append(uri)
        return file_system_of("file:///")

    monkeypatch.setattr("deniable.reports.places.file_system_of", noted)
    found = find_files([StorePath(f"{store.uri}?scheme=http")])
    assert str(found[0]) == f"{store.uri}/a.parquet?scheme=http"
    assert set(asked) == {"file:///?scheme=http"}


def test_a_store_is_counted_as_this_machine_is(store: StorePath, tmp_path: Path) -> None:
    dataset, out = open_dataset([store]), tmp_path / "week.tally"
    assert all(isinstance(file.path, StorePath) for file in dataset.files)
    assert count_into(dataset, out).tally == tally_files([tmp_path / "week"])
    assert stamp_of(dataset.files[0].path)[:2] == stamp_of(tmp_path / "week" / "a.parquet")[:2]


def test_a_count_of_a_store_is_resumed(store: StorePath, tmp_path: Path) -> None:
    out, told = tmp_path / "week.tally", list[int]()

    def tell(more: int) -> None:
        told.append(more)
        if sum(told) > 200:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        count_into(open_dataset([store]), out, tell, Threads(1))  # of two, another file may be done first
    assert f"{store.uri}/a.parquet" in Checkpoint.beside(out).path.read_text()
    counted = count_into(open_dataset([store]), out)
    assert counted.resumed >= 1
    assert counted.tally == tally_files([tmp_path / "week"])


def test_what_is_wrong_with_a_file_of_a_store_is_told(store: StorePath, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        open_dataset([StorePath(f"{store.uri}/none.parquet")])
    with pytest.raises(IsADirectoryError):
        stamp_of(store)
    with pytest.raises(dn.ParameterError, match="counted twice"):
        find_files([store, StorePath(f"{store.uri}/a.parquet")])
    with pytest.raises(dn.ParameterError, match="must be a store that PyArrow or fsspec can reach, but it says: "):
        open_dataset(["gopher://bucket/week"])
    path = tmp_path / "week" / "a.parquet"
    whole = path.read_bytes()
    for altered in (whole[:200] + bytes([whole[200] ^ 1]) + whole[201:], whole[:-9], b"PAR1"):
        path.write_bytes(altered)
        with pytest.raises(dn.FormatError, match=r"^file://.*/a\.parquet must be a whole file of reports"):
            tally_files([store])
    assert count_dataset(open_dataset([store], skip_bad=True)).tally.n == 200


def test_a_store_that_fails_is_not_said_to_hold_altered_files(
    store: StorePath, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset = open_dataset([store], skip_bad=True)

    class Failing:
        closed = False

        def read(self, _size: int = -1) -> bytes:
            raise OSError("the store does not answer")

        def seek(self, place: int, _whence: int = 0) -> int:
            return place

        def tell(self) -> int:
            return 1 << 20

        def close(self) -> None:
            pass

    broken: Any = Failing()

    def failing(self: StorePath) -> pa.NativeFile:
        return pa.PythonFile(broken, mode="r")

    monkeypatch.setattr(StorePath, "open", failing)
    with pytest.raises(OSError, match="the store does not answer"):
        count_dataset(dataset)


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("*.parquet", ["a.parquet"]),
        ("day=*", ["b c%20.parquet", "d.parquet"]),
        ("**/[ab]*.parquet", ["a.parquet", "b c%20.parquet"]),
        ("day=1/?.parquet", ["d.parquet"]),
    ],
)
def test_a_pattern_names_files_and_folders(pattern: str, names: list[str], store: StorePath, tmp_path: Path) -> None:
    assert [file.name for file in find_files([tmp_path / "week" / pattern])] == names
    if "?" not in pattern:
        assert [file.name for file in find_files([StorePath(f"{store.uri}/{pattern}")])] == names


def test_a_pattern_that_names_nothing_is_refused_and_a_file_of_that_name_is_read(tmp_path: Path) -> None:
    with pytest.raises(dn.ParameterError, match=r"a pattern must name report files, got none in .*\*\.parquet"):
        find_files([tmp_path / "*.parquet"])
    (tmp_path / "[a].parquet").touch()
    assert find_files([tmp_path / "[a].parquet"]) == [tmp_path / "[a].parquet"]


def test_a_file_system_of_fsspec_is_a_store(store: StorePath, tmp_path: Path) -> None:
    fsspec = pytest.importorskip("fsspec", reason="fsspec is not installed: make .venv/.dev-ready installs it")
    memory = fsspec.filesystem("memory")
    for path in sorted((tmp_path / "week").rglob("*.parquet")):
        memory.pipe(f"/fleet/{path.relative_to(tmp_path).as_posix()}", path.read_bytes())
    for uri in ("memory:///fleet/week", "memory:///fleet/w*/**/*.parquet"):
        assert tally_files([uri]) == tally_files([store])
