"""The site as people read it: formulas are set, nobody is shut out, and pictures go with the scheme."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Literal

import pytest
from formulas import FENCE, formula
from playwright.sync_api import Page
from tests.browsers import wait_for
from tests.clients.typescript.package import install
from tests.house.house_tree import ROOT
from tests.pages.accessibility import AXE, FOUND, OF_COLORS

COPY_BUTTONS = ".md-code__nav"
"""The theme's script makes one beside each example, all of one name; each says what it does."""
RUN = f"options => axe.run({{exclude: [['{COPY_BUTTONS}']]}}, {{...{FOUND}, ...options}})"
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


@pytest.fixture(scope="module")
def axe() -> str:
    """The checker, which comes with the tools of the TypeScript client."""
    assert install() is None
    return AXE.read_text(encoding="utf-8")


@pytest.mark.parametrize(("scheme", "options"), [("light", {}), ("dark", OF_COLORS)], ids=["light", "dark"])
def test_pages_are_free_of_findings(
    scheme: Literal["light", "dark"], options: dict[str, Any], site: Path, page: Page, axe: str
) -> None:
    page.emulate_media(color_scheme=scheme)
    found = []
    for name in PAGES:
        page.goto((site / f"{name}.html").as_uri())
        wait_for(page, "document.readyState", lambda state: state == "complete")
        page.evaluate(axe)
        seen = page.evaluate(RUN, options)["violations"]
        found += [f"{name}: {each['id']}: {len(each['nodes'])}" for each in seen]
    assert found == []


@pytest.mark.parametrize(
    ("html", "options", "least"),
    [("<main><img src='x.png'><a href='#'></a></main>", {}, 3), ("<p style='color: #ccc'>faint</p>", OF_COLORS, 1)],
    ids=["without names", "faint"],
)
def test_a_page_with_faults_has_findings(html: str, options: dict[str, Any], least: int, page: Page, axe: str) -> None:
    page.set_content(html)
    page.evaluate(axe)
    assert len(page.evaluate(RUN, options)["violations"]) >= least


@pytest.mark.parametrize(("scheme", "filtered"), [("light", "none"), ("dark", "invert(0.88) hue-rotate(180deg)")])
def test_pictures_go_with_the_scheme(scheme: str, filtered: str, site: Path, page: Page) -> None:
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.goto((site / "planning.html").as_uri())
    shown = "getComputedStyle(document.querySelector('.md-typeset p > img')).filter"
    assert page.evaluate(shown) == filtered


@pytest.mark.parametrize("width", [390, 1400])
def test_formulas_fit_the_page_or_scroll(width: int, site: Path, page: Page) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.goto((site / "mechanisms" / "high-low-subset.html").as_uri())
    assert page.locator(".formula math").count() > 5
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
