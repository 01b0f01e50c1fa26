"""The command line as a process: pipes, signals, and what is left behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import deniable as dn

DENIABLE = [sys.executable, "-m", "deniable"]
SURVEY = ["--mechanism", "Subset", "--epsilon", "1", "--domain", "yes,no,maybe"]
PRIVATIZE = ["privatize", "-", "--column", "a", *SURVEY, "--out", "reports.parquet"]
PATIENCE = 60.0


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def parts() -> list[Path]:
    """Files that are being written."""
    return [path for path in Path().iterdir() if path.name.startswith(".reports.parquet")]


@pytest.fixture
def busy() -> Iterator[subprocess.Popen[bytes]]:
    """A process in the middle of privatizing: some reports are on disk, more values are expected."""
    with subprocess.Popen(
        [*DENIABLE, *PRIVATIZE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        process.stdin.write(b"a\n" + b"yes\n" * 3_000_000)
        process.stdin.flush()
        end = time.monotonic() + PATIENCE
        while not any(path.stat().st_size > 1000 for path in parts()) and time.monotonic() < end:
            time.sleep(0.02)
        yield process
        process.kill()


def test_a_killed_process_leaves_no_report_file(busy: subprocess.Popen[bytes]) -> None:
    assert parts()
    busy.kill()
    assert busy.wait(PATIENCE) == -signal.SIGKILL
    assert not Path("reports.parquet").exists()
    done = subprocess.run([*DENIABLE, *PRIVATIZE], input=b"a\nyes\n", capture_output=True, check=False)
    assert done.returncode == 0, done.stderr  # what was left does not stand in the way
    assert Path("reports.parquet").exists()


def test_an_interrupted_process_leaves_nothing(busy: subprocess.Popen[bytes]) -> None:
    assert parts()
    busy.send_signal(signal.SIGINT)
    _, errors = busy.communicate(timeout=PATIENCE)
    assert (busy.returncode, errors) == (130, b"deniable: interrupted\n")
    assert list(Path().iterdir()) == []


AT_THE_END = "import atexit; atexit.register(print, 'the interpreter ended'); from deniable.cli import main; main()"
"""A thread of Arrow that still reads a pipe through Python aborts the process when the interpreter ends before it."""


@pytest.mark.parametrize(
    ("words", "code", "output"),
    [(["tally", "no-such-file", "--out", "t"], 2, b""), (["--version"], 0, b"the interpreter ended\n")],
)
def test_a_command_that_failed_ends_without_the_interpreters_end(words: list[str], code: int, output: bytes) -> None:
    done = subprocess.run([sys.executable, "-c", AT_THE_END, *words], capture_output=True, check=False)
    assert done.returncode == code
    assert done.stdout.endswith(output)
    assert (b"interpreter ended" in done.stdout) == (not code)
    assert done.stderr.startswith(b"deniable: ") == bool(code)


def test_a_pipe_of_commands_says_only_what_was_asked() -> None:
    made = subprocess.run([*DENIABLE, *PRIVATIZE], input=b"a\nyes\nno\n", capture_output=True, check=True)
    assert made.stderr == b""
    m = dn.Subset(["yes", "no", "maybe"], 1.0)
    Path("t").write_bytes(m.tally(m.privatize_many(["yes", "no"])).to_bytes())
    shown = subprocess.run([*DENIABLE, "estimate", "t", "--json"], capture_output=True, check=True)
    assert json.loads(shown.stdout)["n"] == 2
    assert shown.stderr == b""
    refused = subprocess.run([*DENIABLE, "estimate", "reports.parquet"], capture_output=True, check=False)
    assert refused.returncode == 2
    assert refused.stderr.startswith(b"deniable: reports.parquet must be a tally of reports, got 2 reports")
    assert b"Traceback" not in refused.stderr


def test_a_reader_that_has_enough_is_no_error() -> None:
    words = [*DENIABLE, "simulate", "--mechanism", "Cyclic", "--domain", "20000", "--epsilon", "1", "--users", "9"]
    reading, writing = os.pipe()
    with subprocess.Popen([*words, "--json"], stdout=writing, stderr=subprocess.PIPE) as process:
        os.close(writing)
        os.close(reading)
        _, errors = process.communicate(timeout=PATIENCE)
    assert b"Traceback" not in errors
    assert process.returncode == 1
