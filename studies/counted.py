"""How many checks of a study agree, counted separately for each origin of the reference value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from studies.sources import Origin
from studies.verdicts import Check, Verdict

SHORT = {
    Origin.PRINTED: "comparisons with printed numbers",
    Origin.SENTENCE: "sentences or pictures",
    Origin.FORMULA: "formulas",
    Origin.INDEPENDENT: "values from elsewhere",
}
"""Of each origin, in a line."""


@dataclass(frozen=True, slots=True)
class Counted:
    """The number of checks of one origin; ``values`` counts the reference values, each once."""

    comparisons: int
    values: int
    agree: int
    differ: int
    unclear: int


def counts(checks: Sequence[Check]) -> Mapping[Origin, Counted]:
    """The counts of every origin that has checks."""
    return {origin: _counted(found) for origin in Origin if (found := [c for c in checks if c.source.origin is origin])}


def _counted(checks: Sequence[Check]) -> Counted:
    found = [check.verdict for check in checks]
    values = {(c.source.place, c.source.item) if c.source.item else (c.source.place, c.group, c.what) for c in checks}
    return Counted(len(checks), len(values), *(found.count(verdict) for verdict in Verdict))


def said(checks: Sequence[Check]) -> str:
    """One sentence that says how many checks of each origin agree.

    >>> from studies.sources import printed
    >>> from studies.verdicts import same
    >>> said([same("size", "d = 4", printed("Table 1"), 2, 2, 0)])
    'In agreement: 1 of 1 comparisons with printed numbers.'
    """
    return f"In agreement: {', '.join(_part(*case) for case in counts(checks).items())}."


def _part(origin: Origin, found: Counted) -> str:
    unclear = f" ({found.unclear:,} cannot be told)" if found.unclear else ""
    return f"{found.agree:,} of {found.comparisons:,} {SHORT[origin]}{unclear}"
