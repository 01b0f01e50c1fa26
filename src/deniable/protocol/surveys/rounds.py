"""What remembered reports promise: one round, all rounds about unchanged answers, and a life of changing answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..mechanisms.lists import ItemResponse
from ..mechanisms.mechanism import Mechanism
from ..mechanisms.remembered import Remembered
from ..privacy.levels import added
from .sayings import SEEN, Said, factor, plain

ABOUT = "of one of your answers"
SHOWS = "Anybody who keeps all that your device sends can tell when your answer changed, and when an old one came back."
SHOWS_LABELS = "Of a list they can tell which labels changed."


@dataclass(frozen=True)
class RoundLevels:
    """The levels of one round, of all rounds as long as answers stay the same, and of a life of all answers."""

    each: float
    unchanged: float
    life: float

    @classmethod
    def of(cls, mechanisms: Sequence[Mechanism]) -> RoundLevels | None:
        """Those of mechanisms that report together; None unless their reports are remembered."""
        kept = [m for m in mechanisms if isinstance(m, Remembered)]
        if not kept:
            return None
        return cls(
            added(*(m.guarantee.plain for m in kept)),
            added(*(m.ever.guarantee.plain for m in kept)),
            added(*(m.life.epsilon for m in kept)),
        )

    @classmethod
    def dearest(cls, arms: Sequence[RoundLevels]) -> RoundLevels:
        """Each level at its largest among arms, one of which a device keeps for life."""
        return cls(max(a.each for a in arms), max(a.unchanged for a in arms), max(a.life for a in arms))

    @property
    def sentences(self) -> Iterator[str]:
        """What is promised about a whole answer."""
        each = plain(self.each, "your answers")
        one = f"One round by itself: {each[:1].lower()}{each[1:]}"
        yield from Said(one, self.each, ABOUT, seen=f"{SEEN} in one round").sentences
        yield (
            f"All rounds together, as long as your answers stay the same: what is sent is at most "
            f"{factor(self.unchanged)} times likelier from your answers than from any other."
        )
        life = (
            f"All that your device ever sends is at most {factor(self.life)} times likelier from the answers that you "
            "give over the years than from any that, as far as it shows, change and come back at the same times."
        )
        holder = "Somebody who knows when your answers change and come back, and"
        yield from Said(life, self.life, ABOUT, holder, "after seeing all that your device ever sends").sentences


def shown_changes(mechanisms: Sequence[Mechanism]) -> Iterator[str]:
    """What anybody sees who links the rounds of one device."""
    yield SHOWS
    if any(isinstance(m, Remembered) and isinstance(m.ever, ItemResponse) for m in mechanisms):
        yield SHOWS_LABELS
