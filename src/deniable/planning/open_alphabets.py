"""Which hashed mechanism, how many symbols and cohorts, for texts that nobody listed."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deniable.mechanisms.hashed import Hashed
from deniable.mechanisms.hashed_rappor import HashedRappor
from deniable.mechanisms.hashed_response import HashedResponse
from deniable.privacy.entropy import SeededEntropy
from deniable.theory import hashed as theory
from deniable.theory.arguments import Vector, check_distribution, check_int

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


@dataclass(frozen=True, slots=True)
class Tried:
    """A point of a grid, and the median l1 distance from the truth that simulated surveys had there."""

    symbols: int
    cohorts: int
    l1: float


def grid_search(
    epsilon: float,
    truth: Sequence[float],
    users: int,
    seed: int,
    symbols: Sequence[int] = (4, 8, 16, 32, 64),
    cohorts: Sequence[int] = (16, 64, 256, 1024),
    surveys: int = 5,
) -> list[Tried]:
    """Symbols and cohorts of HashedResponse by simulation on an assumed truth of the candidates, the best first.

    Where cohorts are few the predicted error is too low, and few people may do better with few cohorts: so try.

    >>> grid_search(3.0, [0.5, 0.3, 0.2], 5000, seed=1, symbols=[4, 16], cohorts=[64], surveys=3)[0].cohorts
    64
    """
    check_int("surveys", surveys, 1)
    texts = [f"candidate {i}" for i in range(len(truth))]
    p = check_distribution("truth", truth, len(texts))
    tried = []
    for r, c in itertools.product(symbols, cohorts):
        seen = [
            _distance(HashedResponse(epsilon, r, c, key=f"{turn}"), p, texts, users, seed + turn)
            for turn in range(surveys)
        ]
        tried.append(Tried(r, c, float(np.median(seen))))
    return sorted(tried, key=lambda point: point.l1)


def _distance(m: HashedResponse, p: Vector, texts: list[str], users: int, seed: int) -> float:
    people = np.repeat(m.values_of(texts), np.random.default_rng(seed).multinomial(users, p))
    found = m.estimate(m.tally(m.draw_column(people, SeededEntropy(seed))), candidates=texts)
    return float(np.abs(found.frequencies - p).sum())
