"""Which hashed mechanism, how many symbols and cohorts, for texts that nobody listed."""

from __future__ import annotations

from deniable.checks import check_int
from deniable.mechanisms.hashed.base import Hashed
from deniable.mechanisms.hashed.hashed_rappor import HashedRappor
from deniable.mechanisms.hashed.hashed_response import HashedResponse
from deniable.theory.risk import hashed as theory

SYMBOLS = tuple(1 << i for i in range(1, 13))
WIDEST_FILTER = 256
"""A wider filter errs hardly less."""
FEWEST_COHORTS, MOST_COHORTS = 64, 1 << 14
"""Fewer cohorts let single frequent texts pass for others; more make long reports and slow tables."""


def cohorts_for(candidates: int, symbols: int) -> int:
    """Enough cohorts to tell the candidates apart with room, within what is sensible."""
    return min(max(theory.cohorts_for(candidates, symbols), FEWEST_COHORTS), MOST_COHORTS)


def open_mechanisms(epsilon: float, candidates: int, max_bits: int | None) -> list[Hashed]:
    """Both families over powers of two symbols, with the cohorts that so many candidates need."""
    made: list[Hashed] = []
    for symbols in SYMBOLS:
        cohorts = cohorts_for(candidates, symbols)
        made.append(HashedResponse(epsilon, symbols, cohorts))
        if symbols <= WIDEST_FILTER:
            made.append(HashedRappor(epsilon, symbols, cohorts))
    return [m for m in made if max_bits is None or m.report_bits <= max_bits]


def check_candidates(candidates: object) -> int:
    """How many texts will be looked for."""
    return check_int("candidates", candidates, 2)
