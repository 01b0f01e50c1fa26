"""How many devices reported on a question: its own number of answers, which is seldom that of the survey."""

from __future__ import annotations

from typing import NamedTuple

from deniable.estimation.estimate import Estimate
from deniable.pages.results.period_view import PeriodView


class Reported(NamedTuple):
    """How many, and the rest of the sentence that begins with it."""

    n: int
    rest: str

    def __str__(self) -> str:
        return f"{self.n:,}{self.rest}"


def reported(found: PeriodView, estimate: Estimate) -> Reported:
    """How many reported on the question of an estimate, of how many; of a census also who the others are."""
    n, census = estimate.n, estimate.census
    if census is not None and n == census.population:
        return Reported(n, f" of the {n:,} people for whom it is meant reported on this question: all of them.")
    if census is not None:
        return Reported(n, f" {'report' if n == 1 else 'reports'} on this question: {census.who(n)}.")
    devices = f"{'device' if found.n == 1 else 'devices'} reported on this question"
    return Reported(n, f" {devices}." if n == found.n else f" of {found.n:,} {devices}, drawn by lot.")
