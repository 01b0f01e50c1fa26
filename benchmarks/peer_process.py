"""The peers as seen from here: one process per library, with a time limit for each request."""

from __future__ import annotations

import json
import queue
import subprocess
import threading
from pathlib import Path
from typing import IO, Any

from benchmarks.measure import Contender, PeerError

ROOT = Path(__file__).resolve().parent.parent
DEFAULT_INTERPRETER = ROOT / ".bench-venv" / "bin" / "python"
ANSWER_WITHIN = 20.0

OFFERS: dict[str, dict[str, str]] = {
    "RandomizedResponse": {
        "pure-ldp": "pure-ldp DE",
        "multi-freq-ldpy": "multi-freq-ldpy GRR",
        "ldp-toolbox": "ldp-toolbox GRR",
    },
    "Rappor": {
        "pure-ldp": "pure-ldp UE",
        "multi-freq-ldpy": "multi-freq-ldpy UE",
        "ldp-toolbox": "ldp-toolbox UE",
    },
    "OptimizedUnary": {
        "pure-ldp": "pure-ldp OUE",
        "multi-freq-ldpy": "multi-freq-ldpy OUE",
        "ldp-toolbox": "ldp-toolbox OUE",
    },
    "Subset": {"multi-freq-ldpy": "multi-freq-ldpy SS", "ldp-toolbox": "ldp-toolbox SS"},
    "Hadamard": {"pure-ldp": "pure-ldp HR"},
    "Cyclic": {"pure-ldp": "pure-ldp HR (nearest)"},
}
"""What each library calls our mechanisms. None has Cyclic: the only peer with short reports stands in for it."""

CACHED = ("pure-ldp", "decode")
"""Where a library has a second, faster way: its estimates of all labels, as the estimate of one leaves them."""


class PeerProcess:
    """A library in an interpreter of its own."""

    def __init__(self, library: str, interpreter: Path) -> None:
        self.library = library
        self._command = [str(interpreter), "-m", "benchmarks.peers"]
        self._answers: queue.Queue[str] = queue.Queue()
        self._child: subprocess.Popen[str] | None = None

    def _start(self) -> subprocess.Popen[str]:
        child = subprocess.Popen(
            self._command,
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self._answers = queue.Queue()
        reader = threading.Thread(target=_read, args=(child.stdout, self._answers), daemon=True)
        reader.start()
        return child

    def ask(self, request: dict[str, Any], within: float = ANSWER_WITHIN) -> dict[str, Any]:
        """The answer to one request; PeerError if it fails or takes too long, and then the process is ended."""
        if self._child is None:
            self._child = self._start()
        try:
            if self._child.stdin is None:
                raise PeerError("its interpreter has no input")
            print(json.dumps(request), file=self._child.stdin, flush=True)
            answer: dict[str, Any] = json.loads(self._answers.get(timeout=within))
        except queue.Empty:
            self.close()
            raise PeerError(f"no answer within {within:.0f} s") from None
        except (OSError, ValueError):
            self.close()
            raise PeerError("its interpreter ended") from None
        if "error" in answer:
            raise PeerError(answer["error"])
        return answer

    def contenders(self, mechanism: str, d: int, stage: str, target: float) -> list[Contender]:
        """The library's part in a cell, warm and calibrated to runs of about ``target`` seconds."""
        self.ask({"do": "clear"})
        name = OFFERS[mechanism][self.library]
        found = [self._contender(name, mechanism, d, stage, target)]
        if (self.library, stage) == CACHED:
            found.append(self._contender(f"{name}, cached", mechanism, d, "cached", target))
        return found

    def _contender(self, name: str, mechanism: str, d: int, stage: str, target: float) -> Contender:
        request = {"do": "prepare", "library": self.library, "mechanism": mechanism, "d": d}
        count = self.ask(request | {"stage": stage, "target": target})["count"]
        return Contender("peer", name, count, lambda: float(self.ask({"do": "run", "stage": stage})["seconds"]))

    def versions(self, *names: str) -> dict[str, str]:
        """The versions of the library and of packages beside it."""
        return self.ask({"do": "version", "of": [self.library, *names]})

    def close(self) -> None:
        """End the process."""
        if self._child is not None:
            self._child.kill()
            self._child.communicate()
            self._child = None


def _read(lines: IO[str], answers: queue.Queue[str]) -> None:
    for line in lines:
        answers.put(line)
    answers.put("")  # not JSON: whoever still waits learns that the process ended
