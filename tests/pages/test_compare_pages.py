"""Two closed results compared over a real collector: whoever may read both reads the difference, and nobody else."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser
from tests.collector.servers import Server
from tests.pages.readers import Reader
from tests.pages.results.worlds import CARS, a_survey, collected, column, over_weeks, upload
from tests.waiting import PATIENCE

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
    assert "The way to work (south) has" in operator.get(f"/s/north/compare?with={next(iter(offered))}").text
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


@pytest.mark.parametrize(("width", "most_lines"), [(320, 2), (390, 2), (1280, 1)])
@pytest.mark.usefixtures("towns")
def test_a_verdict_is_read_without_scrolling_sideways(
    browser: Browser, server: Server, width: int, most_lines: int
) -> None:
    page = browser.new_page(viewport={"width": width, "height": 800})
    page.set_default_timeout(1000 * PATIENCE)
    page.goto(f"{server.url}/enter")
    page.fill("#token", server.operator)
    page.click("main button")
    page.wait_for_url(lambda address: not address.endswith("/enter"))
    page.goto(f"{server.url}/s/north/compare?with=south")
    cells = page.locator("tbody td:last-child").all()
    heights = [(box["height"], box["x"] + box["width"]) for cell in cells if (box := cell.bounding_box())]
    page.close()
    assert len(heights) == len(CARS)
    assert max(height for height, _ in heights) <= 24 * most_lines + 22, "a line is 24 pixels, its padding 20"
    assert max(end for _, end in heights) <= width


@pytest.fixture(scope="module")
def weeks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A collector over the data of an earlier one, whose clock went on by two weeks with other people in each."""
    shares = {"2026-W32": CARS, "2026-W33": MORE_CARS}
    yield from over_weeks(
        tmp_path_factory.mktemp("weeks") / "data", {period: column(each, 5000) for period, each in shares.items()}
    )


def test_two_closed_periods_of_one_survey_are_compared(weeks: Server) -> None:
    operator = Reader(weeks.url).enter(weeks.operator)
    offered = dict(
        re.findall(r'<option value="([^"]+)"[^>]*>([^<]*)<', operator.get("/s/weekly/compare?period=2026-W32").html)
    )
    [(key, words)] = offered.items()
    assert words == "The way to work, week of 10 August 2026 (weekly)"
    page = operator.get(f"/s/weekly/compare?period=2026-W32&with={key}")
    assert "Answer week of 3 August 2026, in 100 week of 10 August 2026, in 100 Difference, points" in page.text
    assert "2026-W" not in page.text
    assert re.search(r"car [\d.]+ [\d.]+ \+[\d.]+ more, by ([\d.]+) to ([\d.]+) points", page.text)
    told = json.loads(operator.get(f"/s/weekly/compare.json?period=2026-W32&with={key}").body)
    assert told["of"] == [["weekly", "2026-W32"], ["weekly", "2026-W33"]]
    car = told["label"].index("car")
    assert told["low"][car] < MORE_CARS["car"] - CARS["car"] < told["high"][car]
    back = json.loads(operator.get("/s/weekly/compare.json?period=2026-W33&with=weekly").body)
    assert back["of"] == [["weekly", "2026-W33"], ["weekly", "2026-W32"]]
    assert back["value"][car] == -told["value"][car]
