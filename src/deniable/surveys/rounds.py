"""What remembered reports promise: one round, all rounds about unchanged answers, and a life of changing answers.

Which rounds had the same answer is not hidden, so a life's promise compares answers that change alike. Alike means as
far as it shows: of texts with one hash, or of lists with the same labels asked, a change from one to another does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from deniable.mechanisms.lists.item_response import ItemResponse
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.repeat.linked import lifetime
from deniable.mechanisms.repeat.remembered import Remembered
from deniable.protocol.privacy.levels import added
from deniable.surveys.sayings import SEEN, Said, factor, plain

ABOUT = "of one of your answers"
SHOWS = "Anybody who keeps all that your device sends can tell when your answer changed, and when an old one came back."
SHOWS_LABELS = "Of a list they can tell which labels changed."


@dataclass(frozen=True, slots=True)
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
            added(*(m.permanent.guarantee.plain for m in kept)),
            added(*(lifetime(m).epsilon for m in kept)),
        )

    @classmethod
    def dearest(cls, arms: Sequence[RoundLevels]) -> RoundLevels:
        """Each level at its largest among arms, one of which a device keeps for life."""
        return cls(max(a.each for a in arms), max(a.unchanged for a in arms), max(a.life for a in arms))

    def to_dict(self) -> dict[str, float]:
        """The levels as plain values for JSON."""
        return {"each": self.each, "unchanged": self.unchanged, "life": self.life}

    def sentences(self, answers: str, about: str) -> Iterator[str]:
        """What is promised; ``answers`` are those that were given, ``about`` is what a belief is about."""
        one = f"One round by itself: {_small(plain(self.each, answers))}"
        yield from Said(one, self.each, about=about, seen=f"{SEEN} in one round").sentences
        yield (
            f"All rounds together, as long as {answers} {'stay' if answers.endswith('s') else 'stays'} the same: what "
            f"is sent is at most {factor(self.unchanged)} times likelier from {answers} than from any other."
        )
        yield from self.lifelong(about).sentences

    def lifelong(self, about: str) -> Said:
        """What is promised about all that a device ever sends."""
        return Said(
            f"All that your device ever sends is at most {factor(self.life)} times likelier from the answers that you "
            "give over the years than from any that, as far as it shows, change and come back at the same times.",
            self.life, "Somebody who knows when your answers change and come back, and", about,
            seen="after seeing all that your device ever sends",
        )  # fmt: skip


def shown_changes(mechanisms: Sequence[Mechanism]) -> Iterator[str]:
    """What anybody sees who links the rounds of one device."""
    yield SHOWS
    if any(isinstance(m, Remembered) and isinstance(m.permanent, ItemResponse) for m in mechanisms):
        yield SHOWS_LABELS


def _small(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]
