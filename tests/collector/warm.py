"""Starts ``deniable`` in processes of their own without loading it anew each time, which takes longer than a test.

A process that has loaded everything waits for lines of JSON on its standard input: what to run, for which it forks a
process and prints its id, or the id of such a process, of which it prints the exit status; null while it runs.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import runpy
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr, suppress
from functools import cache
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any, cast

from tests.house.house_tree import ROOT
from tests.waiting import PATIENCE, until

ENVIRONMENT = dict(os.environ)
"""As it is before any test changes it; what is started has that of its own moment."""


class Started:
    """A process that was forked; it answers as one of ``subprocess`` does."""

    def __init__(self, warm: Warm, pid: int) -> None:
        self._warm, self.pid = warm, pid
        self._status: int | None = None

    def poll(self) -> int | None:
        """Its exit status, less than 0 if it was killed; None while it runs."""
        if self._status is None:
            self._status = cast("int | None", self._warm.ask(self.pid))
        return self._status

    def wait(self, timeout: float) -> int:
        """Wait so many seconds for its end."""
        until(lambda: self.poll() is not None, 0.005, timeout)
        assert self._status is not None
        return self._status

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Tell it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it as a power switch would."""
        self.send_signal(signal.SIGKILL)


class Warm:
    """The process that waits."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "tests.collector.warm"]
        pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self._process = subprocess.Popen(command, cwd=ROOT, env=ENVIRONMENT, **pipes)

    def start(self, words: Sequence[str], log: Path, said: Path | None = None, program: str = "deniable") -> Started:
        """Run a module with arguments, here and now; what it prints goes to the end of a file, or of two."""
        told = {"out": str(said or log), "error": str(log), "cwd": str(Path.cwd()), "environment": dict(os.environ)}
        return Started(self, self.ask({**told, "program": program, "words": words}))

    def ask(self, what: Any) -> Any:
        """One question and its reply."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(what).encode() + b"\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def close(self) -> None:
        """End it."""
        self._process.communicate(timeout=PATIENCE)


@cache
def warmed() -> Warm:
    """The one of this process of the tests."""
    found = Warm()
    atexit.register(found.close)
    return found


def answer(asked: Any) -> int | None:
    """Start a process, or say what has become of one."""
    if isinstance(asked, dict):
        return begun(asked)
    pid, status = os.waitpid(asked, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if pid else None


def begun(told: dict[str, Any]) -> int:
    """A process that runs a module as ``python -m`` would."""
    child = os.fork()
    if child:
        return child
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for stream, name in ((1, "out"), (2, "error")):
        os.dup2(os.open(told[name], os.O_WRONLY | os.O_APPEND | os.O_CREAT), stream)
    os.environ.clear()
    os.environ.update(told["environment"])
    os.chdir(told["cwd"])
    sys.path[:0] = [folder for folder in os.environ.get("PYTHONPATH", "").split(os.pathsep) if folder]
    sys.argv = [told["program"], *told["words"]]
    runpy.run_module(told["program"], run_name="__main__", alter_sys=True)
    sys.exit()


def load_arguments() -> None:
    """What reads arguments is loaded when it first does."""
    with redirect_stderr(StringIO()), suppress(SystemExit):
        app(["serve", "--rate", "none"])


if __name__ == "__main__":
    from deniable.cli.app import app

    for name in ("deniable.collector.http.server", "deniable.intake.storage.postgres", "deniable.pages.face"):
        import_module(name)

    load_arguments()
    gc.collect()
    gc.freeze()  # else each process that is forked looks through all that is loaded, and copies it, as a server starts
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)
