"""A phone, and what can be read on it before the choice."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Page

PHONE: Any = {"width": 390, "height": 844}


def words_before(page: Page) -> int:
    """The words that can be read up to the choice, its buttons among them."""
    text: str = page.evaluate(
        """() => {
            const range = document.createRange();
            range.setStart(document.body, 0);
            range.setEndAfter(document.querySelector("[data-part=consent] .choice"));
            let text = "";
            const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            while (walker.nextNode()) {
              const parent = walker.currentNode.parentElement;
              const seen = parent.checkVisibility({ checkVisibilityCSS: true, contentVisibilityAuto: true });
              const out = parent.closest(".skip, svg, noscript");
              if (seen && !out && range.intersectsNode(walker.currentNode)) text += walker.currentNode.data + " ";
            }
            return text;
        }"""
    )
    return len(re.findall(r"[^\W_]+(?:[-'\u2019][^\W_]+)*", text))
