"""Calendars of surveys that are asked again: RFC 5545 to the byte, the right moments, and nobody in them."""

from __future__ import annotations

import datetime
import re
from typing import Any

import pytest
from tests.collector.servers import Server, put
from tests.collector.worlds import a_survey

from deniable.pages.calendar_pages import calendar_of, next_begin

LINK = "https://x.example/q/0123"
THURSDAY = datetime.datetime(2026, 11, 26, 15, 30, tzinfo=datetime.UTC)


def entry_of(body: bytes) -> dict[str, str]:
    """The properties of the one entry of a calendar, as RFC 5545 says that they are read."""
    assert body.endswith(b"\r\n")
    assert b"\n" not in body.replace(b"\r\n", b"")
    assert all(len(line) <= 75 for line in body.split(b"\r\n"))
    lines = body.decode().removesuffix("\r\n").replace("\r\n ", "").split("\r\n")
    assert (lines[0], lines[1], lines[-1]) == ("BEGIN:VCALENDAR", "VERSION:2.0", "END:VCALENDAR")
    assert lines[2].startswith("PRODID:")
    assert (lines[3], lines[-2]) == ("BEGIN:VEVENT", "END:VEVENT")
    properties = dict(line.split(":", 1) for line in lines[4:-2])
    assert len(properties) == len(lines) - 6, "none stands twice"
    return properties


def text_of(written: str) -> str:
    """A text without what keeps its signs apart from those of the format."""
    return re.sub(r"\\(.)", lambda found: "\n" if found[1] in "nN" else found[1], written)


def moment_of(written: str) -> datetime.datetime:
    return datetime.datetime.strptime(written, "%Y%m%dT%H%M%SZ").replace(tzinfo=datetime.UTC)


def again(period: str, **terms: Any) -> Any:
    return a_survey("again", period=period, repeat="fresh", cap=99.0, **terms)


@pytest.mark.parametrize(
    ("period", "begins", "rule"),
    [("day", "2026-11-27", "DAILY"), ("week", "2026-11-30", "WEEKLY"), ("month", "2026-12-01", "MONTHLY")],
)
def test_it_begins_with_the_next_period_and_returns_with_each(period: str, begins: str, rule: str) -> None:
    survey = again(period)
    found = next_begin(survey, THURSDAY)
    assert found is not None
    entry = entry_of(calendar_of(survey, "Breaks", "Again.", LINK, found, THURSDAY))
    assert moment_of(entry["DTSTART"]) == datetime.datetime.fromisoformat(f"{begins}T00:00:00+00:00")
    assert moment_of(entry["DTSTAMP"]) == THURSDAY
    assert entry["RRULE"] == f"FREQ={rule}"
    assert entry["URL"] == LINK
    assert survey.digest in entry["UID"]


def test_it_ends_with_the_survey() -> None:
    survey = again("week", closes="2026-12-14T00:00:00Z")
    found = next_begin(survey, THURSDAY)
    assert found is not None
    rule = entry_of(calendar_of(survey, "Breaks", "Again.", LINK, found, THURSDAY))["RRULE"]
    assert rule == "FREQ=WEEKLY;UNTIL=20261213T235959Z", "the week of the 14th is asked no more"
    assert next_begin(survey, THURSDAY + datetime.timedelta(days=11)) is None
    assert next_begin(survey, THURSDAY + datetime.timedelta(days=10)) is not None


def test_before_a_survey_opens_it_begins_with_its_second_period() -> None:
    survey = again("week", opens="2027-03-03T08:00:00Z")
    assert next_begin(survey, THURSDAY) == datetime.datetime(2027, 3, 8, tzinfo=datetime.UTC)


def test_any_title_comes_back_as_it_is() -> None:
    title = "Pausen; „Über“, \\ und \n mehr: " + "Donaudampfschifffahrt " * 9
    entry = entry_of(calendar_of(again("day"), title, "Wieder: " + LINK, LINK, THURSDAY, THURSDAY))
    assert text_of(entry["SUMMARY"]) == title
    assert text_of(entry["DESCRIPTION"]) == "Wieder: " + LINK


def test_a_page_leads_to_it_and_it_holds_nobody(server: Server, author: str) -> None:
    survey = put(server, author, again("week", title="Our breaks"))
    page = server.ask("GET", f"/q/{survey.digest}", Accept="text/html", Accept_Language="de").body.decode()
    [path] = re.findall(r'href="([^"]*\.ics[^"]*)"', page)
    replies = [server.ask("GET", path), server.ask("GET", path, Cookie="deniable-zone=Europe/Berlin")]
    assert [reply.status for reply in replies] == [200, 200]
    assert replies[0].headers["Content-Type"] == "text/calendar; charset=utf-8"
    entries = [{**entry_of(reply.body), "DTSTAMP": ""} for reply in replies]
    assert entries[0] == entries[1], "it is the same for everybody"
    assert entries[0]["SUMMARY"] == "Our breaks"
    assert entries[0]["URL"].endswith(f"/q/{survey.digest}")
    assert text_of(entries[0]["DESCRIPTION"]).startswith("Ab jetzt kann wieder geantwortet werden")
    once = put(server, author, a_survey("only-once"))
    assert server.ask("GET", f"/q/{once.digest}.ics").status == 404
    assert ".ics" not in server.ask("GET", f"/q/{once.digest}", Accept="text/html").body.decode()
