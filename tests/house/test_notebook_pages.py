"""What a notebook shows, as a browser shows it: readable on light and dark, phone and desk, and nothing is run."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from tests.house.browser import Browser, chromium

import deniable as dn

LABELS = ["never", "once a month", "<img src=x onerror='window.ran = true'>", "<script>window.ran = true</script>"]
COLOURS = {"light": ("rgb(255, 255, 255)", "rgb(34, 34, 34)"), "dark": ("rgb(17, 17, 17)", "rgb(221, 221, 221)")}
"""A notebook's paper and ink."""


def notebook(colours: tuple[str, str]) -> str:
    """A page with all that shows itself in a notebook."""
    survey = dn.RandomizedResponse(LABELS, 1.0)
    tally = survey.tally(survey.privatize_many([LABELS[0]] * 300 + [LABELS[2]] * 100, seed=1))
    reading = survey.estimate(tally, decoder="unbiased").reading(truth=[0.75, 0, 0.25, 0])
    shown = [reading, dn.plan(LABELS, 1.0, 400), dn.audit(survey), tally]
    paper, ink = colours
    head = '<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    style = f"<style>body{{background:{paper};color:{ink};font-family:sans-serif;font-size:14px}}</style>"
    return head + style + "".join(each._repr_html_() for each in shown)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser for all tests of this file."""
    program = chromium()
    if program is None:
        pytest.skip("Chromium is not installed")
    with Browser(program) as opened:
        yield opened


@pytest.mark.parametrize("look", COLOURS)
@pytest.mark.parametrize("width", [390, 1200])
def test_tables_are_readable_and_fetch_and_run_nothing(look: str, width: int, browser: Browser, tmp_path: Path) -> None:
    page = tmp_path / f"{look}.html"
    page.write_text(notebook(COLOURS[look]), encoding="utf-8")
    browser.requests.clear()
    browser.open(page, width)
    assert browser.value("document.querySelectorAll('table').length") == 4
    assert browser.value("window.ran") is None
    assert browser.requests == [page.as_uri()]
    assert browser.value("document.documentElement.scrollWidth") <= width, "a wide table scrolls in its own box"
    first = "document.querySelector('tbody')"
    ink = COLOURS[look][1]
    assert browser.value(f"getComputedStyle({first}.querySelector('td')).color") == ink
    assert browser.value(f"getComputedStyle({first}.querySelector('rect')).fill") == ink
    assert browser.value(f"[...{first}.querySelectorAll('th')].map(each => each.textContent)") == LABELS


def test_bars_begin_and_end_where_the_numbers_say(browser: Browser, tmp_path: Path) -> None:
    estimate = dn.simulate(dn.Subset(4, 1.0), np.full(4, 0.25), users=1000, seed=1)
    page = tmp_path / "bars.html"
    page.write_text(estimate._repr_html_(), encoding="utf-8")
    browser.open(page)
    script = "[...document.querySelectorAll('rect')].map(each => [each.x.baseVal.value, each.width.baseVal.value])"
    places = np.array(browser.value(script))
    low, high = estimate.interval().T
    assert places[:, 0] == pytest.approx(6 + 108 * low / high.max(), abs=0.06)
    assert places[:, 1] == pytest.approx(108 * (high - low) / high.max(), abs=0.11)
