"""The tape that vectors' words are read off, and draws that several families make of it: coins, bits, sets."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.kernels import twins

import deniable as dn
from deniable.mechanisms.shared.sets import SPARSE

WORD = 1 << 64
GROUP = 4
"""Words of coins that are settled together."""


@dataclass(slots=True)
class Tape:
    """Words one by one: planted ones first, then those of a seed. What was read is kept, in parts."""

    seed: int
    planted: list[int] = field(default_factory=list)
    parts: list[list[int]] = field(default_factory=list)
    _fresh: dn.SeededEntropy = field(init=False)

    def __post_init__(self) -> None:
        self._fresh = dn.SeededEntropy(self.seed)

    def __iter__(self) -> Tape:
        return self

    def __next__(self) -> int:
        read = sum(map(len, self.parts))
        word = self.planted[read] if read < len(self.planted) else int(self._fresh.words(1)[0])
        self.parts[-1].append(word)
        return word

    def part(self) -> Tape:
        """Begin another part."""
        self.parts.append([])
        return self


def noise(tape: Tape, below: int, d: int) -> set[int]:
    """The symbols whose coins come up, groups of words for as many symbols as there are."""
    groups = -(-d // (64 * GROUP))
    coins = [coin for _ in range(groups) for word in twins.bernoulli(tape, below, GROUP) for coin in word]
    return {symbol for symbol in range(d) if coins[symbol]}


def any_set(d: int, k: int, tape: Tape) -> set[int]:
    """A uniform set of k of d symbols."""
    start = noise(tape.part(), k * WORD // d, d) if k * SPARSE >= d else set()
    return twins.subset(tape.part(), start, 0, d, k, k, d)


def packed(held: set[int], d: int) -> bytes:
    return sum(1 << symbol for symbol in held).to_bytes(-(-d // 8), "little")
