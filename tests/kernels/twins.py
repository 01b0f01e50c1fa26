"""Slow readable twins of the kernels: one value at a time, Python integers, one iterator of words."""

from __future__ import annotations

from collections.abc import Iterator

WORD = 1 << 64
MASK = WORD - 1


def uniform(words: Iterator[int], bound: int, bits: int = 64) -> int:
    """Lemire's exact integer below ``bound`` from words of so many bits."""
    while True:
        product = next(words) * bound
        if product % (1 << bits) >= (1 << bits) % bound:
            return product >> bits


def response(words: Iterator[int], value: int, d: int, above: int, below: int) -> int:
    """One k-RR report."""
    coin = uniform(words, above - below + d * below)
    return value if coin < above - below else (coin - (above - below)) // below


def hadamard(words: Iterator[int], value: int, size: int, parts: int, above: int, below: int) -> int:
    """One Hadamard report."""
    coin = uniform(words, above - below + 2 * parts * below)
    word = next(words)
    if coin >= above - below:
        return word % (size * parts)
    part, row = divmod(value, size - 1)
    own = word % size
    if (own & (row + 1)).bit_count() % 2:
        own ^= (row + 1) & -(row + 1)
    return part * size + own


def cyclic(words: Iterator[int], value: int, block: list[int], length: int, above: int, below: int) -> int:
    """One Cyclic report."""
    coin = uniform(words, len(block) * (above - below) + length * below)
    while True:
        word = next(words)
        low, high = (word % 2**32) * len(block), (word >> 32) * length
        if low % 2**32 >= 2**32 % len(block) and high % 2**32 >= 2**32 % length:
            break
    shift = block[low >> 32] if coin < len(block) * (above - below) else high >> 32
    return (value + shift) % length


def hadamard_row(words: Iterator[int], noise: range, own: range, row: int, above: int, below: int) -> int:
    """One high-low or block Hadamard report: with odds A - B : 2B its own output, of its row's + half, else noise.

    Both ranges have a power of two of outputs, and one word decides for either.
    """
    coin = uniform(words, above + below)
    word = next(words)
    if coin >= above - below:
        return noise[word % len(noise)]
    place = word % len(own)
    if (place & row).bit_count() % 2:
        place ^= row & -row
    return own[place]


def coin(words: Iterator[int], below: int, total: int) -> int:
    """1 as often as ``below`` of ``total``."""
    return int(uniform(words, total) < below)


def table(words: Iterator[int], weights: list[int]) -> int:
    """One report of a channel's row."""
    coin, y = uniform(words, sum(weights)), 0
    while coin >= weights[y]:
        coin, y = coin - weights[y], y + 1
    return y


def bernoulli(words: Iterator[int], below: int, group: int) -> list[list[bool]]:
    """One group of words of coins, as lists of bits."""
    settled: list[dict[int, bool]] = [{} for _ in range(group)]
    for bit in range(63, -1, -1):
        wanted = below >> bit & 1
        for lanes in settled:
            word = next(words)
            for lane in range(64):
                if lane not in lanes and (word >> lane & 1) != wanted:
                    lanes[lane] = wanted == 1
        if all(len(lanes) == 64 for lanes in settled):
            break
    return [[lanes.get(lane, False) for lane in range(64)] for lanes in settled]


def subset(words: Iterator[int], start: set[int], value: int, d: int, size: int, inside: int, total: int) -> set[int]:
    """One Subset report from the symbols that the noise started with."""
    members = {symbol for symbol in start if symbol < d and symbol != value}
    adding = len(members) < size
    while len(members) != size:
        symbol = uniform(words, d)
        if symbol != value and (symbol in members) != adding:
            members ^= {symbol}
    gone = sorted(members)[uniform(words, size)]
    truthful = uniform(words, total) < inside
    return members - {gone} | {value} if truthful else members


def walsh_hadamard(values: list[int]) -> list[int]:
    """The transform by its definition."""
    n = len(values)
    return [sum((-1) ** (i & y).bit_count() * values[y] for y in range(n)) for i in range(n)]


def split_mix(base: int, k: int) -> int:
    """The k-th word of a base."""
    z = (base + (k + 1) * 0x9E3779B97F4A7C15) % WORD
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % WORD
    z = (z ^ z >> 27) * 0x94D049BB133111EB % WORD
    return z ^ z >> 31


def hash_symbol(base: int, place: int, symbols: int) -> int:
    """The symbol of a base at a place."""
    return split_mix(base, place) * symbols >> 64


def dealt(base: int, labels: int, cohort: int, symbols: int) -> list[int]:
    """Each label's symbol in one cohort of a closed domain."""
    order = sorted(range(labels), key=lambda i: (split_mix(base, cohort * labels + i), i))
    return [order.index(i) % symbols for i in range(labels)]


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
