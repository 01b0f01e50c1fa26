"""Sending what waits: the period from the door, the same bytes until a final reply, and longer and longer pauses."""

from __future__ import annotations

import secrets
from typing import Any

from ..checks import is_int
from ..errors import ParameterError
from ..surveys.device_document import DeviceDocument
from ..surveys.periods import bounds_of
from .records import REFUSED, SENT, UNKNOWN, WAITING, Record, record_at, records_of, settle
from .sealing import Sealing
from .store import Entries, Store
from .transport import Reply, request

FIRST_PAUSE, LONGEST_PAUSE = 60.0, 86400.0
"""Seconds between attempts: twice as many each time, up to a day."""
LONGEST_WAIT = 7 * LONGEST_PAUSE
"""The longest that a collector can send a device away for."""
FARTHEST = 8 * LONGEST_PAUSE
"""A wait that is longer than this comes of a clock that jumped, and is over; a period that begins later is strange."""


REASONS = {401: "the code was used or is missing; open the survey with another"}
"""Why an answer waits, where whoever answers can do something about it, by the status of a reply."""
Changes = dict[str, Any]
"""Fields of a record, and what they become."""


class Outbox:
    """The answers to a survey that wait to be sent, with ``sealing`` to a mixer."""

    def __init__(
        self, document: DeviceDocument, store: Store, endpoint: str, code: str | None, sealing: Sealing | None
    ) -> None:
        self.document = document
        self.store = store
        self.endpoint = endpoint
        self.code = code
        self._sealing = sealing

    def send(self, key: str, now: float) -> None:
        """Try to send an answer, if it waits and is due."""
        with self.store.transaction() as entries:
            record = record_at(entries, key)
        if record is None or record.state != WAITING or now < record.not_before < now + FARTHEST:
            return
        prepared = self._prepared(key, record, now)
        if prepared is None:
            return
        path = f"/v1/surveys/{prepared.survey}/periods/{prepared.period}/answers"
        code = self.code if prepared.endpoint == self.endpoint else None  # an invitation is for its own collector
        reply = request(prepared.endpoint, "POST", path, bytes.fromhex(prepared.upload), code)
        with self.store.transaction() as entries:
            current = record_at(entries, key)  # another process may have tried meanwhile
            if current is not None:
                self._settle(entries, key, outcome(reply, current, now))

    def _prepared(self, key: str, record: Record, now: float) -> Record | None:
        """The answer ready to be sent, with its period and counted as tried; None if it cannot be sent now."""
        door = None
        if record.period is None:
            door = request(record.endpoint, "GET", f"/v1/surveys/{record.survey}/door")
        with self.store.transaction() as entries:
            current = record_at(entries, key)
            if current is None or current.state != WAITING:
                return None
            period = current.period or self._open_period(door, entries, now)
            if period is None:
                self._settle(entries, key, closed_door(door, current, now))
                return None
            later = pause(current, now)["not_before"]  # should this process end before the reply
            tried = {"period": period, "attempts": current.attempts + 1, "not_before": later}
            return settle(entries, key, **tried, upload=self._upload_of(current, period))

    def _upload_of(self, record: Record, period: str) -> str:
        """What is sent of an answer. In a crowd the step that fixes its period seals it, and nothing does again."""
        if self._sealing is None:
            return record.upload
        if record.period is None:
            return self._sealing.seal(bytes.fromhex(record.upload), period).hex()
        self._sealing.check(bytes.fromhex(record.upload))
        return record.upload

    def _settle(self, entries: Entries, key: str, changes: Changes) -> None:
        """What became of an answer; of a sealed one nothing is kept once that is final."""
        forgotten = {"upload": ""} if self._sealing is not None and "state" in changes else {}
        settle(entries, key, **changes, **forgotten)

    def _open_period(self, door: Reply | None, entries: Entries, now: float) -> str | None:
        """The last period behind the door that has begun, if it is later than those that have been answered.

        Doors of periods that are over stay open for a while; who answers now answers about now. One that has not begun
        by this device's clock is taken if none has, for the clock may be slow.
        """
        body = door.json if door is not None and door.status == 200 else None
        listed = body.get("periods") if isinstance(body, dict) else None
        names = list(map(_name_of, listed if isinstance(listed, list) else ()))
        begun = [name for name in names if self._begins_by(name, now)]
        candidates = begun or [name for name in names if self._begins_by(name, now + self.document.skew + FARTHEST)]
        newest = max(candidates, default="")  # names of periods of one kind sort by time
        answered = [record.period or "" for record in records_of(entries, self.document.digest)]
        return newest if newest > max(answered, default="") else None

    def _begins_by(self, name: str, moment: float) -> bool:
        """Whether a period is one of the document's, and begins by then: a door that offers others is not believed."""
        try:
            begins, _ = bounds_of(self.document, name)
        except ParameterError:
            return False
        return begins is None or begins.timestamp() <= moment


def outcome(reply: Reply | None, record: Record, now: float) -> Changes:
    """What becomes of an answer that was sent: final states, or another attempt later."""
    if reply is None:
        return {"reason": "no reply", **pause(record, now)}
    body = reply.json
    if reply.status == 200 and isinstance(body, dict) and is_int(body.get("answers")) and body["answers"] == 1:
        return {"state": SENT, "reason": ""}
    problem = reply.final_problem
    if problem is not None:
        unsure = reply.status == 410 and record.attempts > 1  # an attempt before may have been counted
        return {"state": UNKNOWN if unsure else REFUSED, "reason": problem}
    return {"reason": REASONS.get(reply.status, f"status {reply.status}"), **pause(record, now, reply.retry_after)}


def closed_door(door: Reply | None, record: Record, now: float) -> Changes:
    """What becomes of an answer that no period takes now: it waits, unless the survey is over."""
    if door is None:
        return {"reason": "no reply", **pause(record, now)}
    if door.status == 410 and door.final_problem is not None:
        return {"state": REFUSED, "reason": door.final_problem}
    return {"reason": "no open period", **pause(record, now, door.retry_after)}


def pause(record: Record, now: float, asked_for: float | None = None) -> Changes:
    """When to try again: after the seconds ``asked_for``, else twice as long as last time; never all at once."""
    jitter = secrets.randbelow(1 << 20) / (1 << 20)
    longest = min(FIRST_PAUSE * 2 ** min(record.failures, 20), LONGEST_PAUSE)
    wait = longest * (0.5 + jitter / 2) if asked_for is None else min(asked_for, LONGEST_WAIT) + FIRST_PAUSE * jitter
    return {"failures": record.failures + 1, "not_before": now + wait}


def _name_of(offered: Any) -> str:
    name = offered.get("period") if isinstance(offered, dict) else None
    return name if isinstance(name, str) else ""
