"""How reports are drawn from random words, in whole numbers: the readable twin of every kernel (wire/draws.md).

Every function reads the words that it names and no others, however the coins fall, as far as its draw allows: what is
drawn takes the same steps for every value. Sets of symbols are integers, symbol j being bit j.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .words import WORD, Words

LANES, GROUP = 64, 4
COINS = LANES * GROUP
"""Coins that are settled together."""
SPARSE = 8
"""Sets of less than one symbol in eight are built from nothing; larger ones start from random words."""


def uniform(words: Iterator[int], bound: int, bits: int = 64) -> int:
    """Lemire's exact integer below ``bound``, from words of so many bits."""
    while True:
        product = next(words) * bound
        if product % (1 << bits) >= (1 << bits) % bound:
            return product >> bits


def coin(words: Iterator[int], below: int, total: int) -> bool:
    """True as often as ``below`` of ``total``."""
    return uniform(words, total) < below


def coins(words: Iterator[int], below: int, count: int) -> int:
    """So many coins, each 1 in ``below`` of 2^64 cases, as the bits of an integer.

    Each coin compares a random number with ``below`` bit by bit, the highest first, 256 coins at a time; a group
    is done once every coin of it has met a bit that differs.
    """
    bits = 0
    for start in range(0, count, COINS):
        bits |= _group(words, below) << start
    return bits & (1 << count) - 1


def _group(words: Iterator[int], below: int) -> int:
    """256 coins as bits: each is 1 if its random 64-bit number is less than ``below``."""
    undecided, ones = (1 << COINS) - 1, 0
    for bit in range(63, -1, -1):
        drawn = 0
        for place in range(GROUP):
            drawn |= next(words) << LANES * place
        if below >> bit & 1:
            ones |= undecided & ~drawn
            undecided &= drawn
        else:
            undecided &= ~drawn
        if not undecided:
            break
    return ones


def geometric(words: Iterator[int], value: int, d: int, above: int, below: int) -> int:
    """The value plus k, or in B (``below``) of A + B cases the value minus (k + 1), cut off at 0 and at d - 1.

    k is geometric: at least n with probability (B/A)^n. All coins are tossed, since time would tell how many.
    """
    is_up = uniform(words, above + below) < above
    goes_on = [uniform(words, above) < below for _ in range(d - 1)]
    steps = (*goes_on, False).index(False)
    return (max(value - 1 - steps, 0), min(value + steps, d - 1))[is_up]


def response(words: Iterator[int], value: int, d: int, above: int, below: int) -> int:
    """One report of randomized response: the value with weight A against B for each other label."""
    drawn = uniform(words, above - below + d * below)
    other = (drawn - (above - below)) // below
    return (other, value)[drawn < above - below]


def hadamard(words: Iterator[int], value: int, size: int, parts: int, above: int, below: int) -> int:
    """One Hadamard report: an output of the + half of the value's row, or any output of all parts.

    There are ``parts`` matrices of ``size`` outputs each.
    """
    drawn = uniform(words, above - below + 2 * parts * below)
    word = next(words)
    part, row = divmod(value, size - 1)
    truthful = part * size + half(word % size, row + 1)
    return (word % (size * parts), truthful)[drawn < above - below]


def half(output: int, row: int) -> int:
    """The output, moved into the + half of a row of the Hadamard matrix if it is in the other."""
    return (output, output ^ (row & -row))[(output & row).bit_count() % 2]


def hadamard_row(words: Iterator[int], noise: range, own: range, row: int, above: int, below: int) -> int:
    """One high-low or block Hadamard report: with odds A - B : 2B its own output, of its row's + half, else noise.

    Both ranges have a power of two of outputs, and one word decides for either.
    """
    drawn = uniform(words, above + below)
    word = next(words)
    truthful = own[half(word % len(own), row)]
    return (noise[word % len(noise)], truthful)[drawn < above - below]


def cyclic(words: Iterator[int], value: int, block: Sequence[int], length: int, above: int, below: int) -> int:
    """One Cyclic report: the value, shifted by a point of the difference set or by any residue."""
    drawn = uniform(words, len(block) * (above - below) + length * below)
    while True:  # as in ``uniform``: each half of one word is an exact integer, below the points and the length
        word = next(words)
        low, high = (word % 2**32) * len(block), (word >> 32) * length
        if low % 2**32 >= 2**32 % len(block) and high % 2**32 >= 2**32 % length:
            break
    shift = (high >> 32, block[low >> 32])[drawn < len(block) * (above - below)]
    return (value + shift) % length


def table(words: Iterator[int], weights: Sequence[int]) -> int:
    """One report of a channel's row of weights."""
    drawn = uniform(words, sum(weights))
    end, column = 0, 0
    for weight in weights:
        end += weight
        column += end <= drawn
    return column


def exchange(words: Iterator[int], start: int, value: int, d: int, size: int, inside: int, total: int) -> int:
    """A uniform set of ``size`` of the symbols but the value; then the value takes a place in ``inside`` of ``total``.

    ``start`` is what the set begins with; symbols are put in or taken out until it has its size.
    """
    members = start & ~(1 << value)
    missing = size - members.bit_count()
    adding = missing > 0
    while missing:
        symbol = uniform(words, d)
        if symbol != value and (members >> symbol & 1) != adding:
            members ^= 1 << symbol
            missing += -1 if adding else 1
    leaving = [symbol for symbol in range(d) if members >> symbol & 1][uniform(words, size)]
    holding = members ^ 1 << leaving | 1 << value
    return (members, holding)[uniform(words, total) < inside]


def draw_set(words: Words, value: int, d: int, size: int, inside: int, total: int) -> int:
    """A set of ``size`` of d symbols that holds the value in ``inside`` of ``total`` cases, the others uniform."""
    start = coins(words.part(), size * WORD // d, d) if size * SPARSE >= d else 0
    return exchange(words.part(), start, value, d, size, inside, total)


def any_set(words: Words, d: int, size: int) -> int:
    """A uniform set of ``size`` of d symbols."""
    return draw_set(words, 0, d, size, size, d)


def shuffled(words: Iterator[int], d: int) -> list[int]:
    """The numbers below d in a uniformly random order (Fisher and Yates)."""
    order = list(range(d))
    for place in range(d - 1):
        other = place + uniform(words, d - place)
        order[place], order[other] = order[other], order[place]
    return order
