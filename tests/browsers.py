"""Chromium, driven by Playwright: one browser for all files of tests, and a new profile and page for each test.

Playwright brings no browser; the tests use the one that is installed. Its synchronous interface keeps an event loop
running in the thread, where nothing else can run another one, so between files with a browser the loop is set aside.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from tests.waiting import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, BrowserType, Page

WHOLE = ("chromium", "chromium-browser", "google-chrome")
"""Browsers with windows, which take four times as long as ``chromium-headless-shell``."""


@pytest.fixture(scope="session")
def playing() -> Iterator[tuple[BrowserType, asyncio.AbstractEventLoop]]:
    """Playwright, started once, and its loop, which the thread forgets until a test drives a browser."""
    from playwright.sync_api import expect, sync_playwright  # a quarter of a second, which others need not wait

    expect.set_options(timeout=1000 * PATIENCE)
    with sync_playwright() as playwright:
        loop = asyncio.get_running_loop()
        asyncio._set_running_loop(None)
        yield playwright.chromium, loop
        asyncio._set_running_loop(loop)


@pytest.fixture(scope="session")
def program() -> str:
    """Where Chromium is, the one without windows if there is one."""
    return installed("chromium-headless-shell", *WHOLE)


@pytest.fixture(scope="session")
def whole_program() -> str:
    """Where the Chromium is that people have, which writes its history on the disk."""
    return installed(*WHOLE)


def installed(*names: str) -> str:
    """Where the first of these programs is. Elsewhere than in continuous integration, tests do without."""
    program = next((program for name in names if (program := shutil.which(name))), None)
    if program is None and not os.environ.get("CI"):
        pytest.skip(f"no {names[0]} was found; on Debian: sudo apt-get install {names[0]}")
    assert program is not None, f"continuous integration needs {names[0]}"
    return program


@pytest.fixture(scope="module")
def chromium(program: str, playing: tuple[BrowserType, asyncio.AbstractEventLoop]) -> Iterator[tuple[BrowserType, str]]:
    """What starts a browser, and where it is, for the tests of a file: within them no other loop can run."""
    kind, loop = playing
    asyncio._set_running_loop(loop)
    yield kind, program
    asyncio._set_running_loop(None)


@pytest.fixture(scope="session")
def running(program: str, playing: tuple[BrowserType, asyncio.AbstractEventLoop]) -> Iterator[list[Browser]]:
    """The browser that runs, once there is one."""
    found: list[Browser] = []
    yield found
    asyncio._set_running_loop(playing[1])
    for browser in found:
        browser.close()


@pytest.fixture(scope="module")
def browser(chromium: tuple[BrowserType, str], running: list[Browser]) -> Browser:
    """The browser of all tests; one that has ended is started again."""
    kind, program = chromium
    if not running or not running[-1].is_connected():
        running.append(kind.launch(executable_path=program, timeout=1000 * PATIENCE))
    return running[-1]


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A new profile, whose pages share what they store."""
    context = browser.new_context()
    context.set_default_timeout(1000 * PATIENCE)
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """A page of a new profile, in a window as on a desk."""
    page = context.new_page()
    page.set_viewport_size({"width": 1400, "height": 900})
    return page


@pytest.fixture
def requests(context: BrowserContext) -> list[str]:
    """Every address that the pages of the profile ask for, from now on."""
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    return asked


def wait_for(page: Page, script: str, until: Callable[[Any], bool] = bool) -> Any:
    """The value of the script once it is as wanted, or the last one when patience ends."""
    end = time.monotonic() + PATIENCE
    while not until(value := page.evaluate(script)) and time.monotonic() < end:
        page.wait_for_timeout(50)
    return value
