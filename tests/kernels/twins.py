"""Slow readable twins of the kernels that count and decode; those that draw have theirs in deniable_client."""

from __future__ import annotations


def walsh_hadamard(values: list[int]) -> list[int]:
    """The transform by its definition."""
    n = len(values)
    return [sum((-1) ** (i & y).bit_count() * values[y] for y in range(n)) for i in range(n)]


def bit_counts(rows: list[list[int]], width: int) -> list[int]:
    """How many rows of bytes hold each bit."""
    return [sum(row[j >> 3] >> (j & 7) & 1 for row in rows) for j in range(8 * width)]


def weight(row: list[int]) -> int:
    """The set bits of a row of bytes."""
    return sum(byte.bit_count() for byte in row)


def histogram(reports: list[int], size: int) -> list[int]:
    """How often each integer is reported."""
    counts = [0] * size
    for report in reports:
        counts[report] += 1
    return counts


def philox(key: int, stream: int, counter: int) -> tuple[int, int]:
    """Philox4x32-10 of one counter, as two words."""
    low = (1 << 32) - 1
    a, b, c, d, k, m = counter & low, counter >> 32, stream & low, stream >> 32, key & low, key >> 32
    for _ in range(10):
        left, right = 0xD2511F53 * a, 0xCD9E8D57 * c
        a, b, c, d = right >> 32 ^ b ^ k, right & low, left >> 32 ^ d ^ m, left & low
        k, m = k + 0x9E3779B9 & low, m + 0xBB67AE85 & low
    return a | b << 32, c | d << 32


def cohort_counts(reports: list[list[int]], width: int, cohorts: int) -> tuple[list[int], dict[tuple[int, int], int]]:
    """The people of each cohort; how often each bit was held there, where it was."""
    people, held = [0] * cohorts, dict[tuple[int, int], int]()
    for low, high, *row in reports:
        cohort = low + 256 * high
        people[cohort] += 1
        for j in range(8 * width):
            if row[j // 8] >> j % 8 & 1:
                held[cohort, j] = held.get((cohort, j), 0) + 1
    return people, held
