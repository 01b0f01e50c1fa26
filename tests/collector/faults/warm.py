"""Starts ``deniable`` in processes of their own without loading it anew each time, which takes longer than a test.

A process that has loaded everything waits for lines of JSON on its standard input: a list of arguments, for which it
forks a process and prints its id, or the id of such a process, of which it prints the exit status; null while it runs.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from contextlib import redirect_stderr, suppress
from io import StringIO
from pathlib import Path
from typing import Any, cast

from tests.house.house_tree import ROOT


class Started:
    """A process that was forked."""

    def __init__(self, warm: Warm, pid: int) -> None:
        self._warm, self.pid = warm, pid
        self._status: int | None = None

    def poll(self) -> int | None:
        """Its exit status, less than 0 if it was killed; None while it runs."""
        if self._status is None:
            self._status = cast("int | None", self._warm.ask(self.pid))
        return self._status

    def wait(self, seconds: float) -> int:
        """Wait for its end."""
        deadline = time.monotonic() + seconds
        while (status := self.poll()) is None:
            assert time.monotonic() < deadline
            time.sleep(0.005)
        return status


class Warm:
    """The process that waits."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "tests.collector.faults.warm"]
        self._process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def start(self, arguments: list[str], log: Path) -> Started:
        """Run ``deniable`` with arguments; what it prints goes to the end of a file."""
        return Started(self, self.ask([str(log), *arguments]))

    def ask(self, what: Any) -> Any:
        """One question and its reply."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(what).encode() + b"\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def close(self) -> None:
        """End it."""
        self._process.communicate(timeout=60)


def answer(asked: Any) -> int | None:
    """Start a process, or say what has become of one."""
    if isinstance(asked, list):
        return begun(asked[0], asked[1:])
    pid, status = os.waitpid(asked, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if pid else None


def begun(log: str, arguments: list[str]) -> int:
    """A process that runs ``deniable`` with arguments."""
    child = os.fork()
    if child:
        return child
    printed = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    for stream in (1, 2):
        os.dup2(printed, stream)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.argv = ["deniable", *arguments]
    main()
    os._exit(0)


def load_arguments() -> None:
    """What reads arguments is loaded when it first does."""
    with redirect_stderr(StringIO()), suppress(SystemExit):
        app(["serve", "--rate", "none"])


if __name__ == "__main__":
    import deniable.collector.http.server
    import deniable.collector.storage.postgres  # noqa: F401
    from deniable.cli import main
    from deniable.cli.app import app

    load_arguments()
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)
