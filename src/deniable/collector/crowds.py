"""Surveys whose answers come by way of a mixer: whether one can be served, its key, and how its crowds stand."""

from __future__ import annotations

import math
from contextlib import suppress
from typing import Any, Final, NamedTuple

from deniable.collector.collector import Collector
from deniable.collector.crowd_levels import is_small, level_of
from deniable.collector.keys import KeyFolder
from deniable.intake.clock import DAY
from deniable.intake.events import tell, warn
from deniable.intake.refusals import Refusal
from deniable.intake.storage.arrivals import ArrivalRow, Arrivals, KeyRow
from deniable.intake.storage.checksums import DamagedError
from deniable.intake.storage.deleted_surveys import gone_survey
from deniable.intake.storage.rows import RELEASED, WITHHELD, SurveyRow
from deniable.protocol.errors import DenialError, ParameterError
from deniable.protocol.privacy.levels import rounded_up
from deniable.protocol.surveys.crowd import Crowd
from deniable.protocol.surveys.periods import ONCE, count_of
from deniable.surveys.crowd_judges import certified
from deniable.surveys.crowd_opening import with_key
from deniable.surveys.survey import Survey

LATE: Final = 30 * DAY
"""Seconds after the last door of a survey for which parcels may still come, at least."""
KEY_TAKEN: Final = Refusal("conflict", 409, "the key of a survey must be its own, got one that another survey has")
AT_MIXER: Final = Refusal(
    "conflict", 409, "a survey with a crowd must have its codes made, and be closed, at its mixer, got its collector"
)


class PeriodCrowd(NamedTuple):
    """How the crowd of a period stands; ``None`` is what nobody may know yet, or what does not hold."""

    period: str
    arrival: ArrivalRow | None
    """The parcel that came, or that it was withheld; None if a parcel came before a backup without it was put back."""
    level: float | None
    """The level of the mixed answers; none where they were withheld, or where one machine has both parties."""
    unmixed_level: float
    """The level of whoever also sees whose each is, which always holds."""
    is_lowered: bool
    """Whether fewer could be read than the level in the document counts on."""
    has_result: bool
    """Whether its result is there: before that nobody is told how many could not be read."""

    def to_dict(self) -> dict[str, Any]:
        """All that may be told of a period, as plain values."""
        fields: dict[str, Any] = {"period": self.period, "lost": self.arrival is None}
        if self.arrival is not None:
            fields |= {"withheld": self.arrival.withheld, "codes": self.arrival.codes, "again": self.arrival.again}
            fields |= self.arrival.reply if self.has_result else {}
        return {**fields, "level": self.level, "together": self.unmixed_level, "lowered": self.is_lowered}


class CrowdDesk:
    """Looks after surveys with a crowd."""

    def __init__(self, collector: Collector[Any], keys: KeyFolder) -> None:
        self._collector, self.keys = collector, keys
        self._lost: frozenset[str] = frozenset()
        """The surveys whose keys are not there, as of the last look."""

    def check(self, survey: Survey, crowd: Crowd) -> None:
        """Refuse a survey whose key was not made here, or whose levels are not those of its crowd."""
        if crowd.key is None:
            raise ParameterError(
                "a survey with a crowd must have a key and the address of its collector to be served, got neither; "
                "deniable collector put writes them into it"
            )
        self.keys.check(crowd.key)
        proof, people = certified(survey, crowd), crowd.honest
        for name, stated, sure in (("level", crowd.level, proof.level), ("belief", crowd.belief or 0.0, proof.belief)):
            if not sure.judged(stated).holds:
                raise ParameterError(
                    f"the {name} of a crowd must be at least {rounded_up(sure.value):g}, which is proven of {people:,} "
                    f"people, got {name}={stated:g}"
                )

    def opened(self, survey: Survey, address: str) -> Survey:
        """A survey as it is opened at an address: one with a crowd gets a key of its own, and is another document."""
        if survey.crowd is None or survey.crowd.key is not None:
            return survey
        key = self.keys.make()
        try:
            return with_key(survey, address, key)
        except DenialError:
            self.keys.destroy(key)
            raise

    def standings(self, row: SurveyRow) -> list[PeriodCrowd]:
        """How the crowds of a survey stand, by period; nothing where it has none."""
        survey = self._collector.form(row).survey
        if survey.crowd is None:
            return []
        arrivals, states = self._collector.run(
            lambda t: (
                {each.period: each for each in Arrivals(t.run).all(row.digest)},
                {batch.period: batch.state for batch in t.batches(row.digest)},
            )
        )
        periods = sorted({*arrivals, *self.keys.came(row.digest)})
        return [_standing(survey, period, arrivals.get(period), states.get(period, "")) for period in periods]

    def status(self, row: SurveyRow) -> dict[str, Any] | None:
        """The standings as JSON, with the mixer and what became of the key; None where a survey has no crowd."""
        crowd = self._collector.form(row).survey.crowd
        if crowd is None:
            return None
        key_row = self._collector.run(lambda t: Arrivals(t.run).key(row.digest))
        is_destroyed = key_row is not None and key_row.destroyed
        key = "destroyed" if is_destroyed else "kept" if self.keys.has(str(crowd.key)) else "lost"
        return {"mixer": crowd.mixer, "key": key, "periods": [each.to_dict() for each in self.standings(row)]}

    def look(self) -> None:
        """Destroy keys that are of no more use, and say which are lost."""
        if not self._collector.writer.use(lambda store: store.leads()).result():
            return
        keys, rows, arrivals = self._collector.run(
            lambda t: (Arrivals(t.run).keys(), {row.digest: row for row in t.surveys()}, Arrivals(t.run).all())
        )
        in_use = [key for key in keys if not self._destroy_if_over(key, rows.get(key.survey))]
        lost = frozenset(key.survey for key in in_use if not self.keys.has(key.key))
        for digest in sorted(lost - self._lost):
            name = rows[digest].name if digest in rows else ""
            warn("a survey's key is lost", "no parcel of it can be opened until it is put back", survey=name)
        self._lost = lost
        metrics = self._collector.metrics
        metrics.lost_keys.set(len(lost))
        metrics.withheld_parcels.set(sum(each.withheld > 0 for each in arrivals))
        metrics.lowered_crowds.set(sum(self._is_lowered(rows.get(each.survey), each) for each in arrivals))

    def _is_lowered(self, row: SurveyRow | None, arrival: ArrivalRow) -> bool:
        """Whether the crowd of a period is smaller than its survey says, as far as that can be read."""
        with suppress(DamagedError):
            crowd = None if row is None else self._collector.form(row).survey.crowd
            return crowd is not None and is_small(crowd, arrival)
        return False

    def _destroy_if_over(self, key: KeyRow, row: SurveyRow | None) -> bool:
        """Destroy a key if no parcel can come to its survey any more; whether that was so.

        One whose folder was away then is destroyed when it is back. A survey that cannot be read, since it is damaged,
        is not one that was deleted.
        """
        is_there, is_over = self.keys.has(key.key), bool(key.destroyed)
        if is_over and not is_there:
            return True
        is_over = is_over or self._collector.run(lambda t: gone_survey(t, key.survey)) is not None
        with suppress(DamagedError):
            is_over = is_over or (row is not None and self._is_over(row))
        if is_over:
            self.keys.destroy(key.key)
            self._collector.run(lambda t: Arrivals(t.run).destroy(key, self._collector.day()))
            name = "" if row is None else row.name
            if is_there:
                tell("a key was destroyed", survey=name)
            else:
                warn("a key was not there to be destroyed", "it will be if it is put back", survey=name)
        return is_over

    def _is_over(self, row: SurveyRow) -> bool:
        """Whether all parcels of a survey have come and have results, or none comes any more."""
        survey, doors, now = self._collector.form(row).survey, self._collector.doors(row), self._collector.now()
        arrivals, batches = self._collector.run(lambda t: (Arrivals(t.run).all(row.digest), t.batches(row.digest)))
        if any(batch.state not in (RELEASED, WITHHELD) for batch in batches):
            return False
        is_whole = len(arrivals) >= _count(survey)
        is_late = now >= doors.ends + survey.grace + max(survey.keep, LATE) and not self._collector.doubts(now)
        return is_whole or is_late


def _count(survey: Survey) -> float:
    """How many periods a survey has; infinity where it does not say when it opens."""
    if survey.period == ONCE:
        return 1
    return math.inf if survey.opens is None else count_of(survey)


def _standing(survey: Survey, period: str, arrival: ArrivalRow | None, state: str) -> PeriodCrowd:
    """How the crowd of a period stands, given its arrival and the state of its batch."""
    crowd, has_result, unmixed_level = survey.crowd, state == RELEASED, survey.promise.level
    if crowd is None or arrival is None or not has_result:
        return PeriodCrowd(period, arrival, None, unmixed_level, is_lowered=False, has_result=False)
    return PeriodCrowd(period, arrival, level_of(survey, crowd, arrival), unmixed_level, is_small(crowd, arrival), True)
