"""Runs commands one after the other in one process, and prints of each its exit code and both that it said."""

from __future__ import annotations

import io
import json
import sys
from contextlib import redirect_stderr, redirect_stdout

from deniable.cli.app import app


def run(words: list[str]) -> tuple[int, str, str]:
    """The exit code of a command, what it printed, and the error stream."""
    printed, told, code = io.StringIO(), io.StringIO(), 0
    with redirect_stdout(printed), redirect_stderr(told):
        try:
            app(words, prog_name="deniable")
        except SystemExit as end:
            code = int(end.code or 0)
    return code, printed.getvalue(), told.getvalue()


def main() -> None:
    """Commands are read as JSON, and told as JSON."""
    print(json.dumps([run(words) for words in json.load(sys.stdin)]))


if __name__ == "__main__":
    main()
