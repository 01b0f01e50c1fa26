"""From an empty server to a running survey and its result in Chromium: by keyboard, with scripts and without."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page
from tests.accessibility import OF_COLORS, violations
from tests.collector.servers import Server, put
from tests.pages.results.worlds import CARS, a_survey, collected, column, upload
from tests.waiting import PATIENCE

import deniable as dn

KEY_SECONDS, READING_SECONDS = 0.2, 8.0
"""How long people take for a key, and to read a form: 60 words a minute, and forms of some 30 words."""
MINUTES = 3


class Hand:
    """Somebody who types: every key is counted."""

    def __init__(self, page: Page) -> None:
        self.page, self.keys, self.forms = page, 0, 0

    def type(self, text: str) -> None:
        self.page.keyboard.type(text)
        self.keys += len(text)

    def press(self, key: str, times: int = 1) -> None:
        for _ in range(times):
            self.page.keyboard.press(key)
        self.keys += times

    def to(self, selector: str) -> None:
        """Go on by Tab until the element has the focus."""
        wanted = self.page.locator(selector).first.element_handle()
        for _ in range(60):
            if self.page.evaluate("wanted => wanted === document.activeElement", wanted):
                return
            self.press("Tab")
        raise AssertionError(f"{selector} cannot be reached by keyboard")

    def go(self, selector: str) -> None:
        """Press a button or follow a link, and read the page that comes."""
        self.to(selector)
        with self.page.expect_navigation():
            self.press("Enter")
        self.forms += 1

    @property
    def seconds(self) -> float:
        return self.keys * KEY_SECONDS + self.forms * READING_SECONDS


@pytest.fixture(params=[(390, "light", True), (1280, "dark", False)], ids=["phone, scripts", "desk, no scripts"])
def person(request: pytest.FixtureRequest, browser: Browser, server: Server) -> Iterator[Page]:
    """Whoever runs the server, signed in, with a browser that keeps what it complains of and whom it asks."""
    width, scheme, scripts = request.param
    context = browser.new_context(
        viewport={"width": width, "height": 800}, color_scheme=scheme, java_script_enabled=scripts
    )
    context.set_default_timeout(1000 * PATIENCE)
    page = context.new_page()
    faults: list[str] = []
    page.on("console", lambda message: faults.append(message.text) if message.type in {"error", "warning"} else None)
    asked: list[str] = []
    context.on("request", lambda each: asked.append(urlsplit(each.url).netloc))
    page.goto(f"{server.url}/enter")
    page.fill("#token", server.operator)
    page.click("main button")
    page.wait_for_url(lambda address: not address.endswith("/enter"))
    yield page
    assert faults == []
    assert set(asked) == {urlsplit(server.url).netloc}
    context.close()


def test_three_minutes_from_nothing_to_a_running_survey(person: Page) -> None:
    hand = Hand(person)
    width = person.viewport_size["width"] if person.viewport_size else 0
    hand.go("a[href='/new']")
    hand.to("#title")
    hand.type(f"How we come to work {width}")
    hand.to("#wording-0")
    hand.type("How do you come to work?")
    hand.to("#answer-0-0")
    for place, label in enumerate(CARS):
        if place > 2 and not person.locator(f"#answer-0-{place}").count():
            hand.go("button[value='answer-add 0']")
        hand.to(f"#answer-0-{place}")
        hand.type(label)
    hand.go("button[value=next]")
    hand.to("#people")
    hand.type("1000")
    hand.go("button[value=next]")
    hand.go("button[value^=open]")
    assert "/run/" in person.url
    assert "/q/" in person.locator("#link").input_value()
    assert hand.seconds < 60 * MINUTES, f"{hand.keys} keys and {hand.forms} pages"


@pytest.mark.parametrize("width", [320, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_is_free_of_findings_and_fits(
    browser: Browser, server: Server, width: int, scheme: Literal["light", "dark"]
) -> None:
    name = f"axe-{width}-{scheme}"
    survey = a_survey(name)
    for each in (a_survey(f"{name}-other"), survey):
        collected(server, each, upload(each, {"way": column(CARS, 900)}))
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
    context.set_default_timeout(1000 * PATIENCE)
    page = context.new_page()
    page.goto(f"{server.url}/enter")
    page.fill("#token", server.operator)
    page.click("main button")
    page.wait_for_url(lambda address: not address.endswith("/enter"))
    paths = [
        "",
        "?order=value",
        "?above=20&zoom=1",
        "?a=0&b=1",
        "/trust",
        "/time",
        "/share",
        "/compare",
        f"/compare?with={name}-other",
    ]
    found, options = [], OF_COLORS if scheme == "dark" else {}
    for path in ["/", "/keys", "/nothing", f"/run/{survey.digest}", *(f"/s/{name}{path}" for path in paths)]:
        page.goto(server.url + path)
        found += [f"{path}: {each}" for each in violations(page, options)]
        found += too_wide(page, path)
    context.close()
    assert found == []


def too_wide(page: Page, path: str) -> list[str]:
    """By how much a page is wider than its window, if it is."""
    room = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return [f"{path}: {room} pixels too wide"] if room > 0 else []


def test_a_word_without_an_end_widens_no_page(browser: Browser, server: Server) -> None:
    word = 80 * "Donaudampf"
    question = dn.OneOf("way", [f"{word[:100]}1", f"{word[:100]}2"], wording=word[:150])
    terms: dict[str, Any] = {"title": word[:150], "owner": word[:150], "purpose": word, "contact": word[:150]}
    told, running = (
        dn.Survey.plan(name, [question], 2.0, 900, grace=0, **terms) for name in ("endless", "endless-open")
    )
    collected(server, told, upload(told, {"way": list(question.labels) * 450}))
    put(server, server.operator, running)
    page = browser.new_page(viewport={"width": 320, "height": 800})
    page.set_default_timeout(1000 * PATIENCE)
    page.goto(f"{server.url}/enter")
    page.fill("#token", server.operator)
    page.click("main button")
    page.wait_for_url(lambda address: not address.endswith("/enter"))
    paths = [f"/s/endless{path}" for path in ("", "?order=value", "/trust", "/compare", "/time", "/share")]
    found = []
    for path in ["/", *paths, f"/run/{running.digest}", f"/label/{running.digest}", f"/q/{running.digest}"]:
        page.goto(server.url + path)
        found += too_wide(page, path)
    page.get_by_role("button", name="Take part").click()
    page.get_by_role("button", name="Mix with chance and send").or_(page.get_by_role("button", name="Next")).wait_for()
    found += too_wide(page, "the question itself")
    page.close()
    assert found == []


def test_the_two_keys_work_and_can_be_switched_off(browser: Browser, server: Server) -> None:
    page = browser.new_page()
    page.goto(f"{server.url}/enter")
    page.keyboard.press("Escape")
    page.locator("h1").click()
    page.keyboard.press("?")
    page.wait_for_url("**/keys")
    page.get_by_role("button", name="Switch them off in this browser").click()
    page.goto(f"{server.url}/enter")
    page.locator("h1").click()
    page.keyboard.press("?")
    page.wait_for_timeout(300)
    assert page.url.endswith("/enter")
    page.close()
