"""What axe finds wrong with a page, once nothing on it moves or fades any more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from playwright.sync_api import Page
from tests.clients.typescript.package import PACKAGE, install

AXE = PACKAGE / "node_modules" / "axe-core" / "axe.min.js"
OF_COLORS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
"""The rules about colors, which are all that another color scheme changes."""
RUN = """async ([exclude, options]) => {
    const passing = document.getAnimations().filter(each => each.effect.getComputedTiming().endTime < Infinity);
    await Promise.allSettled(passing.map(each => each.finished));
    return (await axe.run({include: [["html"]], exclude}, {resultTypes: ["violations"], ...options})).violations;
}"""
"""A button takes on the colors of another scheme within a tenth of a second, and on the way its text is faint."""


def violations(page: Page, options: Mapping[str, Any] = MappingProxyType({}), exclude: Sequence[str] = ()) -> list[str]:
    """What axe finds wrong. It is run by the browser's own means, as the page's policy lets no script in."""
    assert install() is None
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate(RUN, [[[each] for each in exclude], dict(options)])
    return [f"{each['id']}: {node['html']}" for each in found for node in each["nodes"]]
