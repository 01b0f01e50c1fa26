"""Commands of an operator's, each in a process of its own."""

from __future__ import annotations

import shlex
import subprocess
import sys


def command(*words: str, before: str = "") -> subprocess.CompletedProcess[str]:
    """``deniable`` with these words, in a shell if something else is to be done before."""
    told = [sys.executable, "-m", "deniable", *words]
    if before:
        told = ["sh", "-c", before + shlex.join(told)]
    return subprocess.run(told, capture_output=True, text=True, timeout=60, check=False)


def in_a_line(text: str) -> str:
    """A message as it reads, wherever a terminal would fold it."""
    return " ".join(text.split())
