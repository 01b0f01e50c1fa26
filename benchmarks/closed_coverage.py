"""How often intervals of hashed reports miss over a closed domain: ``python -m benchmarks.closed_coverage``, a minute.

100 labels, level 1, four symbols, 100,000 people; 1 to 512 cohorts of both mechanisms, and labels that are equally
frequent or follow Zipf's law. Misses of 95% intervals of all labels, in percent, and their mean width.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

import deniable as dn
from deniable.theory.truths import uniform, zipf

Vector: TypeAlias = npt.NDArray[np.float64]

LABELS, EPSILON, SYMBOLS, PEOPLE, LEVEL = 100, 1.0, 4, 100_000, 0.95
COHORTS = (1, 8, 30, 40, 64, 512)
FAMILIES: tuple[Callable[..., Any], ...] = (dn.HashedResponse, dn.HashedRappor)


def misses(m: Any, truth: Vector, surveys: int) -> tuple[float, float]:
    """The share of the intervals that miss, in percent, and how wide they are on average, in points."""
    rng, missed, width = np.random.default_rng(1), 0.0, 0.0
    for _ in range(surveys):
        tally = m.draw_tally(rng.multinomial(PEOPLE, truth), rng)
        low, high = m.estimate(tally, "unbiased").interval(LEVEL).T
        missed += float(((truth < low) | (truth > high)).mean())
        width += float((high - low).mean())
    return 100 * missed / surveys, 100 * width / surveys


def main() -> None:
    """Print the table of the documentation."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--surveys", type=int, default=200)
    surveys = parser.parse_args().surveys
    print("| mechanism | cohorts | misses, uniform | misses, Zipf | width, uniform | width, Zipf |")
    print("|---|---|---|---|---|---|")
    for family in FAMILIES:
        for cohorts in COHORTS:
            m = family(EPSILON, SYMBOLS, cohorts, domain=LABELS)
            (even, wide), (bent, broad) = (misses(m, truth(LABELS), surveys) for truth in (uniform, zipf))
            print(f"| {m.name} | {cohorts} | {even:.1f} | {bent:.1f} | {wide:.1f} | {broad:.1f} |", flush=True)


if __name__ == "__main__":
    main()
