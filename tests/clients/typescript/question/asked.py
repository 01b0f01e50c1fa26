"""Surveys on pages of a collector's own host, under the policy that its pages have, and what a person sees there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Page
from tests.clients.stub import Planned, Stub
from tests.clients.typescript.device.pages import HTML, script_of
from tests.clients.typescript.package import PACKAGE
from tests.wire.generate.wordings import worded

import deniable as dn

POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'"
SERVED = PACKAGE / "build" / "page"
CITIES = [
    "Aachen", "Berlin", "Chemnitz", "Dresden", "Erfurt", "Freiburg", "Graz", "Hamburg", "Innsbruck", "Jena", "Köln",
    "Leipzig", "München", "Nürnberg",
]  # fmt: skip


def everything() -> dn.Survey:
    """A survey with a question of every kind, short and long."""
    way = dn.OneOf(
        "way", ["car", "bus", "bike", "I would rather not say"], wording="How did you come to work today?",
        no_answer="I would rather not say",
    )  # fmt: skip
    city = dn.OneOf("city", CITIES, wording="Where do you live?")
    used = dn.AnyOf("used", ["tram", "train", "ferry"], wording="What else have you used this year?", most=2)
    street = dn.Text("street", longest=6, wording="How does the name of your street begin?")
    parts = [
        dn.Part(way, dn.RandomizedResponse(way.labels, 1.0)),
        dn.Part(city, dn.Subset(city.labels, 1.0, 3)),
        dn.Part(used, dn.AskedItems(used.labels, 0.5, together=1)),
        dn.Part(street, dn.HashedResponse(0.5, 4, 64, key="street"), dn.encoders.Prefix(6)),
    ]
    return dn.Survey(
        "commute",
        [way, city, used, street],
        [dn.Arm(parts)],
        title="How we come to work",
        purpose="The works council wants to know whether a bus from the station to the plant is worth its money.",
        owner="Works council, Northfield Ltd",
        contact="council@northfield.example",
        topic="travel",
        cap=4.0,
    )


def monthly(repeat: str) -> dn.Survey:
    """A question of every month, with a cap that is reached by the first answer, or by enrolling."""
    way = dn.OneOf("way", ["car", "bus", "bike"], wording="How did you come to work today?")
    plain = dn.RandomizedResponse(way.labels, 1.0)
    mechanism = dn.Remembered(plain, 0.5) if repeat == "remembered" else plain
    return dn.Survey(
        f"every-{repeat}",
        [way],
        [dn.Arm(dn.Part(way, mechanism))],
        topic="travel",
        cap=3.0 if repeat == "remembered" else 1.0,
        period="month",
        closes="2026-12-31T00:00:00Z",
        repeat=repeat,
    )


def serve_question(stub: Stub, survey: str, path: str = "/", language: str = "en", more: str = "") -> None:
    """The page of a survey at a path, and the files that it loads."""
    html = (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8"><title>A survey</title>'
        '<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/deniable.css">'
        '<script type="module" src="/deniable.js"></script></head><body><main>'
        f'<deniable-question survey="{survey}" heading="1" {more}></deniable-question></main></body></html>'
    )
    stub.pages[path] = Planned(200, html.encode(), {"Content-Type": HTML, "Content-Security-Policy": POLICY})
    stub.pages["/favicon.ico"] = Planned(204)
    stub.pages["/deniable.css"] = Planned(200, (SERVED / "deniable.css").read_bytes(), {"Content-Type": "text/css"})
    stub.pages |= {f"/{file.name}": script_of(file.read_bytes()) for file in SERVED.glob("*.js")}


SURVEYS = {
    "all": everything(), "month": monthly("fresh"), "kept": monthly("remembered"), "breaks": worded()["languages"],
}  # fmt: skip


@pytest.fixture
def stub(built: Path) -> Iterator[Stub]:
    assert built.is_dir()
    with Stub(*SURVEYS.values()).running() as running:
        for name, survey in SURVEYS.items():
            serve_question(running, survey.digest, f"/{name}")
            serve_question(running, survey.digest, f"/{name}/de", "de-AT")
            serve_question(running, survey.digest, f"/{name}/swiss", more='language="de-CH"')
        yield running


@pytest.fixture
def faults(page: Page) -> list[str]:
    """What the browser complains of: scripts and styles that the policy forbids, and errors that nobody catches."""
    found: list[str] = []
    page.on("console", lambda message: found.append(message.text) if message.type in {"error", "warning"} else None)
    page.on("pageerror", lambda error: found.append(str(error)))
    return found


def go(page: Page, url: str, headline: str = "") -> None:
    """Open a page and wait for its last heading: the one given, or any below the label."""
    page.goto(url)
    page.locator("deniable-question > section:last-of-type h2, deniable-question > h2").filter(
        has_text=headline
    ).first.wait_for()


def filled(
    page: Page,
    way: str | None = "bike",
    city: str | None = "Köln",
    used: Sequence[str] = ("tram", "ferry"),
    street: str | None = "Goethe",
) -> None:
    """Answer the questions that are given, by the mouse, one screen after another, up to the look over."""
    if way:
        page.get_by_role("radio", name=way).check()
    onwards(page)
    if city:
        page.get_by_role("combobox").select_option(city)
    onwards(page)
    for each in used:
        page.get_by_role("checkbox", name=each).check()
    onwards(page)
    if street:
        page.get_by_role("textbox").fill(street)
    onwards(page)


def onwards(page: Page) -> None:
    """To the next question, or to the look over."""
    page.locator("[type=submit]").click()


def send(page: Page) -> None:
    """Send what is looked over, or the one answer."""
    page.locator("[type=submit].alike").click()
