"""When parcels are sent: beside all else, and those of one collector in turn, so that it holds up no other."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from deniable.intake.events import tell, warn
from deniable.intake.intake import Intake
from deniable.intake.storage.checksums import DamagedError
from deniable.intake.storage.parcels import ParcelRow, Parcels
from deniable.intake.storage.rows import RELEASED, Batch, SurveyRow
from deniable.intake.storage.transaction import Transaction
from deniable.mixer.sending import ANOTHER, CLOSED, REFUSED, TAKEN, AddressedParcel, Outcome, send
from deniable.mixer.terms import SealedUploads
from deniable.mixer.troubles import Troubles

FIRST, LONGEST = 1.0, 3600.0
"""Seconds before a parcel is sent again, at first and at most."""
GAPS: Final = "gaps"
UNSENT: Final = "a parcel could not be sent"
LOST: Final = {
    ANOTHER: "its collector has another one: this folder is an older copy",
    CLOSED: "its collector takes none of this period any more",
    REFUSED: "its collector says that it cannot be one of this survey",
    GAPS: "storage was put back from a backup, and another one may have been sent before",
}
"""Why a parcel is never sent again although it was not taken."""


class Errand(NamedTuple):
    """A parcel without a reply yet, never sent or to be sent again, with its survey and its period."""

    survey: SurveyRow
    batch: Batch
    parcel: ParcelRow


class Courier:
    """Sends parcels, once frozen, to their collectors until each has a reply."""

    def __init__(self, intake: Intake[Any, SealedUploads], troubles: Troubles) -> None:
        self._intake, self._troubles = intake, troubles
        self._next: dict[int, tuple[float, float]] = {}
        """When each parcel is sent again, and how long it waits after that."""
        self._sending: dict[str, threading.Thread] = {}
        """Who speaks with each collector."""

    def look(self) -> None:
        """Begin to send whatever is due."""
        due: dict[str, list[Errand]] = {}
        for errand in self._waiting():
            if time.monotonic() >= self._next.get(errand.batch.number, (0.0,))[0]:
                with self._troubles.around("a parcel's collector is not known", errand.survey, errand.batch.period):
                    collector = str(self._intake.form(errand.survey).crowd.collector)
                    due.setdefault(collector, []).append(errand)
        for collector, errands in due.items():
            before = self._sending.get(collector)
            if before is None or not before.is_alive():
                thread = threading.Thread(target=self._carry, args=(errands,), daemon=True)
                self._sending[collector] = thread
                thread.start()

    def wait(self) -> None:
        """Wait until each parcel that is being sent has its reply, or has none."""
        for thread in list(self._sending.values()):
            thread.join()

    def _waiting(self) -> list[Errand]:
        """The parcels without a reply, but for those of deleted surveys."""
        parcels = self._intake.run(lambda t: Parcels(t.run).unanswered())
        if not parcels:
            return []
        surveys, batches = self._intake.run(lambda t: (t.surveys(), t.batches()))
        rows, by_number = {row.digest: row for row in surveys}, {batch.number: batch for batch in batches}
        periods = [(by_number[parcel.batch], parcel) for parcel in parcels]
        return [Errand(rows[batch.survey], batch, parcel) for batch, parcel in periods if batch.survey in rows]

    def _carry(self, errands: Sequence[Errand]) -> None:
        """Send the parcels of one collector, one after another; one that fails is due again later."""
        for errand in errands:
            if not self._intake.is_stopping:
                number = errand.batch.number
                pause = self._next.get(number, (0.0, FIRST))[1]
                self._next[number] = (time.monotonic() + pause, min(2 * pause, LONGEST))
                with self._troubles.around(UNSENT, errand.survey, errand.batch.period):
                    self._settle(errand, Outcome(GAPS) if errand.batch.gaps else self._send(errand))

    def _send(self, errand: Errand) -> Outcome:
        """Send a parcel; of a period with too few, their number goes alone."""
        survey, batch, parcel = errand
        token, body = self._intake.run(
            lambda t: (Parcels(t.run).token(survey.digest), Parcels(t.run).body(batch.number))
        )
        if parcel.digest and hashlib.sha256(body).hexdigest() != parcel.digest:
            raise DamagedError("a parcel must be as it was frozen, got other bytes")
        withheld, n = (0, parcel.n) if parcel.digest else (parcel.n, 0)
        collector = str(self._intake.form(survey).crowd.collector)
        return send(AddressedParcel(collector, token, survey.digest, batch.period, withheld, parcel.codes, n), body)

    def _settle(self, errand: Errand, outcome: Outcome) -> None:
        """Write down what became of a parcel, and tell of it."""
        survey, batch, parcel = errand

        def write(t: Transaction) -> None:
            Parcels(t.run).replied(batch.number, outcome.written, self._intake.day())
            if parcel.digest and outcome.kind not in LOST:
                t.set_state(batch.number, RELEASED)

        self._intake.run(write)
        about = {"survey": survey.name, "period": batch.period, "parcel": parcel.digest[:12]}
        if outcome.kind in LOST:
            warn("a parcel was not taken, and is not sent again", LOST[outcome.kind], **about)
        else:
            tell("a parcel is " + TAKEN, **about)
