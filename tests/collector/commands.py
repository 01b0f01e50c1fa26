"""Commands of an operator's, each in a process of its own."""

from __future__ import annotations

import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.collector.warm import warmed
from tests.waiting import PATIENCE


def command(*words: str, before: str = "") -> subprocess.CompletedProcess[str]:
    """``deniable`` with these words, in a shell if something else is to be done before."""
    if before:
        told = ["sh", "-c", before + shlex.join([sys.executable, "-m", "deniable", *words])]
        return subprocess.run(told, capture_output=True, text=True, timeout=PATIENCE, check=False)
    with tempfile.TemporaryDirectory() as folder:
        out, error = Path(folder, "out"), Path(folder, "error")
        status = warmed().start(words, error, out).wait(PATIENCE)
        return subprocess.CompletedProcess(words, status, out.read_text("utf-8"), error.read_text("utf-8"))


def in_a_line(text: str) -> str:
    """A message as it reads, wherever a terminal would fold it."""
    return " ".join(text.split())
