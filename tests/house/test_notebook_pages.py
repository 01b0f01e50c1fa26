"""What a notebook shows, as a browser shows it: readable on light and dark, phone and desk, and nothing is run."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page

import deniable as dn

LABELS = ["never", "once a month", "<img src=x onerror='window.ran = true'>", "<script>window.ran = true</script>"]
COLOURS = {"light": ("rgb(255, 255, 255)", "rgb(34, 34, 34)"), "dark": ("rgb(17, 17, 17)", "rgb(221, 221, 221)")}
"""A notebook's paper and ink."""


def notebook(colours: tuple[str, str]) -> str:
    """A page with all that shows itself in a notebook."""
    survey = dn.RandomizedResponse(LABELS, 1.0)
    tally = survey.tally(survey.privatize_many([LABELS[0]] * 300 + [LABELS[2]] * 100, seed=1))
    reading = survey.estimate(tally, decoder="unbiased").reading(truth=[0.75, 0, 0.25, 0])
    shown: list[Any] = [reading, dn.plan(LABELS, 1.0, 400), dn.audit(survey), tally]
    paper, ink = colours
    head = '<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    style = f"<style>body{{background:{paper};color:{ink};font-family:sans-serif;font-size:14px}}</style>"
    return head + style + "".join(each._repr_html_() for each in shown)


@pytest.mark.parametrize("look", COLOURS)
@pytest.mark.parametrize("width", [390, 1200])
def test_tables_are_readable_and_fetch_and_run_nothing(
    look: str, width: int, page: Page, requests: list[str], tmp_path: Path
) -> None:
    file = tmp_path / f"{look}.html"
    file.write_text(notebook(COLOURS[look]), encoding="utf-8")
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(file.as_uri())
    assert page.evaluate("document.querySelectorAll('table').length") == 4
    assert page.evaluate("window.ran") is None
    assert requests == [file.as_uri()]
    assert page.evaluate("document.documentElement.scrollWidth") <= width, "a wide table scrolls in its own box"
    first = "document.querySelector('tbody')"
    ink = COLOURS[look][1]
    assert page.evaluate(f"getComputedStyle({first}.querySelector('td')).color") == ink
    assert page.evaluate(f"getComputedStyle({first}.querySelector('rect')).fill") == ink
    assert page.evaluate(f"[...{first}.querySelectorAll('th')].map(each => each.textContent)") == LABELS


def test_bars_begin_and_end_where_the_numbers_say(page: Page, tmp_path: Path) -> None:
    estimate = dn.simulate(dn.Subset(4, 1.0), np.full(4, 0.25), users=1000, seed=1)
    file = tmp_path / "bars.html"
    file.write_text(estimate._repr_html_(), encoding="utf-8")
    page.goto(file.as_uri())
    script = "[...document.querySelectorAll('rect')].map(each => [each.x.baseVal.value, each.width.baseVal.value])"
    places = np.array(page.evaluate(script))
    low, high = estimate.interval().T
    assert places[:, 0] == pytest.approx(6 + 108 * low / high.max(), abs=0.06)
    assert places[:, 1] == pytest.approx(108 * (high - low) / high.max(), abs=0.11)
