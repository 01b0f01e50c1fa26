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
    if census is not None and census.is_all(n):
        return Reported(n, f" of the {n:,} people for whom it is meant reported on this question: all of them.")
    if census is not None:
        return Reported(n, f" {'report' if n == 1 else 'reports'} on this question: {census.who(n)}.")
    return among(n, found.n, "this question")


def among(n: int, everybody: int, about: str) -> Reported:
    """How many of all devices reported on something."""
    devices = f"{'device' if everybody == 1 else 'devices'} reported on {about}"
    return Reported(n, f" {devices}." if n == everybody else f" of {everybody:,} {devices}, drawn by lot.")
