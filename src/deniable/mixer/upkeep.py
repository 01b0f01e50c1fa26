"""What a mixer does from time to time: look at the clock, freeze what is over, send it, delete it."""

from __future__ import annotations

import datetime
import hashlib
import time
from typing import Any, Final

from deniable.intake.clock import day_of
from deniable.intake.events import tell, warn
from deniable.intake.intake import Intake
from deniable.intake.storage.checksums import DamagedError
from deniable.intake.storage.parcels import ParcelRow, Parcels
from deniable.intake.storage.rows import OPEN, RELEASED, Batch, SurveyRow
from deniable.intake.storage.transaction import Transaction
from deniable.intake.timekeeping import Timekeeper
from deniable.mixer.freezing import freeze
from deniable.mixer.sending import Addressed, send
from deniable.mixer.terms import SealedUploads

KEPT: Final = 14
"""Days after its collector's reply for which a parcel is kept."""
FIRST, LONGEST = 1.0, 3600.0
"""Seconds before a parcel is sent again, at first and at most."""
COUNTED, ENOUGH = "counted", "enough"
"""The facts of the day on which periods were last counted, and of those that had enough then."""


class Mixer(Timekeeper):
    """Keeps a mixer's storage in order."""

    def __init__(self, intake: Intake[Any, SealedUploads]) -> None:
        super().__init__(intake)
        self._sealed = intake
        self._enough: frozenset[str] = frozenset()
        """The periods that had enough answers at the last midnight."""
        self._next: dict[int, tuple[float, float]] = {}
        """When each parcel is sent again, and how long it waits after that."""

    def keep(self) -> None:
        """Freeze and send whatever is due."""
        self._intake.write_refusals()
        self.look_at_the_clock()
        self._count()
        for survey, batch in self._periods():
            try:
                self._keep(survey, batch)
            except Exception as error:
                warn("a period could not be kept in order", error, survey=survey.name, period=batch.period)
        before = datetime.date.fromisoformat(self._intake.day()) - datetime.timedelta(days=KEPT)
        self._intake.run(lambda t: Parcels(t.run).forget(before.isoformat()))

    def has_enough(self, survey: str, period: str) -> bool:
        """Whether there were enough answers at the last midnight that this mixer saw."""
        return f"{survey} {period}" in self._enough

    def _periods(self) -> list[tuple[SurveyRow, Batch]]:
        surveys, batches = self._intake.run(lambda t: (t.surveys(), t.batches()))
        rows = {row.digest: row for row in surveys}
        return [(rows[batch.survey], batch) for batch in batches if batch.survey in rows and not batch.damaged]

    def _keep(self, survey: SurveyRow, batch: Batch) -> None:
        now = self._intake.now()
        if batch.state == OPEN:
            if now >= self._intake.doors(survey).shuts(batch.period) and not self._intake.doubts(now):
                freeze(self._intake.run, self._sealed.form(survey), batch, day_of(now))
                tell("a period is shut", survey=survey.name, period=batch.period)
        elif batch.state != RELEASED:
            [parcel] = [row for row in self._intake.run(lambda t: Parcels(t.run).all()) if row.batch == batch.number]
            if not parcel.reply:
                self._send(survey, batch, parcel)

    def _send(self, survey: SurveyRow, batch: Batch, parcel: ParcelRow) -> None:
        """Send a parcel if it is time; of a period with too few, their number goes alone."""
        at, pause = self._next.get(batch.number, (0.0, FIRST))
        if time.monotonic() < at:
            return
        token = self._intake.run(lambda t: Parcels(t.run).token(survey.digest))
        body = self._intake.run(lambda t: Parcels(t.run).body(batch.number))
        if parcel.digest and hashlib.sha256(body).hexdigest() != parcel.digest:
            raise DamagedError("a parcel must be as it was frozen, got other bytes")
        crowd = self._sealed.form(survey).crowd
        withheld = 0 if parcel.digest else parcel.n
        to = Addressed(str(crowd.collector), token, survey.digest, batch.period, withheld, parcel.codes)
        reply = send(to, body)
        if not reply:
            self._next[batch.number] = (time.monotonic() + pause, min(2 * pause, LONGEST))
            return
        self._intake.run(lambda t: self._replied(t, batch, parcel, reply))
        if reply == "another":
            warn("a parcel is not sent again", "the collector has another one: this folder is an older copy")
        else:
            tell("a parcel has its reply", survey=survey.name, period=batch.period, parcel=parcel.digest[:12])

    def _replied(self, t: Transaction, batch: Batch, parcel: ParcelRow, reply: str) -> None:
        Parcels(t.run).replied(batch.number, reply, self._intake.day())
        if parcel.digest:
            t.set_state(batch.number, RELEASED)

    def _count(self) -> None:
        """Count once a day, so that nobody learns at which moment a crowd was there."""
        today = self._intake.day()

        def count(t: Transaction) -> frozenset[str]:
            before = t.fact(COUNTED)
            if before != today:
                t.set_fact(COUNTED, today)
                t.set_fact(ENOUGH, ",".join(self._full(t) if before is not None else ()))
            return frozenset((t.fact(ENOUGH) or "").split(","))

        self._enough = self._intake.run(count)

    def _full(self, t: Transaction) -> list[str]:
        """The open periods that have enough answers now."""
        rows = {row.digest: row for row in t.surveys()}
        return [
            f"{each.survey} {each.period}"
            for each in t.standings()
            if each.state == OPEN and each.answers >= self._sealed.form(rows[each.survey]).crowd.least
        ]
