"""Surveys of 10^9 people in aggregate, beside what their reports would take: ``python -m benchmarks.aggregate``."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import numpy as np

import deniable as dn
from deniable.mechanisms.mechanism import Mechanism

USERS, D, EPSILON, TURNS, SAMPLE = 10**9, 1024, 1.0, 5, 200_000


def seconds(call: Callable[[], object]) -> float:
    """The median turn, once warm."""
    call()
    turns = []
    for _ in range(TURNS):
        start = time.perf_counter()
        call()
        turns.append(time.perf_counter() - start)
    return statistics.median(turns)


def mechanisms() -> list[Mechanism]:
    """Every family over as many labels."""
    labels, sensitive, halves = range(D), range(0, D, 4), [range(D // 2), range(D // 2, D)]
    plain = (dn.RandomizedResponse, dn.Rappor, dn.OptimizedUnary, dn.Subset, dn.Hadamard, dn.Cyclic)
    high_low = (dn.HighLowResponse, dn.HighLowRappor, dn.HighLowHadamard)
    hashed = dn.HashedResponse(EPSILON, 16, 256, domain=D), dn.HashedRappor(EPSILON, 32, 256, hashes=2, domain=D)
    return [
        *(family(D, EPSILON) for family in plain),
        *(family(labels, sensitive, EPSILON) for family in high_low),
        dn.BlockHadamard(halves, EPSILON),
        *hashed,
    ]


def main() -> None:
    """One line a mechanism."""
    generator = np.random.default_rng(1)
    weights = 1 / np.arange(1, D + 1)
    truth = weights / weights.sum()
    people = generator.multinomial(USERS, truth)
    some = generator.choice(D, SAMPLE, p=truth)
    print(f"{USERS:,} people, {D} labels (Zipf), epsilon = {EPSILON:g}")
    print(f"{'':20} {'in aggregate':>14} {'reports, about':>16}")
    for m in mechanisms():
        drawn = seconds(lambda m=m: m.draw_tally(people, generator))
        made = seconds(lambda m=m: m.tally(m.privatize_many(some, seed=1))) * USERS / SAMPLE
        print(f"{m.name:20} {drawn * 1000:11.2f} ms {made:14,.0f} s", flush=True)


if __name__ == "__main__":
    main()
