"""An intake: the surveys that it serves, their doors, and the uploads that it takes."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Container, Sequence
from typing import Generic, TypeVar

from deniable.intake import clock
from deniable.intake.access import hash_of_code
from deniable.intake.clock import Watch, day_of
from deniable.intake.doors import Doors
from deniable.intake.events import tell, warn
from deniable.intake.metrics import Metrics
from deniable.intake.refusals import CLOSED, HOUR, UNKNOWN, Refusal, Refused, busy, full
from deniable.intake.storage.checksums import DamagedError
from deniable.intake.storage.rows import Disk, SurveyRow
from deniable.intake.storage.store import Store
from deniable.intake.storage.transaction import Transaction
from deniable.intake.taking import Offer, Outcome, Receipt, take
from deniable.intake.uploads import Form
from deniable.intake.writer import Writer
from deniable.protocol.surveys.periods import ONCE

IN_TIME = frozenset({"no-answer", "other-bytes", "invitation"})
"""Kinds of refusals that are counted by period, for its door was open; of the others anybody can make up its name."""
Slot = TypeVar("Slot")
Shape = TypeVar("Shape", bound=Form)
Result = TypeVar("Result")
Settle = Callable[[list[tuple[Slot, Outcome]]], None]
"""Told, by the writer's thread, what became of the uploads of a transaction."""


class Intake(Generic[Slot, Shape]):
    """Takes uploads, each with a slot for its outcome; safe to call from any thread."""

    def __init__(
        self,
        store: Callable[[], Store],
        settle: Settle[Slot],
        read: Callable[[SurveyRow], Shape],
        steady: Callable[[], float] = clock.steady,
    ) -> None:
        self.watch: Watch | None = None
        """What is believed of time, as the keeper last saw it."""
        self._store, self._settle, self._read, self.steady = store, settle, read, steady
        self._forms: dict[str, Shape] = {}
        self._refusals: Counter[tuple[str, str, str]] = Counter()
        """Those not written down yet, by survey, period and kind."""
        self.metrics = Metrics()
        self.disk: Disk | None = None
        """How much room there is, as of a moment ago."""
        self._now: Callable[[], float]
        self._opened_store: Store
        self.writer: Writer[Slot] = Writer(self._opened, self._take, self._deliver)

    def start(self) -> None:
        """Open the storage and begin to take uploads."""
        self.writer.start()

    def stop(self) -> None:
        """Finish what was handed in, then close the storage."""
        try:
            self.write_refusals()
        finally:
            self.writer.stop()

    def run(self, task: Callable[[Transaction], Result]) -> Result:
        """Do something in a transaction, and wait for it."""
        return self.writer.run(task).result()

    def now(self) -> float:
        """The storage's clock."""
        return self._now()

    def day(self) -> str:
        """Today, as it is written down."""
        return day_of(self.now())

    @property
    def is_stopping(self) -> bool:
        """Whether nothing more is taken."""
        return self.writer.is_stopping

    def watch_at(self, now: float) -> Watch:
        """What is believed of time when the clock says this: it may have jumped since the last look at it."""
        return Watch(now) if self.watch is None else self.watch.at(now, self.steady())

    def doubts(self, now: float) -> bool:
        """Whether the clock has jumped, so that nothing is closed."""
        return self.watch_at(now).is_doubted

    def survey(self, digest: str) -> SurveyRow:
        """A survey as it is stored now."""
        found = self.run(lambda t: t.lock([digest]))
        if digest not in found:
            raise Refused(UNKNOWN)
        return found[digest]

    def form(self, survey: SurveyRow) -> Shape:
        """What answers to a survey look like; its document is read once, if it is that of its digest."""
        form = self._forms.get(survey.digest)
        if form is None:
            if not is_whole(survey):
                raise DamagedError(f"a survey must be as it was written, got a changed one of {survey.name}")
            form = self._forms[survey.digest] = self._read(survey)
        return form

    def forget(self, digest: str) -> None:
        """Keep in memory no document of a survey that was deleted."""
        self._forms.pop(digest, None)

    def doors(self, survey: SurveyRow) -> Doors:
        """The doors of a survey."""
        return Doors(self.form(survey).survey, survey.ended)

    def open_periods(self, survey: SurveyRow, shut: Container[str] = ()) -> list[str]:
        """The periods that can be answered now, but those that were shut whatever the clock says.

        Refused once the survey is over or all of it was shut, and while the clock was set back, if it is not sure that
        one is open.
        """
        self.form(survey).check_here()
        doors, now = self.doors(survey), self.now()
        watch = self.watch_at(now)
        if survey.ended is not None and ONCE in shut:
            raise Refused(CLOSED)
        if all(doors.is_over(moment) for moment in watch.moments(now)):
            raise Refused(busy(HOUR) if watch.is_doubted else CLOSED)
        open_by_moment = [doors.open_periods(moment) for moment in watch.moments(now)]
        first, *others = open_by_moment
        sure = [period for period in first if period not in shut and all(period in other for other in others)]
        if watch.is_behind and not sure:
            raise Refused(busy(HOUR))
        return sure

    def offer(self, survey: SurveyRow, period: str, body: bytes, code: str | None, slot: Slot) -> Refusal | None:
        """Hand in an upload; its outcome comes into the slot, unless it is refused at once."""
        try:
            form = self.form(survey)
            form.check_here()
            upload = form.read(body)
        except Refused as refused:
            self.count_refusal(survey.digest, period, refused.refusal)
            return refused.refusal
        if self.disk is not None and self.disk.is_full:
            return full(*self.disk)
        offer = Offer(survey.digest, period, upload, None if code is None else hash_of_code(code))
        return None if self.writer.offer(offer, len(body), slot) else busy()

    def count_refusal(self, digest: str, period: str, refusal: Refusal) -> None:
        """Count a refusal, to be written down later."""
        self._refusals[digest, period if refusal.kind in IN_TIME else "", refusal.kind] += 1
        self.metrics.refuse(refusal.kind)

    def look_at_the_disk(self) -> None:
        """Notice whether there is room, and tell once when that changes."""
        before, self.disk = self.disk, self.writer.use(lambda store: store.disk()).result()
        if self.disk is None:
            return
        self.metrics.free.set(self.disk.free)
        self.metrics.floor.set(self.disk.floor)
        if self.disk.is_full and not (before and before.is_full):
            warn("uploads are refused", full(*self.disk).detail)
        elif before and before.is_full and not self.disk.is_full:
            tell("uploads are taken again")

    def suspects(self) -> bool:
        """Whether something that was read was damaged since this was last asked."""
        found, self._opened_store.suspected = self._opened_store.suspected, False
        return found

    def write_refusals(self) -> None:
        """Write down how many uploads were refused, and why."""
        counted, self._refusals = self._refusals, Counter()
        if counted:
            self.run(lambda t: t.add_outcomes(counted))

    def _opened(self) -> Store:
        """The storage, as the writer's thread opens it."""
        store = self._store()
        self._now, self._opened_store = store.now, store
        return store

    def _take(self, store: Store, offers: Sequence[Offer]) -> list[Outcome]:
        began = time.perf_counter()
        outcomes = take(store, self.form, offers, self.watch_at)
        self.metrics.time(time.perf_counter() - began)
        return outcomes

    def _deliver(self, uploads: list[tuple[Offer, Slot, Outcome]]) -> None:
        self._settle([(slot, outcome) for _, slot, outcome in uploads])
        taken = [outcome.answers for _, _, outcome in uploads if isinstance(outcome, Receipt)]
        self.metrics.take(len(taken), sum(taken))
        for offer, _, outcome in uploads:
            if not isinstance(outcome, Receipt):
                self.count_refusal(offer.survey, offer.period, outcome)


def is_whole(row: SurveyRow) -> bool:
    """Whether the document of a survey is the one of its digest."""
    return hashlib.sha256(row.document).hexdigest() == row.digest
