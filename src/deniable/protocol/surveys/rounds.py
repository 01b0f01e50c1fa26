"""What remembered reports promise: one round, all rounds about unchanged answers, and a life of changing answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..privacy.levels import added
from ..say import Statement
from .statements import belief_statements


@dataclass(frozen=True)
class RoundLevels:
    """The levels of one round, of all rounds as long as answers stay the same, and of a life of all answers."""

    each: float
    unchanged: float
    life: float

    @classmethod
    def together(cls, parts: Iterable[RoundLevels | None]) -> RoundLevels | None:
        """The levels of parts that report together, which add up; None if none of them remembers."""
        kept = [levels for levels in parts if levels is not None]
        if not kept:
            return None
        return cls(added(*(a.each for a in kept)), added(*(a.unchanged for a in kept)), added(*(a.life for a in kept)))

    @classmethod
    def dearest(cls, arms: Iterable[RoundLevels | None]) -> RoundLevels | None:
        """Each level at its largest among arms, one of which a device keeps for life; None if none remembers."""
        kept = [levels for levels in arms if levels is not None]
        if not kept:
            return None
        return cls(max(a.each for a in kept), max(a.unchanged for a in kept), max(a.life for a in kept))

    def statements(self, one: str = "round", all_alike: str = "unchanged") -> Iterator[Statement]:
        """What is promised about a whole answer; the keys are those of one round and of all with the same answer."""
        yield Statement(one, level=self.each)
        yield from belief_statements("round_belief", self.each)
        yield Statement(all_alike, level=self.unchanged)
        yield Statement("life", level=self.life)
        yield from belief_statements("life_belief", self.life)


def what_shows(remembered: bool, by_label: bool) -> tuple[Statement, ...]:
    """That changes show, and of lists that are remembered label by label which labels changed."""
    every = (Statement("changes"), Statement("changed_labels"))
    return every[: remembered + (remembered and by_label)]
