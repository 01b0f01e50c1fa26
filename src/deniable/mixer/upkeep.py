"""What a mixer does from time to time: look at the clock, freeze what is over, delete it, count at midnight."""

from __future__ import annotations

import datetime
from typing import Any, Final

from deniable.intake.clock import day_of
from deniable.intake.events import tell
from deniable.intake.intake import Intake
from deniable.intake.storage.checksums import ANSWERS, DamagedError
from deniable.intake.storage.parcels import Parcels
from deniable.intake.storage.rows import OPEN, Batch, SurveyRow
from deniable.intake.storage.transaction import Transaction
from deniable.intake.timekeeping import Timekeeper
from deniable.mixer.courier import Courier
from deniable.mixer.freezing import forget_people, freeze
from deniable.mixer.terms import SealedUploads
from deniable.mixer.troubles import Troubles

KEPT: Final = 14
"""Days after its collector's reply for which a parcel is kept."""
COUNTED, ENOUGH = "counted", "enough"
"""The facts of the day on which periods were last counted, and of those that had enough then."""


class Mixer(Timekeeper):
    """Keeps a mixer's storage in order."""

    def __init__(self, intake: Intake[Any, SealedUploads]) -> None:
        super().__init__(intake, "mixer")
        self.troubles = Troubles()
        self.courier = Courier(intake, self.troubles)
        self._enough: frozenset[str] = frozenset()
        """The periods that had enough answers at the last midnight."""
        self._forgotten: set[int] = set()
        """The periods of which it is known that nothing is left of who answered."""
        self._log_holds_deleted = True
        """Whether what was deleted may still stand in the storage's log; that of a process that was killed does."""

    def keep(self) -> None:
        """Freeze and delete whatever is due."""
        self._intake.write_refusals()
        self.look_at_the_clock()
        for survey, batch in self._periods():
            with self.troubles.around("a period could not be kept in order", survey, batch.period):
                self._keep(survey, batch)
        before = datetime.date.fromisoformat(self._intake.day()) - datetime.timedelta(days=KEPT)
        self._log_holds_deleted |= self._intake.run(lambda t: Parcels(t.run).forget(before.isoformat()))
        if self._log_holds_deleted:
            self._log_holds_deleted = not self._intake.writer.use(lambda store: store.empty_log()).result()
        self._count()

    def has_enough(self, survey: str, period: str) -> bool:
        """Whether there were enough answers at the last midnight that this mixer saw."""
        return f"{survey} {period}" in self._enough

    def _periods(self) -> list[tuple[SurveyRow, Batch]]:
        surveys, batches = self._intake.run(lambda t: (t.surveys(), t.batches()))
        rows = {row.digest: row for row in surveys}
        return [(rows[batch.survey], batch) for batch in batches if batch.survey in rows and not batch.damaged]

    def _keep(self, survey: SurveyRow, batch: Batch) -> None:
        """Freeze a period whose door is shut, and delete who answered it."""
        now = self._intake.now()
        if batch.state == OPEN:
            if now < self._intake.doors(survey).shuts(batch.period) or self._intake.doubts(now):
                return
            self._freeze(survey, batch, day_of(now))
        if batch.number not in self._forgotten:  # of one that was shut before, an earlier try may have been cut off
            self._log_holds_deleted = True
            forget_people(self._intake.run, batch.number)
            self._forgotten.add(batch.number)

    def _freeze(self, survey: SurveyRow, batch: Batch, day: str) -> None:
        """Shut a period; one whose answers are damaged is set aside as it is."""
        form = self._intake.form(survey)
        try:
            self._intake.run(lambda t: freeze(t, form, batch, day))
        except DamagedError:
            self._intake.run(lambda t: t.set_damaged(batch.number, ANSWERS))
            raise
        tell("a period is shut", survey=survey.name, period=batch.period)

    def _count(self) -> None:
        """Note once a day which periods have enough, so that nobody learns at which moment a crowd was there."""
        now = self._intake.now()
        today, doubted = day_of(now), self._intake.doubts(now)

        def count(t: Transaction) -> frozenset[str]:
            before = t.fact(COUNTED)
            if not doubted and (before is None or before < today):
                t.set_fact(COUNTED, today)
                t.set_fact(ENOUGH, ",".join(self._with_enough(t) if before is not None else ()))
            return frozenset((t.fact(ENOUGH) or "").split(","))

        self._enough = self._intake.run(count)

    def _with_enough(self, t: Transaction) -> list[str]:
        """The open periods that have enough answers now."""
        periods: list[str] = []
        for row in t.surveys():
            with self.troubles.around("a survey could not be counted", row):
                least, standings = self._intake.form(row).crowd.least, t.standings(row.digest)
                enough = [each for each in standings if each.state == OPEN and each.answers >= least]
                periods += [f"{each.survey} {each.period}" for each in enough]
        return periods
