"""What axe finds wrong with a page."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from playwright.sync_api import Page
from tests.clients.typescript.package import PACKAGE, install

AXE = PACKAGE / "node_modules" / "axe-core" / "axe.min.js"
FOUND = "{resultTypes: ['violations']}"
"""All that is looked at: axe need not describe what is well."""
OF_COLORS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
"""The rules about colors, which are all that another color scheme changes."""


def violations(page: Page, options: Mapping[str, Any] = MappingProxyType({})) -> list[str]:
    """What axe finds wrong. It is run by the browser's own means, as the page's policy lets no script in."""
    assert install() is None
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate(f"options => axe.run({{...{FOUND}, ...options}})", dict(options))["violations"]
    return [f"{each['id']}: {node['html']}" for each in found for node in each["nodes"]]
