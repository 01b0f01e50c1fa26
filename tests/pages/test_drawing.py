"""Charts as pictures: the SVG and the pixels have the same rows at the same places."""

from __future__ import annotations

import io
import xml.etree.ElementTree as ElementTree

import numpy as np
from matplotlib.image import imread
from tests.pages.results.worlds import CARS

import deniable as dn
from deniable.pages.drawing import BOTTOM, DOTS_PER_INCH, LINE, SCALE, chart_png, chart_svg, height_of, top_of, x_of
from deniable.pages.results.selection import Selection
from deniable.pages.results.view import drawn

ESTIMATE = dn.simulate(dn.RandomizedResponse(list(CARS), 2.0), list(CARS.values()), users=7000, seed=1)
DOT = np.array([0x0F, 0x35, 0x60]) / 255


def test_pixels_have_a_dot_where_the_page_has_it() -> None:
    shown = drawn(ESTIMATE, Selection())
    pixels = imread(io.BytesIO(chart_png("How $much$ < \N{SNOWMAN}?", "7,000 people", shown)))[..., :3]
    per_unit = DOTS_PER_INCH / SCALE
    assert pixels.shape[0] == round(height_of(shown) * per_unit)
    for number, row in enumerate(shown.rows):
        assert row.dot is not None
        x, y = x_of(row.dot) * per_unit, (top_of(number) + LINE / 2) * per_unit
        assert np.abs(pixels[round(y), round(x)] - DOT).max() < 0.05


def test_pictures_of_many_answers_say_what_holds_of_those_left_out() -> None:
    labels = [f"place {number}" for number in range(200)]
    many = drawn(dn.simulate(dn.Hadamard(labels, 2.0), [0.005] * 200, users=50_000, seed=3), Selection())
    svg = chart_svg("Where?", "50,000 people", many)
    ElementTree.fromstring(svg)
    assert many.rest.startswith("The other 190: each at most ")
    assert many.rest in svg
    assert height_of(many) == top_of(11) + BOTTOM
    assert chart_png("Where?", "50,000 people", many).startswith(b"\x89PNG")
