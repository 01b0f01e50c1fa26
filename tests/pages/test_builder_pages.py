"""The builder over a real collector: five forms to a survey that runs, and what is said of what cannot stand."""

from __future__ import annotations

import html
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.collector.servers import Server
from tests.house.house_tree import ROOT
from tests.pages.readers import Page, Reader

ASKED = {
    "title": "How we come to work",
    "wording": "How do you come to work?",
    "kind": "one_of",
    "answers": "car\nbus\n\n  bike \nfoot",
}
NUMBERS = {"people": "1000", "error": "5", "epsilon": "2", "expected": "20", "solve": "error"}


def hidden(page: Page) -> dict[str, Any]:
    """What a form carries along."""
    found = dict(re.findall(r'<input type="hidden" name="(csrf|sent|draft)" value="([^"]*)"', page.html))
    return {name: html.unescape(value) for name, value in found.items()}


def step(reader: Reader, page: Page, target: str, **fields: Any) -> Page:
    """Fill a form in and go on."""
    return reader.post(f"/new/{target}", {**hidden(page), **fields})


def rehearsal(reader: Reader, **asked: Any) -> Page:
    """The first three forms, filled in."""
    page = step(reader, reader.get("/new"), "protection", **{**ASKED, **asked})
    page = step(reader, page, "people", **{"protected-0": "everybody"})
    return step(reader, page, "rehearse", **NUMBERS)


def test_a_rehearsal_says_what_is_made_up_and_where_its_noise_comes_from(operator: Reader) -> None:
    page = rehearsal(operator)
    assert "Made up: " in page.text
    assert re.search(r"± [\d.]+ points: ± [\d.]+ from asking [\d,]+ people", page.text)
    assert "<h3>Where the give or take comes from</h3>" in page.html


def test_five_forms_lead_to_a_survey_that_runs(server: Server, operator: Reader) -> None:
    page = rehearsal(operator)
    assert "Made up here" in page.text
    assert "Your own device mixes your answers with chance" in page.text
    page = step(operator, page, "run")
    opened = step(operator, page, "open", opens="", closes="2030-12-31T23:59", minimum="60")
    assert opened.status == 303
    running = operator.get(opened.headers["Location"])
    digest = opened.headers["Location"].removeprefix("/run/")
    document = server.ask("GET", f"/v1/surveys/{digest}").json
    assert document["name"] == "how-we-come-to-work"
    assert document["closes"] == "2030-12-31T23:59:00Z"
    assert document["minimum"] == 60
    assert document["questions"][0]["labels"] == ["car", "bus", "bike", "foot"]
    assert f"{server.url}/q/{digest}" in running.html
    assert "sha384-" in running.html
    assert operator.get(f"/run/{digest}.svg").body.startswith(b"<?xml")
    assert json.loads(operator.get(f"/run/{digest}.json").body)["link"].endswith(digest)


def test_two_numbers_are_given_and_the_third_follows(operator: Reader) -> None:
    page = step(operator, step(operator, operator.get("/new"), "protection", **ASKED), "people")
    found = {}
    for solve in ("error", "people", "epsilon"):
        solved = step(operator, page, "people", **{**NUMBERS, "solve": solve})
        assert solved.status == 200
        found[solve] = json.loads(hidden(solved)["draft"])
    assert 3 < found["error"]["error"] < 20
    back = step(operator, page, "people", **{**NUMBERS, "solve": "people", "error": found["error"]["error"]})
    assert abs(json.loads(hidden(back)["draft"])["people"] - 1000) < 10
    again = step(operator, page, "people", **{**NUMBERS, "solve": "epsilon", "error": found["error"]["error"]})
    assert abs(json.loads(hidden(again)["draft"])["epsilon"] - 2) < 0.02


def test_an_error_that_nothing_reaches_is_refused_in_words(operator: Reader) -> None:
    page = step(operator, step(operator, operator.get("/new"), "protection", **ASKED), "people")
    refused = step(operator, page, "rehearse", **{**NUMBERS, "solve": "epsilon", "people": "10", "error": "0.5"})
    assert refused.status == 422
    assert refused.text.count("10 people reach give or take") == 1
    assert "at best, even unprotected; with epsilon 2 it is" in refused.text


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"title": ""}, "Give the survey a title"),
        ({"wording": ""}, "Write the question"),
        ({"answers": "one"}, "at least two answers"),
        ({"answers": "a\nb\na"}, "“a” stands there twice"),
        ({"name": "Not a name"}, "lower-case letters"),
        ({"title": "", "answers": ""}, "correct 2 things"),
    ],
)
def test_a_form_says_what_is_wrong_beside_the_field(operator: Reader, fields: dict[str, str], said: str) -> None:
    page = step(operator, operator.get("/new"), "protection", **{**ASKED, **fields})
    assert page.status == 422
    assert said in page.text
    assert 'aria-invalid="true"' in page.html
    kept = json.loads(hidden(page)["draft"])
    assert kept["questions"][0]["wording"] == fields.get("wording", ASKED["wording"])


@pytest.mark.parametrize(
    "numbers",
    [{"people": "0"}, {"people": "1.5"}, {"epsilon": "nan"}, {"epsilon": "99"}, {"error": "x", "solve": "people"}],
)
def test_numbers_out_of_reach_are_named(operator: Reader, numbers: dict[str, str]) -> None:
    page = step(operator, step(operator, operator.get("/new"), "protection", **ASKED), "people")
    refused = step(operator, page, "rehearse", **{**NUMBERS, **numbers})
    assert refused.status == 422
    assert "Write a" in refused.text
    [(name, typed)] = [(name, value) for name, value in numbers.items() if name != "solve"]
    assert f'id="{name}" name="{name}" inputmode="decimal" value="{typed}"' in refused.html, "what is to be corrected"
    assert "What this means" not in refused.text, "which would be about other numbers"


def test_an_error_beyond_all_shares_promises_nothing(operator: Reader) -> None:
    page = step(operator, step(operator, operator.get("/new"), "protection", **ASKED), "people")
    tiny = {**NUMBERS, "people": "10", "epsilon": "0.01"}
    page = step(operator, page, "people", **tiny)
    assert "the result would say “anything from 0 to 100”, which is nothing." in page.text
    assert "e+0" not in page.text
    page = step(operator, step(operator, page, "rehearse", **tiny), "run", minimum="2")
    assert "nothing: an error larger than any share with 10 answers" in page.text


def test_a_rehearsal_of_many_answers_says_that_it_draws_the_first(operator: Reader) -> None:
    page = rehearsal(operator, answers="\n".join(f"place {number}" for number in range(30)))
    assert "Drawn here: the first 20 of 30 answers." in page.text
    named = re.search(r"For “place (\d+)”, ±", page.text)
    assert named, "where the noise of an answer comes from that can be seen"
    assert int(named[1]) < 20


def test_only_some_answers_may_be_protected_and_groups_of_them(server: Server, operator: Reader) -> None:
    page = step(operator, operator.get("/new"), "protection", **{**ASKED, "title": "Some"})
    some = step(operator, page, "people", **{"protected-0": "some", "chosen-0": ["0", "1"]})
    opened = step(operator, step(operator, step(operator, some, "rehearse", **NUMBERS), "run"), "open", minimum="50")
    document = server.ask("GET", f"/v1/surveys/{opened.headers['Location'].removeprefix('/run/')}").json
    assert document["questions"][0]["sensitive"] == ["car", "bus"]
    groups = ["motor", "motor", "own", "own"]
    blocks = step(operator, page, "people", **{"protected-0": "blocks", "group-0": groups})
    assert json.loads(hidden(blocks)["draft"])["questions"][0]["groups"] == groups
    refused = step(operator, page, "people", **{"protected-0": "some"})
    assert refused.status == 422


def test_several_questions_of_every_kind_in_any_script(server: Server, operator: Reader) -> None:
    page = operator.post("/new/questions", {**hidden(operator.get("/new")), **ASKED, "title": "通勤", "add": "1"})
    assert page.html.count("<fieldset>") == 2
    fields = {
        "title": "通勤",
        "wording": ["どうやって?", "Which of these?"],
        "kind": ["one_of", "any_of"],
        "answers": ["車\nバス", "a\nb\nc"],
        "silence": "0",
    }
    page = step(operator, step(operator, page, "protection", **fields), "people")
    page = step(operator, step(operator, page, "rehearse", **NUMBERS), "run")
    opened = step(operator, page, "open", minimum="50")
    document = server.ask("GET", f"/v1/surveys/{opened.headers['Location'].removeprefix('/run/')}").json
    assert [question["kind"] for question in document["questions"]] == ["one_of", "any_of"]
    assert document["questions"][0]["no_answer"] == "I would rather not say"
    assert document["title"] == "通勤"


def test_warnings_say_what_a_careful_colleague_would(operator: Reader) -> None:
    asked = {**ASKED, "answers": "18-25\n25-30\n31-99"}
    page = step(operator, step(operator, operator.get("/new"), "protection", **asked), "people")
    page = step(operator, page, "people", **{**NUMBERS, "epsilon": "4", "people": "50", "expected": "2"})
    for head in ("Overlapping answers.", "Rare answers.", "Weak protection.", "An open link."):
        assert head in page.text


@pytest.mark.parametrize("draft", ["", "{}", "[]", "null", '{"questions": [{}]}', '{"questions": 3}', "[" * 5000])
def test_a_draft_that_somebody_changed_is_refused(operator: Reader, draft: str) -> None:
    fields = {**hidden(operator.get("/new")), **ASKED, "draft": draft}
    assert operator.post("/new/protection", fields).status == 422


def test_a_survey_is_closed_by_who_says_so(server: Server, operator: Reader) -> None:
    page = step(operator, rehearsal(operator, title="Closing"), "run")
    path = step(operator, page, "open", minimum="50").headers["Location"]
    secret = operator.get(path).csrf
    assert operator.post(f"{path}/close", {"csrf": secret}).status == 422
    assert operator.post(f"{path}/close", {"csrf": secret, "sure": "close"}).status == 303
    assert "Closed" in operator.get(path).text


def test_codes_are_links_for_one_person_each(server: Server, operator: Reader) -> None:
    page = step(operator, rehearsal(operator, title="Invited"), "run")
    path = step(operator, page, "open", minimum="50").headers["Location"]
    made = operator.post(f"{path}/codes", {"csrf": operator.get(path).csrf, "people": "3"})
    links = re.findall(rf"{re.escape(server.url)}/q/[0-9a-f]{{64}}#code=\w{{4}}(?:-\w{{4}}){{3}}", made.html)
    assert len(set(links)) == 3
    assert "Only people with a code can answer" in operator.get(path).text


@pytest.mark.parametrize("scope", ["reader", "auditor"])
def test_who_may_only_read_writes_nothing(server: Server, operator: Reader, scope: str) -> None:
    reader = Reader(server.url).enter(server.token(f"only-{scope}", scope))
    assert reader.get("/new").status == 403
    fields = {**hidden(operator.get("/new")), **ASKED, "csrf": reader.get("/").csrf}
    assert reader.post("/new/protection", fields).status == 403
    assert Reader(server.url).get("/new").status == 303


def test_an_author_sees_their_own_surveys_only(server: Server, operator: Reader) -> None:
    path = step(operator, step(operator, rehearsal(operator, title="Mine alone"), "run"), "open", minimum="50").headers[
        "Location"
    ]
    author = Reader(server.url).enter(server.token("another-author", "author"))
    assert author.get(path).status == 404
    assert author.get(f"{path}.svg").status == 404


def test_the_python_that_is_shown_answers_the_survey(server: Server, operator: Reader, tmp_path: Path) -> None:
    page = step(operator, rehearsal(operator, title="Copied"), "run")
    path = step(operator, page, "open", minimum="50").headers["Location"]
    shown = next(
        code for code in re.findall(r"(?s)<pre[^>]*>(.*?)</pre>", operator.get(path).html) if "import den" in code
    )
    program = html.unescape(shown).removeprefix("pip install deniable-client")
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "clients" / "python" / "src"), "HOME": str(tmp_path)}
    subprocess.run([sys.executable, "-c", program], check=True, cwd=tmp_path, env=environment)
    assert "1 answer" in operator.get(path).text


def at_the_end(reader: Reader, **asked: Any) -> Page:
    """The last form, with the others filled in."""
    return step(reader, rehearsal(reader, **asked), "run")


def test_a_survey_that_would_be_closed_at_once_is_not_opened(operator: Reader) -> None:
    refused = step(operator, at_the_end(operator, title="Too late"), "open", closes="2020-01-01T00:00", minimum="50")
    assert refused.status == 422
    assert "closed before anybody answers" in refused.text


@pytest.mark.parametrize("wording", ["How do you come to work?", "Another question?"])
def test_a_name_that_another_author_took_is_asked_for_again(server: Server, operator: Reader, wording: str) -> None:
    assert step(operator, at_the_end(operator, title="Taken"), "open", minimum="50").status == 303
    author = Reader(server.url).enter(server.token("second-author", "author"))
    page = step(author, at_the_end(author, title="Taken", wording=wording), "open", minimum="50")
    assert page.status == 409
    assert "choose a name of your own" in page.text
    assert "Who answered before" not in at_the_end(author, title="Taken").text
    page = step(author, page, "protection", **ASKED, name=f"taken-{len(wording)}")
    page = step(author, step(author, step(author, page, "people"), "rehearse", **NUMBERS), "run")
    assert step(author, page, "open", minimum="50").status == 303


def test_an_author_is_told_whom_an_earlier_survey_shuts_out(operator: Reader) -> None:
    assert step(operator, at_the_end(operator, title="Mended"), "open", minimum="50").status == 303
    assert "Who answered before" not in at_the_end(operator, title="Mended").text
    assert "Who answered before" in at_the_end(operator, title="Mended", wording="How do you come here?").text


def test_a_table_of_guesses_is_shown_only_where_it_holds_for_everybody(operator: Reader) -> None:
    page = step(operator, operator.get("/new"), "protection", **{**ASKED, "title": "Partly"})
    assert "After, at most" in step(operator, page, "people", **{"protected-0": "everybody"}).text
    partly = step(operator, page, "people", **{"protected-0": "some", "chosen-0": ["0"]})
    assert "After, at most" not in partly.text
    assert "somebody can become sure" in partly.text


@pytest.mark.parametrize("numbers", [{"error": float("nan")}, {"error": 0}, {"people": 0}, {"questions": []}])
@pytest.mark.parametrize("wanted", ["people", "rehearse", "run", "open"])
def test_a_step_out_of_turn_with_a_changed_draft_is_refused(
    operator: Reader, numbers: dict[str, Any], wanted: str
) -> None:
    whole = hidden(rehearsal(operator))
    draft = json.dumps({**json.loads(whole["draft"]), "solve": "people", **numbers})
    assert operator.post(f"/new/{wanted}", {**whole, "draft": draft}).status == 422


def test_advice_is_applied_by_one_click_and_taken_back_by_another(operator: Reader) -> None:
    page = step(operator, step(operator, operator.get("/new"), "protection", **ASKED), "people")
    few = {**NUMBERS, "people": "120", "epsilon": "1"}
    page = step(operator, page, "people", **few)
    assert "Nothing yet: one question is too much for 120 people and strong protection." in page.text
    assert "What would help most, and cost least" in page.text
    first = html.unescape(re.findall(r'name="apply" value="([^"]*)"', page.html)[0])
    better = step(operator, page, "people", **few, apply=first)
    assert "Applied." in better.text
    assert "Take it back" in better.text
    assert "Nothing yet" not in better.text
    draft = json.loads(hidden(better)["draft"])
    again = step(operator, better, "people", **{**few, "epsilon": str(draft["epsilon"]), "back": "1"})
    assert "Nothing yet" in again.text
    assert "Applied." not in again.text
    refused = step(operator, page, "people", **few, apply="level:9")
    assert refused.status == 422
    assert "The change must be one that is advised" in refused.text
