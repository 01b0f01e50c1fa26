"""The site as people read it: formulas are set, nobody is shut out, and pictures go with the scheme."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Literal

import pytest
from formulas import FENCE, formula
from playwright.sync_api import Page
from tests.accessibility import OF_COLORS, violations
from tests.browsers import wait_for
from tests.house.house_tree import ROOT

COPY_BUTTONS = ".md-code__nav"
"""The theme's script makes one beside each example, all of one name; each says what it does."""
PAGES = ("index", "planning", "mechanisms/subset", "installing", "command-line", "embedding", "studies/ye2017/index")
WRITTEN = sorted((ROOT / "docs").rglob("*.md"))


def fences() -> list[str]:
    """Every formula of the documentation."""
    return [found for file in WRITTEN for found in FENCE.findall(file.read_text(encoding="utf-8"))]


def test_every_formula_is_set() -> None:
    assert len(fences()) > 60
    shown = [re.sub(r'aria-label="[^"]*"', "", formula(each)) for each in fences()]
    assert [each for each in shown if "\\" in each or "&amp;" in each] == []
    assert "<mfrac>" in formula(r"\frac{a}{b}")
    assert "\\" in re.sub(r'aria-label="[^"]*"', "", formula(r"\nosuchword"))


def test_no_formula_is_left_as_a_text() -> None:
    text = re.compile(r"^```text\n(.*?)^```$", re.DOTALL | re.MULTILINE)
    left = [file.name for file in WRITTEN for each in text.findall(file.read_text("utf-8")) if "e^epsilon" in each]
    assert left == []


@pytest.mark.parametrize(("scheme", "options"), [("light", {}), ("dark", OF_COLORS)], ids=["light", "dark"])
def test_pages_are_free_of_findings(
    scheme: Literal["light", "dark"], options: dict[str, Any], site: Path, page: Page
) -> None:
    page.emulate_media(color_scheme=scheme)
    found = []
    for name in PAGES:
        page.goto((site / f"{name}.html").as_uri())
        wait_for(page, "document.readyState", lambda state: state == "complete")
        found += [f"{name}: {each}" for each in violations(page, options, [COPY_BUTTONS])]
    assert found == []


@pytest.mark.parametrize(
    ("html", "options", "least"),
    [("<main><img src='x.png'><a href='#'></a></main>", {}, 3), ("<p style='color: #ccc'>faint</p>", OF_COLORS, 1)],
    ids=["without names", "faint"],
)
def test_a_page_with_faults_has_findings(html: str, options: dict[str, Any], least: int, page: Page) -> None:
    page.set_content(html)
    assert len(violations(page, options)) >= least


def test_colors_are_judged_once_they_have_changed(page: Page) -> None:
    style = "body { background: #fff } p { color: #ddd; transition: color 1s } .dark p { color: #000 }"
    page.set_content(f"<html lang='en'><title>x</title><style>{style}</style><main><h1>x</h1><p>text</p></main>")
    assert len(violations(page, OF_COLORS)) == 1
    page.evaluate("document.documentElement.className = 'dark'")
    assert violations(page, OF_COLORS) == []


@pytest.mark.parametrize(("scheme", "filtered"), [("light", "none"), ("dark", "invert(0.88) hue-rotate(180deg)")])
def test_pictures_go_with_the_scheme(scheme: Literal["light", "dark"], filtered: str, site: Path, page: Page) -> None:
    page.emulate_media(color_scheme=scheme)
    page.goto((site / "planning.html").as_uri())
    shown = "getComputedStyle(document.querySelector('.md-typeset p > img')).filter"
    assert page.evaluate(shown) == filtered


@pytest.mark.parametrize("width", [390, 1400])
def test_formulas_fit_the_page_or_scroll(width: int, site: Path, page: Page) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.goto((site / "mechanisms" / "high-low-subset.html").as_uri())
    assert page.locator(".formula math").count() > 5
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
