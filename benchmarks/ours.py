"""Our part in a cell: a mechanism's contenders at each stage, and the limits to compare them with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks import affinity, limits
from benchmarks.catalogue import FAMILIES
from benchmarks.measure import SEED, Contender, calibrate, clock
from deniable.mechanisms.mechanism import evidence_of

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_BYTES = 1 << 26
MOST_REPORTS = 1 << 24
MOST_DECODINGS = 1 << 20
DECODED = 10_000
DECODERS = {"decode": "unbiased", "project": "projected"}


class Ours:
    """One of our mechanisms at one domain size, with labels 0 to d - 1."""

    def __init__(self, mechanism: str, d: int) -> None:
        self.mechanism = FAMILIES[mechanism].measured_member(d)
        self.d = d
        self.most = min(MOST_REPORTS, MOST_BYTES * 8 // self.mechanism.report_bits)
        self.values = np.random.default_rng(SEED).integers(0, d, self.most)

    def contenders(self, stage: str, target: float) -> list[Contender]:
        """Ours and the limits, warm and calibrated; what threads share also on one processor."""
        if stage in DECODERS:
            return self.decode(DECODERS[stage], target)
        if stage == "tally":
            return both(self.tally(target))
        return [*both(self.client("seeded", SEED, target)), *self.client("system entropy", None, target)]

    def client(self, name: str, seed: int | None, target: float) -> list[Contender]:
        """Randomizing a column, beside drawing the words that it needs."""

        def run(count: int) -> float:
            values = self.values[:count]
            return clock(lambda: self.mechanism.privatize_many(values, seed=seed))

        ours = contender(name, run, target, self.most)
        source = limits.SYSTEM if seed is None else limits.SEEDED
        return [ours, limits.words(source, ours.count, self.mechanism.cost.words_per_report)]

    def tally(self, target: float) -> list[Contender]:
        """Counting a column, beside reading its bytes and, if reports are integers, a bare histogram."""
        reports = self.reports(target)
        beside = [limits.read(reports)]
        if reports.ndim == 1:
            beside.append(limits.histogram(reports, self.mechanism.layout.cells))
        ours = contender("tally", lambda count: clock(lambda: self.mechanism.tally(reports)), target, 1)
        return [Contender(ours.kind, ours.name, len(reports), ours.run), *beside]

    def reports(self, target: float) -> Any:
        """As many reports as a few targets of time make, 64 MiB at the most."""

        def randomize(count: int) -> float:
            return clock(lambda: self.mechanism.privatize_many(self.values[:count], seed=SEED))

        count = calibrate(randomize, 4 * target, self.most)
        return self.mechanism.privatize_many(self.values[:count], seed=SEED)

    def decode(self, decoder: str, target: float) -> list[Contender]:
        """Decoding a tally, beside the additions that it takes: the numbers alone, or the whole projected estimate."""
        mechanism = self.mechanism
        tally = mechanism.tally(mechanism.privatize_many(self.values[:DECODED], seed=SEED))

        def bare() -> object:
            return evidence_of(mechanism, tally).unbiased()

        def whole() -> object:
            return mechanism.estimate(tally, decoder=decoder).frequencies

        once = bare if decoder == "unbiased" else whole

        def again(count: int) -> None:
            for _ in range(count):
                once()

        def run(count: int) -> float:
            return clock(lambda: again(count))

        ours = contender(decoder, run, target, MOST_DECODINGS)
        return [ours, limits.additions(mechanism.law.decode_operations, self.d, ours.count)]


def both(contenders: list[Contender]) -> list[Contender]:
    """On all processors and, if the system permits it, on one."""
    return contenders + [affinity.on_one(one) for one in contenders if affinity.AVAILABLE]


def contender(name: str, run: Callable[[int], float], target: float, most: int) -> Contender:
    """A contender of ours whose runs take about ``target`` seconds."""
    count = calibrate(run, target, most)
    return Contender("ours", name, count, lambda: run(count))
