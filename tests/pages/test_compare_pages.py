"""Two closed results compared over a real collector: whoever may read both reads the difference, and nobody else."""

from __future__ import annotations

import json
import re

import pytest
from tests.collector.test_http import Server
from tests.pages.readers import Reader
from tests.pages.results.worlds import CARS, a_survey, collected, column, upload

import deniable as dn

MORE_CARS = {"car": 0.6, "bus": 0.1, "train": 0.12, "bike": 0.1, "foot": 0.08}


@pytest.fixture(scope="module")
def towns(server: Server) -> list[dn.Survey]:
    """Two closed surveys of other people."""
    both = [("north", CARS), ("south", MORE_CARS)]
    surveys = [(a_survey(name), shares) for name, shares in both]
    return [collected(server, each, upload(each, {"way": column(shares, 5000)}, 3)) for each, shares in surveys]


@pytest.mark.usefixtures("towns")
def test_two_surveys_are_compared_in_words_and_numbers(operator: Reader) -> None:
    page = operator.get("/s/north/compare?with=south")
    assert (
        "The two differ. Were they alike, chance alone would make a difference this clear less than once" in page.text
    )
    told = json.loads(operator.get("/s/north/compare.json?with=south").body)
    assert (told["of"], told["n"]) == ([["north", "once"], ["south", "once"]], [5000, 5000])
    for label, low, high, verdict in zip(told["label"], told["low"], told["high"], ("more", "fewer"), strict=False):
        found = re.search(rf"{label} [\d.]+ [\d.]+ \S+ {verdict}, by ([\d.]+) to ([\d.]+) points", page.text)
        assert found, label
        least, most = sorted((100 * abs(low), 100 * abs(high)))
        assert float(found[1]) <= least < most <= float(found[2]), "all at once is wider than one by one"
    assert "foot cannot be told apart" in re.sub(r"foot [\d. +\N{MINUS SIGN}]+", "foot ", page.text)


@pytest.mark.usefixtures("towns")
def test_the_form_offers_what_has_the_same_answers_and_is_closed(server: Server, operator: Reader) -> None:
    collected(
        server,
        a_survey("twolabels", ["car", "bus"]),
        upload(a_survey("twolabels", ["car", "bus"]), {"way": ["car"] * 90}),
    )
    running = a_survey("stillopen")
    collected(server, running, upload(running, {"way": column(CARS, 900)}), close=False)
    page = operator.get("/s/north/compare")
    offered = dict(re.findall(r'<option value="([^"]+)"[^>]*>[^<]*\((\w+)\)</option>', page.html))
    assert list(offered.values()) == ["south"]
    assert "In the other" in operator.get(f"/s/north/compare?with={next(iter(offered))}").text
    assert "It can be compared once it is closed" in operator.get("/s/stillopen/compare").text
    for wanted in ("twolabels", "stillopen", "north", "nowhere"):
        assert operator.get(f"/s/north/compare?with={wanted}").status == 404


def test_nobody_reads_a_survey_by_comparing_with_it(server: Server, towns: list[dn.Survey]) -> None:
    reader = Reader(server.url).enter(server.token("northerner", "reader", "north"))
    assert "nothing to compare with" in reader.get("/s/north/compare").text
    for ending in ("", ".json"):
        for wanted in ("south", f"{towns[1].digest[:16]}/once"):
            assert reader.get(f"/s/north/compare{ending}?with={wanted}").status == 404
    assert reader.get("/s/south/compare?with=north").status == 404
