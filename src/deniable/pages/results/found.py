"""What there is to read of a survey's period: its state, how many answered, and the results if they may be seen."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from deniable.collector.collector import Collector
from deniable.collector.desk import Desk, Standing
from deniable.collector.doors import Doors
from deniable.collector.refusals import UNKNOWN, Refused
from deniable.collector.storage.rows import JOINED, OPEN, RELEASED, WITHHELD, SurveyRow
from deniable.pages.label_terms import moment_of
from deniable.protocol.say import english
from deniable.protocol.surveys.periods import bounds_of
from deniable.surveys.results import Results
from deniable.surveys.survey import Survey
from deniable.surveys.tally import SurveyTally

STATES: Final = {OPEN: "Open", RELEASED: "Closed", WITHHELD: "Withheld", JOINED: "Joined to the next period"}
COUNTING: Final = "Closing"
WAITING: Final = "Waiting"
UNANSWERED: Final = "Closed, unanswered"
LATE: Final = "Closed, waiting for late answers"
MOST_PERIODS: Final = 60
"""So many periods are shown in a row, the last ones."""
KEPT: Final = 2 * MOST_PERIODS
"""So many results are kept; of more, those that were read longest ago are computed again."""


@dataclass(frozen=True)
class Found:
    """A period of a survey as its readers may see it."""

    row: SurveyRow
    survey: Survey
    period: str
    """Empty while nobody has answered."""
    periods: tuple[Standing, ...]
    state: str
    n: int
    results: Results | None
    """Nothing where too few answered, so far or for ever."""
    tally: bytes
    gaps: bool
    until: str = ""
    """Of a period that has ended, until when answers that were on their way are still counted."""

    @property
    def is_open(self) -> bool:
        """Whether what is seen is provisional."""
        return self.state in (STATES[OPEN], LATE, COUNTING)

    @property
    def title(self) -> str:
        """What the survey is called."""
        return self.survey.title or self.survey.name

    @property
    def when(self) -> str:
        """The period's name and its bounds, as far as there are any."""
        first, last = bounds_of(self.survey, self.period) if self.period else (None, None)
        dates = [f"{word} {moment:%d %B %Y, %H:%M} UTC" for word, moment in (("from", first), ("to", last)) if moment]
        return " ".join([*([self.period] if self.period not in ("", "once") else []), *dates])


def find(collector: Collector[Any], desk: Desk, row: SurveyRow, period: str | None) -> Found:
    """The period that is asked for: unless named, the last one with a result, or else the last."""
    survey = collector.form(row).survey
    standings = sorted(desk.standings(row), key=lambda standing: standing.period)
    if period is None:
        told = [standing for standing in standings if standing.shown] or standings
        wanted = told[-1] if told else None
    else:
        wanted = next((standing for standing in standings if standing.period == period), None)
        if wanted is None:
            raise Refused(UNKNOWN)
    if wanted is None:
        over = collector.doors(row).is_over(collector.now())
        return Found(row, survey, "", (), UNANSWERED if over else WAITING, 0, None, b"", False)
    until = "" if wanted.state != OPEN else until_of(collector.doors(row), wanted.period, collector.now())
    return _found(desk, row, survey, wanted, tuple(standings), until)


def until_of(doors: Doors, period: str, now: float) -> str:
    """Until when late answers of a period that has ended are counted; empty of one that goes on, or is over."""
    if not doors.span(period).ends <= now < doors.shuts(period):
        return ""
    return english(moment_of(datetime.datetime.fromtimestamp(doors.shuts(period), datetime.UTC)))


def _found(
    desk: Desk, row: SurveyRow, survey: Survey, standing: Standing, standings: tuple[Standing, ...], until: str
) -> Found:
    state = LATE if until else STATES.get(standing.state, COUNTING)
    try:
        tally, _ = desk.tally(row, standing.period)
    except Refused:  # too few answered
        n = standing.answers if state == STATES[WITHHELD] else 0
        return Found(row, survey, standing.period, standings, state, n, None, b"", standing.gaps, until)
    results = read(tally)
    return Found(row, survey, standing.period, standings, state, results.n, results, tally, standing.gaps, until)


@lru_cache(maxsize=KEPT)
def read(tally: bytes) -> Results:
    """The results of a tally, once for all pages that show it: to find words that nobody listed takes seconds."""
    counted = SurveyTally.from_bytes(tally, Survey)
    return Results(counted.document, counted)
