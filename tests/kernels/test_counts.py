"""Counting against slow twins: every width, skew, part and fault, on one processor and on several."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from tests.cases import each
from tests.kernels import twins

from deniable.kernels import counts, threads
from deniable.kernels._kernels import beyond_single, out_of_weight, walsh_hadamard
from deniable.kernels.counts import PANEL, TILE, collect_packed, count_packed, histogram, mass_packed, out_of_range

Reports = npt.NDArray[np.uint8]
ROWS = 8
WIDTHS = [1, 2, 3, 8, 13, 64, 100, 125, 128, 511, 512, 513, 1300, PANEL, PANEL + 3, 2 * PANEL + TILE]


def random_rows(n: int, width: int) -> Reports:
    return np.random.default_rng((n, width)).integers(0, 256, (n, width), np.uint8)


@each("width", WIDTHS)
@each("n", [0, 1, 15, 33])
def test_bits_are_counted_as_the_twin_counts_them(n: int, width: int) -> None:
    rows = random_rows(n, width)
    found, wrong = count_packed(rows, weight=4 * width)
    assert found.tolist() == twins.bit_counts(rows)
    assert wrong == out_of_weight(rows, 4 * width) == (np.bitwise_count(rows).sum(axis=1) != 4 * width).sum()


@each("width", [2, 13, 128, PANEL + 8])
def test_carries_climb_several_levels(width: int) -> None:
    """Blocks of eight rows fill two levels of carries and more; full bits carry everywhere, at once."""
    n = ROWS**3 * (TILE // width) + 777 if width < TILE else ROWS**2 + 777
    assert count_packed(np.full((n, width), 0xFF, np.uint8))[0].tolist() == [n] * 8 * width
    rows = random_rows(n, width)
    assert count_packed(rows)[0].tolist() == twins.bit_counts(rows)


@pytest.mark.parametrize("width", [1, 3, 13, 125, 511, 512, 700, 1300])
@pytest.mark.parametrize("share", [1, 3 * TILE, 1 << 30])
def test_the_more_reports_the_longer_their_rows(width: int, share: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows of one tile, of a few and of the most, with a part of a tile at the end; the last rows are not full."""
    monkeypatch.setattr(counts, "SHARE", share)
    rows = random_rows(3 * ROWS * PANEL // width // 2 + 5, width)
    found, wrong = count_packed(rows, weight=4 * width)
    assert (found.tolist(), wrong) == (twins.bit_counts(rows), out_of_weight(rows, 4 * width))


def test_rows_need_not_start_at_a_word() -> None:
    """Views of a buffer at odd offsets, of every other row, and ones that nobody may write."""
    buffer = random_rows(1, 40 * 64 + 8).reshape(-1)
    for offset in range(8):
        rows = buffer[offset : offset + 40 * 64].reshape(40, 64)
        rows.flags.writeable = False
        assert count_packed(rows)[0].tolist() == twins.bit_counts(rows)
        assert count_packed(rows[::2])[0].tolist() == twins.bit_counts(rows[::2])


@each("width", [1, 2, 9, 33, 64, 65, 130])
@each("n", [0, 1, 40])
def test_bits_outside_are_told_as_the_twin_tells_them(n: int, width: int) -> None:
    """More than one bit from a place on. Few of the bits are set."""
    rows = random_rows(n, width) & (np.random.default_rng(n).random((n, width)) < 1 / width).astype(np.uint8) * 0x93
    held = [int.from_bytes(row, "little") for row in rows.tolist()]
    for first in {0, 1, 7, 8, 63, 64, 8 * width - 1} & set(range(8 * width)):
        assert beyond_single(rows, first) == sum((bits >> first).bit_count() > 1 for bits in held)


@each("width", [1, 2, 3, 4, 5, 9, 40])
@each("n", [0, 1, 7, 300])
@each("symbols", [0, 1, 5, 8])
def test_sums_over_bits_equal_their_twins(n: int, width: int, symbols: int) -> None:
    """Of whole numbers, whose sums no rounding changes; of all symbols but the last few."""
    rows, source, symbols = random_rows(n, width), np.random.default_rng(symbols), 8 * width - symbols
    p, weights = (source.integers(-(1 << 40), 1 << 40, size).astype(np.float64) for size in (symbols, n))
    held = np.unpackbits(rows, axis=1, bitorder="little")[:, :symbols].astype(np.float64)
    assert mass_packed(rows, p).tolist() == (held @ p).tolist()
    assert collect_packed(rows, weights, symbols).tolist() == (weights @ held).tolist()


@each("planted", [0, 1, 511, 4095])
def test_one_wrong_weight_among_many_is_found(planted: int) -> None:
    rows = np.tile(np.array([0x0F, 0xF0, 0, 0xFF], np.uint8), (4096, 1))
    assert count_packed(rows, weight=16)[1] == 0
    rows[planted, 2] = 1
    assert count_packed(rows, weight=16)[1] == out_of_weight(rows, 16) == 1


@each("size", [1, 2, 250, 256, 5000, 70_000])
@each("skew", ["even", "one value", "sorted", "few"])
def test_histograms_equal_the_twin_whatever_the_skew(size: int, skew: str) -> None:
    source = np.random.default_rng(size)
    even = source.integers(0, size, 20_001, np.min_scalar_type(size - 1))
    reports = {"even": even, "one value": np.full_like(even, size - 1), "sorted": np.sort(even), "few": even[:3]}[skew]
    found, wrong = histogram(reports, size)
    assert (found.tolist(), wrong) == (np.bincount(reports, minlength=size).tolist(), 0)


@each("size", [200, 60_000, 70_000])
@each("place", [0, 4095, 4096, 9_999])
def test_reports_out_of_range_are_counted_as_such(size: int, place: int) -> None:
    """At the ends of blocks too; the largest integer of the type must not be written anywhere."""
    reports = np.zeros(10_000, np.min_scalar_type(size - 1))
    assert histogram(reports, size)[1] == 0
    reports[place] = np.iinfo(reports.dtype).max
    reports[5000] = size
    assert histogram(reports, size)[1] == out_of_range(reports, size) == 2


def test_threads_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three threads on small shares: parts of odd length, each checked and counted, in order."""
    rows, reports = random_rows(999, 13), np.random.default_rng(1).integers(0, 201, 9_999, np.uint8)
    alone = count_packed(rows, 52), histogram(reports, 200)
    monkeypatch.setattr(threads, "ALONE", 100)
    monkeypatch.setattr(threads, "processors", lambda: 3)
    parts = threads.cut(reports)
    assert len(parts) == 3 * threads.FINER
    assert np.array_equal(np.concatenate(parts), reports)
    for before, after in zip(alone, (count_packed(rows, 52), histogram(reports, 200)), strict=True):
        assert before[0].tolist() == after[0].tolist()
        assert before[1] == after[1] > 0


def test_threads_share_the_bytes_of_long_reports(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some reports have the weight that is asked for, which no thread can see by itself."""
    rows = random_rows(40, 5 * PANEL + 11)
    rows[7] = rows[23] = rows[0]
    weight = int(np.bitwise_count(rows[0]).sum())
    alone = count_packed(rows, weight)
    monkeypatch.setattr(threads, "ALONE", 100)
    monkeypatch.setattr(threads, "processors", lambda: 3)
    shared = count_packed(rows, weight)
    assert shared[0].tolist() == alone[0].tolist() == twins.bit_counts(rows)
    assert shared[1] == alone[1] == 37


@pytest.mark.parametrize("size", [7, 5000, 70_000])
@pytest.mark.parametrize("processors", [1, 3])
def test_counts_are_added_onto_earlier_ones(size: int, processors: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With four tables, with two, and without; on one processor and in parts."""
    monkeypatch.setattr(threads, "ALONE", 1000)
    monkeypatch.setattr(threads, "processors", lambda: processors)
    reports = np.random.default_rng(size).integers(0, size, 9999).astype(np.uint32)
    onto = np.arange(size)
    found, wrong = histogram(reports, size, onto)
    assert found is onto
    assert wrong == 0
    assert np.array_equal(onto - np.arange(size), np.bincount(reports, minlength=size))


@each("power", range(16))
@each("kind", [np.int64, np.float64])
def test_the_transform_equals_its_definition(power: int, kind: type[Any]) -> None:
    """At some 32 places; sums of whole numbers are exact in floats, too."""
    values = np.random.default_rng(power).integers(-(1 << 37), 1 << 37, 1 << power)
    found = values.astype(kind)
    walsh_hadamard(found)
    for i in {*range(16), *range((1 << power) // 7, 1 << power, (1 << power) // 15 + 1)} & set(range(1 << power)):
        assert found[i] == twins.walsh_hadamard(values.tolist(), i)
