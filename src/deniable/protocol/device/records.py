"""Answers as a store holds them, and receipts as people see them."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from typing import Any

from ..errors import StoreError
from .store import Entries

WAITING, SENT, REFUSED, UNKNOWN, WITHDRAWN = "waiting", "sent", "refused", "unknown", "withdrawn"
HANDED = "handed over"
"""Of an answer whose value was given to a form that is not ours: that is final as sending is."""


@dataclass(frozen=True)
class Receipt:
    """What became of an answer, whose ``charge`` is the level that the ledger counts under its ``topic``.

    ``bytes`` is empty until that is final: nobody may see a draw and then take it back. Of an answer in a crowd it
    stays empty, for what was sealed is forgotten then.
    """

    survey: str
    """The digest of the survey."""
    name: str
    topic: str
    charge: float
    state: str
    """waiting, sent, handed over, refused, unknown (whether it was counted) or withdrawn."""
    reason: str
    """Why it was refused, or why it still waits."""
    period: str | None
    bytes: bytes


@dataclass(frozen=True)
class Record:
    """An answer that has been drawn, and all that is needed to send it again to the byte."""

    survey: str
    name: str
    topic: str
    charge: float
    endpoint: str
    upload: str
    """What is sent; in a crowd the answer as it was drawn while there is no period, then sealed."""
    asked_in: str
    """The period by this device's clock, in which asking again gives this answer again."""
    state: str = WAITING
    reason: str = ""
    period: str | None = None
    """Set when it is first sent, and never changed."""
    attempts: int = 0
    """How often it was sent, or was about to be."""
    failures: int = 0
    """How often it could not be sent, or nothing final came back."""
    not_before: float = 0.0
    """When it may be tried again, in seconds since 1970."""

    @property
    def receipt(self) -> Receipt:
        """What people see of it."""
        sent_bytes = bytes.fromhex(self.upload) if self.state in (SENT, HANDED, REFUSED, UNKNOWN) else b""
        fields = (self.survey, self.name, self.topic, self.charge, self.state, self.reason, self.period)
        return Receipt(*fields, sent_bytes)

    @property
    def found_closed(self) -> bool:
        """Whether the door said that the whole survey is over: an answer that was refused before it had a period."""
        return self.state == REFUSED and self.period is None

    def to_json(self) -> str:
        """The record as a store holds it."""
        return json.dumps(asdict(self))


def record_at(entries: Entries, key: str) -> Record | None:
    """The record of a key; None if the store has been wiped since."""
    text = entries.get(key)
    try:
        return None if text is None else Record(**json.loads(text))
    except (TypeError, ValueError):
        raise StoreError("the store must hold answers as this client writes them, got an unknown text") from None


def keys_of(entries: Entries, survey: str) -> list[str]:
    """The keys of all answers to a survey, the oldest first."""
    return entries.keys(f"answer/{survey}/")


def records_of(entries: Entries, survey: str) -> list[Record]:
    """All answers to a survey, the oldest first."""
    records = (record_at(entries, key) for key in keys_of(entries, survey))
    return [record for record in records if record is not None]


def add_record(entries: Entries, record: Record) -> None:
    """Store one more answer."""
    number = len(keys_of(entries, record.survey))
    entries.put(f"answer/{record.survey}/{number:08}", record.to_json())


def settle(entries: Entries, key: str, **changes: Any) -> Record | None:
    """Change an answer that still waits, or forget one that was handed over; any other stays as it is."""
    record = record_at(entries, key)
    if record is not None and record.state in (WAITING, HANDED):
        record = replace(record, **changes)
        entries.put(key, record.to_json())
    return record
