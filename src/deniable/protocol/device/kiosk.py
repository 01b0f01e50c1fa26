"""Many people in turn on one device: what is kept of a person is apart from all else, and forgotten before the next."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..errors import ParameterError
from .records import WAITING, records_of
from .store import Entries, Store, StoreSection


class KioskStore:
    """The part of a store that is of the person who answers this survey now.

    Consent, ledger and answers begin anew with each of them, and no other survey's ledger is touched: a document that
    says ``kiosk`` cannot give back what somebody has spent elsewhere on this device.
    """

    def __init__(self, store: Store, survey: str) -> None:
        self._store = store
        self._prefix = f"kiosk/{survey}/"

    @contextmanager
    def transaction(self) -> Iterator[Entries]:
        """A transaction of the whole store, of which only this part is seen."""
        with self._store.transaction() as entries:
            yield StoreSection(entries, self._prefix)


def forget_person(entries: Entries, survey: str) -> None:
    """Forget all of the person who answered last; refused while their answer waits, which is not sent yet."""
    if any(record.state == WAITING for record in records_of(entries, survey)):
        raise ParameterError("the last answer must be final or withdrawn before the next turn, got one that waits")
    for key in entries.keys(""):
        entries.drop(key)
