"""Two questions together, over a real collector: the finding, shares within rows, two rows compared, the JSON."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser
from tests.collector.servers import Server
from tests.pages.readers import Reader, told_by
from tests.pages.results.worlds import collected, upload

import deniable as dn
from deniable.estimation.words import MINUS, points, share_in_words
from deniable.protocol.say import english

WAYS, SHARES, LATE_OF = ["car", "bus", "bike", "boat"], [0.4, 0.3, 0.3, 0.0], [0.3, 0.6, 0.1, 0.0]
WAY, LATE = "How do you come to work?", "Are you often late?"


def pairs(name: str, wording: tuple[str, str] = (WAY, LATE), **terms: Any) -> dn.Survey:
    """Two questions that are crossed."""
    way, late = dn.OneOf("way", WAYS, wording=wording[0]), dn.OneOf("late", ["yes", "no"], wording=wording[1])
    return dn.Survey.plan(name, [way, late], 3.0, 6000, cross=[("way", "late")], grace=0, **terms)


def answers(people: int) -> dict[str, list[str]]:
    """Who comes by bus is late more often; nobody comes by boat."""
    rng = np.random.default_rng(1)
    ways = rng.choice(4, people, p=SHARES)
    late = rng.random(people) < np.array(LATE_OF)[ways]
    return {"way": [WAYS[way] for way in ways], "late": ["yes" if each else "no" for each in late]}


@pytest.fixture(scope="module")
def commute(server: Server) -> dn.Survey:
    """A closed survey in which half of the people tell both answers, and half one of a third question."""
    way, late = dn.OneOf("way", WAYS, wording=WAY), dn.OneOf("late", ["yes", "no"], wording=LATE)
    third = dn.OneOf("wish", ["lane", "tickets"], wording="What would you like?")
    survey = dn.Survey.plan("commute", [way, late, third], 3.0, 12_000, cross=[("way", "late")], grace=0)
    return collected(server, survey, upload(survey, {**answers(12_000), "wish": ["lane", "tickets"] * 6000}))


@pytest.mark.usefixtures("commute")
def test_are_bus_people_later_than_bike_people_and_by_how_much(operator: Reader) -> None:
    """The question of a review that nobody could answer without dividing by hand: the truth is 50 in 100."""
    page, told = operator.get("/s/commute/cross"), told_by(operator, "/s/commute/cross")
    title = re.search(r'<h1 class="finding">(.*?)</h1>', page.html)
    assert title
    found = re.fullmatch(r"“yes” is more frequent among “bus” than among “bike”: by (\d+) to (\d+) in 100\.", title[1])
    assert found
    assert int(found[1]) < 50 < int(found[2])
    assert told["sentence"] == title[1]
    assert f"The answers to “{WAY}” and “{LATE}” go together. Were there no connection" in page.text
    change = told["difference"]
    assert (change["first"], change["second"], change["column"]) == ("bus", "bike", "yes")
    own = re.search(rf"bus {MINUS} bike (\d+) to (\d+) more in 100 answer “yes”", page.text)
    assert own
    assert int(found[1]) <= int(own[1]) < 50 < int(own[2]) <= int(found[2]), "chosen beforehand it is narrower"


@pytest.mark.usefixtures("commute")
def test_people_are_those_who_told_both(operator: Reader) -> None:
    page, told = operator.get("/s/commute/cross"), told_by(operator, "/s/commute/cross")
    assert 5000 < told["n"] < 10_000
    assert f"{told['n']:,} of 12,000 devices reported on both answers together, drawn by lot." in page.text
    assert f"{told['n']:,} told both" in page.text.partition("devices")[0]
    assert "12,000 answers" not in page.text


@pytest.mark.usefixtures("commute")
def test_what_is_shown_can_be_kept_as_a_table_and_as_a_picture(operator: Reader) -> None:
    page, told = operator.get("/s/commute/cross"), told_by(operator, "/s/commute/cross")
    links = [link.replace("&amp;", "&") for link in re.findall(r'href="(/s/commute/cross\.\w+\?[^"]*)"', page.html)]
    csv, png, svg, _ = (operator.get(link) for link in links)
    rows = csv.rows
    assert [(row["row"], row["column"]) for row in rows] == [(way, late) for way in WAYS for late in ("yes", "no")]
    assert float(rows[0]["low"]) == told["rows"][0]["within"][0]["low"]
    assert png.body.startswith(b"\x89PNG")
    for each in (told["sentence"], f"{told['n']:,} of 12,000 devices", "Everybody", "too few to say"):
        assert each in svg.html
    assert 'commute-once-way-late.svg"' in svg.headers["Content-Disposition"]
    slide = operator.get("/s/commute/cross/slide.svg?rows=way&columns=late&answer=1")
    for each in (told["sentence"], f"“{LATE}” by “{WAY}”", "“no”, of 100 in each row", "Everybody", "can answer."):
        assert each in slide.html
    assert operator.get("/s/commute/cross/slide.png").body.startswith(b"\x89PNG")
    assert operator.get("/s/commute/cross/slide.svg?show=pairs").status == 404
    pairs = operator.get("/s/commute/cross.csv?show=pairs").rows
    assert float(pairs[0]["share"]) == told["rows"][0]["cells"][0]["value"]
    assert operator.get("/s/commute/cross.png?show=pairs").status == 404, "a table of pairs has no picture"
    assert all(link.split("?")[0] in operator.get("/s/commute/export").html for link in links)


@pytest.mark.usefixtures("commute")
def test_each_row_says_what_programs_are_told(operator: Reader) -> None:
    page, told = operator.get("/s/commute/cross"), told_by(operator, "/s/commute/cross")
    assert (told["questions"], told["columns"]) == (["way", "late"], ["yes", "no"])
    assert told["p_value"] < 0.001
    for row in told["rows"][:3]:
        yes, both = row["within"][0], row["cells"][0]
        assert yes["low"] < yes["value"] < yes["high"]
        pair, own = f"{points(both['value'])} ± {points(both['high'] - both['value'])}", points(row["of_all"]["value"])
        words = f"{points(yes['value'], 0)} {english(share_in_words(yes['low'], yes['high']))}"
        assert f"{row['label']} {words} {pair} {own} ± " in page.text
    assert told["rows"][3]["within"] is None
    assert "boat too few to say" in page.text
    everybody = told["everybody"][0]
    assert (
        f"Everybody {points(everybody['value'], 0)} {english(share_in_words(everybody['low'], everybody['high']))}"
        in page.text
    )
    assert page.html.count("<circle") == len([*told["rows"][:3], "everybody", "legend", "difference"])


@pytest.mark.usefixtures("commute")
def test_another_answer_other_rows_and_the_other_way_round(operator: Reader) -> None:
    address = "/s/commute/cross?rows=way&columns=late&answer=1&a=2&b=0"
    page, told = operator.get(address), told_by(operator, address)["difference"]
    assert (told["first"], told["second"], told["column"]) == ("bike", "car", "no")
    assert re.search(rf"bike {MINUS} car \d+ to \d+ more in 100 answer “no”", page.text)
    turned = told_by(operator, "/s/commute/cross?rows=late&columns=way")
    assert [row["label"] for row in turned["rows"]] == ["yes", "no"]
    assert turned["difference"]["column"] in WAYS
    for strange in ("answer=9", "a=3&b=0", "a=1&b=1", "a=x&b=", "page=7"):  # nobody by boat to compare with
        assert operator.get(f"/s/commute/cross?{strange}").status == 200
    table = operator.get("/s/commute/cross?show=pairs").text
    assert "People in 100 with both answers" in table
    assert "boat" in table


def test_a_name_stands_for_a_question_without_words_and_no_connection_is_said(server: Server, operator: Reader) -> None:
    survey = pairs("unworded", ("", ""))
    collected(server, survey, upload(survey, {"way": ["car", "bus"] * 1000, "late": ["yes", "yes", "no", "no"] * 500}))
    page = operator.get("/s/unworded/cross").text
    assert "No connection between way and late can be seen. There may be one that is too weak for this many." in page
    assert "cannot be told apart" in page


def test_of_an_open_period_pairs_are_shown_and_nothing_is_tested(server: Server, operator: Reader) -> None:
    survey = pairs("early")
    collected(server, survey, upload(survey, answers(4000)), close=False)
    page, told = operator.get("/s/early/cross").text, told_by(operator, "/s/early/cross")
    assert "go together is said at the end." in page
    assert "nothing is tested: who looks until a difference shows will see one that is not there" in page
    assert told["provisional"] is True
    assert not {"p_value", "test", "difference", "everybody"} & set(told)
    cell = told["rows"][0]["cells"][0]
    table = operator.get("/s/early/cross.csv").rows
    assert float(table[0]["share"]) == cell["value"]
    assert operator.get("/s/early/cross.svg").status == 404
    assert "within" not in told["rows"][0]
    assert f"{points(cell['value'])} ± {points(cell['high'] - cell['value'])}" in page


def test_those_who_were_not_asked_are_a_row_of_their_own(server: Server, operator: Reader) -> None:
    used, late = dn.OneOf("used", ["yes", "no"]), dn.OneOf("late", ["yes", "no"], wording=LATE)
    kind = dn.OneOf("kind", ["a", "b"], wording="Which?", only_if=("used", ["yes"]))
    survey = dn.Survey.plan("ways", [used, kind, late], 3.0, 8000, cross=[("kind", "late")], grace=0)
    given: dict[str, list[Any]] = {
        "used": ["yes", "no"] * 4000,
        "kind": ["a", None, "b", None] * 2000,
        "late": ["yes", "no"] * 4000,
    }
    collected(server, survey, upload(survey, given))
    address = "/s/ways/cross?rows=kind&columns=late"
    told = told_by(operator, address)
    assert [row["label"] for row in told["rows"]] == ["a", "b", "not asked"]
    assert re.search(r"than among “not asked”: by \d+ to 100 in 100", told["sentence"])
    german = operator.get(address, **{"Accept-Language": "de"})
    assert "als bei „nicht gefragt“" in german.text
    assert "not asked" not in german.text
    assert "nicht gefragt" in operator.get(f"/s/ways/cross.svg{address[13:]}", **{"Accept-Language": "de"}).html
    assert operator.get("/s/ways/cross.csv?rows=kind&columns=late").rows[-1]["row"] == "not asked"
    assert "used" in operator.get("/s/ways/cross?rows=used&columns=late").text


def test_a_number_beside_a_question_is_told_in_their_words(server: Server, operator: Reader) -> None:
    far = dn.Number("far", 0, 60, unit="km", wording="How far is it?")
    survey = dn.Survey.plan(
        "far", [dn.OneOf("way", ["car", "bus"], wording=WAY), far], 3.0, 8000, cross=[("way", "far")], grace=0
    )
    collected(server, survey, upload(survey, {"way": ["car", "bus"] * 4000, "far": [40, 20] * 4000}))
    page, told = operator.get("/s/far/cross"), told_by(operator, "/s/far/cross")
    assert f"The mean of “How far is it?” among the people who gave each answer to “{WAY}”." in page.text
    assert re.fullmatch(
        r"“How far is it\?” is larger in the mean among “car” than among “bus”: .* km\.", told["sentence"]
    )
    assert told["sentence"] in page.text
    for row in told["rows"]:
        assert row["low"] <= row["value"] <= row["high"]
        assert f"{row['name']} {row['words']}" in page.text
    rows = operator.get("/s/far/cross.csv").rows
    assert [(row["name"], float(row["value"])) for row in rows] == [(row["name"], row["value"]) for row in told["rows"]]


@pytest.mark.usefixtures("commute")
def test_on_a_phone_a_number_of_all_people_stands_apart_and_says_so(browser: Browser, operator: Reader) -> None:
    """Beside the picture of those of a row who are late, how many come by car at all would be read as late."""
    context = browser.new_context(viewport={"width": 390, "height": 844})
    context.add_cookies([{"name": each.name, "value": each.value or "", "url": operator.url} for each in operator.jar])
    page = context.new_page()
    page.goto(f"{operator.url}/s/commute/cross")
    said, below = page.locator("tbody .of-all").first.evaluate(
        "cell => [getComputedStyle(cell, '::before').content,"
        " cell.getBoundingClientRect().top - cell.parentElement.querySelector('.words').getBoundingClientRect().bottom]"
    )
    context.close()
    assert "In all, of 100" in said
    assert below > -1
