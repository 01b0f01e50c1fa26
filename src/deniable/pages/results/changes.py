"""What is shown of changes: two results side by side, and one number of each period in a row."""

from __future__ import annotations

from dataclasses import dataclass

from deniable.pages.results.rows import Axis, Span


@dataclass(frozen=True)
class Change:
    """A label with both shares and their difference in points, or a mean or quantile in its units."""

    label: str
    first: str
    second: str
    difference: str
    words: str


@dataclass(frozen=True)
class Comparison:
    """What the second result has more or less of than the first."""

    sentence: str
    test: str
    rows: tuple[Change, ...]
    titles: tuple[str, str]
    """What the two results are called."""
    of: str = "Answer"
    """What a row is."""
    unit: str = ", in 100"
    """What stands behind a title above its shares."""


@dataclass(frozen=True)
class Measurement:
    """A share, or a number in its units, with its 95% interval, and in words what is known, or why nothing is."""

    value: float | None
    low: float | None
    high: float | None
    words: str

    @classmethod
    def nothing(cls, why: str) -> Measurement:
        """Nothing is known."""
        return cls(None, None, None, why)


@dataclass(frozen=True)
class Moment:
    """A period: hollow while it is open, empty where too few answered."""

    period: str
    n: int
    is_open: bool
    estimate: str
    measured: Measurement
    dot: float | None
    bands: tuple[Span, ...]


@dataclass(frozen=True)
class Timeline:
    """The last periods of one answer, with what changed between the first and the last that are closed."""

    label: str
    labels: tuple[str, ...]
    axis: Axis | None
    moments: tuple[Moment, ...]
    sentence: str
    unit: str = "people in 100"
    heading: str = "True share"
