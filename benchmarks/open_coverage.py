"""How often intervals of hashed reports miss: ``python -m benchmarks.open_coverage``, some three minutes on one core.

20 candidates, of which 10 are held (geometric), by 3 of 4 people; the others hold 100 texts that are not listed, or all
of them the same one; the table has the worse of the two. 64 cohorts, hashes anew for every survey. Misses of
intervals at level 0.95, and of two standard errors (1.96) for what is not listed, in percent.
"""

from __future__ import annotations

import argparse
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

import deniable as dn
from deniable.mechanisms.mechanism import draw_column
from deniable.mechanisms.shared.candidates import values_of
from deniable.privacy.entropy import SeededEntropy

Vector: TypeAlias = npt.NDArray[np.float64]

HELD, ABSENT = [f"held {i}" for i in range(10)], [f"absent {i}" for i in range(10)]
SETTINGS = ((1.0, 4), (3.0, 16), (8.0, 64), (8.0, 1024))
PEOPLE, COHORTS, LEVEL, Z = (20, 50, 300, 3000), 64, 0.95, 1.96


def misses(epsilon: float, symbols: int, users: int, unlisted: int, surveys: int) -> Vector:
    """Of the three largest shares, of all that are held, of those held by nobody, and of the unlisted share."""
    weights = np.exp(-np.arange(10) / 3)
    truth = np.concatenate([0.75 * weights / weights.sum(), np.full(unlisted, 0.25 / unlisted)])
    texts = [*HELD, *(f"unlisted {i}" for i in range(unlisted))]
    listed, rng, missed = np.append(truth[:10], np.zeros(10)), np.random.default_rng(1), np.zeros(4)
    for survey in range(surveys):
        m = dn.HashedResponse(epsilon, symbols, COHORTS, key=f"{survey}")
        people = np.repeat(values_of(m.domain, texts), rng.multinomial(users, truth))
        found = m.estimate(m.tally(draw_column(m, people, SeededEntropy(survey))), "unbiased", HELD + ABSENT)
        low, high = found.interval(LEVEL).T
        outside = (listed < low) | (listed > high)
        u, error = found.unlisted or (0.0, 0.0)
        missed += [outside[:3].mean(), outside[:10].mean(), outside[10:].mean(), abs(u - 0.25) > Z * error]
    return 100 * missed / surveys


def main() -> None:
    """Print the table of the documentation."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--surveys", type=int, default=1000)
    surveys = parser.parse_args().surveys
    print("| epsilon | symbols | people | three largest | held | held by nobody | not listed |")
    print("|---|---|---|---|---|---|---|")
    for epsilon, symbols in SETTINGS:
        for users in PEOPLE:
            worse = np.maximum(*(misses(epsilon, symbols, users, unlisted, surveys) for unlisted in (100, 1)))
            shown = " | ".join(f"{rate:.1f}" for rate in worse)
            print(f"| {epsilon:g} | {symbols} | {users:,} | {shown} |", flush=True)


if __name__ == "__main__":
    main()
