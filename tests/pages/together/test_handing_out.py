"""Handing out in Chromium: copied, printed, read aloud, on a phone and in the dark, and without a script."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from tests.accessibility import violations
from tests.collector.servers import Server, put
from tests.pages.results.worlds import a_survey
from tests.waiting import PATIENCE

import deniable as dn

WIDE, HIGH = 680, 1009
"""A sheet of A4 within margins of 15 mm, in pixels."""
LONG = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenfabrik"


def signed_in(browser: Browser, server: Server, **options: Any) -> BrowserContext:
    """An author's browser, whose clock is that of Berlin."""
    context = browser.new_context(**{"timezone_id": "Europe/Berlin", **options})
    context.set_default_timeout(1000 * PATIENCE)
    page = context.new_page()
    page.goto(f"{server.url}/enter")
    page.fill("#token", server.operator)
    page.click("main button")
    page.wait_for_url(lambda url: not url.endswith("/enter"))  # or the page is closed before it is signed in
    page.close()
    return context


@pytest.fixture
def author_page(browser: Browser, server: Server) -> Iterator[Page]:
    """A page of an author; what the browser complains of, the policy among it, fails the test."""
    context = signed_in(browser, server, permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    faults: list[str] = []
    page.on("console", lambda message: faults.append(message.text) if message.type in {"error", "warning"} else None)
    page.on("pageerror", lambda error: faults.append(str(error)))
    yield page
    context.close()
    assert faults == []


def yes_or_no(name: str, **terms: Any) -> dn.Survey:
    question = dn.OneOf("ill", ["yes", "no"], wording="Were you threatened or hit at work in the last 12 months?")
    known: dict[str, Any] = {"title": "Safety at work", "owner": "Staff council", "contact": "council@example.org"}
    return dn.Survey.plan(name, [question], 1.0, 1800, **{**known, **terms})


def copied(page: Page, button: str) -> str:
    """What a button puts into the clipboard."""
    pressed = page.get_by_role("button", name=button)
    key = pressed.get_attribute("data-copy")
    pressed.click()
    expect(page.locator(f"[data-copy={key}]")).to_have_text("Copied")
    return str(page.evaluate("navigator.clipboard.readText()"))


def sheets(page: Page) -> int:
    """How many sheets of paper a page is printed on, each of which must hold what is to stand on it."""
    page.emulate_media(media="print")
    page.set_viewport_size({"width": WIDE, "height": HIGH})
    heights = page.locator(".sheet").evaluate_all("all => all.map(each => each.getBoundingClientRect().height)")
    assert max(heights) <= HIGH
    return len(heights)


def test_link_message_reminder_and_lines_are_copied(author_page: Page, server: Server) -> None:
    survey = put(server, server.operator, yes_or_no("copied"))
    link = f"{server.url}/q/{survey.digest}"
    author_page.goto(f"{server.url}/run/{survey.digest}")
    assert copied(author_page, "Copy the link") == link
    for button in ("Copy the message", "Copy the reminder"):
        author_page.reload()
        assert copied(author_page, button).endswith(link)
    author_page.get_by_text("In a page of your own").click()
    assert survey.digest in copied(author_page, "Copy the lines")


def test_times_are_those_of_the_author_s_clock(author_page: Page, server: Server) -> None:
    survey = put(server, server.operator, yes_or_no("on-time", opens="2099-12-01T07:00:00Z"))
    author_page.goto(f"{server.url}/run/{survey.digest}")
    author_page.get_by_text("Opens on 1 December 2099, 8:00 (Berlin time)").wait_for()
    author_page.context.clear_cookies(name="deniable-zone")
    author_page.goto(f"{server.url}/run/{survey.digest}?texts=de")  # a first visit: the page is asked for once more
    author_page.get_by_text("Opens on 1 December 2099, 8:00 (Berlin time)").wait_for()
    expect(author_page.locator("#message")).to_have_value(
        re.compile(r"ab 1\. Dezember 2099, 8:00 Uhr \(Zeit in Berlin")
    )


@pytest.mark.parametrize("words", [1, 25])
def test_a_poster_is_one_page_with_dark_ink_on_white(browser: Browser, server: Server, words: int) -> None:
    asked = "Were you threatened or hit at work?" * (words == 1) + "threatened " * (words - 1)
    question = dn.OneOf("ill", ["yes", "no"], wording=asked.strip())
    terms: dict[str, Any] = {
        "owner": f"{LONG} {LONG}",
        "contact": f"{LONG}@{LONG}.example",
        "closes": "2099-12-01T07:00:00Z",
    }
    survey = put(server, server.operator, dn.Survey.plan(f"poster-{words}", [question], 1.0, 1800, **terms))
    context = signed_in(browser, server, color_scheme="dark")
    page = context.new_page()
    page.goto(f"{server.url}/run/{survey.digest}/poster?texts=de")
    page.get_by_role("button", name="Print").wait_for()
    page.emulate_media(media="print", color_scheme="dark")
    assert page.locator(":is(header, footer, button, a, h1):visible").count() == 0
    assert page.evaluate("getComputedStyle(document.querySelector('.sheet')).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate("getComputedStyle(document.querySelector('.sheet')).color") == "rgb(24, 26, 29)"
    code = page.locator("svg.code").bounding_box()
    assert code
    assert code["width"] >= 250, "read from two metres"
    assert sheets(page) == 1
    context.close()


@pytest.mark.parametrize(("kind", "people", "pages"), [("letters", 3, 3), ("cards", 10, 1), ("cards", 11, 2)])
def test_a_letter_takes_a_page_and_ten_cards_do(
    author_page: Page, server: Server, kind: str, people: int, pages: int
) -> None:
    survey = put(server, server.operator, yes_or_no(f"{kind}-{people}", title=f"{LONG} {LONG}"))
    author_page.goto(f"{server.url}/run/{survey.digest}?texts=de")
    author_page.get_by_text("A code for each person", exact=True).click()
    author_page.fill("#people", str(people))
    author_page.click(f"button[value={kind}]")
    author_page.get_by_role("status").wait_for()
    assert sheets(author_page) == pages


def test_a_code_in_the_address_is_kept_on_the_way_from_a_short_one(author_page: Page, server: Server) -> None:
    survey = put(server, server.operator, yes_or_no("typed"))
    author_page.goto(f"{server.url}/to/{survey.digest[:8]}#code=K7QM-2P4X-9TRD-WH3C")
    assert author_page.url == f"{server.url}/q/{survey.digest}#code=K7QM-2P4X-9TRD-WH3C"


def test_all_works_without_a_script(browser: Browser, server: Server) -> None:
    survey = put(server, server.operator, yes_or_no("plain-hands"))
    context = signed_in(browser, server, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{server.url}/run/{survey.digest}")
    expect(page.locator("#link")).to_have_value(f"{server.url}/q/{survey.digest}")
    expect(page.locator("#link")).to_be_editable(editable=False)
    assert page.get_by_role("button", name="Copy").count() == 0, "it could not copy"
    page.get_by_text("Read the message").click()
    expect(page.locator("#message")).to_be_visible()
    page.get_by_text("A code for each person", exact=True).click()
    page.fill("#people", "2")
    page.click("button[value=letters]")
    expect(page.locator(".sheet.letter")).to_have_count(2)
    page.goto(f"{server.url}/run/{survey.digest}")
    page.get_by_text("Close it now").click()
    page.check("input[name=sure]")
    page.get_by_role("button", name="Close the survey").click()
    page.get_by_text("Closed, waiting for late answers").wait_for()
    assert page.locator("input[name=people]").count() == 0
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_and_sheet_is_free_of_findings_and_fits(browser: Browser, server: Server, scheme: str) -> None:
    terms: dict[str, Any] = {"owner": f"{LONG}, {LONG}", "contact": f"{LONG}@{LONG}.example"}
    survey = put(server, server.operator, yes_or_no(f"axe-{scheme}", **terms))
    invited = put(server, server.operator, a_survey(f"axe-{scheme}-invited", population=2, title=LONG, **terms))
    context = signed_in(browser, server, color_scheme=scheme)
    page = context.new_page()
    found: list[str] = []

    def look(at: str) -> None:
        for width in (320, 390, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            room = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            found.extend([f"{at}, {width}: {room} pixels too wide"] if room > 0 else [])
            found.extend(f"{at}, {width}: {each}" for each in violations(page))

    page.goto(f"{server.url}/run/{survey.digest}/poster")
    look("poster")
    for kind in ("cards", "letters"):
        page.goto(f"{server.url}/run/{invited.digest}")
        if page.locator("button[value=cards]").is_hidden():
            page.get_by_text("A code for each person", exact=True).click()
        page.click(f"button[value={kind}]")
        page.locator(".sheet").first.wait_for()
        look(kind)
    for path in (survey, invited):
        page.goto(f"{server.url}/run/{path.digest}")
        page.wait_for_load_state("networkidle")
        for summary in page.locator("summary").all():
            summary.click()
        look(path.name)
    context.close()
    assert found == []
