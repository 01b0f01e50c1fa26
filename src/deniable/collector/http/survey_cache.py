"""The surveys as they were a moment ago, so that not every request reads the storage."""

from __future__ import annotations

import asyncio
import re
import time
from typing import Any

from deniable.collector.collector import Collector
from deniable.collector.refusals import UNKNOWN, Refused
from deniable.collector.storage.rows import OPEN, SurveyRow

DIGEST = re.compile("[0-9a-f]{64}")
FRESH = 1.0
"""Seconds after which a survey is read again: another process may have closed it."""


class SurveyCache:
    """Surveys by their digests."""

    def __init__(self, collector: Collector[Any]) -> None:
        self._collector = collector
        self._rows: dict[str, tuple[float, SurveyRow]] = {}
        self._shut: dict[str, frozenset[str]] = {}

    async def survey(self, digest: str) -> SurveyRow:
        """The survey of a digest; refused if there is none."""
        if not DIGEST.fullmatch(digest):
            raise Refused(UNKNOWN)
        read, row = self._rows.get(digest, (-FRESH, None))
        now = time.monotonic()
        if row is not None and now < read + FRESH:
            return row
        if row is not None:
            self._rows[digest] = (now, row)  # good enough for others while this request reads it again
        row = await self._read(digest)
        self._rows[digest] = (now, row)
        return row

    def shut(self, digest: str) -> frozenset[str]:
        """The periods of a survey that nothing more is taken for, as of when it was last read."""
        return self._shut.get(digest, frozenset())

    def knows(self, digest: str) -> bool:
        """Whether the survey of a digest has been read, so that it is there."""
        return digest in self._rows

    def forget(self, digest: str) -> None:
        """Read a survey anew, since it was changed here."""
        self._rows.pop(digest, None)

    async def _read(self, digest: str) -> SurveyRow:
        found, batches = await asyncio.wrap_future(
            self._collector.writer.run(lambda t: (t.lock([digest]), t.batches(digest)))
        )
        if digest not in found:
            raise Refused(UNKNOWN)
        self._shut[digest] = frozenset(batch.period for batch in batches if batch.state != OPEN)
        await asyncio.to_thread(self._collector.form, found[digest])
        return found[digest]
