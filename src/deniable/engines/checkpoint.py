"""What a long count has done so far, kept on disk so that an interrupted one need not begin anew."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from deniable.engines.accumulate import empty_tally
from deniable.engines.parts import Source
from deniable.mechanisms.mechanism import Mechanism
from deniable.protocol.errors import DenialError, FormatError, ParameterError
from deniable.reports.atomic_files import check_named, written_whole
from deniable.reports.places import name_of
from deniable.reports.tally import Tally

VERSION = 2

Record: TypeAlias = tuple[str, int, int, int]
"""The column that was counted, and the file's stamp."""
Records: TypeAlias = dict[str, Record]
"""What is known of each file, by its full name."""
SUFFIX = ".counted"
"""How the name of a checkpoint ends, after that of the tally."""


def records_of(sources: Sequence[Source]) -> Records:
    """The column and the stamp of each file, by its name: whether a file is the same that was counted before."""
    return {name_of(source.path): (source.name, *source.stamp) for source in sources}


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A file that holds the tally of some files, with its spec, and a record of each of them."""

    path: Path
    later: bool = False
    """Whether it stays when the count is done, for later runs, whose files may be others."""
    anew: bool = False
    """Whether what an earlier run left is passed over, and replaced when the count is saved."""

    @classmethod
    def beside(cls, out: Path | str) -> Checkpoint:
        """The checkpoint of the count whose tally will be at ``out``."""
        check_named(out)
        return cls(Path(f"{Path(out)}{SUFFIX}"))

    @classmethod
    def begin(cls, out: Path, anew: bool) -> Checkpoint:
        """The checkpoint of a tally to be added to: new, of an earlier run, or begun ``anew``."""
        path = cls.beside(out).path
        if out.exists() and not path.exists() and not anew:
            raise ParameterError(
                f"{out} must be new or a tally that an earlier --into left, got one without {path.name} beside it"
            )
        return cls(path, later=True, anew=anew)

    def load(self, mechanism: Mechanism, now: Mapping[str, Record]) -> tuple[Tally, Records]:
        """What an earlier run left, if it is of these files as they are ``now``; nothing where there is no file."""
        if self.anew or not self.path.exists():
            return empty_tally(mechanism), {}
        total, files = self._parsed()
        if total.spec_bytes != mechanism.spec_bytes or not (self.later or files.keys() <= now.keys()):
            raise self._stale("it counted other files than are asked for now")
        for name, (column, *stamp) in files.items():
            if name not in now:
                continue
            if column != now[name][0]:
                raise self._stale(f"it counted another column of {name} than is asked for now")
            if (column, *stamp) != now[name]:
                raise self._stale(f"{name} has changed since it was counted")
        return total, files

    def save(self, total: Tally, files: Mapping[str, Record]) -> None:
        """Write down what is counted, in one step: the file is the old one or the new one, never half of one."""
        tally = base64.b64encode(total.to_bytes()).decode()
        with written_whole(self.path) as file:
            file.write(json.dumps({"version": VERSION, "tally": tally, "files": files}).encode())

    def remove(self) -> None:
        """Delete the checkpoint, since the tally is safe and nothing is left to be resumed."""
        self.path.unlink(missing_ok=True)

    def _parsed(self) -> tuple[Tally, Records]:
        try:
            document: dict[str, Any] = json.loads(self.path.read_bytes())
            if document["version"] != VERSION:
                raise self._stale("it is of another version")
            files = {name: read_record(*record) for name, record in document["files"].items()}
            return Tally.from_bytes(base64.b64decode(document["tally"], validate=True)), files
        except DenialError:
            raise
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            raise self._stale("it is not a checkpoint") from error

    def _stale(self, reason: str) -> FormatError:
        return FormatError(f"{self.path} must be of this count, but {reason}; remove it to count from the beginning")


def read_record(column: Any, size: Any, changed: Any, moved: Any) -> Record:
    """What is known of a file, as it was written down."""
    return str(column), int(size), int(changed), int(moved)
