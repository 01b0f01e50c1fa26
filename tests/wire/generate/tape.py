"""The tape that vectors' words are read off."""

from __future__ import annotations

from dataclasses import dataclass, field

import deniable as dn
from deniable.protocol.words import Words


@dataclass(slots=True)
class Tape(Words):
    """Words one by one: planted ones first, then those of a seed. What was read is kept, in parts."""

    seed: int
    planted: list[int] = field(default_factory=list)
    parts: list[list[int]] = field(default_factory=list)
    _fresh: dn.SeededEntropy = field(init=False)

    def __post_init__(self) -> None:
        self._fresh = dn.SeededEntropy(self.seed)

    def __next__(self) -> int:
        read = sum(map(len, self.parts))
        word = self.planted[read] if read < len(self.planted) else int(self._fresh.words(1)[0])
        self.parts[-1].append(word)
        return word

    def part(self) -> Tape:
        """Begin another part."""
        self.parts.append([])
        return self
