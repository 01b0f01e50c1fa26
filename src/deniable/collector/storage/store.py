"""What a collector asks of its storage: transactions that are durable once they end well, and rows of tables."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from deniable.collector.clock import Watch
from deniable.collector.storage.rows import Batch, Chunk, ChunkSize, Disk, PeriodKey, Release, Sums, SurveyRow, Token
from deniable.collector.storage.visits import Visits
from deniable.protocol.errors import StoreError


class UncertainError(StoreError):
    """Nobody knows whether a transaction was committed, or storage is out of reach."""


class BrokenError(StoreError):
    """Storage failed in a way after which nothing that it says can be trusted: the process must end."""


class GoneError(StoreError):
    """A chunk is no longer there: another process has put one in the place of several meanwhile."""


class Transaction(Protocol):
    """What can be read and written within one transaction."""

    def surveys(self, name: str | None = None) -> list[SurveyRow]:
        """The surveys of a name, or all, in the order in which they came."""
        ...

    def lock(self, digests: Collection[str], alone: bool = False) -> dict[str, SurveyRow]:
        """The surveys of these digests, none of which is closed or changed until the transaction ends.

        Where several processes share the storage, others may do the same meanwhile unless ``alone``.
        """
        ...

    def add_survey(self, row: SurveyRow) -> None:
        """A survey that was not there."""
        ...

    def end_survey(self, digest: str, moment: float) -> None:
        """Close a survey by hand."""
        ...

    def invite(self, digest: str, codes: Collection[bytes]) -> None:
        """Add the hashes of invitations; from now on the survey takes no answer without one."""
        ...

    def batches(self, digest: str | None = None, states: Collection[str] = ()) -> list[Batch]:
        """The periods of a survey, or of all; those in some states, or in any."""
        ...

    def batch(self, digest: str, period: str, since: float = math.inf) -> Batch:
        """A period; if it was not there it is open, and may lack answers if its door, open ``since``, saw a restore."""
        ...

    def answered(self, keys: Collection[PeriodKey]) -> dict[PeriodKey, Batch]:
        """Those of some periods that anybody answered."""
        ...

    def set_state(self, batch: int, state: str) -> None:
        """Change the state of a period."""
        ...

    def mark_gaps(self, moment: float) -> None:
        """Write at every period that was open at that moment that answers may be missing."""
        ...

    def known(self, batch: int, ids: Sequence[bytes]) -> dict[bytes, bytes]:
        """The hashes of those uploads that have been taken."""
        ...

    def remember(self, ids: Mapping[int, Mapping[bytes, bytes]]) -> dict[int, dict[bytes, bytes]]:
        """Add uploads to periods by their ids and hashes, but for those that were there.

        Of these, the hashes that are kept, by period.
        """
        ...

    def forget(self, batch: int, most: int) -> int:
        """Delete so many ids of a closed period; how many there were."""
        ...

    def forget_invited(self, batch: int) -> None:
        """Delete which invitations were spent in a closed period."""
        ...

    def invited(self, digest: str, codes: Collection[bytes]) -> set[bytes]:
        """Those of some codes that are invitations to a survey."""
        ...

    def claim(self, batch: int, digest: str, codes: Sequence[bytes]) -> set[bytes]:
        """Spend invitations in a period; those that are there and were not spent."""
        ...

    def add_chunks(self, chunks: Sequence[Chunk], folded: bool = False) -> None:
        """Store answers to any number of periods at once."""
        ...

    def outline(self, batch: int) -> list[ChunkSize]:
        """The sizes of all chunks of a period, by ascending keys."""
        ...

    def waiting(self, most: int) -> dict[int, int]:
        """How many chunks were not folded, in each open period; none is counted further than so many."""
        ...

    def unfolded(self, batch: int, most: int) -> list[ChunkSize]:
        """The sizes of the first so many chunks that were not folded."""
        ...

    def small(self, batch: int, bound: int) -> list[ChunkSize]:
        """The sizes of the chunks that were folded and have fewer bytes than that."""
        ...

    def stored(self, batch: int) -> int:
        """How many answers all chunks of a period hold."""
        ...

    def mark_folded(self, keys: Collection[int]) -> int:
        """Say of chunks that they were folded; of how many they had not been."""
        ...

    def bodies(self, keys: Collection[int]) -> list[bytes]:
        """The answers of chunks, in the order of their keys, which says nothing of when they came."""
        ...

    def drop_chunks(self, keys: Collection[int]) -> int:
        """Delete chunks; how many there were."""
        ...

    def discard(self, batch: int, most: int) -> int:
        """Delete so many chunks of a period; how many there were."""
        ...

    def move_chunks(self, batch: int, to: int) -> None:
        """Give all chunks of a period to another, with what was spent and what may be missing; none is folded there."""
        ...

    def sums(self, batch: int) -> Sums | None:
        """What was folded, if anything."""
        ...

    def set_sums(self, batch: int, sums: Sums | None) -> bool:
        """Replace it, if it is still of the version before; whether it was."""
        ...

    def release(self, batch: int) -> Release | None:
        """The result, once the period is closed and not withheld."""
        ...

    def add_release(self, batch: int, release: Release) -> None:
        """Write the result, once."""
        ...

    def add_outcomes(self, outcomes: Mapping[tuple[str, str, str], int]) -> None:
        """Add to the numbers of refusals by survey, period and kind."""
        ...

    def outcomes(self, digest: str) -> dict[tuple[str, str], int]:
        """The numbers of refusals of a survey by period and kind."""
        ...

    def tokens(self) -> list[Token]:
        """All tokens."""
        ...

    def set_token(self, token: Token) -> None:
        """Add a token, or replace the one of its name."""
        ...

    def drop_token(self, name: str) -> bool:
        """Delete a token; whether it was there."""
        ...

    @property
    def visits(self) -> Visits:
        """Who is signed in to the pages, and links to results."""
        ...

    def note(self, day: str, who: str, did: str, about: str) -> None:
        """Write into the audit log what somebody with a token did."""
        ...

    def notes(self) -> list[tuple[str, str, str, str]]:
        """The audit log, the oldest entry first."""
        ...

    def watch(self) -> Watch | None:
        """What was last written of time."""
        ...

    def set_watch(self, watch: Watch) -> None:
        """Write what is believed of time."""
        ...


class Store(Protocol):
    """Storage, opened by one thread of one process."""

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

    def backup(self, path: str, meanwhile: Callable[[], None]) -> Callable[[], None]:
        """Write a copy of everything into a new file; a copy that is opened says that answers may be missing.

        ``meanwhile`` is called again and again, and may use the storage. What it gives ends the copy, which then has
        its name, and may be called in any thread.
        """
        ...

    def close(self) -> None:
        """Let go of the storage."""
        ...
