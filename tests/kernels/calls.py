"""A sound call of every kernel, as its binding takes it: what hostile calls and other targets start from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from deniable.kernels import _kernels
from deniable.mechanisms.channels.table import Search

WORD = 1 << 64
KERNELS = sorted(
    name for name, value in vars(_kernels).items() if callable(value) and name not in {"targets", "use_target"}
)


def sound_call(name: str, seed: int = 0, people: int = 40) -> list[Any]:
    """Arguments of a kernel, fresh at each call; ``people`` and a few smaller sizes make every loop run."""
    return CALLS[name](np.random.default_rng((seed, people)), people)


def draw(source: np.random.Generator, people: int, labels: int, more: int = 3) -> list[Any]:
    """A tape, nothing done so far, and values."""
    return [
        source.integers(0, WORD, more * people + 8, np.uint64, endpoint=False),
        0,
        source.integers(0, labels, people),
    ]


def bases(source: np.random.Generator, people: int) -> Any:
    """Words of texts."""
    return source.integers(0, WORD, people, np.uint64, endpoint=False)


def cohorts(source: np.random.Generator, people: int) -> Any:
    """Cohorts from 0 to 3."""
    return source.integers(0, 4, people).astype(np.uint32)


def reports(source: np.random.Generator, people: int, kind: type[np.unsignedinteger[Any]] = np.uint16) -> Any:
    """Room for reports."""
    return np.zeros(people, kind)


def packed(source: np.random.Generator, people: int, width: int) -> Any:
    """Packed reports with random bits."""
    return source.integers(0, 256, (people, width), np.uint8)


def table(source: np.random.Generator, people: int) -> Any:
    """Candidates [S, 5 cohorts, 2 hashes] with sorted symbols below 9."""
    return np.sort(source.integers(0, 9, (people, 5, 2)).astype(np.uint16), axis=2)


def searched(source: np.random.Generator, people: int) -> list[Any]:
    """A channel's table of three rows."""
    sums = np.cumsum(np.array([[3, 5, 0, 2], [1, 1, 1, 7], [10, 0, 0, 0]], np.uint64), axis=1, dtype=np.uint64)
    return [*draw(source, people, 3), *Search.of(sums), reports(source, people)]


def subsets(source: np.random.Generator, people: int) -> list[Any]:
    """Rows of noise that become subsets of 20 among 70."""
    rows = source.integers(0, WORD, (people, 2), np.uint64, endpoint=False)
    return [*draw(source, people, 70, 90), 70, 20, 140, 240, rows]


def lists(source: np.random.Generator, people: int) -> list[Any]:
    """Lists of 60 labels that are cut to 5."""
    held, room = source.integers(0, WORD, (people, 1), np.uint64, endpoint=False), np.zeros((people, 2), np.uint64)
    return [*draw(source, people, 1, 70)[:2], held & np.uint64((1 << 60) - 1), 60, 5, room]


def runs(source: np.random.Generator, people: int) -> list[Any]:
    """Short reports, four side by side in a row of the adders."""
    room = np.zeros(512 * 8, np.int64)
    return [packed(source, people, 7), 28, np.zeros(1, np.int64), 28, 30, np.zeros(0, np.int64), room]


def factor(people: int) -> list[Any]:
    """A factor of two entries in every column but the last."""
    starts = np.minimum(np.arange(people + 1) * 2, 2 * people - 1)
    rows = np.repeat(np.arange(people), 2)[: 2 * people - 1] + np.arange(2 * people - 1) % 2
    lower = np.where(np.arange(2 * people - 1) % 2, 0.5, 1.0)
    return [starts, rows, lower, np.ones(people), np.zeros(people)]


CALLS: dict[str, Callable[[np.random.Generator, int], list[Any]]] = {
    "affine": lambda s, n: [s.integers(0, 99, n), 0.5, 0.1, np.zeros(n)],
    "beyond_single": lambda s, n: [packed(s, n, 9) & packed(s, n, 9), 3],
    "collect": lambda s, n: [table(s, n), s.random((5, 9)), np.zeros(n)],
    "collect_packed": lambda s, n: [packed(s, n, 3), s.random(n), np.zeros(21)],
    "count_blocks": lambda s, n: [
        packed(s, n, 4) & np.uint8(3), np.array([0, 9, 20, 36]), np.array([1, 2, 3]), np.zeros(36, np.int64),
    ],
    "count_cohorts": lambda s, n: [
        packed(s, n, 13) & np.array([3, 0, *[255] * 11], np.uint8), np.zeros(3, np.int64), np.zeros((3, 88), np.int64),
    ],
    "count_runs": runs,
    "count_values": lambda s, n: [np.zeros(300, np.int64), s.integers(0, 300, n).astype(np.uint16)],
    "cumulants": lambda s, n: [s.normal(size=(n, 5)), 0.3, np.array([0.0, 0.5, 0.5])],
    "cut_lists": lists,
    "decayed": lambda s, n: [s.random(n), 0.5, np.zeros(n)],
    "draw_below": lambda s, n: [*draw(s, n, 1)[:2], WORD // 3 * 2, np.zeros(n, np.uint64)],
    "draw_bernoulli": lambda s, n: [*draw(s, n, 1, 60)[:2], 1 << 62 | 12345, np.zeros(4 * n, np.uint64)],
    "draw_coins": lambda s, n: [*draw(s, n, 1)[:2], 5, 8, np.zeros(n, np.uint8)],
    "draw_cyclic": lambda s, n: [*draw(s, n, 7), 30, 86, np.array([0, 1, 3], np.int32), 7, reports(s, n)],
    "draw_geometric": lambda s, n: [*draw(s, n, 6, 8), 5, 2, 6, reports(s, n, np.uint8)],
    "draw_hadamard": lambda s, n: [*draw(s, n, 28), 11, 75, 8, 4, reports(s, n)],
    "draw_response": lambda s, n: [*draw(s, n, 50), WORD // 4, WORD // 4 + 50 * (1 << 50), 50, reports(s, n, np.uint8)],
    "draw_rows": lambda s, n: [*draw(s, n, 2), 11, 27, np.array([[0, 7, 8, 7, 5]] * 2, np.uint64), reports(s, n)],
    "draw_table": searched,
    "flip_filters": lambda s, n: [packed(s, n, 3), bases(s, n), cohorts(s, n), 2, 20],
    "flip_own": lambda s, n: [packed(s, n, 3), s.integers(0, 20, n), 15],
    "hash_own": lambda s, n: [bases(s, n), cohorts(s, n), 20, np.zeros(n, np.int64)],
    "hash_table": lambda s, n: [bases(s, n), 20, np.zeros((n, 4, 2), np.uint16)],
    "inverse_diagonal": lambda s, n: factor(n),
    "least_holders": lambda s, n: [
        s.integers(0, 90, n), np.full(n, 90), s.integers(0, 90, n), 0.75, 0.25, 0.25, 0.75, 0.05, np.zeros(n, np.int64),
    ],
    "mass": lambda s, n: [table(s, n), s.random(n), 1, np.zeros((3, 9))],
    "mass_packed": lambda s, n: [packed(s, n, 3), s.random(21), np.zeros(n)],
    "out_of_weight": lambda s, n: [packed(s, n, 77), 308],
    "overlaps": lambda s, n: [table(s, n), s.random(5), 9, n // 3, np.zeros((n // 2, n))],
    "pairs_held": lambda s, n: [table(s, n), s.random(n), s.random(5), s.random((5, 9))],
    "philox": lambda s, n: [5, 6, WORD - 3, np.zeros(2 * n, np.uint64)],
    "project_simplex": lambda s, n: [s.normal(1 / n, 2 / n, n), np.zeros(n)],
    "quadratic_forms": lambda s, n: [
        table(s, n), s.normal(size=(n, 70)), 0.2, s.random(5), s.random((5, 9)), s.random((5, 9)), np.zeros((3, 70)),
    ],
    "recurrence_zeros": lambda s, n: [3, cohorts(s, 2), cohorts(s, 2), 2, np.ones(n, np.uint8)],
    "settle_subsets": subsets,
    "split_words": lambda s, n: [5, 6, np.zeros(n, np.uint64)],
    "toss_own": lambda s, n: [packed(s, n, 3), s.integers(0, 20, n), 15, bases(s, n)],
    "upper_tail": lambda s, n: [50, 30, 0.75, 0.25, 60, 0.25, 0.75],
    "walsh_hadamard": lambda s, n: [s.integers(-9, 9, 1 << n.bit_length())],
}  # fmt: skip
