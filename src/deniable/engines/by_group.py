"""Reports with groups beside them, such as countries and days: one tally for each group, in one pass over the files.

The groups are public: they stand beside the report as they are, and everybody who reads the file sees them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from deniable.arrays import Indices
from deniable.arrow import pa
from deniable.engines.accumulate import Accumulator, empty_tally, merged, rows_at_once
from deniable.engines.checkpoint import Records, records_of
from deniable.engines.chunks import Progress
from deniable.engines.dataset import dataset_of, find_files, source_of
from deniable.engines.parts import Source, check_unchanged
from deniable.engines.tally_folder import Group, TallyFolder
from deniable.mechanisms.mechanism import Mechanism
from deniable.protocol.errors import FormatError, ParameterError, ReportError
from deniable.reports.arrow_columns import as_column
from deniable.reports.parquet import Footer, opened
from deniable.reports.places import Place

MOST_GROUPS = 1000


@dataclass(frozen=True, slots=True)
class GroupedDataset:
    """Files of one mechanism's reports with the columns that make the groups, their footers read."""

    mechanism: Mechanism
    files: tuple[Source, ...]
    by: tuple[str, ...]

    @property
    def n(self) -> int:
        """How many reports the files hold."""
        return sum(file.n for file in self.files)

    def without(self, counted: Records) -> GroupedDataset:
        """The files that are not counted yet; one that has changed since is refused."""
        current = dict(zip(self.files, records_of(self.files).items(), strict=True))
        changed = [name for name, record in current.values() if counted.get(name, record) != record]
        if changed:
            raise FormatError(f"{changed[0]} must be as it was when it was counted, got one that has changed since")
        return replace(self, files=tuple(file for file, (name, _) in current.items() if name not in counted))

    def count(self, progress: Progress | None = None) -> TallyFolder:
        """The tally of each group, in the order of the groups."""
        counting: dict[Group, Accumulator] = {}
        before = empty_tally(self.mechanism)
        for file in self.files:
            try:
                self._count(file, counting, progress)
            except ReportError as error:
                raise ReportError(f"{file.path}: {error}") from error
            check_unchanged(file)
            total = merged(self.mechanism, (each.tally() for each in counting.values()))
            file.check(total.n - before.n, total.counts - before.counts)
            before = total
        tallies = {group: counting[group].tally() for group in sorted(counting)}
        return TallyFolder(self.by, tallies, records_of(self.files))

    def _count(self, file: Source, counting: dict[Group, Accumulator], progress: Progress | None) -> None:
        """Add a file: the reports of a batch are put in the order of their groups, which are then runs."""
        with opened(file.path, footer=file.footer) as parquet:
            for batch in parquet.iter_batches(rows_at_once(self.mechanism), columns=[file.name, *self.by]):
                reports = as_column(self.mechanism.layout, batch.column(file.name))
                places, groups = _groups([batch.column(name) for name in self.by], file.path)
                reports = reports[np.argsort(places, kind="stable")]
                ends = np.bincount(places, minlength=len(groups)).cumsum().tolist()
                for group, start, end in zip(groups, [0, *ends], ends, strict=False):
                    if group not in counting and len(counting) == MOST_GROUPS:
                        raise ParameterError(f"there must be at most {MOST_GROUPS} groups, got more")
                    counting.setdefault(group, Accumulator(self.mechanism)).add(reports[start:end])
                if progress is not None:
                    progress(batch.num_rows)


def open_groups(
    paths: Sequence[Place | str], mechanism: Mechanism | None, column: str, by: Sequence[str]
) -> GroupedDataset:
    """Files of reports with columns of groups beside them; nothing is counted yet.

    As ``open_dataset``, but for ``by``, which every file must have.
    """
    footers = [Footer.read(place) for place in find_files(paths)]
    files = {footer.place: source_of(footer, None if mechanism is None else column) for footer in footers}
    if len({*by, *(file.name for file in files.values())}) <= len(by) or len(set(by)) < len(by):
        raise ParameterError("by must name other columns than that of the reports, each once, got one again")
    for footer in footers:
        for name in by:
            footer.require(name, "groups")
    dataset = dataset_of({**files}, mechanism)
    return GroupedDataset(dataset.mechanism, dataset.files, tuple(by))


def _groups(columns: Sequence[pa.Array[Any]], place: Place) -> tuple[Indices, list[Group]]:
    """The group of each row as a number, and the groups that stand in any, column by column."""
    numbers, groups = np.zeros(len(columns[0]), np.int64), list[Group]([()])
    for column in columns:
        encoded = _encoded(column, place)
        names = encoded.dictionary.to_pylist()
        codes, numbers = np.unique(numbers * max(1, len(names)) + encoded.indices.to_numpy(), return_inverse=True)
        groups = [(*groups[pair // len(names)], str(names[pair % len(names)])) for pair in codes.tolist()]
    return numbers, groups


def _encoded(column: pa.Array[Any], place: Place) -> Any:
    """Groups as numbers, with their names: text, whole numbers, days, or yes and no."""
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    allowed = (pa.types.is_string, pa.types.is_large_string, pa.types.is_integer, pa.types.is_date, pa.types.is_boolean)
    if not any(is_kind(kind) for is_kind in allowed):
        raise FormatError(f"{place} must have groups that are text, whole numbers, days or booleans, got {kind}")
    if column.null_count:
        raise FormatError(f"{place} must have a group in every row, got {column.null_count} rows without one")
    return column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
