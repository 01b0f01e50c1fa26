"""A grid search: hashed mechanisms tried on an assumed truth by simulation, as in kairouz2016, Fig. 3."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from deniable.arrays import Vector
from deniable.checks import check_distribution, check_int, check_users
from deniable.errors import ParameterError
from deniable.estimation.regression import solve
from deniable.estimation.simplex import project
from deniable.mechanisms.hashed.base import Hashed
from deniable.mechanisms.hashed.hashed_rappor import HashedRappor
from deniable.mechanisms.hashed.hashed_response import HashedResponse
from deniable.mechanisms.registry import HASHED, from_spec
from deniable.privacy.entropy import SeededEntropy
from deniable.reports.tally import Tally

SYMBOLS, COHORTS, HASHES = (4, 8, 16, 32, 64), (16, 64, 256, 1024), (1, 2)
MEDIAN = math.sqrt(math.pi / 2)
"""How much more a median of normal errors errs than their mean."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A point of a grid, and the median l1 distance from the truth that simulated surveys had there."""

    mechanism: Hashed
    l1: float
    error: float
    """The standard error of ``l1``; nan from a single survey."""


@dataclass(frozen=True, slots=True)
class Assumed:
    """So many people drawn from a truth over texts; ``complete``: it is known that nobody holds another one."""

    texts: tuple[str, ...]
    truth: Vector
    users: int
    complete: bool

    def distance(self, mechanism: Hashed, seed: int) -> float:
        """L1 of one simulated survey's estimate against the truth."""
        m = from_spec({**mechanism.spec(), "key": f"{seed}"})
        held = m.values_of(None if m.closed else self.texts)
        people = np.repeat(held, np.random.default_rng(seed).multinomial(self.users, self.truth))
        tally = m.tally(m.draw_column(people, SeededEntropy(seed)))
        if isinstance(m, Hashed) and (self.complete or m.closed):
            found = self._complete(m, tally)
        else:
            found = m.estimate(tally, candidates=self.texts).frequencies
        return float(np.abs(found - self.truth).sum())

    def _complete(self, m: Hashed, tally: Tally) -> Vector:
        """Least squares of shares that add up to 1, then the nearest distribution: no error bars, so no waiting."""
        survey = replace(m.survey(tally, m.closed_table if m.closed else m.table(list(self.texts))), closed=True)
        shares = solve(survey).estimate / np.bincount(survey.group)
        return project(shares[survey.group])


def grid_search(
    epsilon: float,
    truth: Sequence[float],
    users: int,
    seed: int,
    symbols: Sequence[int] = SYMBOLS,
    cohorts: Sequence[int] = COHORTS,
    hashes: Sequence[int] = HASHES,
    mechanisms: Sequence[str] = tuple(HASHED),
    *,
    closed: bool = False,
    complete: bool = False,
    surveys: int = 5,
    progress: Callable[[int], None] | None = None,
) -> list[Tried]:
    """Hashed mechanisms by simulation on an assumed truth of the candidates, the best first; over a closed domain too.

    Where cohorts are few the predicted error is too low, and few people may do better with few cohorts: so try.
    ``complete`` is for an open alphabet of which it is known that everybody holds one of the candidates; otherwise
    the estimates are those of ``estimate``, which leaves room for what is not listed.

    >>> best = grid_search(3.0, [0.5, 0.3, 0.2], 5000, 1, [4, 16], [64], mechanisms=["HashedResponse"], surveys=3)[0]
    >>> best.mechanism.symbols, best.mechanism.cohorts
    (16, 64)
    """
    check_int("surveys", surveys, 1)
    texts = tuple(f"candidate {i}" for i in range(len(truth)))
    assumed = Assumed(texts, check_distribution("truth", truth, len(texts)), check_users(users), complete)
    base, domain = SeededEntropy(seed).seed, len(texts) if closed else None
    tried = []
    for m in list(_points(epsilon, (symbols, cohorts, hashes), mechanisms, domain)):
        seen = [assumed.distance(m, base + turn) for turn in range(surveys)]
        spread = float(np.std(seen, ddof=1)) if surveys > 1 else math.nan
        tried.append(Tried(m, float(np.median(seen)), MEDIAN * spread / math.sqrt(surveys)))
        if progress is not None:
            progress(1)
    return sorted(tried, key=lambda point: point.l1)


def _points(
    epsilon: float, grid: tuple[Sequence[int], ...], mechanisms: Sequence[str], domain: int | None
) -> Iterator[Hashed]:
    """Every mechanism at every point; hashes are for Bloom filters alone."""
    unknown = [name for name in mechanisms if name not in HASHED]
    if unknown or not mechanisms or not all(grid):
        raise ParameterError(f"mechanisms must be among {', '.join(HASHED)}, and no list of the grid empty, got others")
    symbols, cohorts, hashes = grid
    for r, c in itertools.product(symbols, cohorts):
        if HashedResponse.__name__ in mechanisms:
            yield HashedResponse(epsilon, r, c, domain=domain)
        if HashedRappor.__name__ in mechanisms:
            yield from (HashedRappor(epsilon, r, c, h, domain=domain) for h in hashes)
