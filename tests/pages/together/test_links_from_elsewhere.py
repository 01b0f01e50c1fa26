"""Links that let people in work from other sites too, such as a mailbox, where browsers hold back cookies."""

from __future__ import annotations

from playwright.sync_api import Page
from tests.collector.servers import Server, put
from tests.collector.worlds import a_survey
from tests.pages.readers import Reader, shared


def follow(page: Page, server: Server, path: str) -> None:
    """Go on to a link from a page of another site: to browsers these two names of one host are two sites."""
    page.goto(f"{server.url.replace('127.0.0.1', 'localhost')}/enter")
    page.evaluate("url => { location.href = url }", server.url + path)


def test_a_stranger_reads_what_was_shared(page: Page, server: Server, operator: Reader) -> None:
    put(server, server.operator, a_survey("mailed"))
    follow(page, server, shared(operator, "mailed"))
    page.wait_for_url("**/s/mailed")
    assert "mailed" in page.title()


def test_who_is_signed_in_stays_so(page: Page, server: Server, operator: Reader) -> None:
    put(server, server.operator, a_survey("mailed-to-us"))
    page.goto(f"{server.url}/enter")
    page.fill("#token", server.operator)
    page.click("main button")
    follow(page, server, shared(operator, "mailed-to-us"))
    page.wait_for_url("**/s/mailed-to-us")
    page.goto(f"{server.url}/new")
    assert page.url.endswith("/questions")
    assert "New survey" in page.title()
