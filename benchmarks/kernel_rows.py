"""The kernels to time, each with its limit over the same data."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy import fft

import deniable as dn
from benchmarks import numpy_clients
from benchmarks.limits import SEEDED, shared_histogram
from benchmarks.limits import words as random_words
from benchmarks.measure import EPSILON, SEED
from deniable.kernels._kernels import draw_bernoulli, philox, walsh_hadamard
from deniable.kernels.arithmetic import affine, project_simplex
from deniable.kernels.cohorts import collect, mass
from deniable.kernels.counts import HEAD, collect_packed, count_by_cohort, count_packed, histogram, mass_packed
from deniable.kernels.hashing import hash_table
from deniable.kernels.threads import spread

PACKED_BYTES = 1 << 26
REPORTS = 1 << 24
VALUES = 1 << 22
TAPE = 1 << 18
STRINGS, COHORTS, RANGE = 1 << 14, 64, 64
SKEWS: dict[str, Callable[[Any], Any]] = {
    "even": np.asarray,
    "one value": lambda reports: np.full_like(reports, reports.max() // 3),
    "sorted": np.sort,
}


@dataclass(frozen=True, slots=True)
class Row:
    """One kernel to time: its work, how many items that is, and the limit it is compared with."""

    kernel: str
    limit: str
    goal: float | None
    """The share that it was built for, where one was set."""
    count: int
    ours: Callable[[], object]
    beside: Callable[[], object]


def packed() -> Iterator[Row]:
    """Counting bits, without and with the check of weights, beside reading."""
    source = np.random.default_rng(SEED)
    for d in (256, 1000, 1024, 16384, 1 << 20):
        width = -(-d // 8)
        reports = source.integers(0, 256, (PACKED_BYTES // (8 * width) * 8, width), np.uint8)
        whole = reports.reshape(-1)[: reports.size // 8 * 8].view(np.uint64)

        def read(whole: Any = whole) -> object:
            return spread(np.sum, whole)

        for weight, name in ((-1, "packed bits"), (d // 2, "packed bits of one weight")):

            def ours(reports: Any = reports, weight: int = weight) -> object:
                return count_packed(reports, weight)

            yield Row(f"{name}, d = {d}", "a sum of the bytes", 0.5, len(reports), ours, read)


def integers() -> Iterator[Row]:
    """Histograms, checks included, beside a bare loop; even, skewed and sorted."""
    source = np.random.default_rng(SEED)
    for d in (16, 256, 1024, 16384, 1 << 20):
        even = source.integers(0, d, REPORTS, np.min_scalar_type(d - 1))
        for skew, make in SKEWS.items():
            reports = make(even)
            ours, beside = partial(histogram, reports, d), partial(shared_histogram, reports, d)
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


def drawn() -> Iterator[Row]:
    """The clients of tables and of blocks beside the random words that they take."""
    blocks = [range(start, start + 64) for start in range(0, 1024, 64)]
    for mechanism in (
        dn.Channel(256, dn.RandomizedResponse(256, EPSILON).channel().rows),
        dn.BlockHadamard(blocks, EPSILON),
    ):
        column = np.random.default_rng(SEED).integers(0, len(mechanism.domain), VALUES)
        limit = random_words(SEEDED, len(column), mechanism.cost.words_per_report)
        ours = partial(mechanism.privatize_many, column, seed=SEED)
        yield Row(f"client, {type(mechanism).__name__}", "its random words", 0.3, len(column), ours, limit.run)


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
            return mechanism.law.count(counts)

        def beside(line: Any = line) -> object:
            return fft.irfft(fft.rfft(line))

        yield Row(f"cyclic decoding, d = {d}", "two real FFTs", 0.4, d, ours, beside)


def by_cohort() -> Iterator[Row]:
    """Counting bits by cohort beside reading."""
    source = np.random.default_rng(SEED)
    for cohorts, bits in ((64, 32), (64, 128), (256, 1024)):
        width = HEAD + bits // 8
        reports = source.integers(0, 256, (PACKED_BYTES // (8 * width) * 8, width), np.uint8)
        reports[:, :HEAD] = source.integers(0, cohorts, len(reports), np.uint16).view(np.uint8).reshape(-1, HEAD)
        read = partial(spread, np.sum, reports.reshape(-1).view(np.uint64))
        name = f"{bits} bits in {cohorts} cohorts"
        yield Row(name, "a sum of the bytes", None, len(reports), partial(count_by_cohort, reports, cohorts), read)


def likelihoods() -> Iterator[Row]:
    """Sums over what packed reports and tables of candidates hold, both ways, beside reading them."""
    source, d = np.random.default_rng(SEED), 1024
    reports = source.integers(0, 256, (PACKED_BYTES // 8 // (d // 8), d // 8), np.uint8)
    chances, weights = source.random(d), source.random(len(reports))
    read = partial(np.sum, reports.reshape(-1).view(np.uint64))
    limit = "a sum of the bytes, one thread"
    yield Row("mass of packed bits", limit, None, len(reports), partial(mass_packed, reports, chances), read)
    collected = partial(collect_packed, reports, weights, d)
    yield Row("collecting over packed bits", limit, None, len(reports), collected, read)
    table, people = source.integers(0, RANGE, (STRINGS, COHORTS, 1), np.uint16), source.random(STRINGS)
    read = partial(np.sum, table.reshape(-1).view(np.uint64))
    yield Row("mass of a table", limit, None, table.size, partial(mass, table, people, RANGE), read)
    field = source.random((COHORTS, RANGE))
    yield Row("collecting over a table", limit, None, table.size, partial(collect, table, field), read)


def hashes() -> Iterator[Row]:
    """Symbols of texts beside as many random words."""
    source, tape, key = np.random.default_rng(SEED), np.empty(STRINGS * COHORTS, np.uint64), np.uint64(SEED)
    bases = source.integers(0, 1 << 63, STRINGS, np.uint64)
    make = partial(hash_table, bases, COHORTS, 1, RANGE)
    yield Row("symbols of texts", "as many random words", None, len(tape), make, partial(philox, key, key, key, tape))


def decoders() -> Iterator[Row]:
    """Inversion beside one multiplication; projection beside the sort that the textbook has."""
    for d in (1024, 1 << 20):
        counts, out = np.random.default_rng(SEED).integers(0, 1000, d), np.empty(d)
        noisy = np.random.default_rng(SEED).normal(1 / d, 2 / d, d)
        inverted = partial(affine, counts, 0.5, 1.0)
        yield Row(
            f"inversion, d = {d}", "one multiplication", None, d, inverted, partial(np.multiply, counts, 0.5, out)
        )
        yield Row(
            f"projection, d = {d}", "NumPy's sort", None, d, partial(project_simplex, noisy), partial(np.sort, noisy)
        )


def entropies() -> Iterator[Row]:
    """Columns with the system's entropy, as on a device, beside the same from a seed."""
    labels = 1000
    blocks = [range(start, start + 50) for start in range(0, labels, 50)]
    values = np.random.default_rng(SEED).integers(0, labels, VALUES // 4)
    for mechanism in (
        dn.RandomizedResponse(labels, EPSILON),
        dn.Rappor(labels // 10, EPSILON),
        dn.Subset(labels // 10, EPSILON),
        dn.Hadamard(labels, EPSILON),
        dn.Cyclic(labels, EPSILON),
        dn.BlockHadamard(blocks, EPSILON),
        dn.Channel(10, dn.RandomizedResponse(10, EPSILON).channel().rows),
    ):
        column = values % len(mechanism.domain)
        yield Row(
            f"{type(mechanism).__name__} from the system",
            "from a seed",
            0.6,
            len(column),
            partial(mechanism.privatize_many, column),
            partial(mechanism.privatize_many, column, seed=SEED),
        )


GROUPS = (
    packed,
    by_cohort,
    integers,
    clients,
    drawn,
    entropies,
    words,
    hashes,
    transforms,
    circles,
    decoders,
    likelihoods,
)
"""All of them, made one after another, so that one group's data are there at a time."""
