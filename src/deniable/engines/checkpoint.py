"""How a long count is taken up again: what was counted so far, beside the tally that it will be."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any, TypeAlias

from deniable.engines.dataset import Source
from deniable.errors import DenialError, FormatError
from deniable.mechanisms.mechanism import Mechanism
from deniable.reports.atomic_files import target_of, written_whole
from deniable.reports.tally import Tally

VERSION = 2
SECONDS = 5.0
"""How much work is lost at most when a count is killed."""

Record: TypeAlias = tuple[str, int, int, int]
"""The column that was counted, and the file's stamp."""


def checkpoint_of(out: Path | str) -> Path:
    """Where the count that will be at ``out`` keeps what it has done."""
    target_of(out)  # which refuses what can be no file
    return Path(out).with_name(f"{Path(out).name}.counted")


@dataclass(slots=True)
class Checkpoint:
    """The tally of the files counted so far, with all that decides what is counted; on disk every few seconds.

    The tally holds the spec, and there is a record of each file.
    """

    total: Tally
    path: Path | None = None
    files: dict[str, Record] = field(default_factory=dict)
    saved: float = field(default_factory=monotonic)

    @classmethod
    def read(cls, path: Path | None, mechanism: Mechanism, sources: Sequence[Source]) -> Checkpoint:
        """What an earlier run left there, if it still holds; with no path nothing is ever written."""
        if path is None or not path.exists():
            return cls(mechanism.tally([]), path)
        total, files = _parsed(path)
        now = {_name(source): _record(source) for source in sources}
        if total.spec_bytes != mechanism.spec_bytes or not files.keys() <= now.keys():
            raise _stale(path, "it counted other files than are asked for now")
        for name, (column, *was) in files.items():
            if column != now[name][0]:
                raise _stale(path, f"it counted another column of {name} than is asked for now")
            if (column, *was) != now[name]:
                raise _stale(path, f"{name} has changed since it was counted")
        return cls(total, path, files)

    def rest(self, sources: Sequence[Source]) -> list[Source]:
        """The files that are still to be counted."""
        return [source for source in sources if _name(source) not in self.files]

    def add(self, source: Source, tally: Tally) -> None:
        """A file was counted whole."""
        self.total += tally
        self.files[_name(source)] = _record(source)
        if monotonic() - self.saved >= SECONDS:
            self.save()

    def save(self) -> None:
        """Write down what is counted; the file is there whole or not at all."""
        if self.path is None or not self.files:
            return
        tally = base64.b64encode(self.total.to_bytes()).decode()
        with written_whole(self.path) as file:
            file.write(json.dumps({"version": VERSION, "tally": tally, "files": self.files}).encode())
        self.saved = monotonic()


def _name(source: Source) -> str:
    return str(source.path.resolve())


def _record(source: Source) -> Record:
    return source.name, *source.was


def _parsed(path: Path) -> tuple[Tally, dict[str, Record]]:
    try:
        document: dict[str, Any] = json.loads(path.read_bytes())
        if document["version"] != VERSION:
            raise _stale(path, "it is of another version")
        files = {name: _read_record(*record) for name, record in document["files"].items()}
        return Tally.from_bytes(base64.b64decode(document["tally"], validate=True)), files
    except DenialError:
        raise
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise _stale(path, "it is not a checkpoint") from error


def _read_record(column: Any, size: Any, changed: Any, moved: Any) -> Record:
    return str(column), int(size), int(changed), int(moved)


def _stale(path: Path, reason: str) -> FormatError:
    return FormatError(f"{path} must be of this count, but {reason}; remove it to count from the beginning")
