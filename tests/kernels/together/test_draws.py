"""Every draw equals its slow twin on the same words, wherever the tape is cut."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product

import numpy as np
import pytest
from tests.kernels import twins

from deniable.arrays import Column, Indices, Words
from deniable.kernels import _kernels
from deniable.kernels._kernels import GROUP
from deniable.mechanisms.channels.table import Search
from deniable.privacy.entropy import SeededEntropy, feed
from deniable.protocol import draws, hashes

WORD = 1 << 64
PEOPLE = 300
TAPE = SeededEntropy(11).words(80_000)
REPORTS = [np.zeros(PEOPLE, kind) for kind in "BHI"]
Kernel = Callable[[Indices, Column, Words, int], tuple[int, int]]
"""Of values, writes reports to the second array, from words of the third, going on after so many reports."""
Twin = Callable[[Iterator[int], int], int]
"""A report of a value, as an integer, from words."""


class Tape:
    """An entropy that hands out a fixed tape in small, odd pieces, as if words came in late."""

    def __init__(self, words: Words, piece: int) -> None:
        self.left, self.piece = words, piece

    def words(self, count: int) -> Words:
        taken, self.left = self.left[: self.piece], self.left[self.piece :]
        assert len(taken), "the tape is too short for this test"
        return taken

    def part(self, index: int) -> Tape:
        return self


def integers(reports: Column) -> list[int]:
    """Each report, or row of bytes or words, as an integer, the lowest first."""
    return [int.from_bytes(report.tobytes(), "little") for report in reports]


def spaced(d: int) -> list[int]:
    """Values below d."""
    return [i % d for i in range(PEOPLE)]


def check_agreement(
    kernel: Kernel, twin: Twin, values: list[int], starts: list[Column] = REPORTS, tape: Words = TAPE
) -> None:
    """The kernel, fed by pieces of 1, 3 and 1000 words, makes what the twin makes, in all that has room for it."""
    words = iter(tape.tolist())
    expected = [twin(words, value) for value in values]
    wide = [start for start in starts if max(expected).bit_length() <= 8 * start[0].nbytes]
    assert wide
    for start, piece in product(wide, (1, 3, 1000)):
        out = start[: len(values)].copy()
        feed(Tape(tape, piece), partial(kernel, np.array(values), out), len(out), 1.0)
        assert integers(out) == expected


def test_philox_known_answers() -> None:
    """The test vectors of the Random123 distribution."""
    out, pi = np.zeros(2, np.uint64), (0x299F31D0A4093822, 0x0370734413198A2E, 0x85A308D3243F6A88)
    for given, expected in [
        ((0, 0, 0), ["e169c58d6627e8d5", "9b00dbd8bc57ac4c"]),
        ((WORD - 1, WORD - 1, WORD - 1), ["41c83b0e408f276d", "6d5451fda20bc7c6"]),
        (pi, ["94fdccebd16cfe09", "24126ea15001e420"]),
    ]:
        _kernels.philox(*given, out)
        assert [f"{word:016x}" for word in out.tolist()] == expected


@pytest.mark.parametrize("count", [0, 2, 14, 16, 18, 50])
def test_philox_equals_its_twin(count: int) -> None:
    """Whole vectors of counters and the rest, across the wrap of the counter."""
    key, stream, first = 0x123456789ABCDEF0, WORD - 5, WORD - 3
    out = np.zeros(count, np.uint64)
    _kernels.philox(key, stream, first, out)
    assert out.tolist() == [word for i in range(count // 2) for word in twins.philox(key, stream, (first + i) % WORD)]


@pytest.mark.parametrize("bound", [1, 2, 3, 255, (1 << 31) + 1, (1 << 63) + 1, WORD // 3 * 2, WORD - 1])
def test_integers(bound: int) -> None:
    """Half of all words are rejected at 2^63 + 1."""
    check_agreement(
        lambda numbers, out, tape, done: _kernels.draw_below(tape, done, bound, out),
        lambda words, value: draws.uniform(words, bound),
        spaced(1),
        [np.zeros(PEOPLE, kind) for kind in (np.uint32, np.int64, np.uint64)],
    )


@pytest.mark.parametrize(("below", "total"), [(0, 1), (1, 3), (5, 8), (WORD // 3, WORD // 2 + 1), (WORD - 7, WORD - 1)])
def test_coins(below: int, total: int) -> None:
    check_agreement(
        lambda numbers, out, tape, done: _kernels.draw_coins(tape, done, below, total, out),
        lambda words, value: draws.coin(words, below, total),
        spaced(1),
        REPORTS[:1],
    )


@pytest.mark.parametrize("below", [0, 1, 1 << 63, (1 << 63) + 1, 6177092311883573, WORD - 1])
def test_bernoulli(below: int) -> None:
    """On random words, and on some that decide no coin before the last bit."""

    def kernel(numbers: Indices, out: Column, tape: Words, done: int) -> tuple[int, int]:
        words, used = _kernels.draw_bernoulli(tape, done * GROUP, below, out.reshape(-1))
        return words // GROUP, used

    late = np.array([[[-(below >> bit & 1)] * GROUP for bit in range(63, -1, -1)]] * 9).view(np.uint64)
    late[:, 63] = TAPE[: 9 * GROUP].reshape(9, GROUP)
    for tape in (TAPE, late.reshape(-1)):
        start, twin = np.zeros((9, GROUP), np.uint64), lambda words, value: draws.coins(words, below, 64 * GROUP)
        check_agreement(kernel, twin, [0] * 9, [start], tape)


@pytest.mark.parametrize(("d", "above", "below"), [(2, 3, 1), (7, 22, 8), (1000, WORD // 2001, 1 << 40)])
def test_response(d: int, above: int, below: int) -> None:
    bonus, total, shift = above - below, above - below + d * below, below.bit_length() - 1
    check_agreement(
        lambda numbers, out, tape, done: _kernels.draw_response(tape, done, numbers, bonus, total, shift, out),
        lambda words, value: draws.response(words, value, d, above, below),
        spaced(d),
    )


@pytest.mark.parametrize(
    ("d", "above", "below"), [(1, 5, 2), (2, 5, 2), (6, 7, 6), (9, 1, 0), (290, WORD // 2, 1 << 62)]
)
def test_geometric(d: int, above: int, below: int) -> None:
    check_agreement(
        lambda numbers, out, tape, done: _kernels.draw_geometric(tape, done, numbers, above, below, d, out),
        lambda words, value: draws.geometric(words, value, d, above, below),
        [*spaced(d)[:20], d - 1, d // 2],
    )


@pytest.mark.parametrize(("d", "size", "parts"), [(3, 4, 1), (7, 4, 4), (9, 2, 16), (60, 32, 2), (290, 512, 1)])
def test_hadamard(d: int, size: int, parts: int) -> None:
    above, below = 19, 8
    bonus, total = above - below, above - below + 2 * parts * below
    check_agreement(
        lambda numbers, out, tape, done: _kernels.draw_hadamard(tape, done, numbers, bonus, total, size, parts, out),
        lambda words, value: draws.hadamard(words, value, size, parts, above, below),
        spaced(d),
    )


ROWS: list[tuple[range, range, int]] = [
    (range(8), range(8), 1), (range(8), range(8), 5), (range(8), range(8), 7), (range(8), range(8, 9), 0),
    (range(8), range(13, 14), 0), (range(16, 18), range(16, 18), 1), (range(32, 64), range(32, 64), 22),
    (range(7, 8), range(900, 901), 0),
]  # fmt: skip
"""Noise, own outputs and the row of labels of high-low and block Hadamard response."""


@pytest.mark.parametrize("labels", [len(ROWS) - 1, len(ROWS)])
@pytest.mark.parametrize(("above", "below"), [(2, 1), (19, 8), (WORD // 2 + 5, 1 << 40), (WORD - 2, 1)])
def test_hadamard_rows(above: int, below: int, labels: int) -> None:
    rows = np.array([[n.start, len(n) - 1, o.start, len(o) - 1, row] for n, o, row in ROWS], np.uint64)
    check_agreement(
        lambda numbers, out, tape, done: _kernels.draw_rows(
            tape, done, numbers, above - below, above + below, rows, out
        ),
        lambda words, value: draws.hadamard_row(words, *ROWS[value], above, below),
        [5 * i % labels for i in range(PEOPLE)],
    )


@pytest.mark.parametrize(("block", "length"), [([0], 5), ([0, 1, 3], 7), ([0, 1, 6, 8, 18], 21), ([0, 7], 70_000)])
def test_cyclic(block: list[int], length: int) -> None:
    above, below, points = 19, 8, np.array(block, np.int32)
    bonus = len(block) * (above - below)
    check_agreement(
        lambda numbers, out, tape, done: _kernels.draw_cyclic(
            tape, done, numbers, bonus, bonus + length * below, points, length, out
        ),
        lambda words, value: draws.cyclic(words, value, block, length, above, below),
        spaced(length),
    )


MANY = [1] * 300 + [WORD - 1307, 1000, 1, *range(3)]
APART = [WORD // 3, WORD // 4, WORD // 6, WORD // 5]
TABLES = [[[0, 3, 5, 0], [2, 2, 2, 2], [8, 0, 0, 0]], [[1, 0, 0, WORD - 7], [WORD - 7, 1, 0, 0]], [MANY], [APART]]
TABLES += [[APART, APART[::-1], sorted(APART)], [[3, 2, 3], [2, 2, 4]]]
MANY[-1] += WORD - 1 - sum(MANY)


@pytest.mark.parametrize("weights", TABLES)
def test_table(weights: list[list[int]]) -> None:
    """Small totals and some of nearly 2^64, places that the guide tells at once, and many in one of its steps."""
    search = Search.of(np.cumsum(np.array(weights, np.uint64), axis=1, dtype=np.uint64))
    check_agreement(
        lambda numbers, out, tape, done: _kernels.draw_table(tape, done, numbers, *search, out),
        lambda words, value: draws.table(words, weights[value]),
        spaced(len(weights)),
    )


@pytest.mark.parametrize(("d", "size", "noisy"), [(5, 1, False), (9, 8, True), (64, 20, True), (130, 40, True)])
def test_subsets(d: int, size: int, noisy: bool) -> None:
    rows = SeededEntropy(8).words(200 * -(-d // 64)).reshape(200, -1) * np.uint64(noisy)
    noise, inside, total = integers(rows), 7 * size, 7 * size + 2 * (d - size)
    check_agreement(
        lambda numbers, out, tape, done: _kernels.settle_subsets(tape, done, numbers % d, d, size, inside, total, out),
        lambda words, i: draws.exchange(words, noise[i] & (1 << d) - 1, i % d, d, size, inside, total),
        list(range(200)),
        [rows],
    )


def cut(words: Iterator[int], held: int, labels: int, most: int) -> int:
    """A uniform choice of a list's labels, filled up with places after all labels."""
    kept = [label for label in draws.shuffled(words, labels) if held >> label & 1][:most]
    return sum(1 << place for place in (*kept, *range(labels, labels + most - len(kept))))


@pytest.mark.parametrize(("labels", "most"), [(1, 0), (1, 3), (9, 2), (63, 64), (64, 5), (130, 20)])
def test_lists(labels: int, most: int) -> None:
    lists = SeededEntropy(labels).words(30 * -(-labels // 64)).reshape(30, -1)
    lists[::3] &= np.uint64(9)
    held, room = integers(lists), np.zeros((30, -(-(labels + most) // 64)), np.uint64)
    check_agreement(
        lambda numbers, out, tape, done: _kernels.cut_lists(tape, done, lists, labels, most, out),
        lambda words, i: cut(words, held[i], labels, most),
        list(range(30)),
        [room],
    )


@pytest.mark.parametrize("width", [1, 2, 9])
@pytest.mark.parametrize("last", [0x01, 0x3F, 0xFF])
def test_own_bits(width: int, last: int) -> None:
    """Of more reports than a word has coins, the own bit is flipped, or a coin; bits outside the last byte's are 0."""
    source = np.random.default_rng((width, last))
    values, coins = source.integers(0, 8 * width - 7, 99), source.integers(0, WORD, 2, np.uint64, endpoint=False)
    flipped = source.integers(0, 256, (99, width), np.uint8)
    tossed, pad, (coin,) = flipped.copy(), (last + 1 << 8 * (width - 1)) - 1, integers(coins[None])
    noise = [row & pad for row in integers(flipped)]
    _kernels.flip_own(flipped, values, last)
    assert integers(flipped) == [row ^ 1 << v for row, v in zip(noise, values.tolist(), strict=True)]
    _kernels.toss_own(tossed, values, last, coins)
    pairs = enumerate(zip(noise, values.tolist(), strict=True))
    assert integers(tossed) == [row & ~(1 << v) | (coin >> i & 1) << v for i, (row, v) in pairs]


@pytest.mark.parametrize(("symbols", "count", "n"), [(1, 1, 0), (1, 3, 5), (20, 3, 60), (300, 5, 33), (1 << 16, 2, 9)])
def test_hashes(symbols: int, count: int, n: int) -> None:
    """Words, tables, own symbols, and filters of several in noise."""
    source = np.random.default_rng((symbols, n))
    bases, cohorts = source.integers(0, WORD, n, np.uint64, endpoint=False), source.integers(0, 1 << 16, n, np.uint32)
    people = list(zip(bases.tolist(), cohorts.tolist(), strict=True))
    words, table, own = np.zeros(n, np.uint64), np.zeros((n, 4, count), np.uint16), np.zeros(n, np.int64)
    _kernels.split_words(WORD - 3, 5, words)
    assert words.tolist() == [hashes.split_mix(WORD - 3, 5 + k) for k in range(n)]
    _kernels.hash_table(bases, symbols, table)
    flat = table.reshape(n, 4 * count).tolist()
    assert flat == [[hashes.hash_symbol(base, k, symbols) for k in range(4 * count)] for base in bases.tolist()]
    _kernels.hash_own(bases, cohorts, symbols, own)
    assert own.tolist() == [hashes.hash_symbol(base, cohort, symbols) for base, cohort in people]
    filters = source.integers(0, 256, (n, -(-symbols // 8)), np.uint8)
    expected = [
        noise ^ sum({1 << hashes.hash_symbol(base, cohort * count + j, symbols) for j in range(count)})
        for noise, (base, cohort) in zip(integers(filters), people, strict=True)
    ]
    _kernels.flip_filters(filters, bases, cohorts, count, symbols)
    assert integers(filters) == expected
