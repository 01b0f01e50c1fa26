"""Surveys of three kinds of questions and of a single one, how somebody answers them in a browser, and how many did."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page
from tests.collector.servers import Server

import deniable as dn

OFTEN = dn.OneOf("often", ["every day", "some days", "never"], wording="How often do you take a break?")
WHERE = dn.AnyOf("where", ["canteen", "desk", "no break"], wording="Where?", exclusive=["no break"])
LONG = dn.Number("long", 0, 60, unit="min", wording="How long was it?")

WELL = dn.OneOf("well", ["yes", "no"], wording="Are you well?")
SENT = "Sent, once. Thank you."


def well(name: str, **terms: Any) -> dn.Survey:
    """One question with two answers."""
    return dn.Survey.plan(name, [WELL], 1.0, 500, title="How are you?", contact="ask@example.org", cap=9.0, **terms)


def breaks(name: str, **terms: Any) -> dn.Survey:
    """One answer, a list, and a number."""
    return dn.Survey.plan(name, [OFTEN, WHERE, LONG], 1.0, 500, title="Our breaks", cap=9.0, **terms)


def begin(page: Page, server: Server, survey: dn.Survey, more: str = "") -> None:
    """Take part in a survey."""
    page.goto(f"{server.url}/q/{survey.digest}{more}")
    page.get_by_role("button", name="Take part").click()


def send(page: Page) -> None:
    """Send what was looked over, or the only answer."""
    page.get_by_role("button", name="Mix with chance and send").click()


def counted(server: Server, author: str, survey: dn.Survey) -> int:
    """How many answers the collector has."""
    periods = server.ask("GET", f"/v1/surveys/{survey.digest}/periods", token=author).json
    return sum(period["answers"] for period in periods)
