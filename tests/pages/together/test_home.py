"""The list of all surveys tells what each found, to whoever may see it, and is quick."""

from __future__ import annotations

import json
import re
from functools import partial

from tests.collector.servers import Server, put
from tests.pages.readers import Reader
from tests.pages.results.worlds import CARS, a_survey, collected, column, upload
from tests.waiting import check_quick, until

import deniable as dn

SURVEYS_AT_FIRST = 3
SURVEYS, SOON = 50, 0.1
"""So many surveys are listed in less than these seconds."""
OPEN = "So far “car” has the largest estimate:"


def headlines(reader: Reader, *names: str) -> dict[str, str]:
    """What the list says of surveys, once it says something of each of these."""

    def told() -> dict[str, str]:
        found = {each["name"]: each["headline"] for each in json.loads(reader.get("/surveys.json").body)}
        return found if all(found.get(name) for name in names) else {}

    return until(told)


def answered(server: Server, name: str, people: int, close: bool = True) -> dn.Survey:
    survey = a_survey(name, title=f"About {name}")
    return collected(server, survey, upload(survey, {"way": column(CARS, people)}, 3), close)


def test_a_closed_survey_tells_its_largest_answer_and_an_open_one_what_it_has_so_far(
    server: Server, operator: Reader
) -> None:
    answered(server, "closed", 3000)
    running = answered(server, "running", 900, close=False)
    found = headlines(operator, "closed", "running")
    assert found["closed"].startswith("“car” is the most frequent answer: between ")
    assert found["running"].startswith(OPEN)
    page = operator.get("/")
    for name in ("closed", "running"):
        assert found[name] in page.text
        title = found[name].split(": between")[0]
        assert title in operator.get(f"/s/{name}").text, "its own page says the same"
    assert server.ask("POST", f"/v1/surveys/{running.digest}/close", None, server.operator).status == 200
    until(lambda: not headlines(operator)["running"].startswith(OPEN))
    assert "most frequent" in headlines(operator, "running")["running"]


def test_nothing_is_told_of_too_few_or_none(server: Server, operator: Reader) -> None:
    put(server, server.operator, a_survey("unanswered"))
    answered(server, "withheld", 9)
    answered(server, "told", 900)
    found = headlines(operator, "told")
    assert (found["unanswered"], found["withheld"]) == ("", "")
    other = Reader(server.url).enter(server.token("stranger", "reader", "unanswered"))
    assert headlines(other) == {"unanswered": ""}
    assert "largest" not in other.get("/").text


def test_the_list_says_withheld_and_how_many_came(server: Server, operator: Reader) -> None:
    answered(server, "list-withheld", 9)
    answered(server, "list-few", 9, close=False)
    empty = a_survey("list-empty", title="About list-empty")
    put(server, server.operator, empty)
    assert server.ask("POST", f"/v1/surveys/{empty.digest}/close", None, server.operator).status == 200
    listed = {each["name"]: each for each in json.loads(operator.get("/surveys.json").body)}
    assert [(listed[name]["state"], listed[name]["came"]) for name in ("list-withheld", "list-few", "list-empty")] == [
        ("Withheld", 9),
        ("Open", None),
        ("Closed, unanswered", 0),
    ]
    text = operator.get("/").text
    day = r"(from )?\d+ [A-Z][a-z]+"
    assert re.search(rf"About list-withheld Withheld: fewer than 50 answers. 9 of 50 answers Withheld {day} ", text)
    assert re.search(rf"About list-few Nothing yet: fewer than 50 answers. 9 of 50 answers Open {day} ", text)
    assert re.search(rf"About list-empty Nobody answered. 0 of 50 answers Closed, unanswered {day} ", text)
    assert "About list-withheld closed with 9 of the 50 answers it needs." in text
    assert "About list-empty closed without an answer. Ask again with a copy" in text


def test_the_first_visit_finds_every_finding_and_draws_it_on_the_whole_axis(server: Server) -> None:
    names = [f"first-{place}" for place in range(SURVEYS_AT_FIRST)]
    for name in names:
        answered(server, name, 900)
    html = Reader(server.url).enter(server.token("first", "reader", *names)).get("/").html
    assert html.count("is the most frequent answer") == SURVEYS_AT_FIRST
    [dot, *others] = [float(place) for place in re.findall(r'<circle cx="([\d.]+)%"', html)]
    assert 30 < dot < 50, "of 100 people 40 come by car"
    assert others == [dot] * (SURVEYS_AT_FIRST - 1), "all were answered alike"


def test_surveys_of_one_title_can_be_told_apart(server: Server, operator: Reader) -> None:
    for name, closes in (("twin-first", "2099-03-01T00:00:00Z"), ("twin-second", "2099-04-01T00:00:00Z")):
        put(server, server.operator, a_survey(name, title="Twins", closes=closes))
    text = operator.get("/").text
    assert re.search(r"Twins 2 of 2 with this title Nobody has answered yet. 0 answers Open .* to 1 April 2099", text)
    assert re.search(r"Twins 1 of 2 with this title Nobody has answered yet. 0 answers Open .* to 1 March 2099", text)


def test_of_several_questions_the_first_with_a_result_is_named(server: Server, operator: Reader) -> None:
    asked = [dn.OneOf("ill", ["yes", "no"], wording="Were you ill?"), dn.OneOf("tired", ["yes", "no"])]
    survey = dn.Survey.plan("several", asked, 3.0, 3000, grace=0)
    collected(server, survey, upload(survey, {"ill": ["yes"] * 3000, "tired": ["no"] * 3000}))
    said = headlines(operator, "several")["several"]
    assert re.fullmatch(r"Were you ill\? (At least|Between) .* people answer “yes”: more than half\.", said), said


def test_many_surveys_are_listed_in_a_moment(server: Server, operator: Reader) -> None:
    names = [f"one-of-many-{number}" for number in range(SURVEYS)]
    for name in names:
        answered(server, name, 300, close=False)
    headlines(operator, *names)
    for path in ("/", "/surveys.json"):
        assert operator.get(path).text.count("one-of-many-") >= SURVEYS
        check_quick(partial(operator.seconds, path), SOON)
