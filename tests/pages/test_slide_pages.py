"""Slides over a real collector: linked where results are exported, of one question, and only for who may read it."""

from __future__ import annotations

import re

import pytest
from tests.collector.servers import Server
from tests.pages.readers import Reader
from tests.pages.results.worlds import CARS, a_survey, collected, column, upload

import deniable as dn


@pytest.fixture(scope="module")
def commute(server: Server) -> dn.Survey:
    """A closed survey with an owner."""
    survey = a_survey("slides", owner="Mobility office")
    return collected(server, survey, upload(survey, {"way": column(CARS, 4000)}))


@pytest.mark.usefixtures("commute")
def test_a_slide_says_what_the_result_says(server: Server, operator: Reader) -> None:
    links = re.findall(r'href="(/s/slides/slide\.\w+[^"]*)"', operator.get("/s/slides/export").html)
    png, svg = (operator.get(link.replace("&amp;", "&")) for link in links)
    assert (png.headers["Content-Type"], svg.headers["Content-Type"]) == ("image/png", "image/svg+xml")
    assert png.body.startswith(b"\x89PNG")
    text = svg.body.decode()
    for each in (
        "How do you come to work?",
        "4,000 devices reported on this question.",
        "Mobility office · The way to work · Closed on ",
    ):
        assert each in text
    assert "If 40 of the 4,000 answers, 1 in 100, were made up, this could be off by up to" in text
    assert "a guess of 50 in 100 becomes 89 at most." in text
    assert f"{server.url.partition('://')[2]}/s/slides<" in text


def test_a_slide_draws_the_line_that_its_reader_drew(server: Server, operator: Reader) -> None:
    labels = {f"place {number}": share for number, share in enumerate([0.4, 0.2, *[0.05] * 8])}
    survey = a_survey("lines", tuple(labels), 4.0)
    collected(server, survey, upload(survey, {"way": column(labels, 5000)}))
    page = operator.get("/s/lines?question=way&above=10").html
    [link] = re.findall(r'href="(/s/lines/slide\.\w+\?[^"]*above=10[^"]*)"', page)
    drawn, plain = (operator.get(f"/s/lines/slide.svg?question=way{more}").html for more in ("&above=10", ""))
    assert operator.get(link.replace("&amp;", "&")).body.startswith(b"\x89PNG")
    assert "2 of 10 are surely above 10 in 100." in drawn
    assert "surely above" not in plain
    dashes = [html.count('width="1.5"') for html in (drawn, plain)]
    assert dashes[0] > 20
    assert dashes[1] == 0


@pytest.mark.usefixtures("commute")
def test_a_slide_speaks_the_language_of_its_reader(operator: Reader) -> None:
    text = operator.get("/s/slides/slide.svg", **{"Accept-Language": "de"}).body.decode()
    for each in (
        "von 100 Menschen",
        "4.000 Geräte haben zu dieser Frage gemeldet.",
        "Strich: die Wahrheit in 95 von 100 solchen Umfragen.",
        "Antworten kann, wer den Link hat. Erfände jemand 40 der 4.000 Antworten",
        "Jede Antwort wurde auf dem eigenen Gerät mit Zufall gemischt",
    ):
        assert each in text


@pytest.mark.usefixtures("commute")
def test_a_slide_is_for_who_may_read_the_result(server: Server, operator: Reader) -> None:
    stranger = Reader(server.url).enter(server.token("stranger", "reader", "elsewhere"))
    assert stranger.get("/s/slides/slide.png").status == 404
    early = a_survey("early-slide")
    collected(server, early, upload(early, {"way": column(CARS, 5)}), close=False)
    assert operator.get("/s/early-slide/slide.svg").status == 409


def test_the_slide_and_the_picture_of_a_number_are_its_histogram(server: Server, operator: Reader) -> None:
    question = dn.Number("minutes", 0, 120, 5, "min", wording="How long did you take?")
    survey = dn.Survey.plan("minutes", [question], 3.0, 3000, title="Ways", owner="Works council", grace=0)
    collected(server, survey, upload(survey, {"minutes": [5 * (place % 13) for place in range(3000)]}))
    for path in ("/s/minutes/slide.svg", "/s/minutes.svg"):
        svg = operator.get(path).html
        words = re.sub(r"<[^>]*>", " ", svg)
        assert "people in 100, for each 10" in words
        assert "half are at or below" in words
        assert re.search(r"Works council · Ways · Closed on \d+ \w+ 20\d\d · [\w.:]+/s/minutes", words), "and the date"
        assert "devices reported on this question" in words
        assert svg.count("<circle") in (12, 13, 14, 15)
        assert 'anchor="end">0 to 5' not in svg
    assert operator.get("/s/minutes/slide.png").body.startswith(b"\x89PNG")


def test_a_grid_has_a_slide_and_pictures_of_all_its_rows(server: Server, operator: Reader) -> None:
    labels = ["never", "seldom", "always"]
    grid = dn.Grid("How often are you heard by ...", {"peers": "my colleagues", "boss": "my manager"}, labels)
    survey = dn.Survey.plan("heard", [grid], 3.0, 3000, title="Heard", owner="Works council", grace=0)
    collected(server, survey, upload(survey, {"peers": labels * 1000, "boss": ["never", *labels[:2]] * 1000}))
    page = operator.get("/s/heard").html
    links = [each.replace("&amp;", "&") for each in re.findall(r'href="(/s/heard[^"]*grid=all)"', page)]
    kept = operator.get("/s/heard/export").html.replace("&amp;", "&")
    assert [link in kept for link in links] == [True] * 3
    png, svg, slide = (operator.get(link) for link in links)
    assert png.body.startswith(b"\x89PNG")
    assert slide.body.startswith(b"\x89PNG")
    for html in (svg.html, operator.get(links[2].replace(".png", ".svg")).html):
        words = " ".join(re.sub(r"<[^>]*>", " ", html).split())
        assert "“my colleagues” comes nearest to “always”." in words
        assert "Each line is a question of its own; n says how many reported on it." in words
        assert re.search(r"my colleagues 1,\d{3} .* my manager 1,\d{3} ", words), "each with its own n"
        assert re.search(r"Works council · Heard · Closed on \d+ \w+ 20\d\d · [\w.:]+/s/heard\b", words)
    assert operator.get("/s/heard/slide.svg?question=boss&grid=all").status == 404
