"""A folder of tallies of one spec, a file for each group, and the record of what they were counted from."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import quote, unquote

from deniable.engines.checkpoint import Records, read_record
from deniable.engines.dataset import find_files
from deniable.estimation.frame import Frame
from deniable.protocol.checks import shown
from deniable.protocol.errors import FormatError, ParameterError, TallyError
from deniable.reports.atomic_files import made_folder, written_whole
from deniable.reports.places import in_file
from deniable.reports.spec import differences
from deniable.reports.tally import Tally

Group: TypeAlias = tuple[str, ...]
"""A value for each of the columns that make the groups."""
RECORD = "_groups.json"
SUFFIX = ".tally"
VERSION = 1
LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class TallyFolder(Frame):
    """The tallies of groups, by the values of the columns that make them; as a table, a row for each count."""

    by: tuple[str, ...]
    tallies: Mapping[Group, Tally]
    counted: Records = field(default_factory=dict)
    """The files that are in the tallies, where that was written down."""

    @property
    def n(self) -> int:
        """How many reports they count."""
        return sum(tally.n for tally in self.tallies.values())

    @property
    def about(self) -> dict[str, Any]:
        return {"n": self.n, "digest": next(iter(self.tallies.values())).digest}

    @property
    def columns(self) -> dict[str, list[Any]]:
        rows = [(*group, *row) for group, tally in self.tallies.items() for row in enumerate(tally.counts.tolist())]
        return dict(zip((*self.by, "cell", "count"), map(list, zip(*rows, strict=True)), strict=True))

    @property
    def named(self) -> tuple[str, ...]:
        return self.by

    @property
    def spec_bytes(self) -> bytes:
        """The spec that all of them have."""
        return next(iter(self.tallies.values())).spec_bytes

    def __add__(self, other: TallyFolder) -> TallyFolder:
        """The tallies of both, group by group; those by other columns, or of another spec, are refused."""
        if self.by != other.by:
            raise TallyError(f"tallies must be of groups by {listed(self.by)}, got by {listed(other.by)}")
        sums = dict(self.tallies)
        for group, tally in other.tallies.items():
            sums[group] = sums.get(group, Tally(0, 0 * tally.counts, self.spec_bytes)) + tally
        return TallyFolder(self.by, dict(sorted(sums.items())), {**self.counted, **other.counted})

    def write(self, folder: Path) -> dict[Group, Path]:
        """The file of each group, named after it, in place of all that are there; then the record of them."""
        files = {group: folder / _file_name(group) for group in self.tallies}
        record: dict[str, Any] = {"version": VERSION, "by": self.by, "files": self.counted, "tallies": {}}
        made_folder(folder)
        for group, file in files.items():
            written = self.tallies[group].to_bytes()
            record["tallies"][file.name] = {"group": group, "sha256": hashlib.sha256(written).hexdigest()}
            with written_whole(file) as out:
                out.write(written)
        for stale in {*folder.glob(f"*{SUFFIX}")} - {*files.values()}:
            stale.unlink()
        with written_whole(folder / RECORD) as out:
            out.write(json.dumps(record, indent=1).encode())
        return files

    @classmethod
    def read(cls, folder: Path) -> TallyFolder:
        """The tallies of a folder; without a record of its groups these are called as the files."""
        files = [Path(str(file)) for file in find_files([folder])]
        written = {file: file.read_bytes() for file in files}
        columns: Group = ("group",)
        groups: dict[Path, Group] = {file: (unquote(file.stem),) for file in files}
        counted = Records()
        if (folder / RECORD).exists():
            columns, groups, counted = _read_groups(folder / RECORD, written)
        tallies = {groups[file]: _tally(file, content) for file, content in written.items()}
        specs = {file: tallies[groups[file]].spec_bytes for file in files}
        others = [file for file in files if specs[file] != specs[files[0]]]
        if others:
            raise TallyError(
                f"all tallies must be of one spec, but that of {others[0]} is another than that of {files[0]}"
                + differences(specs[others[0]], specs[files[0]])
            )
        return cls(columns, tallies, counted)

    @classmethod
    def begin(cls, folder: Path, anew: bool) -> TallyFolder | None:
        """What an earlier run left in a folder to be added to; None where there is none, or the count begins anew."""
        if not (folder / RECORD).exists():
            require_new(folder)
            return None
        return None if anew else cls.read(folder)


def require_new(folder: Path) -> None:
    """Refuse a folder that holds anything: the tallies of groups must not mix with others."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ParameterError(
            f"{folder} must be a new or an empty folder for the tallies of groups, got one that holds files; "
            "--into adds to one of an earlier run, --anew replaces it"
        )


def listed(columns: Group) -> str:
    """The names of columns in a sentence."""
    return ", ".join(columns)


def _read_groups(record: Path, written: Mapping[Path, bytes]) -> tuple[Group, dict[Path, Group], Records]:
    """The columns, the group of each file and what was counted, as the record says, which must be of these files."""
    try:
        fields: dict[str, Any] = json.loads(record.read_bytes())
        listed_tallies = {record.parent / name: each for name, each in fields["tallies"].items()}
        groups = {file: tuple(map(str, each["group"])) for file, each in listed_tallies.items()}
        sums = {file: each["sha256"] for file, each in listed_tallies.items()}
        counted = {name: read_record(*each) for name, each in fields["files"].items()}
        columns, version = tuple(map(str, fields["by"])), fields["version"]
    except (AttributeError, LookupError, TypeError, ValueError):
        raise FormatError(f"{record} must be the record of a folder of tallies, got text without its fields") from None
    if version != VERSION:
        raise FormatError(f"{record} must have version {VERSION}, got {shown(version)}; a newer release may read it")
    if sums != {file: hashlib.sha256(content).hexdigest() for file, content in written.items()}:
        raise FormatError(f"{record.parent} must hold the tallies of its {RECORD}, got changed ones; count anew")
    return columns, groups, counted


def _tally(file: Path, written: bytes) -> Tally:
    with in_file(file):
        return Tally.from_bytes(written)


def _file_name(group: Group) -> str:
    """A group's name as that of a file on every system; a comma stands between the values of several columns."""
    name = ",".join(quote(value, safe=" -_").replace(".", "%2E") for value in group)
    if not all(group) or len(name) > LONGEST_NAME:
        raise ParameterError(f"a group must have a name that fits a file's, got one of {len(name)} characters")
    return f"{name}{SUFFIX}"
