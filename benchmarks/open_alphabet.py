"""One large survey of open answers, decoded on one core: ``OMP_NUM_THREADS=1 python -m benchmarks.open_alphabet``.

1,000,000 people, 100,000 candidate strings of which 1,000 are held (Zipf, 70% of the people), 5,000 unlisted ones,
r = 64, 256 cohorts, epsilon = 3. The table is uniform, as hashes are.
"""

from __future__ import annotations

import math
import resource
import time
from collections.abc import Callable
from functools import partial
from typing import TypeVar

import numpy as np

from deniable.estimation.cohort_evidence import regress
from deniable.estimation.cohorts import CohortSurvey
from deniable.estimation.decoders import HASHED
from deniable.estimation.presence import present
from deniable.protocol.say import english

T = TypeVar("T")
PEOPLE, CANDIDATES, HELD, UNLISTED, COHORTS, SYMBOLS = 1_000_000, 100_000, 1000, 5000, 256, 64
RATIO = math.exp(3)


def timed(what: str, call: Callable[[], T]) -> T:
    """The result; the time is printed."""
    start = time.perf_counter()
    result = call()
    print(f"{what:24} {time.perf_counter() - start:7.2f} s")
    return result


def simulate(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The candidates' table, the counts, and the truth."""
    strings = rng.integers(0, SYMBOLS, (CANDIDATES + UNLISTED, COHORTS), dtype=np.uint16)
    weights = 1 / np.arange(1, HELD + 1)
    p = np.zeros(CANDIDATES + UNLISTED)
    p[rng.permutation(CANDIDATES)[:HELD]] = 0.7 * weights / weights.sum()
    p[CANDIDATES:] = 0.3 / UNLISTED
    value, cohort = rng.choice(len(p), PEOPLE, p=p), rng.integers(0, COHORTS, PEOPLE)
    lie = rng.random(PEOPLE) >= RATIO / (RATIO + SYMBOLS - 1)
    said = (strings[value, cohort] + lie * rng.integers(1, SYMBOLS, PEOPLE)) % SYMBOLS
    counts = np.bincount(cohort * SYMBOLS + said, minlength=COHORTS * SYMBOLS).reshape(COHORTS, SYMBOLS)
    return strings[:CANDIDATES], counts, p[:CANDIDATES]


def main() -> None:
    """Simulate, decode, and compare."""
    table, counts, p = simulate(np.random.default_rng(3))
    survey = timed("table", lambda: CohortSurvey.responses(table, counts, RATIO))
    evidence = timed("least squares", lambda: regress(survey))
    found = timed("presence", lambda: present(evidence.pvalues()))
    for form in ("projected", "nonnegative", "likelihood"):
        shares = timed(form, partial(HASHED[form], evidence)).frequencies
        print(f"{'':24} l1 {np.abs(shares - p).sum():.3f}, largest error {np.abs(shares - p).max():.4f}")
    low, high = evidence.interval(0.05).T
    heights = (evidence.unbiased() - p) / evidence.stderr()
    print("\n".join(map(english, evidence.notes)))
    print(
        f"unlisted {evidence.unlisted}, standard error {np.median(evidence.stderr()):.5f}, spread {heights.std():.3f}"
    )
    print(f"covered {((low <= p) & (p <= high)).mean():.4f}, found {len(found)}, falsely {(p[found] == 0).sum()}")
    print(f"memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.2f} GiB")


if __name__ == "__main__":
    main()
