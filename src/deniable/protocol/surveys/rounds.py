"""What remembered reports promise: one round, all rounds about unchanged answers, and a life of changing answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import astuple, dataclass

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
        return cls._combined(parts, lambda levels: added(*levels))

    @classmethod
    def dearest(cls, arms: Iterable[RoundLevels | None]) -> RoundLevels | None:
        """Each level at its largest among arms, one of which a device keeps for life; None if none remembers."""
        return cls._combined(arms, max)

    @classmethod
    def _combined(
        cls, several: Iterable[RoundLevels | None], combine: Callable[[Iterable[float]], float]
    ) -> RoundLevels | None:
        """Each level as ``combine`` makes it of those of several; None if none remembers."""
        remembered = [astuple(levels) for levels in several if levels is not None]
        return cls(*map(combine, zip(*remembered, strict=True))) if remembered else None

    def statements(self, one: str = "round", all_alike: str = "unchanged") -> Iterator[Statement]:
        """What is promised about a whole answer; ``one`` and ``all_alike`` are the keys of the first two levels."""
        yield Statement(one, level=self.each)
        yield from belief_statements("round_belief", self.each)
        yield Statement(all_alike, level=self.unchanged)
        yield Statement("life", level=self.life)
        yield from belief_statements("life_belief", self.life)


def what_shows(remembered: bool, by_label: bool) -> tuple[Statement, ...]:
    """That changes show, and of lists that are remembered label by label which labels changed."""
    if not remembered:
        return ()
    return (Statement("changes"), *([Statement("changed_labels")] if by_label else []))
