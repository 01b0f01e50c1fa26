"""The surveys as they were a moment ago, so that not every request reads the storage."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Sequence
from functools import partial
from typing import Any

from deniable.intake.intake import Intake
from deniable.intake.refusals import DELETED, UNKNOWN, Refused
from deniable.intake.storage.deleted_surveys import gone_survey
from deniable.intake.storage.rows import SurveyRow
from deniable.intake.storage.transaction import Transaction

DIGEST = re.compile("[0-9a-f]{64}")
FRESH = 1.0
"""Seconds after which a survey is read again: another process may have closed it."""
MOST_READ = 100
"""The most surveys that are read again at once: uploads wait meanwhile."""


class SurveyCache:
    """Surveys by their digests; both loops ask."""

    def __init__(self, intake: Intake[Any, Any]) -> None:
        self._intake = intake
        self._rows: dict[str, tuple[float, SurveyRow]] = {}
        """When each survey was last read, and its row."""
        self._shut: dict[str, frozenset[str]] = {}
        """The periods of each for which nothing more is taken."""
        self._in_use: set[str] = set()
        """Those that were asked for since some were last read again."""

    async def survey(self, digest: str) -> SurveyRow:
        """The survey of a digest; refused if there is none."""
        if not DIGEST.fullmatch(digest):
            raise Refused(UNKNOWN)
        found = self._rows.get(digest)
        now = time.monotonic()
        if found is None:
            return await self._read(digest, [], now)
        last_read, row = found
        self._in_use.add(digest)
        return row if now < last_read + FRESH else await self._read_again(digest, now)

    def shut(self, digest: str) -> frozenset[str]:
        """The periods of a survey that nothing more is taken for, as of when it was last read."""
        return self._shut.get(digest, frozenset())

    def knows(self, digest: str) -> bool:
        """Whether the survey of a digest has been read, so that it is there."""
        return digest in self._rows

    def forget(self, digest: str) -> None:
        """Read a survey anew, since it was changed here."""
        self._rows.pop(digest, None)

    async def _read_again(self, digest: str, now: float) -> SurveyRow:
        """Read a survey again, together with all others in use: each alone would be a transaction a second for each."""
        in_use, self._in_use = self._in_use, set()
        cached = [(each, self._rows.get(each)) for each in {digest: None, **dict.fromkeys(in_use)}][: MOST_READ + 1]
        rows = {each: row[1] for each, row in cached if row is not None}  # another loop may have forgotten some
        self._rows |= {each: (now, row) for each, row in rows.items()}  # good enough for other requests meanwhile
        others = [each for each in rows if each != digest]
        return await self._read(digest, others, now)

    async def _read(self, digest: str, others: Sequence[str], now: float) -> SurveyRow:
        """Read a survey, which may be unknown, and others that have been read before."""
        rows, shut, is_gone = await asyncio.wrap_future(self._intake.writer.run(partial(_read_rows, [digest, *others])))
        if digest not in rows:
            self.forget(digest)
            raise Refused(DELETED if is_gone else UNKNOWN)
        await asyncio.to_thread(self._intake.form, rows[digest])
        for each, row in rows.items():
            if each == digest or each in self._rows:  # some may have been changed here meanwhile
                self._rows[each], self._shut[each] = (now, row), shut.get(each, frozenset())
        return rows[digest]


def _read_rows(digests: Sequence[str], t: Transaction) -> tuple[dict[str, SurveyRow], dict[str, frozenset[str]], bool]:
    """Surveys, those of their periods that nothing more is taken for, and whether the first survey was deleted."""
    rows = t.lock(digests)
    return rows, t.shut(digests), digests[0] not in rows and gone_survey(t, digests[0]) is not None
