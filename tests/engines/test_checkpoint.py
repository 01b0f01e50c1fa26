"""An interrupted count goes on where it was, if nothing that it counted has changed since."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.engines.report_weeks import SURVEY, count, some_reports, week, write

import deniable as dn
from deniable.arrays import Column
from deniable.engines import counting
from deniable.engines.checkpoint import Checkpoint
from deniable.reports.report_file import ReportFile


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def interrupted(after: int) -> None:
    """Count the week until so many reports are done, then be interrupted."""
    done = 0

    def tell(more: int) -> None:
        nonlocal done
        done += more
        if done > after:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        count("week", progress=tell, out="out.tally", threads=1)


def files_read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files whose reports are read from here on."""
    read = list[str]()
    original = ReportFile.part

    def noted(self: ReportFile, *words: Any) -> Iterator[Column]:
        read.append(self.path.name)
        return iter(original(self, *words))

    monkeypatch.setattr(ReportFile, "part", noted)
    return read


def test_what_was_counted_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    reports = week()
    interrupted(after=900)  # two files of 400 and 401, and a part of the third
    assert Checkpoint.beside("out.tally").path.exists()
    read = files_read(monkeypatch)
    counted = count("week", out="out.tally")
    assert counted.tally == SURVEY.tally(reports)
    assert counted.resumed == 2
    assert sorted(read) == ["part-2.parquet", "part-3.parquet", "part-4.parquet"]


def test_a_count_that_was_killed_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    reports = week()
    program = (
        "import os, signal, time\n"
        "from deniable.engines import counting\n"
        "from deniable.engines.dataset import open_dataset\n"
        "from deniable.engines.local_workers import Threads\n"
        "counting.SAVE_BYTES, done = 1, []\n"
        "def tell(more):\n"
        "    done.append(more)\n"
        "    while sum(done) > 1300:\n"
        "        time.sleep(0.01)\n"
        "        if os.path.exists('out.tally.counted'): os.kill(os.getpid(), signal.SIGKILL)\n"
        "counting.count_into(open_dataset(['week']), 'out.tally', tell, Threads(1))\n"
    )
    ended = subprocess.run([sys.executable, "-c", program], check=False, timeout=60)
    assert ended.returncode == -signal.SIGKILL
    read = files_read(monkeypatch)
    counted = count("week", out="out.tally")
    assert counted.tally == SURVEY.tally(reports)
    assert counted.resumed + len(set(read)) == 5
    assert counted.resumed >= 1


def test_a_checkpoint_that_no_longer_holds_is_refused() -> None:
    week()
    interrupted(after=900)
    path, first = Checkpoint.beside("out.tally").path, Path("week/day=0/part-0.parquet")
    kept, before = path.read_text(), first.read_bytes()

    def refused(words: str, *paths: str) -> None:
        with pytest.raises(dn.FormatError, match=rf"{path} must be of this count.*{words}.*remove it"):
            count(*(paths or ("week",)), out="out.tally")

    refused("other files than are asked for", "week/day=1")
    first.write_bytes(before)  # the same bytes at another time
    refused("part-0.parquet has changed")
    path.write_text(kept.replace('"version": 2', '"version": 1'))
    refused("another version")
    for text in ("", "{}", "[]", kept[:-20], kept.replace('"tally": "', '"tally": "!')):
        path.write_text(text)
        refused("not a checkpoint")
    other = json.loads(kept)
    other["files"] = {}
    path.write_text(json.dumps(other))
    write("b.parquet", dn.Rappor(9, 1.0), some_reports(dn.Rappor(9, 1.0)))
    refused("other files than are asked for", "b.parquet")


def test_a_refusal_keeps_what_was_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    reports = week()
    last = Path("week/day=4/part-4.parquet")
    whole = last.read_bytes()
    last.write_bytes(whole[:300] + bytes([whole[300] ^ 1]) + whole[301:])
    with pytest.raises(dn.FormatError, match="part-4"):
        count("week", out="out.tally")
    last.write_bytes(whole)
    read = files_read(monkeypatch)
    assert count("week", out="out.tally").tally == SURVEY.tally(reports)
    assert read == ["part-4.parquet"]


def test_the_tally_is_written_and_nothing_is_left_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    reports = week()
    count("week", out="out.tally")
    assert {file.name for file in Path().iterdir()} == {"week", "out.tally"}
    assert dn.Tally.from_bytes(Path("out.tally").read_bytes()) == SURVEY.tally(reports)
    saved = list[int]()
    monkeypatch.setattr(Checkpoint, "save", lambda _self, total, _files: saved.append(total.n))
    count("week", out="out.tally")
    assert saved == []  # a short count saves nothing
    monkeypatch.setattr(counting, "SAVE_BYTES", 900)
    count("week", out="out.tally")
    assert saved == [801, 1606]  # two bytes each: after two files of 400 and 401, and two more
