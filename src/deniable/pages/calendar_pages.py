"""`/q/DIGEST.ics`: when a survey is asked again, as a file for calendars. It is the same for everybody."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from deniable.intake.refusals import UNKNOWN, Refused
from deniable.pages.frame import base_of, download
from deniable.pages.languages import language_for, wanted_by
from deniable.pages.site import Site
from deniable.protocol.fields import read_time
from deniable.protocol.surveys.periods import ONCE, calendar_bounds, period_at
from deniable.protocol.surveys.translations import nearest
from deniable.surveys.survey import Survey

LONGEST_LINE: Final = 75
"""Bytes of a line of RFC 5545, without its end; what follows is folded."""
RULES: Final = {"day": "DAILY", "week": "WEEKLY", "month": "MONTHLY"}
ESCAPES: Final = str.maketrans({"\\": r"\\", ";": r"\;", ",": r"\,", "\n": r"\n", "\r": None})
"""How texts are written, in which these signs would part values and lines."""


class CalendarPages:
    """Hands out the calendars of surveys that are answered again and again."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def all(self) -> list[BaseRoute]:
        """The routes."""
        return [self._site.page("/q/{digest}.ics", self.calendar)]

    async def calendar(self, request: Request) -> Response:
        """The next moments at which the survey can be answered again."""
        row = await self._site.context.row(request)
        collector, say = self._site.context.collector, language_for(request)
        survey, now = collector.form(row).survey, datetime.datetime.fromtimestamp(collector.now(), datetime.UTC)
        begins = next_begin(survey, now)
        if begins is None or row.ended is not None:
            raise Refused(UNKNOWN)
        words = survey.texts(nearest(survey.languages, wanted_by(request)))
        link = f"{base_of(request)}/q/{row.digest}"
        about = say("calendar_own" if row.invited else "calendar_text", link=link)
        calendar = calendar_of(survey, words.title or survey.name, about, link, begins, now)
        return download(calendar, "text/calendar; charset=utf-8", f"{row.name}.ics")


def next_begin(survey: Survey, now: datetime.datetime) -> datetime.datetime | None:
    """When the next period begins in which the survey can be answered again; None if there is none."""
    if survey.repeat == ONCE or survey.period == ONCE:
        return None
    since = now if survey.opens is None else max(now, read_time(survey.opens))
    _, begins = calendar_bounds(survey, period_at(survey, since))
    return begins if begins and (survey.closes is None or begins < read_time(survey.closes)) else None


def calendar_of(
    survey: Survey, title: str, about: str, link: str, begins: datetime.datetime, now: datetime.datetime
) -> bytes:
    """A calendar (RFC 5545) with an entry that returns with each period, for as long as the survey is open."""
    until = "" if survey.closes is None else f";UNTIL={_utc(read_time(survey.closes) - datetime.timedelta(seconds=1))}"
    lines = (
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//deniable//EN", "BEGIN:VEVENT",
        f"UID:{survey.digest}@deniable", f"DTSTAMP:{_utc(now)}", f"DTSTART:{_utc(begins)}",
        f"RRULE:FREQ={RULES[survey.period]}{until}", f"SUMMARY:{title.translate(ESCAPES)}",
        f"DESCRIPTION:{about.translate(ESCAPES)}", f"URL:{link}", "TRANSP:TRANSPARENT", "END:VEVENT", "END:VCALENDAR",
    )  # fmt: skip
    return "".join(f"{part}\r\n" for line in lines for part in _folded(line)).encode()


def _utc(moment: datetime.datetime) -> str:
    return moment.astimezone(datetime.UTC).strftime("%Y%m%dT%H%M%SZ")


def _folded(line: str) -> Iterator[str]:
    """The line, in parts that are short enough; all but the first begin with a blank, and no sign is cut in two."""
    part = ""
    for sign in line:
        if len((part + sign).encode()) > LONGEST_LINE:
            yield part
            part = " "
        part += sign
    yield part
