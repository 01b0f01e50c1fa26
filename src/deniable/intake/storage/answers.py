"""The answers of periods and what was made of them: chunks, sums and results, each checked as it is read."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from typing import Any

from deniable.intake.storage.checksums import CHUNK, RELEASE, SUMS, check, checksum_of
from deniable.intake.storage.rows import (
    CLOSING,
    OPEN,
    Batch,
    Chunk,
    ChunkSize,
    FoldedTally,
    PeriodKey,
    Release,
    VisibleTally,
)
from deniable.protocol.errors import StoreError

Row = Sequence[Any]
ALL = 2**63 - 1
"""A limit that leaves out no row."""
AT_ONCE = 8
"""So many chunks are read at once where nothing waits: each may have 16 MiB."""
RESULTS = (
    "FROM batch LEFT JOIN release AS r ON r.batch = CASE WHEN damaged <> 'result' THEN number END "
    "LEFT JOIN sums AS s ON s.batch = CASE WHEN damaged = '' THEN number END AND r.batch IS NULL"
)
"""Periods with their results, or what was folded of those that have none; what is damaged is not even looked for."""
STORED = {RELEASE: "n, tally, note", SUMS: "version, n, tally, shown, earlier"}
"""What a checksum is over, beside the period."""


class GoneError(StoreError):
    """A chunk is no longer there: another process has put one in the place of several meanwhile."""


class AnswerRows(ABC):
    """What a transaction reads and writes of answers; a store says how a statement is run."""

    @abstractmethod
    def run(self, statement: str, *values: Any) -> list[Row]:
        """Run a statement, its places written as question marks; the rows that it gives."""

    @abstractmethod
    def _one_of(self, values: Collection[int] | Collection[bytes] | Collection[str]) -> tuple[str, Sequence[Any]]:
        """The SQL condition that a column is one of some values, and the values for its question marks.

        One statement does for all of them: to a database each is a journey there and back, while uploads wait.
        """

    # --- chunks -----------------------------------------------------------------------------------------------------

    @abstractmethod
    def add_chunks(self, chunks: Sequence[Chunk], folded: bool = False) -> None:
        """Store answers to any number of periods at once."""

    def chunk_sizes(self, batch: int) -> list[ChunkSize]:
        """The sizes of all chunks of a period, by ascending keys."""
        return self._sizes("", batch)

    def waiting(self, most: int) -> dict[int, int]:
        """How many chunks were not folded, in each open period; none is counted further than so many."""
        some = "SELECT 1 FROM chunk WHERE batch = number AND folded = 0 LIMIT ?"
        count = f"SELECT number, (SELECT COUNT(*) FROM ({some}) AS found) FROM batch WHERE state = ? AND damaged = ''"
        return {int(number): int(n) for number, n in self.run(count, most, OPEN)}

    def unfolded(self, batch: int, most: int) -> list[ChunkSize]:
        """The sizes of the first so many chunks that were not folded."""
        return self._sizes("AND folded = 0", batch, limit=most)

    def small_folded(self, batch: int, bound: int) -> list[ChunkSize]:
        """The sizes of the chunks that were folded and have fewer bytes than that."""
        return self._sizes("AND folded = 1 AND bytes < ?", batch, bound)

    def _sizes(self, which: str, *values: int, limit: int = ALL) -> list[ChunkSize]:
        sizes = f"SELECT key, folded, n, bytes FROM chunk WHERE batch = ? {which} ORDER BY key LIMIT ?"
        found = self.run(sizes, *values, limit)
        return [ChunkSize(key, bool(folded), n, length) for key, folded, n, length in found]

    def mark_folded(self, keys: Collection[int]) -> int:
        """Say of chunks that they were folded; of how many they had not been."""
        one_of, values = self._one_of(keys)
        return len(self.run(f"UPDATE chunk SET folded = 1 WHERE folded = 0 AND key {one_of} RETURNING 1", *values))

    def bodies(self, keys: Collection[int]) -> list[bytes]:
        """The answers of chunks, in the order of their keys, which says nothing of when they came."""
        return [chunk.body for chunk in self._chunks(keys)]

    def _chunks(self, keys: Collection[int]) -> list[Chunk]:
        """Chunks in the order of their keys, each checked; refused if one is gone."""
        one_of, values = self._one_of(keys)
        of = "FROM chunk AS c JOIN batch AS b ON b.number = c.batch"
        found = self.run(
            f"SELECT survey, period, key, c.batch, n, body, checksum {of} WHERE key {one_of} ORDER BY key", *values
        )
        if len(found) < len(keys):
            raise GoneError("all chunks must be there, got some that were folded meanwhile")
        chunks = []
        for survey, period, *row in found:
            chunk = Chunk(*row)
            check((survey, period), CHUNK, (chunk.key, chunk.n, bytes(chunk.body)), bytes(chunk.checksum))
            chunks.append(chunk)
        return chunks

    def drop_chunks(self, keys: Collection[int]) -> int:
        """Delete chunks; how many there were."""
        one_of, values = self._one_of(keys)
        return len(self.run(f"DELETE FROM chunk WHERE key {one_of} RETURNING 1", *values))

    def discard(self, batch: int, most: int) -> int:
        """Delete so many chunks of a period; how many there were."""
        some = "SELECT key FROM chunk WHERE batch = ? LIMIT ?"
        return len(self.run(f"DELETE FROM chunk WHERE key IN ({some}) RETURNING 1", batch, most))

    def move_chunks(self, batch: Batch, to: Batch) -> None:
        """Give all chunks of a period to another, in which none is folded; what may be missing here may be there.

        An invitation that was spent here is spent there too, or its answers would be counted together.
        """
        self.run(
            "INSERT INTO spent (batch, code) SELECT ?, code FROM spent WHERE batch = ? ORDER BY code "
            "ON CONFLICT (batch, code) DO NOTHING",
            to.number, batch.number,
        )  # fmt: skip
        move = "UPDATE chunk SET batch = ?, folded = 0, checksum = ? WHERE key = ?"
        for key, _, n, body, _ in self._chunks([size.key for size in self.chunk_sizes(batch.number)]):
            self.run(move, to.number, checksum_of(to.key, CHUNK, key, n, body), key)
        lacks = "(SELECT gaps FROM batch WHERE number = ?) = 1"
        self.run(f"UPDATE batch SET gaps = 1 WHERE number = ? AND {lacks}", to.number, batch.number)

    def ids(self, batch: int, after: bytes, most: int) -> list[bytes]:
        """The ids of so many uploads to an open period, in order, that come after one."""
        found = self.run(f"SELECT id FROM seen_{int(batch)} WHERE id > ? ORDER BY id LIMIT ?", after, most)
        return [bytes(one) for (one,) in found]

    def read_all(self, batch: int) -> None:
        """Read everything of a period; refused where it is not as it was written."""
        self.release(batch)
        self.sums(batch)
        keys = [size.key for size in self.chunk_sizes(batch)]
        for start in range(0, len(keys), AT_ONCE):
            self.bodies(keys[start : start + AT_ONCE])

    def seal(self, batch: Batch, keys: Collection[int]) -> None:
        """Give checksums to chunks that an earlier release has written without."""
        one_of, values = self._one_of(keys)
        found = self.run(f"SELECT key, n, body FROM chunk WHERE checksum = ? AND key {one_of}", b"", *values)
        for key, n, body in found:
            checksum = checksum_of(batch.key, CHUNK, key, n, bytes(body))
            self.run("UPDATE chunk SET checksum = ? WHERE key = ?", checksum, key)

    def seal_results(self, batch: Batch) -> None:
        """Give checksums to the sums and the result of a period that an earlier release has written without."""
        for kind, columns in STORED.items():
            for row in self.run(f"SELECT {columns} FROM {kind} WHERE checksum = ? AND batch = ?", b"", batch.number):
                checksum = checksum_of(batch.key, kind, *row)
                self.run(f"UPDATE {kind} SET checksum = ? WHERE batch = ?", checksum, batch.number)

    # --- results ----------------------------------------------------------------------------------------------------

    def visible(self, batches: Collection[int]) -> dict[int, VisibleTally]:
        """What readers may see of some periods, by their numbers; too few answered those that are left out."""
        one_of, values = self._one_of(batches)
        released, folded = (
            ", ".join(f"{table}.{column}" for column in f"checksum, {STORED[kind]}".split(", "))
            for table, kind in (("r", RELEASE), ("s", SUMS))
        )
        rows = self.run(
            f"SELECT number, gaps, survey, period, {released}, {folded} {RESULTS} "
            f"WHERE number {one_of} AND (r.batch IS NOT NULL OR state IN (?, ?) AND s.shown > 0)",
            *values, OPEN, CLOSING,
        )  # fmt: skip
        return {number: _visible(bool(gaps), (survey, period), row) for number, gaps, survey, period, *row in rows}

    def sums(self, batch: int) -> FoldedTally | None:
        """The sums of a period, if anything of it was folded."""
        found = self._stored(SUMS, batch)
        return FoldedTally(*found) if found else None

    def set_sums(self, batch: Batch, sums: FoldedTally | None) -> bool:
        """Replace the sums if they are still of the version before, or delete them with None; whether it was done."""
        if sums is None:
            return bool(self.run("DELETE FROM sums WHERE batch = ? RETURNING 1", batch.number))
        checksum = checksum_of(batch.key, SUMS, *sums)
        if sums.version == 1:
            return bool(
                self.run(
                    f"INSERT INTO sums ({STORED[SUMS]}, checksum, batch) VALUES (?, ?, ?, ?, ?, ?, ?) "
                    "ON CONFLICT (batch) DO NOTHING RETURNING 1",
                    *sums, checksum, batch.number,
                )
            )  # fmt: skip
        return bool(
            self.run(
                "UPDATE sums SET version = ?, n = ?, tally = ?, shown = ?, earlier = ?, checksum = ? "
                "WHERE batch = ? AND version = ? RETURNING 1",
                *sums, checksum, batch.number, sums.version - 1,
            )
        )  # fmt: skip

    def release(self, batch: int) -> Release | None:
        """The result, once the period is closed and not withheld."""
        found = self._stored(RELEASE, batch)
        return Release(*found) if found else None

    def add_release(self, batch: Batch, release: Release) -> None:
        """Write the result, once."""
        checksum = checksum_of(batch.key, RELEASE, *release)
        self.run(
            f"INSERT INTO release (batch, {STORED[RELEASE]}, checksum) VALUES (?, ?, ?, ?, ?)",
            batch.number, *release, checksum,
        )  # fmt: skip

    def _stored(self, kind: str, batch: int) -> Row:
        """The checked columns of a period's row in the table ``kind``; empty where there is none."""
        found = self.run(
            f"SELECT survey, period, checksum, {STORED[kind]} FROM {kind} JOIN batch ON number = batch WHERE batch = ?",
            batch,
        )
        return _checked(kind, *found[0]) if found else ()


def _checked(kind: str, survey: str, period: str, checksum: bytes, *values: Any) -> Row:
    """Stored values, refused as damaged unless they are those that their checksum was made of."""
    check((survey, period), kind, values, bytes(checksum))
    return values


def _note(released: str | None, gaps: bool) -> str:
    """The note on a result, or on a snapshot, which has none yet."""
    missing = "; answers may be missing" if gaps else ""
    return f"provisional: the period is open{missing}" if released is None else released


def _visible(gaps: bool, period: PeriodKey, row: Row) -> VisibleTally:
    """What readers may see, given a result and sums with their checksums, one of which is there."""
    released, folded = row[:4], row[4:]
    if released[0] is not None:
        result = Release(*_checked(RELEASE, *period, *released))
        return VisibleTally(bytes(result.tally), _note(result.note, gaps))
    return VisibleTally(bytes(FoldedTally(*_checked(SUMS, *period, *folded)).snapshot), _note(None, gaps))
