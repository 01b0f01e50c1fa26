"""Authors at the forms of the builder, in Chromium."""

from __future__ import annotations

from playwright.sync_api import Page
from tests.collector.servers import Server
from tests.pages.drafts import whole
from tests.pages.readers import Reader


def enter(page: Page, server: Server) -> None:
    """Sign in."""
    page.goto(f"{server.url}/enter")
    page.fill("#token", server.operator)
    page.click("main button")
    page.wait_for_url(f"{server.url}/**")


def drafted(page: Page, server: Server, step: str) -> str:
    """A draft at a step; its path."""
    reader = Reader(server.url).enter(server.operator)
    path = whole(reader)
    enter(page, server)
    page.goto(f"{server.url}{path}/{step}")
    page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
    return path


def type_anew(page: Page, field: str, words: str) -> None:
    """Type into an emptied field, key by key."""
    page.locator(f"#{field}").fill("")
    page.locator(f"#{field}").press_sequentially(words)
