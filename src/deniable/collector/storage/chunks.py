"""The rows of chunks, in SQL that SQLite and PostgreSQL share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from typing import Any

from deniable.collector.storage.rows import OPEN, Chunk, ChunkSize
from deniable.protocol.errors import StoreError

Row = Sequence[Any]
ALL = 2**63 - 1
"""A limit that leaves out no row."""


class GoneError(StoreError):
    """A chunk is no longer there: another process has put one in the place of several meanwhile."""


class Chunks(ABC):
    """What can be done with chunks within a transaction; a store says how a statement is run."""

    @abstractmethod
    def run(self, statement: str, *given: Any) -> list[Row]:
        """Run a statement, its places written as question marks; the rows that it gives."""

    @abstractmethod
    def _among(self, values: Collection[int] | Collection[bytes] | Collection[str]) -> tuple[str, Sequence[Any]]:
        """The condition that something is one of some values, and what stands in its places.

        One statement does for all of them: to a database each is a journey there and back, while uploads wait.
        """

    @abstractmethod
    def add_chunks(self, chunks: Sequence[Chunk], folded: bool = False) -> None:
        """Store answers to any number of periods at once."""

    def outline(self, batch: int) -> list[ChunkSize]:
        """The sizes of all chunks of a period, by ascending keys."""
        return self._sizes("", batch)

    def waiting(self, most: int) -> dict[int, int]:
        """How many chunks were not folded, in each open period; none is counted further than so many."""
        some = "SELECT 1 FROM chunk WHERE batch = number AND folded = 0 LIMIT ?"
        count = f"SELECT number, (SELECT COUNT(*) FROM ({some}) AS found) FROM batch WHERE state = ?"
        return {int(number): int(n) for number, n in self.run(count, most, OPEN)}

    def unfolded(self, batch: int, most: int) -> list[ChunkSize]:
        """The sizes of the first so many chunks that were not folded."""
        return self._sizes("AND folded = 0", batch, limit=most)

    def small(self, batch: int, bound: int) -> list[ChunkSize]:
        """The sizes of the chunks that were folded and have fewer bytes than that."""
        return self._sizes("AND folded = 1 AND bytes < ?", batch, bound)

    def _sizes(self, which: str, *given: int, limit: int = ALL) -> list[ChunkSize]:
        sizes = f"SELECT key, folded, n, bytes FROM chunk WHERE batch = ? {which} ORDER BY key LIMIT ?"
        found = self.run(sizes, *given, limit)
        return [ChunkSize(key, bool(folded), n, length) for key, folded, n, length in found]

    def mark_folded(self, keys: Collection[int]) -> int:
        """Say of chunks that they were folded; of how many they had not been."""
        among, given = self._among(keys)
        return len(self.run(f"UPDATE chunk SET folded = 1 WHERE folded = 0 AND key {among} RETURNING 1", *given))

    def bodies(self, keys: Collection[int]) -> list[bytes]:
        """The answers of chunks, in the order of their keys, which says nothing of when they came."""
        among, given = self._among(keys)
        found = self.run(f"SELECT body FROM chunk WHERE key {among} ORDER BY key", *given)
        if len(found) < len(keys):
            raise GoneError("all chunks must be there, got some that were folded meanwhile")
        return [bytes(body) for (body,) in found]

    def drop_chunks(self, keys: Collection[int]) -> int:
        """Delete chunks; how many there were."""
        among, given = self._among(keys)
        return len(self.run(f"DELETE FROM chunk WHERE key {among} RETURNING 1", *given))

    def discard(self, batch: int, most: int) -> int:
        """Delete so many chunks of a period; how many there were."""
        some = "SELECT key FROM chunk WHERE batch = ? LIMIT ?"
        return len(self.run(f"DELETE FROM chunk WHERE key IN ({some}) RETURNING 1", batch, most))

    def move_chunks(self, batch: int, to: int) -> None:
        """Give all chunks of a period to another, in which none is folded; what may be missing here may be there.

        An invitation that was spent here is spent there too, or its answers would be counted together.
        """
        self.run(
            "INSERT INTO spent (batch, code) SELECT ?, code FROM spent WHERE batch = ? ORDER BY code "
            "ON CONFLICT (batch, code) DO NOTHING",
            to, batch,
        )  # fmt: skip
        self.run("UPDATE chunk SET batch = ?, folded = 0 WHERE batch = ?", to, batch)
        self.run(
            "UPDATE batch SET gaps = 1 WHERE number = ? AND (SELECT gaps FROM batch WHERE number = ?) = 1", to, batch
        )
