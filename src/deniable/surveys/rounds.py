"""What remembered reports promise: one round, all rounds about unchanged answers, and a life of changing answers.

Which rounds had the same answer is not hidden, so a life's promise compares answers that change alike. Alike means as
far as it shows: of texts with one hash, or of lists with the same labels asked, a change from one to another does not.
"""

from __future__ import annotations

from collections.abc import Sequence

from deniable.mechanisms.lists.item_response import ItemResponse
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.repeat.linked import lifetime
from deniable.mechanisms.repeat.remembered import Remembered
from deniable.protocol.privacy.levels import added
from deniable.protocol.say import Statement
from deniable.protocol.surveys.rounds import RoundLevels, what_shows


def rounds_of(mechanisms: Sequence[Mechanism]) -> RoundLevels | None:
    """The levels of mechanisms that report together; None unless their reports are remembered."""
    kept = [m for m in mechanisms if isinstance(m, Remembered)]
    if not kept:
        return None
    return RoundLevels(
        added(*(m.guarantee.plain for m in kept)),
        added(*(m.permanent.guarantee.plain for m in kept)),
        added(*(lifetime(m).epsilon for m in kept)),
    )


def shown_changes(mechanisms: Sequence[Mechanism]) -> tuple[Statement, ...]:
    """What anybody sees who links the rounds of one device; nothing where no reports are remembered."""
    kept = [m.permanent for m in mechanisms if isinstance(m, Remembered)]
    return what_shows(bool(kept), any(isinstance(permanent, ItemResponse) for permanent in kept))
