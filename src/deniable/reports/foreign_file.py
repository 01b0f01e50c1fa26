"""Report files of other tools: a column of a Parquet file without a spec."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from deniable.arrays import Column, Counts
from deniable.arrow import pq
from deniable.reports.arrow_columns import as_column
from deniable.reports.atomic_files import Stamp
from deniable.reports.layout import Layout
from deniable.reports.parquet import Footer, altered, batches, opened
from deniable.reports.places import Place
from deniable.reports.report_file import counts_digest


@dataclass(frozen=True, slots=True)
class ForeignFile:
    """A Parquet file with a column of reports but without their spec."""

    path: Place
    name: str
    """The column."""
    groups: tuple[int, ...]
    """How many reports each row group holds."""
    stamp: Stamp
    """The size of the file and its last changes, when its footer was read."""
    footer: pq.FileMetaData | None = field(default=None, repr=False, compare=False)
    """What row groups are read by, unless it must be read anew."""
    counts: str | None = None
    """What the reports add up to, as ``counts_digest`` says it, where somebody wrote it down."""

    @classmethod
    def of(cls, footer: Footer, name: str) -> ForeignFile:
        """The file that a footer belongs to; one without the column is refused."""
        footer.require(name, "reports")
        return cls(footer.place, name, footer.groups, footer.stamp, footer.metadata)

    @property
    def n(self) -> int:
        """How many reports there are."""
        return sum(self.groups)

    @property
    def divisible(self) -> bool:
        """Whether row groups can be counted apart."""
        return True

    def part(self, layout: Layout, groups: Sequence[int], rows: int) -> Iterator[Column]:
        """The reports of some row groups."""
        with opened(self.path, footer=self.footer) as parquet:
            for array in batches(parquet, self.name, groups, rows):
                yield as_column(layout, array)

    def verify(self, layout: Layout) -> None:
        """Nothing was written down that the reports could be checked with."""

    def check(self, n: int, counts: Counts) -> None:
        """Refuse a file with another number of reports, or whose reports do not add up to what was written down."""
        if n != self.n or self.counts not in (None, counts_digest(counts)):
            raise altered(self.path)
