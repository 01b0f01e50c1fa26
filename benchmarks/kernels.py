"""Every kernel beside its limit: ``python -m benchmarks.kernels [--only NAME] [--json FILE] [--turns 11]``.

Both sides of a row take turns on the same data with the same number of threads; the share is the median, over the
turns, of the limit's time by ours.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from scipy import fft

import deniable as dn
from benchmarks import numpy_clients
from benchmarks.limits import bare_histogram
from benchmarks.measure import EPSILON, SEED, clock
from deniable.kernels.bits import draw_bernoulli
from deniable.kernels.counts import histogram
from deniable.kernels.popcounts import count_packed
from deniable.kernels.threads import spread
from deniable.kernels.transforms import walsh_hadamard
from deniable.kernels.words import philox

PACKED_BYTES = 1 << 26
REPORTS = 1 << 24
VALUES = 1 << 22
TAPE = 1 << 18
SKEWS: dict[str, Callable[[Any], Any]] = {
    "even": np.asarray,
    "one value": lambda reports: np.full_like(reports, reports.max() // 3),
    "sorted": np.sort,
}


@dataclass(frozen=True, slots=True)
class Row:
    """One kernel: what is done, how much of it, beside what."""

    kernel: str
    limit: str
    goal: float
    count: int
    ours: Callable[[], object]
    beside: Callable[[], object]


@dataclass(frozen=True, slots=True)
class Share:
    """How a kernel did."""

    kernel: str
    limit: str
    goal: float
    rate: float
    share: float


def packed() -> Iterator[Row]:
    """Counting bits, without and with the check of weights, beside reading."""
    source = np.random.default_rng(SEED)
    for d in (256, 1000, 1024, 16384):
        width = -(-d // 8)
        reports = source.integers(0, 256, (PACKED_BYTES // (8 * width) * 8, width), np.uint8)
        whole = reports.reshape(-1)[: reports.size // 8 * 8].view(np.uint64)

        def read(whole: Any = whole) -> object:
            return spread(np.sum, whole)

        for weight, name in ((-1, "packed bits"), (d // 2, "packed bits of one weight")):

            def ours(reports: Any = reports, weight: int = weight) -> object:
                return count_packed(reports, weight)

            yield Row(f"{name}, d = {d}", "a sum of the bytes", 0.4, len(reports), ours, read)


def integers() -> Iterator[Row]:
    """Histograms, checks included, beside a bare loop; even, skewed and sorted."""
    source = np.random.default_rng(SEED)
    for d in (16, 256, 1024, 16384):
        even = source.integers(0, d, REPORTS, np.min_scalar_type(d - 1))
        for skew, make in SKEWS.items():
            reports = make(even)

            def bare(part: Any, d: int = d) -> None:
                bare_histogram(part, np.zeros(d, np.int64))

            def ours(reports: Any = reports, d: int = d) -> object:
                return histogram(reports, d)

            def beside(reports: Any = reports, bare: Callable[[Any], None] = bare) -> object:
                return spread(bare, reports)

            yield Row(f"histogram, d = {d}, {skew}", "a bare loop", 0.6, REPORTS, ours, beside)


def clients() -> Iterator[Row]:
    """Columns of reports, seeded, beside NumPy's own; Cyclic beside k-RR."""
    source, d = np.random.default_rng(SEED), 1024
    values = source.integers(0, d, VALUES)
    response, rows, cyclic = dn.RandomizedResponse(d, EPSILON), dn.Hadamard(d, EPSILON), dn.Cyclic(d, EPSILON)

    def draw(mechanism: Any) -> Callable[[], object]:
        return lambda: mechanism.privatize_many(values, seed=SEED)

    def numpy_response() -> object:
        return numpy_clients.response(source, values, d, EPSILON)

    def numpy_hadamard() -> object:
        return numpy_clients.hadamard(source, values, rows.size, rows.parts, EPSILON)

    yield Row("client, k-RR", "NumPy's generator", 5, VALUES, draw(response), numpy_response)
    yield Row("client, Hadamard", "NumPy's generator", 5, VALUES, draw(rows), numpy_hadamard)
    yield Row("client, Cyclic", "k-RR", 0.5, VALUES, draw(cyclic), draw(response))


def words() -> Iterator[Row]:
    """Random words beside as many of NumPy's doubles; Bernoulli words beside the words that they cost."""
    source, tape, doubles = np.random.default_rng(SEED), np.empty(TAPE, np.uint64), np.empty(TAPE)
    key, out = np.uint64(SEED), np.empty(TAPE // 40 * 4, np.uint64)

    def ours() -> None:
        philox(key, key, key, tape)

    def coins() -> None:
        draw_bernoulli(tape, 0, np.uint64(1 << 62 | 12345), out)

    yield Row("words", "NumPy's doubles, a word each", 1, TAPE, ours, lambda: source.random(out=doubles))
    yield Row("Bernoulli words", "their random words", 0.5, len(out), coins, ours)


def transforms() -> Iterator[Row]:
    """The Walsh-Hadamard transform beside as many additions by NumPy, in the first cache."""
    left, right = np.ones(1 << 11, np.int64), np.ones(1 << 11, np.int64)
    for power in (10, 14, 20):
        values = np.ones(1 << power, np.int64)
        rounds = max(1, (power << power) >> 11)

        def ours(values: Any = values) -> None:
            walsh_hadamard(values)

        def beside(rounds: int = rounds) -> None:
            for _ in range(rounds):
                np.add(left, right, out=left)

        yield Row(f"Walsh-Hadamard, K = 2^{power}", "its additions", 0.5, 1 << power, ours, beside)


def circles() -> Iterator[Row]:
    """Exact cyclic decoding beside its two real transforms alone."""
    for d in (1024, 16384):
        mechanism = dn.Cyclic(d, EPSILON)
        counts = np.random.default_rng(SEED).integers(0, 1000, mechanism.design.length)
        line = np.ones(fft.next_fast_len(mechanism.design.length + d - 1, real=True))

        def ours(mechanism: Any = mechanism, counts: Any = counts) -> object:
            return mechanism.support_counts(counts)

        def beside(line: Any = line) -> object:
            return fft.irfft(fft.rfft(line))

        yield Row(f"cyclic decoding, d = {d}", "two real FFTs", 0.4, d, ours, beside)


def measure(row: Row, seconds: float, turns: int) -> Share:
    """Both sides in turn, repeated until a turn takes about ``seconds``."""
    row.beside()
    row.ours()
    again = max(1, math.ceil(seconds / clock(row.ours)))

    def repeated(call: Callable[[], object]) -> float:
        return clock(lambda: [call() for _ in range(again)])

    times = [(repeated(row.ours), repeated(row.beside)) for _ in range(turns)]
    share = statistics.median(beside / ours for ours, beside in times)
    rate = again * row.count / statistics.median(ours for ours, _ in times)
    return Share(row.kernel, row.limit, row.goal, rate, share)


def show(shares: list[Share], console: Console) -> None:
    """The table."""
    table = Table("kernel", "limit", "items a second", "share", "goal")
    for one in shares:
        table.add_row(one.kernel, one.limit, f"{one.rate:.3g}", f"{one.share:.0%}", f"{one.goal:.0%}")
    console.print(table)


def main() -> None:
    """Measure, show, write."""
    parser = argparse.ArgumentParser(prog="benchmarks.kernels", description="every kernel beside its limit")
    parser.add_argument("--seconds", type=float, default=0.02, help="how long a turn should take")
    parser.add_argument("--turns", type=int, default=11, help="how often both sides take turns")
    parser.add_argument("--json", type=Path, help="write the shares here")
    parser.add_argument("--only", default="", help="a part of the kernels' names")
    args = parser.parse_args()
    groups = (packed, integers, clients, words, transforms, circles)
    rows = (row for group in groups for row in group() if args.only in row.kernel)
    shares = [measure(row, args.seconds, args.turns) for row in rows]
    show(shares, Console())
    if args.json:
        args.json.write_text(json.dumps([asdict(one) for one in shares], indent=1) + "\n")


if __name__ == "__main__":
    main()
