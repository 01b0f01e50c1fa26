"""Drafts in the list of all surveys: what each cannot say yet, and when it was changed."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Final, NamedTuple

from deniable.estimation.words import amount
from deniable.pages.builder.draft import STEPS, Draft
from deniable.pages.builder.learning import outlook_of
from deniable.pages.builder.moments import saved_at
from deniable.pages.builder.shelf import KeptDraft
from deniable.protocol.errors import DenialError

LOOKED_AT: Final = 10
"""Of so many drafts it is worked out what they would tell: planning each takes some time."""


class DraftEntry(NamedTuple):
    """A draft in the list."""

    id: str
    title: str
    told: str
    step: int
    saved: str


def draft_entries(drafts: Sequence[KeptDraft], zone: datetime.tzinfo = datetime.UTC) -> list[DraftEntry]:
    """The drafts of an author, those first that were changed last."""
    return [
        DraftEntry(
            kept.id,
            kept.draft.title.strip() or "Without a title",
            _told(kept.draft, place < LOOKED_AT),
            1 + list(STEPS).index(kept.draft.step),
            saved_at(kept.changed, zone),
        )
        for place, kept in enumerate(drafts)
    ]


def _told(draft: Draft, looks: bool) -> str:
    """What it would tell, or why nothing can be said of it yet."""
    asked = amount(len(draft.asked), "question")
    if draft.beside:
        return f"{asked}. It was changed twice at once: look at both versions."
    if draft.count is None:
        return f"{asked}. How many people will answer is not said yet."
    if not looks:
        return f"{asked}, {draft.count:,} people."
    try:
        lost = [row for row in outlook_of(draft).rows if row.is_nothing]
    except DenialError:
        return f"{asked}. It cannot be asked as it stands."
    if not lost:
        each = "it" if len(draft.asked) == 1 else "each"
        return f"{asked}. With {draft.count:,} people {each} tells something."
    told = "nothing yet" if len(lost) == len(draft.asked) else f"nothing of {len(lost)} of them"
    return f"{asked}. With {draft.count:,} people you learn {told}."
