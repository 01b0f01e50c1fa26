"""A grid search: hashed mechanisms tried on an assumed truth by simulation, as in kairouz2016, Fig. 3."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from deniable.arrays import Vector
from deniable.checks import check_distribution, check_users
from deniable.estimation.candidate_fit import solve
from deniable.estimation.laws.cohort_law import CohortLaw
from deniable.estimation.simplex import project
from deniable.mechanisms.family import Family
from deniable.mechanisms.mechanism import Mechanism, draw_column, listed
from deniable.mechanisms.registry import FAMILIES, from_spec
from deniable.mechanisms.shared.candidates import values_of
from deniable.privacy.entropy import SeededEntropy
from deniable.protocol.checks import check_choice, check_int
from deniable.protocol.errors import ParameterError
from deniable.reports.tally import Tally

SYMBOLS, COHORTS, HASHES = (4, 8, 16, 32, 64), (16, 64, 256, 1024), (1, 2)
MEDIAN = math.sqrt(math.pi / 2)
"""The standard error of a median of normal errors, relative to that of their mean."""


@dataclass(frozen=True, slots=True)
class GridPoint:
    """A point of a grid, and the median l1 distance from the truth that simulated surveys had there."""

    mechanism: Mechanism
    l1: float
    error: float
    """The standard error of ``l1``; nan from a single survey."""


@dataclass(frozen=True, slots=True)
class AssumedSurvey:
    """A survey to simulate, of people drawn from a truth over texts; ``complete`` if nobody holds another text."""

    texts: tuple[str, ...]
    truth: Vector
    users: int
    complete: bool

    def distance(self, mechanism: Mechanism, seed: int) -> float:
        """The l1 distance of one simulated survey's estimate from the truth."""
        m = from_spec({**mechanism.spec(), "key": f"{seed}"})
        candidates = self.texts if m.domain.size is None else None
        values = values_of(m.domain, candidates)
        people = np.repeat(values, np.random.default_rng(seed).multinomial(self.users, self.truth))
        tally = m.tally(draw_column(m, people, SeededEntropy(seed)))
        law = listed(m, candidates).law
        if isinstance(law, CohortLaw) and (self.complete or law.closed):
            shares = _shares_of_all(law, tally)
        else:
            shares = m.estimate(tally, candidates=candidates).frequencies
        return float(np.abs(shares - self.truth).sum())


def _shares_of_all(law: CohortLaw, tally: Tally) -> Vector:
    """Least squares of shares that add up to 1, then the nearest distribution: no error bars, so no waiting."""
    survey = replace(law.survey(tally.counts), closed=True)
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
    mechanisms: Sequence[str] | None = None,
    *,
    closed: bool = False,
    complete: bool = False,
    surveys: int = 5,
    progress: Callable[[int], None] | None = None,
) -> list[GridPoint]:
    """Hashed mechanisms by simulation on an assumed truth of the candidates, the best first; over a closed domain too.

    With few cohorts predicted errors are approximate, and with few people few cohorts may be better: hence simulation.
    ``complete`` is for an open alphabet of which it is known that everybody holds one of the candidates; otherwise
    the estimates are those of ``estimate``, which allows for unlisted texts.

    >>> best = grid_search(3.0, [0.5, 0.3, 0.2], 5000, 1, [4, 16], [64], mechanisms=["HashedResponse"], surveys=3)[0]
    >>> best.mechanism.symbols, best.mechanism.cohorts
    (16, 64)
    """
    check_int("surveys", surveys, 1)
    texts = tuple(f"candidate {i}" for i in range(len(truth)))
    assumed = AssumedSurvey(texts, check_distribution("truth", truth, len(texts)), check_users(users), complete)
    base, domain = SeededEntropy(seed).seed, len(texts) if closed else None
    points = []
    for m in list(_mechanisms(epsilon, (symbols, cohorts, hashes), _families(mechanisms), domain)):
        distances = [assumed.distance(m, base + turn) for turn in range(surveys)]
        spread = float(np.std(distances, ddof=1)) if surveys > 1 else math.nan
        points.append(GridPoint(m, float(np.median(distances)), MEDIAN * spread / math.sqrt(surveys)))
        if progress is not None:
            progress(1)
    return sorted(points, key=lambda point: point.l1)


def _families(mechanisms: Sequence[str] | None) -> list[Family]:
    """The families of these names that hash their values; all of them if none are named."""
    known = {family.name: family for family in FAMILIES.values() if family.hashed}
    names = list(known) if mechanisms is None else list(mechanisms)
    if not names:
        raise ParameterError(f"mechanisms must be among {', '.join(known)}, got none")
    return [known[check_choice("mechanisms", name, known)] for name in names]


def _mechanisms(
    epsilon: float, grid: tuple[Sequence[int], ...], families: Sequence[Family], domain: int | None
) -> Iterator[Mechanism]:
    """A mechanism of each family at each point of the grid; hashes are for Bloom filters alone."""
    if not all(grid):
        raise ParameterError("symbols, cohorts and hashes must each hold a number to try, got an empty list")
    symbols, cohorts, hashes = grid
    for (r, c), family in itertools.product(itertools.product(symbols, cohorts), families):
        takes_hashes = any(option.name == "hashes" for option in family.options)
        for option in [{"hashes": h} for h in hashes] if takes_hashes else [{}]:
            yield family.of_spec(domain, {"epsilon": epsilon, "symbols": r, "cohorts": c, **option})
