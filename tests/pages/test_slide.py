"""The slide: SVG and pixels have everything at the same places, and no text leaves it, in any script."""

from __future__ import annotations

import io
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import numpy as np
import pytest
from matplotlib.image import imread
from tests.pages.results.worlds import CARS

import deniable as dn
from deniable.pages.drawing import RowsOnAxis
from deniable.pages.lettering import width_of
from deniable.pages.results.selection import LARGEST, Selection
from deniable.pages.results.shares import selected_chart
from deniable.pages.shapes import Circle, Text
from deniable.pages.slide import HEIGHT, SIDE, WIDTH, Slide, legend_of
from deniable.protocol.say import english

DOT, PAPER = np.array([0x0F, 0x35, 0x60]) / 255, np.array([0xFC, 0xFC, 0xFA]) / 255
SVG = "{http://www.w3.org/2000/svg}"


def slide_of(labels: list[str], shares: list[float], finding: str = "More come by car than by any other way.") -> Slide:
    estimate = dn.simulate(dn.RandomizedResponse(labels, 3.0), shares, users=7000, seed=1)
    made = selected_chart(estimate, Selection(most=LARGEST))
    chart = RowsOnAxis(made.axis, made.rows, made.simultaneous, made.rest).in_language(english)
    legend = english(legend_of(has_chart=True, is_simultaneous=made.simultaneous))
    return Slide(
        "How did you come?", finding, chart, "people in 100",
        "7,000 devices reported on this question.", "Mobility office · Closed · northfield.example/s/commute",
        "Each answer was mixed with chance.", legend,
        "Anybody with the link can answer.",
    )  # fmt: skip


COMMUTE = slide_of(list(CARS), list(CARS.values()))


def test_pixels_have_each_dot_where_the_svg_has_it() -> None:
    pixels = imread(io.BytesIO(COMMUTE.picture.png()))[..., :3]
    assert pixels.shape[:2] == (HEIGHT, WIDTH)
    root = ElementTree.fromstring(COMMUTE.picture.svg())
    places = [(float(each.attrib["cx"]), float(each.attrib["cy"])) for each in root.iter(f"{SVG}circle")]
    dots = [(shape.x, shape.y) for shape in COMMUTE.shapes() if isinstance(shape, Circle)]
    assert len(dots) == len(CARS) + 2
    assert places == [(round(x, 1), round(y, 1)) for x, y in dots]
    for x, y in places[: len(CARS)]:
        assert np.abs(pixels[round(y), round(x)] - DOT).max() < 0.05
    hollow = imread(io.BytesIO(replace(COMMUTE, is_open=True).picture.png()))[..., :3]
    x, y = places[0]
    assert np.abs(hollow[round(y), round(x)] - PAPER).max() < 0.05


def test_all_that_must_be_known_stands_on_it() -> None:
    words = " ".join(shape.text for shape in COMMUTE.shapes() if isinstance(shape, Text))
    told = (
        COMMUTE.question,
        COMMUTE.finding,
        COMMUTE.reported,
        COMMUTE.source,
        COMMUTE.protection,
        COMMUTE.caution,
    )
    for each in (*told, "Line: the truth in 95 of 100 such surveys.", *CARS):
        assert each in words
    assert COMMUTE.chart is not None
    assert all(row.words in words for row in COMMUTE.chart.rows)


def test_a_long_line_of_how_many_reported_is_smaller_and_whole() -> None:
    asked = "Of those who answered “yes” to “Have you used it?”: about 654 of 1,317"
    reported = f"{asked} · 1,317 of 4,000 devices reported on this question, drawn by lot."
    shapes = replace(COMMUTE, reported=reported).shapes()
    [size] = [shape.size for shape in shapes if isinstance(shape, Text) and shape.text == reported]
    assert size < 20


def test_a_mean_alone_needs_no_chart() -> None:
    alone = replace(COMMUTE, chart=None, legend=english(legend_of(has_chart=False, is_simultaneous=False)))
    texts = [shape.text for shape in alone.shapes() if isinstance(shape, Text)]
    assert COMMUTE.finding in texts
    assert "Between these bounds lies the truth in 95 of 100 such surveys." in texts
    assert "people in 100" not in texts


LONG = "Donaudampfschifffahrtsgesellschaft " * 12
SCRIPTS = ["نعم بالتأكيد " * 8, "はい、いつもそうです。" * 8, "M" * 90, "e\u0301" * 90]


@pytest.mark.parametrize("finding", [LONG, LONG.replace(" ", ""), "長い答え" * 60, "short"])
def test_no_text_leaves_the_slide(finding: str) -> None:
    labels = [*SCRIPTS, *(f"answer {k}" for k in range(36))]
    long = slide_of(labels, [1 / 40] * 40, finding)
    long = replace(long, question=LONG, reported=LONG, source=LONG, caution=LONG)
    assert long.chart is not None
    assert len(long.chart.rows) == LARGEST
    rest = long.chart.rest
    for shape in long.shapes():
        if isinstance(shape, Text) and shape.anchor == "start":
            assert shape.x >= SIDE
            assert shape.x + width_of(shape.text, shape.size, shape.bold) <= WIDTH - SIDE + 1
            assert shape.y < HEIGHT
    assert any(isinstance(shape, Text) and shape.text == rest for shape in long.shapes())
    ElementTree.fromstring(long.picture.svg())


def test_control_characters_and_markup_are_shown_as_they_stand() -> None:
    root = ElementTree.fromstring(replace(COMMUTE, question="<b>\x07 & $x$", finding="\x00“<script>”").picture.svg())
    texts = [each.text for each in root.iter(f"{SVG}text")]
    assert texts[:2] == ["<b>\\x07 & $x$", "\\x00“<script>”"]
