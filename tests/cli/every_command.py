"""Runs commands one after the other in one process, and prints of each its exit code and what it complained of."""

from __future__ import annotations

import io
import json
import sys
from contextlib import redirect_stderr, redirect_stdout

from deniable.cli.app import app


def run(words: list[str]) -> tuple[int, str]:
    """The exit code of a command, and the error stream."""
    told = io.StringIO()
    with redirect_stdout(io.StringIO()), redirect_stderr(told):
        try:
            app(words, prog_name="deniable")
        except SystemExit as end:
            return int(end.code or 0), told.getvalue()
    return 0, told.getvalue()


if __name__ == "__main__":
    print(json.dumps([run(words) for words in json.load(sys.stdin)]))
