"""Charts as pictures: the SVG and the pixels have the same rows at the same places."""

from __future__ import annotations

import io
import xml.etree.ElementTree as ElementTree

import numpy as np
from matplotlib.image import imread
from tests.pages.results.worlds import CARS

import deniable as dn
from deniable.pages.drawing import BOTTOM, FINE, LINE, SIDE, WIDTH, PictureHead, RowsOnAxis, chart_picture, x_of
from deniable.pages.lettering import width_of
from deniable.pages.results.selection import Selection
from deniable.pages.results.shares import selected_chart
from deniable.pages.shapes import HUNDRED, Circle, Text
from deniable.protocol.say import Phrase, english

ESTIMATE = dn.simulate(dn.RandomizedResponse(list(CARS), 2.0), list(CARS.values()), users=7000, seed=1)
SVG = "{http://www.w3.org/2000/svg}"
DOT = np.array([0x0F, 0x35, 0x60]) / 255


def rows_of(estimate: dn.Estimate) -> RowsOnAxis:
    made = selected_chart(estimate, Selection())
    return RowsOnAxis(made.axis, made.rows, made.simultaneous, made.rest)


def test_pixels_have_a_dot_where_the_page_has_it() -> None:
    shown = rows_of(ESTIMATE)
    picture = chart_picture(PictureHead("How $much$ < \N{SNOWMAN}?", "More come by car.", "7,000 people"), shown)
    pixels = imread(io.BytesIO(picture.png()))[..., :3]
    per_unit = FINE / HUNDRED
    assert pixels.shape[0] == round(picture.height * per_unit)
    dots = [shape for shape in picture.shapes if isinstance(shape, Circle)]
    assert [dot.x for dot in dots] == [x_of(row.dot) for row in shown.rows if row.dot is not None]
    assert len(dots) == len(CARS)
    for dot in dots:
        assert np.abs(pixels[round(dot.y * per_unit), round(dot.x * per_unit)] - DOT).max() < 0.05


def test_a_picture_says_what_was_found_however_long_that_is() -> None:
    shown, finding = rows_of(ESTIMATE), "More come by car than by any other way that was asked for. " * 3
    short, long = (chart_picture(PictureHead("How?", said, "7,000 people"), shown) for said in ("Car.", finding))
    assert long.height > short.height
    words = " ".join(each.text or "" for each in ElementTree.fromstring(long.svg()).iter(f"{SVG}text"))
    assert finding.strip() in words


def wordy(text: Phrase) -> str:
    """Another language, which takes many more words for one thing."""
    said = english(text)
    return 3 * said if said.startswith("Dot:") else said


def test_a_legend_that_is_longer_in_another_language_takes_more_lines() -> None:
    head, shown = PictureHead("How?", "Car.", "7,000 people"), rows_of(ESTIMATE)
    short, long = (chart_picture(head, shown, say=say) for say in (english, wordy))
    assert long.height > short.height
    texts = [each for each in long.shapes if isinstance(each, Text) and each.x == SIDE]
    assert max(SIDE + width_of(each.text, each.size, each.bold) for each in texts) <= WIDTH - SIDE


def test_pictures_of_many_answers_say_what_holds_of_those_left_out() -> None:
    labels = [f"place {number}" for number in range(200)]
    many = rows_of(dn.simulate(dn.Hadamard(labels, 2.0), [0.005] * 200, users=50_000, seed=3))
    picture = chart_picture(PictureHead("Where?", "None leads.", "50,000 people"), many)
    svg = picture.svg()
    ElementTree.fromstring(svg)
    assert english(many.rest).startswith("The other 190: each at most ")
    assert english(many.rest) in svg
    rows = chart_picture(PictureHead("Where?", "None leads.", "50,000 people"), many._replace(rows=(), rest=""))
    assert picture.height == rows.height + 11 * LINE > BOTTOM
    assert picture.png().startswith(b"\x89PNG")
