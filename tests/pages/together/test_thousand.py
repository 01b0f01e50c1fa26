"""A question with a thousand answers: each view of it is small and quick, and no answer is out of reach."""

from __future__ import annotations

import re
import struct

import pytest
from playwright.sync_api import Browser
from tests.collector.abuse.wire import holding_less
from tests.collector.servers import Server
from tests.pages.readers import Page, Reader
from tests.pages.results.worlds import a_survey, collected, upload
from tests.waiting import PATIENCE, check_quick, until

import deniable as dn

LABELS = [f"Ort {number} an der {'langen' * (number % 2)} Straße <ß> &" for number in range(1000)]
MOST_BYTES, MOST_SECONDS = 60_000, 0.1
ROW = '<th scope="row">'


def rows_of(page: Page) -> list[str]:
    """The labels of a page's table."""
    return re.findall(rf"{ROW}([^<]*)</th>", page.html)


@pytest.fixture(scope="module", autouse=True)
def thousands(server: Server) -> None:
    """Two closed surveys, and a third in which the question is crossed with another."""
    for name, most in (("thousand", 7), ("others", 9)):
        survey = a_survey(name, LABELS, epsilon=4.0)
        collected(server, survey, upload(survey, {"way": [LABELS[n % most] for n in range(20_000)]}))
    questions = [dn.OneOf("place", LABELS, wording="Where?"), dn.OneOf("late", ["yes", "no"])]
    crossed = dn.Survey.plan("places", questions, 4.0, 20_000, cross=[("place", "late")], grace=0)
    answers = {"place": [LABELS[n % 7] for n in range(20_000)], "late": ["yes", "no"] * 10_000}
    collected(server, crossed, upload(crossed, answers))


VIEWS = [
    "/s/thousand",
    "/s/thousand?order=value",
    "/s/thousand?above=0,5",
    "/s/thousand?show=all",
    "/s/thousand?show=all&order=value",
    "/s/thousand?show=all&page=10",
    "/s/thousand?show=all&page=99999",
    "/s/thousand?find=Ort",
    "/s/thousand?a=0&b=1",
    "/s/thousand/time?label=999",
    "/s/thousand/trust",
    "/s/thousand/compare",
    "/s/thousand/compare?with=others",
    "/s/thousand/compare?with=others&page=10",
    "/embed/thousand",
    "/embed/thousand?show=all&page=5",
    "/s/places/cross",
    "/s/places/cross?page=9",
    "/s/places/cross?rows=late&columns=place",
    "/s/places?question=place&show=all&page=3",
]


@pytest.mark.parametrize("path", VIEWS)
def test_each_view_is_small_and_quick(operator: Reader, path: str) -> None:
    until(lambda: "being proven" not in operator.get(path).text)  # which a page waits for
    page = operator.get(path)
    assert page.status == 200
    assert len(page.body) < MOST_BYTES
    check_quick(lambda: operator.seconds(path), MOST_SECONDS)


def test_a_picture_has_a_hundred_rows_at_most(operator: Reader, server: Server) -> None:
    """A thousand took 12 seconds and 600 MiB, and anyone with a shared link may ask for it."""
    with holding_less(server, 200 << 20):
        picture = operator.get("/s/thousand.png?show=all")
    [height] = struct.unpack(">I", picture.body[20:24])
    assert picture.body.startswith(b"\x89PNG")
    assert height < 20_000
    drawn = operator.get("/s/thousand.svg?show=all").html
    assert "answers 1 to 100 of 1,000" in drawn
    assert "answers 901 to 1,000 of 1,000" in operator.get("/s/thousand.svg?show=all&page=10").html


def test_labels_are_found_and_the_largest_are_shown(operator: Reader) -> None:
    page = operator.get("/s/thousand")
    assert len(rows_of(page)) == 10
    assert re.search(r"The other 990: each at most \d+ in ", page.text)
    assert "the 10 largest of 1,000 answers" in operator.get("/s/thousand.svg").html
    assert "&lt;ß&gt;" in page.html
    assert "<ß>" not in page.html
    found = operator.get("/s/thousand?find=Ort+99")
    assert len(rows_of(found)) == 11
    assert "The other" not in found.text
    assert "No answer holds" in operator.get("/s/thousand?find=nowhere").text
    assert "940 more answers hold “Ort”" in operator.get("/s/thousand?find=Ort").text


def test_all_labels_stand_on_pages_that_lead_to_each_other(operator: Reader) -> None:
    page, seen, axes = operator.get("/s/thousand?show=all"), [], set()
    while True:
        seen += rows_of(page)
        axis = re.search(r'<svg class="axis".*?</svg>', page.html, re.DOTALL)
        assert axis
        axes.add(axis[0])
        onward = re.search(r'<a rel="next" href="([^"]+)">Answers ([\d,]+) to', page.html)
        if onward is None:
            break
        assert int(onward[2].replace(",", "")) == len(seen) + 1
        page = operator.get(f"/s/thousand{onward[1].replace('&amp;', '&')}")
    assert len(seen) == len(set(seen)) == 1000
    assert len(axes) == 1, "pages are compared by eye"
    spans = re.findall(r"(?:>)([\d,]+ to [\d,]+)<", operator.get("/s/thousand?show=all&page=2").html)
    assert spans[:3] == ["1 to 100", "101 to 200", "201 to 300"]
    assert "1 to 100" in spans
    drawn = [operator.get(f"/s/thousand.svg?show=all&page={page}").html.count("<circle") for page in range(1, 11)]
    assert drawn == [100] * 10, "a picture is of one page"


@pytest.mark.parametrize("path", ["/s/thousand/compare?with=others", "/s/places/cross"])
def test_long_tables_have_pages_too(operator: Reader, path: str) -> None:
    seen, page = [], operator.get(path)
    for link in [None, *re.findall(r'href="([^"]+)">[\d,]+ to [\d,]+</a>', page.html)]:
        page = page if link is None else operator.get(re.sub(r"[?].*", "", path) + link.replace("&amp;", "&"))
        seen += rows_of(page)
    assert len(set(seen)) == 1000


def test_the_grid_that_is_written_once_is_drawn_in_each_row(browser: Browser, server: Server) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 900}, java_script_enabled=False)
    page.set_default_timeout(1000 * PATIENCE)
    page.goto(f"{server.url}/enter")
    page.fill("#token", server.operator)
    page.click("main button")
    page.wait_for_url(lambda address: not address.endswith("/enter"))
    page.goto(f"{server.url}/s/thousand?show=all&page=2")
    widths = {round(box["width"]) for use in page.locator("td > .bands > use").all() if (box := use.bounding_box())}
    axis = page.locator("svg.axis").bounding_box()
    assert axis
    assert page.locator("td > .bands > use").count() == 100
    assert len(widths) == 1
    ticks = [text.get_attribute("x") or "" for text in page.locator("svg.axis text").all()]
    places = [float(place.removesuffix("%")) for place in ticks if place.endswith("%")]
    assert abs(widths.pop() - axis["width"] * (places[-1] - places[0]) / 100) <= 2, "from the first tick to the last"
    page.close()
