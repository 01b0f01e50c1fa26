"""What axe finds wrong with a page."""

from __future__ import annotations

from playwright.sync_api import Page
from tests.clients.typescript.package import PACKAGE, install

AXE = PACKAGE / "node_modules" / "axe-core" / "axe.min.js"


def violations(page: Page) -> list[str]:
    """What axe finds wrong. It is run by the browser's own means, as the page's policy lets no script in."""
    assert install() is None
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run()")["violations"]
    return [f"{each['id']}: {node['html']}" for each in found for node in each["nodes"]]
