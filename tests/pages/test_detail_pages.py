"""What stands beneath a result, over a real collector: pages and their JSON say the same, in the questions' words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, expect
from tests.accessibility import violations
from tests.collector.servers import Server, put
from tests.collector.worlds import WEEK, Clock, Service
from tests.pages.readers import Reader, told_by
from tests.pages.results.worlds import CARS, a_survey, collected, column, over_weeks, upload
from tests.waiting import until

import deniable as dn
from deniable.intake.storage.sqlite import SqliteStore
from deniable.pages.results.period_view import find
from deniable.pages.results.time_series import timeline
from deniable.surveys.results import Results


def test_trust_tells_programs_what_it_tells_people(server: Server, operator: Reader) -> None:
    survey = a_survey("trusted")
    collected(server, survey, upload(survey, {"way": column(CARS, 940)}), close=False)
    assert server.send(survey, b"nonsense").status == 400

    def is_told() -> bool:
        told = told_by(operator, "/s/trusted/trust")
        return not told["proving"] and told["refused"] != []  # which is noted now and then

    until(is_told)
    told = told_by(operator, "/s/trusted/trust")
    page = operator.get("/s/trusted/trust").text
    assert (told["survey"], told["digest"], told["invited"]) == ("trusted", survey.digest, False)
    for row in told["refused"]:
        assert f"{row['reason']} {row['period'] or 'any'} {row['uploads']}" in page
    [shift] = told["made_up"]
    assert f"up to {100 * shift['share']:.1f} points" in shift["words"]
    assert shift["words"] in page
    assert "in 100 answers were made up in order to mislead, all alike:" in page
    assert told["certificate"]["holds"] is True


def test_a_proof_of_a_part_is_not_told_as_one_of_the_whole(server: Server, operator: Reader) -> None:
    ill = dn.OneOf("ill", ["flu", "cold", "none"], sensitive=["flu"])
    survey = dn.Survey.plan("in-part", [ill], 1.0, 500, grace=0)
    collected(server, survey, upload(survey, {"ill": ["flu", "none"] * 200}))
    until(lambda: "being proven" not in operator.get("/s/in-part/trust").text)
    page = operator.get("/s/in-part/trust")
    assert "Promised of one answer by question, see the label Proven ε ≤ 1, of what is protected" in page.text


def test_how_many_came_is_told_by_one_rule(server: Server, operator: Reader) -> None:
    survey = put(server, server.operator, a_survey("so-far", title="So far"))
    assert server.send(survey, upload(survey, {"way": ["car"] * 6})).status == 200
    reader = Reader(server.url).enter(server.token("curious", "reader"))
    assert re.search(r"So far .*?6 of 50 answers", operator.get("/").text)
    assert "6 of the 50 answers that a result needs." in operator.get("/s/so-far").text
    assert re.search(r"So far .*?fewer than 50 answers", reader.get("/").text)


def test_weeks_stand_in_a_row(server: Server, operator: Reader) -> None:
    survey = a_survey("weekly", period="week")
    put(server, server.operator, survey)
    page = operator.get("/s/weekly/time")
    assert "Nothing can be shown yet" in page.text


@pytest.fixture(scope="module")
def weeks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A collector over three weeks, of which too few answered in the second."""
    people = {
        "2026-W32": (CARS, 5000),
        "2026-W33": (CARS, 20),
        "2026-W34": ({**CARS, "train": 0.01, "bike": 0.31}, 6000),
    }
    yield from over_weeks(
        tmp_path_factory.mktemp("weeks") / "data", {period: column(*each) for period, each in people.items()}
    )


def test_periods_are_told_to_programs_too(weeks: Server) -> None:
    operator = Reader(weeks.url).enter(weeks.operator)
    page, told = operator.get("/s/weekly/time?label=1&first=1"), told_by(operator, "/s/weekly/time?label=1&first=1")
    assert told["question"] == "way"
    assert told["sentence"] in re.sub("</?bdi>", "", page.html)
    assert "2026-W" not in page.text
    assert "3 to 9 August 2026 against " in page.text
    assert (told["change"]["spans"], told["change"]["label"]) == ([1, 1], [*CARS])
    first, second, third = told["periods"]
    assert (first["period"], first["name"]) == ("2026-W32", "week of 3 August 2026")
    assert (first["n"], second["n"], third["n"]) == (5000, None, 6000)
    for words in told["change"]["words"]:
        assert words in page.text
    bus = [each["answers"][1] for each in told["periods"]]
    assert (second["open"], bus[1]["value"], bus[1]["words"]) == (False, None, "too few answers")
    assert "<small>still open" not in page.html
    for each, own in ((first, bus[0]), (third, bus[2])):
        assert own["low"] < own["value"] < own["high"]
        assert f"{each['name']} {each['n']:,} {100 * own['value']:.1f} {own['words']}" in page.text
    rows = operator.get("/s/weekly/time.csv?label=1&first=1").rows
    assert len(rows) == 3 * len(CARS)
    assert [row["value"] for row in rows if row["label"] == "bus"] == [str(each["value"] or "") for each in bus]
    svg = operator.get("/s/weekly/time.svg?label=1&first=1")
    for words in (told["sentence"], "bus: ", "3 Aug", f"{first['n']:,}", "people in 100, each week"):
        assert words in svg.html
    assert svg.html.count("<circle") == 2, "of the second week nothing is known"
    assert operator.get("/s/weekly/time.png?label=1&first=1").body.startswith(b"\x89PNG")
    results = json.loads(operator.get("/s/weekly.json?period=2026-W32").body)["questions"]["way"]
    assert bus[0]["value"] == results["unbiased"][1]


def test_over_time_has_a_slide_with_date_source_and_n(weeks: Server) -> None:
    operator = Reader(weeks.url).enter(weeks.operator)
    page, told = operator.get("/s/weekly/time?label=3&first=1"), told_by(operator, "/s/weekly/time?label=3&first=1")
    [link] = re.findall(r'href="(/s/weekly/time/slide\.png\?[^"]*)"', page.html)
    path = link.replace("&amp;", "&")
    assert operator.get(path).body.startswith(b"\x89PNG")
    slide = operator.get(path.replace(".png", ".svg")).html
    for words in (told["sentence"], "bike: ", "17 Aug", "people in 100, each week", "5,000 answers in ", "Broad bands"):
        assert words in slide
    for drawn in (slide, operator.get("/s/weekly/time.svg").html):
        written = re.sub(r"\s*<[^>]*>", " ", drawn)
        assert re.search(r"The way to work · 3 to 23 August 2026 · Closed · [\w.:]+/s/weekly/time ", written)
    assert slide.count("<circle") == 2 + 2, "two weeks, and the mark at the foot"


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_time_goes_across_and_the_chosen_answer_is_explained_on_a_phone_too(
    browser: Browser, weeks: Server, width: int, scheme: Literal["light", "dark"]
) -> None:
    page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page.goto(f"{weeks.url}/enter")
    page.fill("#token", weeks.operator)
    page.click("main button")
    expect(page.get_by_text("The way to work").first).to_be_visible()
    page.goto(f"{weeks.url}/s/weekly/time")
    expect(page.get_by_role("heading", level=1)).to_contain_text("from the first week to the last week")
    tops = {}
    for each in page.locator(".multiples figure").all():
        box = each.bounding_box()
        assert box is not None
        tops[each.inner_text().split("\n")[0]] = box["y"]
    order = sorted(tops, key=lambda name: tops[name])
    changed = [name for name in order if " by " in name]
    assert len(changed) == 2
    assert order == list(tops), "as they were asked"
    for part in (".choices.answers", ".large", ".large + .note"):
        assert page.locator(part).is_visible()
    assert page.locator(".large text[dy='24']:visible").count() == 3, "each week has one date"
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert violations(page) == []
    page.close()


def test_a_timeline_is_computed_once(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """It reads what the result pages of its periods have read, and they what it has read."""
    clock, survey = Clock(), a_survey("computed", period="week", repeat="fresh")
    folder = tmp_path_factory.mktemp("computed")
    estimated, computed = Results.reports_of, []

    def counted(self: Results, question: Any) -> Any:
        computed.append(self.n)
        return estimated(self, question)

    monkeypatch.setattr(Results, "reports_of", counted)
    with Service(clock, lambda: SqliteStore(folder / "data", clock)) as service:
        service.desk.put(survey, "operator")
        for week in range(32, 36):
            body = upload(survey, {"way": column(CARS, 1000 + week)}, week)
            assert service.send(survey, body, period=f"2026-W{week}") == [1000 + week]
            service.pass_time(WEEK)
        row = service.collector.survey(survey.digest)
        found = find(service.collector, service.desk, row, "2026-W33")
        assert found.results is not None
        assert found.results["way"].n == 1033
        for place in (0, 0, 1):
            timeline(service.desk, found, "way", place)
        assert sorted(computed) == [1032, 1033, 1034, 1035, 1032 + 1033, 1034 + 1035]
        last = find(service.collector, service.desk, row, "2026-W35").results
        assert last is not None
        assert last["way"].n == 1035
        assert len(computed) == 6
