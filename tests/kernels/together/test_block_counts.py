"""Bits counted by block against a slow twin; every kind of malformed report is told from the others."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from deniable.kernels import threads
from deniable.kernels.counts import count_by_block

Reports = npt.NDArray[np.uint8]


def report(block: int, labels: list[int], width: int) -> list[int]:
    """The block, then the labels' bits."""
    bits = np.zeros(8 * width, np.uint8)
    bits[labels] = 1
    return [block & 0xFF, block >> 8, *np.packbits(bits, bitorder="little").tolist()]


def sound(n: int, sizes: list[int], weights: list[int]) -> tuple[Reports, list[int]]:
    """Random reports of random blocks, and what they add up to."""
    source, counts = np.random.default_rng((n, len(sizes))), [0] * sum(sizes)
    rows = []
    for block in source.integers(0, len(sizes), n).tolist():
        labels = source.choice(sizes[block], weights[block], replace=False).tolist()
        rows.append(report(block, labels, -(-max(sizes) // 8)))
        for label in labels:
            counts[sum(sizes[:block]) + label] += 1
    return np.array(rows, np.uint8).reshape(n, 2 + -(-max(sizes) // 8)), counts


@pytest.mark.parametrize("n", [0, 1, 700, 2000])
@pytest.mark.parametrize(
    ("sizes", "weights"), [([3], [2]), ([1, 8, 2], [1, 3, 1]), ([9, 70, 64], [4, 30, 63]), ([2] * 300, [1] * 300)]
)
def test_labels_are_counted_as_they_were_drawn(
    n: int, sizes: list[int], weights: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By one thread, and by three that share the column."""
    reports, counts = sound(n, sizes, weights)
    for alone in (threads.ALONE, 64):
        monkeypatch.setattr(threads, "ALONE", alone)
        monkeypatch.setattr(threads, "processors", lambda: 3)
        found, faults = count_by_block(reports, np.array(sizes), np.array(weights))
        assert (found.tolist(), faults) == (counts, (0, 0, 0))


@pytest.mark.parametrize(
    ("wrong", "faults"),
    [
        (report(2, [0], 2), (1, 0, 0)),
        (report(65535, [0], 2), (1, 0, 0)),
        (report(0, [1, 3], 2), (0, 1, 0)),
        (report(0, [15, 2], 2), (0, 1, 0)),
        (report(0, [1], 2), (0, 0, 1)),
        (report(1, [], 2), (0, 0, 1)),
        (report(1, [0, 1, 9], 2), (0, 0, 1)),
        (report(0, [0, 1, 2, 3], 2), (0, 1, 1)),
    ],
)
def test_every_fault_is_told(wrong: list[int], faults: tuple[int, int, int]) -> None:
    """Blocks of 3 labels, two of them set, and of 10 labels, one set."""
    reports = np.array([report(0, [0, 2], 2), wrong, report(1, [9], 2)], np.uint8)
    assert count_by_block(reports, np.array([3, 10]), np.array([2, 1]))[1] == faults
