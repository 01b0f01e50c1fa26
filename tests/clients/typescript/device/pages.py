"""Devices in pages of a browser, and the pages that a collector's own host serves for that."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from playwright.sync_api import Page
from tests.browsers import wait_for
from tests.clients.conduct.devices import Devices
from tests.clients.stub import CROSS, Planned, Stub
from tests.clients.typescript.package import PACKAGE

STRICT = {"Content-Security-Policy": "default-src 'none'; script-src 'self'; connect-src 'self'"}
HTML, SCRIPT = "text/html; charset=utf-8", "text/javascript; charset=utf-8"


def page_of(script: str, headers: Mapping[str, str] = STRICT) -> Planned:
    """A page that does nothing but to run a module."""
    html = f'<!doctype html><title>A page</title><script type="module" src="{script}"></script>'
    return Planned(200, html.encode(), {"Content-Type": HTML, **headers})


def script_of(code: bytes) -> Planned:
    """A module, which pages of other hosts may load too."""
    return Planned(200, code, {"Content-Type": SCRIPT, **CROSS})


def serve_devices(stub: Stub, built: Path) -> None:
    """A page at / in which devices can be steered."""
    stub.pages["/"] = page_of("/page.js")
    stub.pages["/favicon.ico"] = Planned(204)
    stub.pages["/page.js"] = script_of((built / "page.js").read_bytes())


def serve_package(stub: Stub) -> None:
    """The package as it is installed, below /dist."""
    dist = PACKAGE / "dist"
    for file in dist.rglob("*.js"):
        stub.pages[f"/dist/{file.relative_to(dist).as_posix()}"] = script_of(file.read_bytes())


def in_page(page: Page, url: str) -> Devices:
    """Devices in a page that this opens."""
    page.goto(url)
    wait_for(page, "typeof globalThis.perform === 'function'")
    return Devices("browser", lambda command: str(page.evaluate("command => perform(command)", command)))


def stored(page: Page) -> Any:
    """All that the page's origin has stored in the browser."""
    return page.evaluate(
        """async () => [await indexedDB.databases(), document.cookie, localStorage.length, sessionStorage.length,
                        await caches.keys()]"""
    )


NOTHING = [[], "", 0, 0, []]
