"""Claims beside what was found of them, as every certificate shows them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from deniable.audit.truth import JudgedStatement, said_of
from deniable.estimation.table import Table

HEADINGS = ("what", "is promised", "claimed epsilon", "realised, at most", "the claim", "found by")


class Claim(NamedTuple):
    """One promise, and what was found: ``realised`` is a bound on its epsilon that is proven in whole numbers.

    In words, ``about`` is what it is given for, such as one report or an arm, and ``method`` how it was proven.
    """

    about: str
    promise: str
    claimed: float
    realised: float
    holds: bool
    method: str
    exact_ratio: str | None = None
    """The largest ratio of two chances of one report, of a single mechanism."""

    @property
    def verdict(self) -> str:
        """Whether it holds, in words."""
        return verdict(self.holds)


def verdict(holds: bool) -> str:
    """Whether a claim holds, in words."""
    return "holds" if holds else "DOES NOT HOLD"


def claims_table(title: str, claims: Iterable[Claim], statements: Sequence[JudgedStatement]) -> Table:
    """A row for each claim, and below what was found of the label."""
    rows = [
        (each.about, each.promise, f"{each.claimed:.12g}", f"{each.realised:.12g}", each.verdict, each.method)
        for each in claims
    ]
    return Table(title, HEADINGS, rows, [said_of(statements)])
