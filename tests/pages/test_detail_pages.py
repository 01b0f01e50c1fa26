"""What stands beneath a result, over a real collector: pages and their JSON say the same, in the questions' words."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from typing import Any

import pytest
from tests.collector.servers import Server
from tests.collector.worlds import WEEK, Clock, Service
from tests.pages.readers import Reader
from tests.pages.results.worlds import CARS, a_survey, collected, column, over_weeks, upload

import deniable as dn
from deniable.collector.storage.sqlite import SqliteStore
from deniable.estimation.words import points
from deniable.pages.results.period_view import find
from deniable.pages.results.timeline import timeline
from deniable.surveys.results import Results

WAY, LATE = "How do you come to work?", "Are you often late?"


def pairs(name: str, wording: tuple[str, str] = (WAY, LATE), **terms: Any) -> dn.Survey:
    """Two questions that are crossed."""
    way, late = dn.OneOf("way", ["car", "bus"], wording=wording[0]), dn.OneOf("late", ["yes", "no"], wording=wording[1])
    return dn.Survey.plan(name, [way, late], 3.0, 4000, cross=[("way", "late")], grace=0, **terms)


TOGETHER = {"way": ["car", "bus"] * 2000, "late": ["yes", "no"] * 2000}


def told_by(reader: Reader, path: str, **query: str) -> Any:
    """The JSON that a page links to at its foot."""
    page = reader.get(path)
    link = re.search(r'<a href="([^"]+)">This page as JSON</a>', page.html)
    assert link, path
    reply = reader.get(link[1].replace("&amp;", "&"))
    assert reply.status == 200
    return json.loads(reply.body)


def test_pairs_are_told_in_the_words_of_the_questions(server: Server, operator: Reader) -> None:
    survey = pairs("worded")
    collected(server, survey, upload(survey, TOGETHER))
    page = operator.get("/s/worded/cross")
    assert f"The answers to “{WAY}” and “{LATE}” go together." in page.text
    assert f"“{WAY}” by “{LATE}”" in page.text
    told = told_by(operator, "/s/worded/cross")
    assert (told["questions"], told["columns"]) == (["way", "late"], ["yes", "no"])
    assert told["sentence"] in page.text
    assert told["p_value"] < 0.05
    [car, bus] = told["rows"]
    assert (car["label"], bus["label"]) == ("car", "bus")
    for cell in (*car["cells"], *bus["cells"]):
        assert cell["low"] <= max(cell["value"], 0) <= cell["high"]
        assert f"{points(cell['value'])} ± {points(1.96 * cell['stderr'])}" in page.text


def test_a_name_stands_for_a_question_without_words(server: Server, operator: Reader) -> None:
    survey = pairs("unworded", ("", ""))
    collected(server, survey, upload(survey, TOGETHER))
    assert "The answers to way and late go together." in operator.get("/s/unworded/cross").text


def test_pairs_of_an_open_period_are_compared_by_nobody(server: Server, operator: Reader) -> None:
    survey = pairs("early")
    collected(server, survey, upload(survey, TOGETHER), close=False)
    assert "once the period is closed" in operator.get("/s/early/cross").text
    told = told_by(operator, "/s/early/cross")
    assert told["provisional"] is True
    assert not {"sentence", "p_value", "rows"} & set(told)


def test_a_number_beside_a_question_is_told_in_their_words(server: Server, operator: Reader) -> None:
    far = dn.Number("far", 0, 60, unit="km", wording="How far is it?")
    survey = dn.Survey.plan(
        "far", [dn.OneOf("way", ["car", "bus"], wording=WAY), far], 3.0, 8000, cross=[("way", "far")], grace=0
    )
    collected(server, survey, upload(survey, {"way": ["car", "bus"] * 4000, "far": [40, 20] * 4000}))
    page, told = operator.get("/s/far/cross"), told_by(operator, "/s/far/cross")
    assert f"The mean of “How far is it?” among the people who gave each answer to “{WAY}”." in page.text
    assert told["sentence"] in page.text
    for row in told["rows"]:
        assert row["low"] <= row["value"] <= row["high"]
        assert f"{row['name']} {row['words']}" in page.text


def test_trust_tells_programs_what_it_tells_people(server: Server, operator: Reader) -> None:
    survey = a_survey("trusted")
    collected(server, survey, upload(survey, {"way": column(CARS, 900)}), close=False)
    assert server.send(survey, b"nonsense").status == 400
    deadline = time.monotonic() + 60
    while (told := told_by(operator, "/s/trusted/trust"))["proving"] or not told["refused"]:  # noted now and then
        assert time.monotonic() < deadline
    page = operator.get("/s/trusted/trust").text
    assert (told["survey"], told["digest"], told["invited"]) == ("trusted", survey.digest, False)
    for row in told["refused"]:
        assert f"{row['reason']} {row['period'] or 'any'} {row['uploads']}" in page
    [shift] = told["made_up"]
    assert f"up to {100 * shift['share']:.1f} points" in shift["words"]
    assert shift["words"] in page
    assert told["certificate"]["holds"] is True


def test_a_proof_of_a_part_is_not_told_as_one_of_the_whole(server: Server, operator: Reader) -> None:
    ill = dn.OneOf("ill", ["flu", "cold", "none"], sensitive=["flu"])
    survey = dn.Survey.plan("in-part", [ill], 1.0, 500, grace=0)
    collected(server, survey, upload(survey, {"ill": ["flu", "none"] * 200}))
    deadline = time.monotonic() + 60
    while "being proven" in (page := operator.get("/s/in-part/trust")).text:
        assert time.monotonic() < deadline
    assert "Promised of one answer by question, see the label Proven ε ≤ 1, of what is protected" in page.text


@pytest.fixture(scope="module")
def weeks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A collector over three weeks, of which too few answered in the second."""
    people = {"2026-W32": 5000, "2026-W33": 20, "2026-W34": 6000}
    yield from over_weeks(
        tmp_path_factory.mktemp("weeks") / "data", {period: column(CARS, n) for period, n in people.items()}
    )


def test_periods_are_told_to_programs_too(weeks: Server) -> None:
    operator = Reader(weeks.url).enter(weeks.operator)
    page, told = operator.get("/s/weekly/time?label=1&first=1"), told_by(operator, "/s/weekly/time?label=1&first=1")
    assert told["question"] == "way"
    assert told["sentence"] in page.text
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
    results = json.loads(operator.get("/s/weekly.json?period=2026-W32").body)["questions"]["way"]
    assert bus[0]["value"] == results["unbiased"][1]


def test_a_timeline_is_computed_once(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """It reads what the result pages of its periods have read, and they what it has read."""
    clock, survey = Clock(), a_survey("computed", period="week", repeat="fresh")
    folder = tmp_path_factory.mktemp("computed")
    estimated, computed = Results.told, []

    def counted(self: Results, question: Any) -> Any:
        computed.append(self.n)
        return estimated(self, question)

    monkeypatch.setattr(Results, "told", counted)
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
