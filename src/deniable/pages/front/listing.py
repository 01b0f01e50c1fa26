"""Which surveys the list shows, and in which order: by an address, so that it works without scripts."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from deniable.pages.builder.draft_list import DraftEntry
from deniable.pages.front.survey_entry import SurveyEntry
from deniable.protocol.say import Say, Statement

FEW: Final = 5
"""So many rows are seen at a glance: of no more the list has no search."""
ORDERS: Final[Mapping[str, Callable[[SurveyEntry], Any] | None]] = {
    "new": None,
    "title": lambda entry: entry.title.casefold(),
    "answers": lambda entry: -entry.shown,
    "ends": lambda entry: entry.doors.ends if entry.doors.ends > entry.calendar.now else math.inf,
}


@dataclass(frozen=True)
class Listing:
    """Which surveys a reader wants to see: those that hold some words, in an order, with those put away or without."""

    words: str
    order: str
    with_away: bool

    @classmethod
    def of(cls, query: Mapping[str, str]) -> Listing:
        """The listing that an address asks for."""
        order = query.get("order", "")
        return cls(query.get("find", "").strip()[:200], order if order in ORDERS else "new", "away" in query)

    @property
    def orders(self) -> dict[str, Statement]:
        """The orders that there are."""
        return {order: Statement(f"order_{order}") for order in ORDERS}

    def surveys(self, entries: Sequence[SurveyEntry]) -> list[SurveyEntry]:
        """The surveys that fit, in order."""
        fitting = [
            entry
            for entry in entries
            if (self.with_away or not entry.row.away) and self._fits(f"{entry.title} {entry.row.name}")
        ]
        key = ORDERS[self.order]
        return fitting if key is None else sorted(fitting, key=key)

    def drafts(self, drafts: Sequence[DraftEntry], say: Say) -> list[DraftEntry]:
        """The drafts that fit."""
        return [draft for draft in drafts if self._fits(say(draft.title))]

    def _fits(self, text: str) -> bool:
        return all(word in text.casefold() for word in self.words.casefold().split())
