"""Drafts on the server: kept for whoever types them, and never written over by somebody who has not seen them."""

from __future__ import annotations

import secrets
from dataclasses import replace
from typing import Any, Final, NamedTuple

from deniable.collector.collector import Collector
from deniable.intake.refusals import UNKNOWN, Refusal, Refused
from deniable.intake.storage.drafts import DraftRow
from deniable.intake.storage.transaction import Transaction
from deniable.pages.builder.draft import Draft

MOST_DRAFTS: Final = 50
"""So many drafts an author may have."""
MOST_BESIDE: Final = 100
"""So many with those that are kept beside another, since two changed it at once."""
TOO_MANY: Final = Refusal(
    "conflict", 409, f"an author must have at most {MOST_DRAFTS} drafts, got one more; open some, or throw them away"
)


class KeptDraft(NamedTuple):
    """A draft as it is kept; its version tells whether somebody has changed it since."""

    id: str
    version: int
    changed: float
    draft: Draft

    @classmethod
    def of(cls, row: DraftRow) -> KeptDraft:
        """The draft of a row."""
        return KeptDraft(row.id, row.version, row.changed, Draft.from_json(row.body))


class Shelf:
    """Keeps the drafts of all authors, each by the id of their token."""

    def __init__(self, collector: Collector[Any]) -> None:
        self._collector = collector

    def begin(self, owner: str, draft: Draft) -> str:
        """Keep a new draft; its id."""
        return self._collector.run(lambda t: self._add(t, owner, draft, MOST_DRAFTS)).id

    def blank(self, owner: str) -> str:
        """An empty draft: one that was begun and never written in, or a new one."""
        empty = Draft().to_json()

        def find(t: Transaction) -> str:
            key = next((row.id for row in t.drafts.all(owner) if row.body == empty), None)
            return key or self._add(t, owner, Draft(), MOST_DRAFTS).id

        return self._collector.run(find)

    def find(self, owner: str, key: str) -> KeptDraft:
        """An author's draft; refused if there is none."""
        row = self._collector.run(lambda t: t.drafts.of(owner, key))
        if row is None:
            raise Refused(UNKNOWN)
        return KeptDraft.of(row)

    def save(self, owner: str, key: str, version: int, draft: Draft) -> KeptDraft:
        """Keep a draft in place of the version that its author saw.

        If another version is there by now, that one stays, and this one is kept beside it: neither is lost. A draft
        that is kept beside another stays so while somebody types in it.
        """

        def save(t: Transaction) -> KeptDraft:
            row = t.drafts.of(owner, key)
            if row is None:
                return self._add(t, owner, replace(draft, beside=""), MOST_BESIDE)
            current = KeptDraft.of(row)
            wanted = replace(draft, beside=current.draft.beside)
            if current.draft == wanted:
                return current
            return self._write(t, owner, current, version, wanted)

        return self._collector.run(save)

    def _write(self, t: Transaction, owner: str, current: KeptDraft, version: int, draft: Draft) -> KeptDraft:
        """Keep a draft in place of a version, or beside the current one if that is another version by now."""
        row = DraftRow(current.id, owner, version + 1, self._collector.now(), draft.to_json())
        if t.drafts.save(row):
            return KeptDraft.of(row)
        return self._add(t, owner, replace(draft, beside=current.id), MOST_BESIDE)

    def settle(self, owner: str, kept: KeptDraft, choice: str) -> str:
        """End that a draft is kept beside another: keep the "saved" one, or "yours", or both; the one to go on with."""
        saved = kept.draft.beside
        if choice == "saved":
            self.throw(owner, kept.id)
            return saved
        draft = replace(kept.draft, beside="")
        self._collector.run(lambda t: self._write(t, owner, kept, kept.version, draft))
        if choice == "yours":
            self.throw(owner, saved)
        return kept.id

    def throw(self, owner: str, *keys: str) -> None:
        """Delete drafts."""

        def throw(t: Transaction) -> None:
            for key in keys:
                t.drafts.drop(owner, key)

        self._collector.run(throw)

    def _add(self, t: Transaction, owner: str, draft: Draft, most: int) -> KeptDraft:
        row = DraftRow(secrets.token_urlsafe(12), owner, 1, self._collector.now(), draft.to_json())
        if not t.drafts.add(row, most):
            raise Refused(TOO_MANY)
        return KeptDraft.of(row)


def address_of(draft: KeptDraft, step: str) -> str:
    """Where one goes on with a draft: beside the version that somebody else saved, if there is one."""
    return f"/new/{draft.id}/{'differs' if draft.draft.beside else step}"
