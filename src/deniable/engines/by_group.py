"""Reports with a group beside each, such as a week or a region: one tally for each group, in one pass over the files.

The group is public: it stands beside the report as it is, and everybody who reads the file sees it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np

from deniable.arrow import pa
from deniable.engines.accumulate import Accumulator, rows_at_once
from deniable.engines.chunks import Progress
from deniable.engines.dataset import find_files
from deniable.mechanisms.mechanism import Mechanism
from deniable.protocol.errors import FormatError, ParameterError
from deniable.reports.arrow_columns import as_column
from deniable.reports.atomic_files import made_folder, written_whole
from deniable.reports.parquet import Footer, opened
from deniable.reports.places import Place
from deniable.reports.tally import Tally

MOST_GROUPS = 1000
LONGEST_NAME = 200
SUFFIX = ".tally"


def open_groups(paths: Sequence[Place | str], column: str, by: str) -> list[Footer]:
    """The files, each of which has a column of reports and one of groups; nothing is counted yet."""
    if column == by:
        raise ParameterError("by must name another column than that of the reports, got the same")
    footers = [Footer.read(place) for place in find_files(paths)]
    for footer in footers:
        footer.require(column, "reports")
        footer.require(by, "groups")
    return footers


def tally_by(
    files: Iterable[Footer], mechanism: Mechanism, column: str, by: str, progress: Progress | None = None
) -> dict[str, Tally]:
    """The tally of each group, by its name, in the order of names."""
    counting: dict[str, Accumulator] = {}
    for file in files:
        with opened(file.place, footer=file.metadata) as parquet:
            for batch in parquet.iter_batches(rows_at_once(mechanism), columns=[column, by]):
                _count(mechanism, batch.select([column, by]), file.place, counting)
                if progress is not None:
                    progress(batch.num_rows)
    return {name: counting[name].tally() for name in sorted(counting)}


def require_new(folder: Path) -> None:
    """Refuse a folder that holds anything: the tallies of groups must not mix with others."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ParameterError(f"{folder} must be a new or an empty folder for the tallies of groups, got another")


def write_tallies(tallies: dict[str, Tally], folder: Path) -> dict[str, Path]:
    """The file of each group, named after it, in a folder of their own."""
    require_new(folder)
    files = {name: folder / f"{_file_name(name)}{SUFFIX}" for name in tallies}
    made_folder(folder)
    for name, file in files.items():
        with written_whole(file) as out:
            out.write(tallies[name].to_bytes())
    return files


def _count(mechanism: Mechanism, batch: pa.RecordBatch, place: Place, counting: dict[str, Accumulator]) -> None:
    """Add a batch to the groups: its reports are put in the order of their groups, which are then runs."""
    reports, groups = as_column(mechanism.layout, batch.column(0)), _groups(batch.column(1), place)
    places, names = groups.indices.to_numpy(), groups.dictionary.to_pylist()
    reports = reports[np.argsort(places, kind="stable")]
    ends = np.bincount(places, minlength=len(names)).cumsum().tolist()
    for name, start, end in zip(map(str, names), [0, *ends], ends, strict=False):
        if start == end:  # a dictionary may hold names that stand in no row
            continue
        if name not in counting:
            if len(counting) == MOST_GROUPS:
                raise ParameterError(f"there must be at most {MOST_GROUPS} groups, got more")
            counting[name] = Accumulator(mechanism)
        counting[name].add(reports[start:end])


def _groups(column: pa.Array[Any], place: Place) -> Any:
    """The groups as numbers, with their names: text, whole numbers, days, or yes and no."""
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    plain = (pa.types.is_string, pa.types.is_large_string, pa.types.is_integer, pa.types.is_date, pa.types.is_boolean)
    if not any(is_kind(kind) for is_kind in plain):
        raise FormatError(f"{place} must have groups that are text, whole numbers, days or booleans, got {kind}")
    if column.null_count:
        raise FormatError(f"{place} must have a group in every row, got {column.null_count} rows without one")
    return column if pa.types.is_dictionary(column.type) else column.dictionary_encode()


def _file_name(group: str) -> str:
    """A group's name as that of a file on every system."""
    name = quote(group, safe=" -_").replace(".", "%2E")
    if not name or len(name) > LONGEST_NAME:
        raise ParameterError(f"a group must have a name that fits a file's, got one of {len(group)} characters")
    return name
