"""Every draw equals its slow twin on the same words, wherever the tape is cut."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from functools import partial
from types import FrameType
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pytest
from numba import njit
from tests.kernels import twins

from deniable.kernels.draw import subsets
from deniable.kernels.draw.bits import GROUP, draw_bernoulli, flip_own, toss_own
from deniable.kernels.draw.draws import draw_coins, draw_cyclic, draw_hadamard, draw_response, draw_rows, draw_table
from deniable.kernels.draw.hashing import flip_filters
from deniable.kernels.draw.subsets import settle_subsets
from deniable.kernels.words import high_product, ones, philox
from deniable.mechanisms.channels.table import Search
from deniable.privacy.entropy import SeededEntropy, feed
from deniable_client import draws

if TYPE_CHECKING:
    from _typeshed import TraceFunction

WORD = 1 << 64
Words = npt.NDArray[np.uint64]
Kernel = Callable[[npt.NDArray[np.uint32], Words, int], tuple[int, int]]
"""Writes reports to the first array, from words of the second, going on after so many reports."""


class Tape:
    """An entropy that hands out a fixed tape in small, odd pieces, as if words came in late."""

    def __init__(self, words: npt.NDArray[np.uint64], piece: int) -> None:
        self.left, self.piece = words, piece

    def words(self, count: int) -> npt.NDArray[np.uint64]:
        taken, self.left = self.left[: self.piece], self.left[self.piece :]
        assert len(taken), "the tape is too short for this test"
        return taken

    def part(self, index: int) -> Tape:
        return self


def check_agreement(kernel: Kernel, twin: Callable[[Iterator[int], int], int], values: list[int]) -> None:
    """The kernel, fed by pieces of 1, 3 and 1000 words, makes what the twin makes."""
    tape = SeededEntropy(11).words(20 * len(values) + 64)
    words = iter(tape.tolist())
    expected = [twin(words, value) for value in values]
    for piece in (1, 3, 1000):
        out = np.zeros(len(values), np.uint32)
        feed(Tape(tape, piece), partial(kernel, out), len(values), 1.0)
        assert out.tolist() == expected


def test_philox_known_answers() -> None:
    """The test vectors of the Random123 distribution."""
    out = np.zeros(2, np.uint64)
    philox(np.uint64(0), np.uint64(0), np.uint64(0), out)
    assert [f"{w:016x}" for w in out.tolist()] == ["e169c58d6627e8d5", "9b00dbd8bc57ac4c"]
    philox(np.uint64(WORD - 1), np.uint64(WORD - 1), np.uint64(WORD - 1), out)
    assert [f"{w:016x}" for w in out.tolist()] == ["41c83b0e408f276d", "6d5451fda20bc7c6"]
    key, stream, counter = 0x299F31D0A4093822, 0x0370734413198A2E, 0x85A308D3243F6A88
    philox(np.uint64(key), np.uint64(stream), np.uint64(counter), out)
    assert [f"{w:016x}" for w in out.tolist()] == ["94fdccebd16cfe09", "24126ea15001e420"]


def test_philox_is_addressed_by_counter() -> None:
    whole, tail = np.zeros(40, np.uint64), np.zeros(20, np.uint64)
    philox(np.uint64(5), np.uint64(6), np.uint64(0), whole)
    philox(np.uint64(5), np.uint64(6), np.uint64(10), tail)
    assert np.array_equal(whole[20:], tail)


@pytest.mark.parametrize(("d", "above", "below"), [(2, 3, 1), (7, 22, 8), (1000, WORD // 2001, 1 << 40)])
def test_response(d: int, above: int, below: int) -> None:
    values = [i % d for i in range(300)]
    bonus, total, shift = above - below, above - below + d * below, below.bit_length() - 1
    numbers = np.array(values)
    check_agreement(
        lambda out, tape, done: draw_response(
            tape, done, numbers, np.uint64(bonus), np.uint64(total), np.uint64(shift), out
        ),
        lambda words, value: draws.response(words, value, d, above, below),
        values,
    )


@pytest.mark.parametrize(("d", "size", "parts"), [(3, 4, 1), (7, 4, 4), (9, 2, 16), (60, 32, 2)])
def test_hadamard(d: int, size: int, parts: int) -> None:
    values, above, below = [i % d for i in range(300)], 19, 8
    numbers, bonus, total = np.array(values), above - below, above - below + 2 * parts * below
    check_agreement(
        lambda out, tape, done: draw_hadamard(
            tape, done, numbers, np.uint64(bonus), np.uint64(total), np.uint64(size), np.uint64(parts), out
        ),
        lambda words, value: draws.hadamard(words, value, size, parts, above, below),
        values,
    )


ROWS: list[tuple[range, range, int]] = [
    (range(8), range(8), 1),
    (range(8), range(8), 5),
    (range(8), range(8), 7),
    (range(8), range(8, 9), 0),
    (range(8), range(13, 14), 0),
    (range(16, 18), range(16, 18), 1),
    (range(32, 64), range(32, 64), 22),
    (range(7, 8), range(900, 901), 0),
]
"""Noise, own outputs and the row of labels of high-low and block Hadamard response."""


@pytest.mark.parametrize(("above", "below"), [(2, 1), (19, 8), (WORD // 2 + 5, 1 << 40), (WORD - 2, 1)])
def test_hadamard_rows(above: int, below: int) -> None:
    values = [i * 5 % len(ROWS) for i in range(300)]
    numbers, bonus, total = np.array(values), np.uint64(above - below), np.uint64(above + below)
    rows = np.array([[n.start, len(n) - 1, o.start, len(o) - 1, row] for n, o, row in ROWS], np.uint64)
    check_agreement(
        lambda out, tape, done: draw_rows(tape, done, numbers, bonus, total, rows, out),
        lambda words, value: draws.hadamard_row(words, *ROWS[value], above, below),
        values,
    )


@pytest.mark.parametrize(("below", "total"), [(0, 1), (1, 3), (5, 8), (WORD // 3, WORD // 2 + 1), (WORD - 7, WORD - 1)])
def test_coins(below: int, total: int) -> None:
    """Half of all words are rejected at 2^63 + 1."""
    coins = np.zeros(300, np.uint8)

    def kernel(out: npt.NDArray[np.uint32], tape: Words, done: int) -> tuple[int, int]:
        found = draw_coins(tape, done, np.uint64(below), np.uint64(total), coins)
        out[:] = coins
        return found

    check_agreement(kernel, lambda words, value: draws.coin(words, below, total), [0] * 300)


@pytest.mark.parametrize(("block", "length"), [([0], 5), ([0, 1, 3], 7), ([0, 1, 6, 8, 18], 21)])
def test_cyclic(block: list[int], length: int) -> None:
    values, above, below = [i % length for i in range(300)], 19, 8
    bonus = len(block) * (above - below)
    numbers, points = np.array(values), np.array(block, np.int32)
    check_agreement(
        lambda out, tape, done: draw_cyclic(
            tape, done, numbers, np.uint64(bonus), np.uint64(bonus + length * below), points, np.uint64(length), out
        ),
        lambda words, value: draws.cyclic(words, value, block, length, above, below),
        values,
    )


def test_table() -> None:
    """Small totals and one of nearly 2^64, places that the guide tells at once, and many in one of its steps."""
    many = [1] * 300 + [WORD - 1307, 1000, 1, *range(3)]
    many[-1] += WORD - 1 - sum(many)
    for weights in ([[0, 3, 5, 0], [2, 2, 2, 2], [8, 0, 0, 0]], [[1, 0, 0, WORD - 7], [WORD - 7, 1, 0, 0]], [many]):
        values = [i % len(weights) for i in range(300)]
        search = Search.of(np.cumsum(np.array(weights, np.uint64), axis=1, dtype=np.uint64))
        check_table(search, weights, np.array(values))


def check_table(search: Search, weights: list[list[int]], numbers: npt.NDArray[np.int64]) -> None:
    check_agreement(
        lambda out, tape, done: draw_table(tape, done, numbers, *search, out),
        lambda words, value: draws.table(words, weights[value]),
        numbers.tolist(),
    )


def bernoulli_step(
    below: np.uint64, out: npt.NDArray[np.uint64], tape: npt.NDArray[np.uint64], done: int
) -> tuple[int, int]:
    return draw_bernoulli(tape, done, below, out)


@pytest.mark.parametrize("below", [1, 1 << 63, (1 << 63) + 1, 6177092311883573, WORD - 1])
def test_bernoulli(below: int) -> None:
    tape = SeededEntropy(3).words(12000)
    words = iter(tape.tolist())
    expected = draws.coins(words, below, 5 * 64 * GROUP)
    for piece in (GROUP, 7, 5000):
        out = np.zeros(5 * GROUP, np.uint64)
        feed(
            Tape(tape, piece),
            partial(bernoulli_step, np.uint64(below), out),
            len(out),
            1.0,
        )
        assert int.from_bytes(out.tobytes(), "little") == expected


@pytest.mark.parametrize(("d", "size", "noisy"), [(5, 1, False), (9, 8, True), (64, 20, True), (130, 40, True)])
def test_subsets(d: int, size: int, noisy: bool) -> None:
    entropy, n, words_a_row = SeededEntropy(8), 200, -(-d // 64)
    noise = entropy.words(n * words_a_row).reshape(n, -1) if noisy else np.zeros((n, words_a_row), np.uint64)
    start = [int.from_bytes(row.tobytes(), "little") & (1 << d) - 1 for row in noise]
    tape, values = entropy.words(200 * n), np.arange(n) % d
    words, inside, total = iter(tape.tolist()), 7 * size, 7 * size + 2 * (d - size)
    expected = [draws.exchange(words, start[i], i % d, d, size, inside, total) for i in range(n)]
    for piece in (1, 5, 10000):
        rows = noise.copy()

        def step(tape: npt.NDArray[np.uint64], done: int, rows: npt.NDArray[np.uint64] = rows) -> tuple[int, int]:
            return settle_subsets(tape, done, values, np.uint64(d), size, np.uint64(inside), np.uint64(total), rows)

        feed(Tape(tape, piece), step, n, 1.0)
        assert [int.from_bytes(row.tobytes(), "little") for row in rows] == expected


def plain(kernel: Any) -> Callable[..., object]:
    """The Python function that a kernel was compiled from."""
    function: Callable[..., object] = kernel.__wrapped__
    return function


def exchange_steps(members: list[int], rank: int, truthful: int) -> int:
    """The lines that one exchange runs, in plain Python; its result is held against sets."""
    steps, row = 0, np.zeros(2, np.uint64)
    for member in members:
        row[member >> 6] |= np.uint64(1 << (member & 63))

    def count(frame: FrameType, event: str, _argument: object) -> TraceFunction:
        nonlocal steps
        steps += event == "line" and frame.f_code.co_filename == subsets.__file__
        return count

    tracing = sys.gettrace()
    sys.settrace(count)
    try:
        plain(subsets._exchange)(row, np.int64(rank), np.uint64(5), np.uint64(truthful))
    finally:
        sys.settrace(tracing)
    kept = {*members[:rank], *members[rank + 1 :], 5} if truthful else set(members)
    assert set(np.flatnonzero(np.unpackbits(row.view(np.uint8), bitorder="little")).tolist()) == kept
    return steps


@pytest.mark.filterwarnings("ignore:overflow")
def test_an_exchange_takes_as_many_steps_whatever_it_exchanges(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever had the report and the number of steps could else rule out, at times, that it is all noise."""
    monkeypatch.setattr(subsets, "opaque", lambda word: word)
    monkeypatch.setattr(subsets, "_lowest", plain(subsets._lowest))
    members = [0, 1, 63, 64, 70, 127]
    steps = {exchange_steps(members, rank, truthful) for rank in range(6) for truthful in (0, 1)}
    assert len(steps) == 1
    assert min(steps) > 6


def test_own_bits() -> None:
    reports, values = np.full((3, 2), 0xFF, np.uint8), np.array([0, 9, 7])
    flip_own(reports, values, np.uint8(0x03))
    assert reports.tolist() == [[0xFE, 0x03], [0xFF, 0x01], [0x7F, 0x03]]
    toss_own(reports, values, np.uint8(0x03), np.array([0b001], np.uint64))
    assert reports.tolist() == [[0xFF, 0x03], [0xFF, 0x01], [0x7F, 0x03]]


@njit()
def multiply_high(a: np.uint64, b: np.uint64) -> Any:
    """An intrinsic only exists inside compiled code."""
    return high_product(a, b)


def test_word_arithmetic() -> None:
    for a, b in ((WORD - 1, WORD - 1), (3, 1 << 63), (0, 5), (0x123456789ABCDEF, 0xFEDCBA987654321)):
        assert int(multiply_high(np.uint64(a), np.uint64(b))) == a * b >> 64
        assert ones(np.uint64(a)) == a.bit_count()


@pytest.mark.parametrize("count", [2, 14, 16, 18, 50])
def test_philox_equals_its_twin(count: int) -> None:
    """Whole vectors of counters and the rest, across the wrap of the counter."""
    key, stream, first = 0x123456789ABCDEF0, WORD - 5, WORD - 3
    out = np.zeros(count, np.uint64)
    philox(np.uint64(key), np.uint64(stream), np.uint64(first), out)
    expected = [word for i in range(count // 2) for word in twins.philox(key, stream, (first + i) % WORD)]
    assert out.tolist() == expected


def test_the_choice_of_the_truth_is_no_branch() -> None:
    """In every kernel that chooses, the mask passes through an empty piece of assembly that the compiler cannot see."""
    tape, values, out = SeededEntropy(1).words(8), np.zeros(1, np.int64), np.zeros(1, np.uint8)
    one, two, total = np.uint64(1), np.uint64(2), np.uint64(8)
    points, rows = np.array([0], np.int32), np.ones((1, 5), np.uint64)
    calls: list[tuple[Callable[..., object], tuple[object, ...]]] = [
        (draw_response, (tape, 0, values, one, total, one, out)),
        (draw_hadamard, (tape, 0, values, one, total, two, one, out)),
        (draw_cyclic, (tape, 0, values, one, total, points, two, out)),
        (draw_rows, (tape, 0, values, one, total, rows, out)),
        (flip_filters, (np.zeros((1, 1), np.uint8), tape[:1], np.zeros(1, np.uint32), 2, 8)),
        (settle_subsets, (tape, 0, values, two, 1, one, two, np.zeros((1, 1), np.uint64))),
    ]
    for draw, arguments in calls:
        compiled: Any = njit()(plain(draw))  # what comes from the cache does not show its code
        compiled(*arguments)
        (code,) = compiled.inspect_llvm().values()
        assert re.search(r'asm "", "=r,0', code), draw
