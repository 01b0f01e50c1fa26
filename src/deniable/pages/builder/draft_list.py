"""Drafts in the list of all surveys: what each cannot say yet, and when it was changed."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Final, NamedTuple

from deniable.pages.builder.draft import STEPS, Draft
from deniable.pages.builder.notation import saved_at
from deniable.pages.builder.outlook import nothing_known
from deniable.pages.builder.shelf import KeptDraft
from deniable.protocol.errors import DenialError
from deniable.protocol.say import Phrase, Statement

MOST_PLANNED: Final = 10
"""Of so many drafts it is worked out what they would tell: planning each takes some time."""


class DraftEntry(NamedTuple):
    """A draft in the list."""

    id: str
    title: Phrase
    outlook: Statement
    """What it would tell, as far as that is known."""
    step: int
    """The form to which its author has come, counted from 1."""
    saved: Phrase
    is_split: bool = False
    """Whether it was changed twice at once."""
    people: int | None = None
    """Of a draft that would tell nothing, with how many people."""


def draft_entries(drafts: Sequence[KeptDraft], zone: datetime.tzinfo = datetime.UTC) -> list[DraftEntry]:
    """The drafts of an author, those first that were changed last."""
    return [_entry(kept, place < MOST_PLANNED, zone) for place, kept in enumerate(drafts)]


def _entry(kept: KeptDraft, with_outlook: bool, zone: datetime.tzinfo) -> DraftEntry:
    """A draft's line in the list; what it would tell is worked out only ``with_outlook``, for that takes a moment."""
    draft = kept.draft
    outlook, untold = _outlook(draft, with_outlook)
    questions = Statement("questions_count", count=len(draft.lines))
    return DraftEntry(
        kept.id,
        draft.title.strip() or Statement("without_a_title"),
        Statement("asked_told", asked=questions, told=outlook),
        1 + list(STEPS).index(draft.step),
        saved_at(kept.changed, zone),
        bool(draft.beside),
        draft.expected_people if untold and untold == len(draft.lines) else None,
    )


def _outlook(draft: Draft, with_outlook: bool) -> tuple[Statement, int]:
    """What a draft would tell, or why that is not known yet; and of how many questions it would tell nothing."""
    if draft.beside:
        return Statement("it_was_changed_twice_at_once"), 0
    if draft.expected_people is None:
        return Statement("how_many_people_will_answer"), 0
    if not with_outlook:
        return Statement("for_people", count=draft.expected_people), 0
    try:
        untold = len(nothing_known(draft))
    except DenialError:
        return Statement("it_cannot_be_asked_as_it_stands"), 0
    if not untold:
        return Statement("with_people_each_tells", people=draft.expected_people, count=len(draft.lines)), untold
    if untold == len(draft.lines):
        return Statement("with_people_you_learn", count=draft.expected_people), untold
    return Statement("with_people_you_learn_nothing", people=draft.expected_people, lost=untold), untold
