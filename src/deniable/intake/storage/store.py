"""What a collector asks of its storage: transactions that are durable once they end well."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from contextlib import AbstractContextManager
from typing import Protocol

from deniable.intake.storage.rows import Disk
from deniable.intake.storage.transaction import Transaction
from deniable.protocol.errors import StoreError


class UncertainError(StoreError):
    """Nobody knows whether a transaction was committed, or storage is out of reach."""


class BrokenError(StoreError):
    """Storage failed in a way after which nothing that it says can be trusted: the process must end."""


class FullError(StoreError):
    """The disk has no room: nothing of a transaction was written, and all that was there before can be read."""


class Store(Protocol):
    """Storage, opened by one thread of one process."""

    suspected: bool
    """Whether something that was read was damaged; whoever has looked for it says False."""

    def transaction(self) -> AbstractContextManager[Transaction]:
        """Begin; kept and durable if the block ends well, undone if it raises."""
        ...

    def now(self) -> float:
        """The time: one for all processes that share the storage."""
        ...

    def disk(self) -> Disk | None:
        """How much room there is, where that is known."""
        ...

    def leads(self) -> bool:
        """Whether this process, of all that share the storage, is to fold and to close."""
        ...

    def empty_log(self) -> bool:
        """Leave nothing of what was deleted in the log of writes; False if somebody reads it, who has to end first."""
        ...

    def unsound(self) -> list[str]:
        """What is damaged beside all periods, in words of the storage."""
        ...

    def backup(self, path: str, meanwhile: Callable[[Future[None]], None]) -> Callable[[], None]:
        """Write a copy of everything into a new file; a copy that is opened says that answers may be missing.

        ``meanwhile`` is called again and again with something that goes on elsewhere, and may use the storage until
        that is done. Call what is returned, in any thread, to end the copy, which then has its name.
        """
        ...

    def close(self) -> None:
        """Let go of the storage."""
        ...
