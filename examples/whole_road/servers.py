"""The demo's own collector and mixer, each a process that can be killed."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path


class Service:
    """A server on this machine, which can be killed and started again at the same address."""

    def __init__(self, folder: Path, name: str, *command: str) -> None:
        self._folder, self.name, self._command, self._port = folder, name, command, 0
        self.start()

    def start(self) -> None:
        """Run it, and wait until it listens."""
        ready = self._folder / f"{self.name}.json"
        ready.unlink(missing_ok=True)
        options = ["--data", self.name, "--port", f"{self._port}", "--rate", "0", "--ready-file", ready.name]
        command = [sys.executable, "-m", "deniable", *self._command, *options]
        self._process = subprocess.Popen(command, stderr=subprocess.DEVNULL, cwd=self._folder)
        while not ready.exists():
            if self._process.poll() is not None:
                raise SystemExit(f"{' '.join(self._command)} could not be started")
            time.sleep(0.05)
        self.url: str = json.loads(ready.read_text(encoding="utf-8"))["url"]
        self._port = int(self.url.rpartition(":")[2])

    def kill(self) -> None:
        """End it as a power cut would: it can finish nothing."""
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        """End it in good order."""
        self._process.terminate()
        self._process.wait()


def ask(folder: Path, *words: str) -> str:
    """What a command of `deniable` prints."""
    command = [sys.executable, "-m", "deniable", *words]
    return subprocess.run(command, check=True, capture_output=True, text=True, encoding="utf-8", cwd=folder).stdout
