"""Numbers on result pages: what can be said in words, the curve, shares of ranges, groups, and every export."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from tests.collector.servers import Server
from tests.pages.readers import Reader
from tests.pages.results.worlds import collected, upload

import deniable as dn

PEOPLE = 30_000
RNG = np.random.default_rng(1)
WAY = RNG.choice(["car", "bus"], PEOPLE)
MINUTES = RNG.normal(np.where(WAY == "car", 30, 50), 12).round().clip(0, 120)


@pytest.fixture(scope="module")
def commute(server: Server) -> dn.Survey:
    """A closed survey of a number, crossed with a question, and of a date."""
    questions: list[dn.OneOf | dn.Number] = [
        dn.Number("minutes", 0, 120, unit="min", want=("mean", "quantiles", "spread"), wording="How long?"),
        dn.OneOf("way", ["car", "bus"]),
        dn.Number("born", "1940-01-01", "2010-12-31", want="mean"),
    ]
    survey = dn.Survey.plan("ride", questions, 3.0, PEOPLE, cross=[("way", "minutes")], grace=0)
    born = np.array(["1980-07-01"] * PEOPLE)
    answers = {"minutes": MINUTES.tolist(), "way": WAY.tolist(), "born": born.tolist()}
    return collected(server, survey, upload(survey, answers))


def test_a_number_is_read_rightly_from_the_words(operator: Reader, commute: dn.Survey) -> None:
    page = operator.get("/s/ride?question=minutes")
    sentence = re.search(r"The mean is between ([\d.]+).min and ([\d.]+).min\. Half of the people", page.text)
    assert sentence
    assert float(sentence[1]) <= MINUTES.mean() <= float(sentence[2])
    median = re.search(r"half (\d+).min (?:the same|(\d+) to (\d+).min)", page.text)
    assert median
    assert int(median[2] or median[1]) <= np.median(MINUTES) <= int(median[3] or median[1])
    spread = re.search(r"Standard deviation [\d.]+ min ([\d.]+) to ([\d.]+)", page.text)
    assert spread
    assert float(spread[1]) <= MINUTES.std() <= float(spread[2])
    assert "less counts as 0\N{NO-BREAK SPACE}min" in page.html
    assert "people in 100, for each 8 min" in page.text
    assert "by value" not in page.text
    assert "Compare two answers" not in page.text


def test_a_reader_asks_for_a_range(operator: Reader, commute: dn.Survey) -> None:
    page = operator.get("/s/ride?question=minutes&from=20&to=40")
    said = re.search(r"20 to 40 min \d+ between (\d+) and (\d+) in 100", page.text)
    assert said
    assert int(said[1]) / 100 <= np.mean((MINUTES >= 20) & (MINUTES <= 40)) <= int(said[2]) / 100
    for wrong in ("from=40&to=20", "from=x&to=3", "from=1", "from=%3Cscript%3E&to=1", "to=1e999"):
        page = operator.get(f"/s/ride?question=minutes&{wrong}")
        assert page.status == 200
        assert "Give two numbers, the smaller one first." in page.text
        assert "<script>" not in page.html.partition("<main")[2]


def test_a_mean_of_dates_is_a_date(operator: Reader, commute: dn.Survey) -> None:
    page = operator.get("/s/ride?question=born")
    sentence = re.search(r"The mean is between (\d{4}-\d\d-\d\d) and (\d{4}-\d\d-\d\d)\.", page.text)
    assert sentence
    assert sentence[1] <= "1980-07-01" <= sentence[2]
    assert "<figure" not in page.html, "no shares of ranges were asked for"


def test_groups_are_set_beside_each_other(operator: Reader, commute: dn.Survey) -> None:
    page = operator.get("/s/ride/cross")
    for way in ("car", "bus"):
        found = re.search(rf"{way} between ([\d.]+) and ([\d.]+) min", page.text)
        assert found
        assert float(found[1]) - 1 <= MINUTES[way == WAY].mean() <= float(found[2]) + 1


@pytest.mark.parametrize("question", ["minutes", "born"])
def test_every_export_works(operator: Reader, commute: dn.Survey, question: str) -> None:
    told = json.loads(operator.get("/s/ride.json").body)["questions"][question]
    assert told["quantities"]["mean"]["low"] < told["quantities"]["mean"]["value"]
    for ending in ("csv", "svg", "png", "py"):
        assert operator.get(f"/s/ride.{ending}?question={question}").status == 200
    for page in ("", "/trust", "/compare", "/share"):
        assert operator.get(f"/s/ride{page}?question={question}").status == 200
    assert operator.get(f"/label/{commute.digest}").status == 200
    framed = operator.get(f"/embed/ride?question={question}")
    assert framed.status == 200
    assert "Nothing can be shown" not in framed.text
    assert re.search(r"The mean is between .* Mean ", framed.text)


def test_trust_says_what_made_up_answers_do_to_a_mean(operator: Reader, commute: dn.Survey) -> None:
    text = operator.get("/s/ride/trust").text
    page = operator.get("/s/ride?question=minutes").text
    said = re.search(r"How long\? the mean moves by up to ([\d.]+ min)", text)
    assert said
    alone = re.search(r"One can read the mean to give or take ([\d.]+) min\. If (\d+) of the ([\d,]+)", page)
    assert alone
    assert float(alone[1]) < float(said[1].split()[0])
    assert (int(alone[2]), alone[3]) == (-(-PEOPLE // 100), f"{PEOPLE:,}")
    assert f"made up to mislead, all alike, it could be off by up to {said[1]} more." in page
    assert re.search(r"way a share moves by up to [\d.]+ points", text)
    assert re.search(r"born the mean moves by up to [\d,]+ days", text)


def test_few_answers_say_nothing(server: Server, operator: Reader) -> None:
    few = dn.Survey.plan("few", [dn.Number("x", 0, 10)], 0.5, 60, grace=0)
    collected(server, few, upload(few, {"x": [5] * 60}))
    text = operator.get("/s/few").text
    assert "Nothing can be said yet" in text or "must have been reported on" in text


def test_two_surveys_of_one_scale_are_compared_in_its_units(
    server: Server, operator: Reader, commute: dn.Survey
) -> None:
    question = dn.Number("way_home", 0, 120, unit="min", want=("mean", "quantiles"), wording="And home?")
    home = dn.Survey.plan("home", [question], 3.0, PEOPLE, grace=0)
    later = (MINUTES + 20).clip(0, 120)
    collected(server, home, upload(home, {"way_home": later.tolist()}))
    page = operator.get("/s/ride/compare?question=minutes&with=home")
    assert "The two differ." in page.text
    found = re.search(r"Mean ([\d.]+).min ([\d.]+).min ([\d.]+) min more, by ([\d.]+) to ([\d.]+) min", page.text)
    assert found
    assert float(found[4]) <= later.mean() - MINUTES.mean() <= float(found[5])
    data = json.loads(operator.get("/s/ride/compare.json?question=minutes&with=home").html)
    assert data["differences"][0]["name"] == "Mean"
    assert operator.get("/s/ride/compare?question=born").text.count("There is nothing to compare with") == 1


def test_a_mean_is_followed_over_time(operator: Reader, commute: dn.Survey) -> None:
    page = operator.get("/s/ride/time?question=born")
    assert re.search(
        r"all answers [\d,]+ 19[78]\d-\d\d-\d\d between 19[78]\d-\d\d-\d\d and 19[89]\d-\d\d-\d\d", page.text
    )
    assert "Mean, 95 of 100" in page.text
    assert "This survey asks once: there is no change over time to show." in page.text
    minutes = operator.get("/s/ride/time?question=minutes").text
    assert "Number: Mean A quarter are at or below Median Three quarters are at or below" in minutes
