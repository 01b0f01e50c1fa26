"""How far a survey, or a period of it, has come: what pages, programs and commands show, in the words of one table."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from deniable.intake.doors import Doors
from deniable.intake.storage.rows import CLOSING, JOINED, OPEN, RELEASED, WITHHELD, Standing
from deniable.protocol.surveys.periods import ONCE


class Phase(Enum):
    """A phase, with the words for it."""

    PLANNED = "Planned"
    WAITING = "Waiting for the first answer"
    OPEN = "Open"
    GRACE = "Closed, waiting for late answers"
    CLOSING = "Closing"
    RELEASED = "Closed"
    WITHHELD = "Withheld"
    JOINED = "Joined to the next period"
    UNANSWERED = "Closed, unanswered"
    DAMAGED = "Damaged, set aside"

    @property
    def key(self) -> str:
        """What programs call it."""
        return self.name.lower()

    @property
    def is_provisional(self) -> bool:
        """Whether a result that is seen by now may still change."""
        return self in (Phase.OPEN, Phase.GRACE, Phase.CLOSING)


STATES = {CLOSING: Phase.CLOSING, RELEASED: Phase.RELEASED, WITHHELD: Phase.WITHHELD, JOINED: Phase.JOINED}
"""The phases of periods whose closing has begun."""


def period_phase(doors: Doors, standing: Standing, now: float) -> Phase:
    """The phase of a period that somebody answered."""
    if standing.damaged:
        return Phase.DAMAGED
    if standing.state == OPEN:
        return Phase.OPEN if now < doors.span(standing.period).ends else Phase.GRACE
    return STATES[standing.state]


def survey_phase(doors: Doors, standings: Sequence[Standing], now: float) -> Phase:
    """The phase of a survey as a whole; that a period of it is damaged goes before everything else."""
    if any(each.damaged for each in standings):
        return Phase.DAMAGED
    if now < doors.ends:
        if standings:
            return Phase.OPEN
        return Phase.PLANNED if now < doors.begins else Phase.WAITING
    is_shut = any(each.period == ONCE and each.state != OPEN for each in standings)
    if not doors.is_over(now) and not is_shut:
        return Phase.GRACE
    if not standings:
        return Phase.UNANSWERED
    return Phase.WITHHELD if all(each.state == WITHHELD for each in standings) else Phase.RELEASED
