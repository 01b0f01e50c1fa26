"""How a mixer stands, as its operator reads it: what waits for them, what is open, and what became of the rest."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from deniable.intake.clock import day_of
from deniable.intake.storage.rows import OPEN, RELEASED, WITHHELD, Disk
from deniable.mixer.courier import LOST
from deniable.mixer.sending import REFUSED
from deniable.mixer.upkeep import KEPT
from deniable.pages.moments import day
from deniable.pages.zones import local_moment
from deniable.protocol.fields import read_time
from deniable.protocol.say import Phrase, Statement


class OpenSurvey(NamedTuple):
    """A survey that takes answers, or will; nothing is passed on of fewer than ``least``."""

    digest: str
    title: str
    owner: str
    least: int
    periods: Sequence[tuple[str, bool]]
    """Those that are open, and whether each had enough answers at the last midnight."""
    opens: Statement | None
    """When, if it does not yet."""
    closes: Statement
    codes: int
    """How many were made for people; it lacks some if they are fewer than ``least``."""
    lacks_codes: bool
    closed: bool
    """Whether it was closed by hand, and only what is on its way is taken."""


class Ending(NamedTuple):
    """A period that is over."""

    digest: str
    title: str
    period: str
    """Empty where there is one alone."""
    day: Phrase
    """The day on which it ended."""
    answers: int
    """How many were handed over."""
    least: int
    """How many it takes to be handed over; 0 of a survey that nobody answered."""
    deleted: Statement | None = None
    """When the copy of what was handed over is deleted, or was."""
    is_deleted: bool = False


class Trouble(NamedTuple):
    """What is wrong with a survey, or with a period."""

    title: str
    period: str
    what: Phrase


@dataclass(frozen=True)
class MixerStanding:
    """How all surveys of a mixer stand, and the mixer itself."""

    open: Sequence[OpenSurvey]
    handed: Sequence[Ending]
    """What its collector has taken."""
    waiting: Sequence[Ending]
    """What is shut and not yet taken by its collector."""
    withheld: Sequence[Ending]
    """What had too few answers, which were deleted."""
    troubles: Sequence[Trouble]
    doubts: bool
    """Whether the clock has jumped."""
    next: Statement | None = None
    """When the next period is shut, of those that can be answered."""
    disk: Disk | None = None

    @property
    def lacks_room(self) -> bool:
        """Whether nothing is taken, for want of room on the disk."""
        return self.disk is not None and self.disk.is_full

    @classmethod
    def of(
        cls, status: Iterable[Mapping[str, Any]], now: float, zone: datetime.tzinfo, doubts: bool,
        disk: Disk | None = None,
    ) -> MixerStanding:  # fmt: skip
        """From what the desk says of each survey, the newest first."""
        rows = list(status)[::-1]
        sound = [row for row in rows if "damaged" not in row]
        over = [(row, period) for row in sound for period in row["periods"] if period["state"] != OPEN]
        ends = [(period["state"], _ending(row, period, now)) for row, period in over]
        unanswered = [_unanswered(row) for row in sound if not row["periods"] and not _is_open(row, now)]
        return cls(
            [_open(row, now, zone) for row in sound if _is_open(row, now)],
            [end for state, end in ends if state == RELEASED],
            [end for state, end in ends if state not in (RELEASED, WITHHELD, REFUSED)],
            [*(end for state, end in ends if state == WITHHELD), *unanswered],
            [trouble for row in rows for trouble in _troubles(row)],
            doubts,
            _next(sound, zone),
            disk,
        )

    def needs(self, documents: int) -> Statement:
        """What waits for the operator, with so many documents of which they have to say something."""
        counts = {
            "mixer_needs_word": documents,
            "mixer_needs_codes": sum(each.lacks_codes for each in self.open),
            "mixer_needs_look": len(self.troubles) + self.doubts + self.lacks_room,
        }
        things = [Statement(key, count=count) for key, count in counts.items() if count]
        if not things:
            return Statement("mixer_needs_nothing")
        return Statement("mixer_needs", count=sum(counts.values()), things=things)


def _is_open(row: Mapping[str, Any], now: float) -> bool:
    """Whether answers are taken, or will be; and while some are on their way after it was closed."""
    waits = any(period["state"] == OPEN for period in row["periods"])
    return waits or not (row["closed"] or read_time(row["closes"]).timestamp() <= now)


def _next(rows: Sequence[Mapping[str, Any]], zone: datetime.tzinfo) -> Statement | None:
    """When the next period is shut, and of which survey; None if nothing is open."""
    ends = [(row["shuts"], title_of(row)) for row in rows if row["shuts"] is not None]
    if not ends:
        return None
    shuts, title = min(ends)
    moment = datetime.datetime.fromtimestamp(shuts, datetime.UTC)
    return Statement("mixer_next_parcel", title=title, moment=local_moment(moment, zone))


def _open(row: Mapping[str, Any], now: float, zone: datetime.tzinfo) -> OpenSurvey:
    """A survey that takes answers, or will; a period has no name where there is but one."""
    several = row["period"] != "once"
    periods = [(each["period"] if several else "", each["enough"]) for each in row["periods"] if "enough" in each]
    opens = None if row["opens"] is None else read_time(row["opens"])
    is_planned = opens is not None and opens.timestamp() > now
    return OpenSurvey(
        row["digest"], title_of(row), row["owner"], row["least"], periods or [("", False)],
        local_moment(opens, zone) if opens is not None and is_planned else None,
        local_moment(read_time(row["closes"]), zone), row["codes"], row["codes"] < row["least"] and not row["closed"],
        row["closed"],
    )  # fmt: skip


def _ending(row: Mapping[str, Any], period: Mapping[str, Any], now: float) -> Ending:
    """A period that is over, and the day on which its copy is deleted: so many days after it was handed over."""
    ended = datetime.date.fromisoformat(period.get("day") or row["since"])
    deleted = ended + datetime.timedelta(days=KEPT + 1)
    name, is_deleted = period["period"] if row["period"] != "once" else "", day_of(now) >= deleted.isoformat()
    return Ending(
        row["digest"], title_of(row), name, day(ended), period.get("answers", 0), row["least"], day(deleted), is_deleted
    )


def _unanswered(row: Mapping[str, Any]) -> Ending:
    """Of a survey that ended without an answer."""
    return Ending(row["digest"], title_of(row), "", "" if row["closed"] else day(read_time(row["closes"]).date()), 0, 0)


def _troubles(row: Mapping[str, Any]) -> Iterator[Trouble]:
    """What is wrong with a survey and with its periods."""
    if "damaged" in row:
        yield Trouble(row["name"], "", Statement("mixer_document_damaged"))
    for period in row["periods"]:
        about = row.get("title") or row["name"], "" if period["period"] == "once" else period["period"]
        if period.get("damaged"):
            yield Trouble(*about, Statement("mixer_period_damaged"))
        lost = period.get("reply", {}).get("is")
        if lost in LOST:
            yield Trouble(*about, Statement(f"mixer_lost_{lost}"))
        if period.get("trouble"):
            yield Trouble(*about, period["trouble"])


def title_of(row: Mapping[str, Any]) -> str:
    """What a survey is called."""
    return str(row["title"] or row["name"])
