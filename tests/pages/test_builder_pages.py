"""The builder over a real collector: three steps to a survey that runs, and drafts that lose nothing."""

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
from tests.pages.drafts import ASKED, FEW, LEARNED, UNSTATED, begun, checked, draft_of, hidden, opened, send, whole
from tests.pages.readers import Reader


def test_three_steps_lead_to_a_survey_that_runs(server: Server, operator: Reader) -> None:
    times = {"opens": "2030-12-01T08:00", "closes": "31.12.2030 20:00", "zone": "Europe/Berlin", "minimum": "60"}
    path = checked(
        operator, {**LEARNED, **times}, title="How we come", owner="Works council", purpose="To plan the car park."
    )
    page = operator.get(f"{path}/check")
    for said in (
        "How do you come to work?", "car · bus · bike · foot", "Works council", "To plan the car park.",
        "how-we-come", "a guess of 50 in 100 becomes 89 at most", "No result below 60 answers",
        "Opens 1 December 2030, 8:00 (7:00 UTC), closes 31 December 2030, 20:00 (19:00 UTC), Berlin time",
        "Open without these on 1 December 2030, 8:00", "What you hand out from here works on this computer alone:",
    ):  # fmt: skip
        assert said in page.text
    promised = operator.get(f"{path}/promise").text
    assert "Your own device mixes your answers with chance" in promised
    assert "What their devices may send" in promised
    sent = operator.post(f"{path}/check", {**hidden(page), **UNSTATED})
    assert sent.status == 303
    digest = sent.headers["Location"].removeprefix("/run/")
    document = server.ask("GET", f"/v1/surveys/{digest}").json
    assert document["name"] == "how-we-come"
    assert (document["opens"], document["closes"]) == ("2030-12-01T07:00:00Z", "2030-12-31T19:00:00Z")
    assert document["minimum"] == 60
    assert document["questions"][0]["labels"] == ["car", "bus", "bike", "foot"]
    assert operator.get(path).status == 404, "the draft is the survey now"
    assert f"{server.url}/q/{digest}" in operator.get(f"/run/{digest}").html
    assert operator.get(f"/run/{digest}.svg").body.startswith(b"<?xml")
    assert json.loads(operator.get(f"/run/{digest}.json").body)["link"].endswith(digest)


def test_it_is_said_which_protection_suits_which_subject(operator: Reader) -> None:
    page = operator.get(f"{whole(operator)}/learn")
    for name, suits, even, rare in (
        ("Strong", "for what could cost a job or is punishable", 74, 3),
        ("Middling", "for what may embarrass", 89, 7),
        ("Weak", "for everyday things", 96, 17),
    ):
        choice = f"<strong>{name}</strong><small>{suits}</small><small>a guess of 50 in 100 becomes {even} at most"
        assert choice in page.html
        assert re.search(f'<th scope="row">{name}</th><td>[^<]+</td><td class="number">{rare} at most</td>', page.html)
    assert "Which one suits my subject?" in page.text


def test_the_check_names_each_question_whose_error_it_states(operator: Reader) -> None:
    long = "How long did it take you to come to work yesterday morning?"
    second = {"wording-1": long, "kind-1": "one_of", "answer-1": ["short", "long"]}
    path = begun(operator)
    send(operator, f"{path}/questions", "add", **ASKED)
    send(operator, f"{path}/questions?at=2", "next", **second)
    page = html.unescape(send(operator, f"{path}/learn", "next", **{**LEARNED, "people": "9000"}).text)
    assert "For 9,000 people:" in page
    assert re.search(r"“How do you come to work\?”: ± [\d.]+ points\.", page)
    assert re.search(r"“How long did it take you to come to work …”: ± [\d.]+ points\.", page)


def test_the_check_says_who_is_responsible_and_what_is_not_stated(server: Server, operator: Reader) -> None:
    path = checked(operator, title="Responsible")
    page = send(operator, f"{path}/check", "save", controller="Northfield Hospital", officer=" ", host="Own machines")
    assert "Controller: Northfield Hospital" in page.text
    missing = page.html[page.html.index("What the privacy label cannot say") :]
    fields = dict(re.findall(r'<li><a href="([^"]*)">([^<]*)</a>', missing))
    assert list(fields.values()) == [
        "Legal basis", "How to reach you", "Privacy officer", "Authority", "Who asks", "What the result is for",
    ]  # fmt: skip
    for link in fields:
        name = link.rsplit("=", 1)[-1]
        assert re.search(f'name="{name}"[^>]* autofocus', operator.get(link).html), link


def test_nobody_opens_a_survey_whose_label_names_nobody_by_a_button_that_does_not_say_so(
    server: Server, operator: Reader
) -> None:
    path = checked(operator, title="Unstated")
    page = operator.get(f"{path}/check")
    assert re.search(r'<button class="first"[^>]*>Open without these</button>', page.html)
    assert ">Open the survey<" not in page.html
    refused = operator.post(f"{path}/check", {**hidden(page), "do": "open"}).headers["Location"]
    assert refused == f"{path}/check?check=1"
    assert "State what is missing, or open it without." in operator.get(refused).text
    page = send(operator, f"{path}/check", "save", controller="Northfield Hospital", legal_basis="Consent")
    assert re.findall(r">([^<]*)</a> <small>needed", page.html) == ["How to reach you"]
    sent = operator.post(f"{path}/check", {**hidden(page), **UNSTATED})
    digest = sent.headers["Location"].removeprefix("/run/")
    stated = server.ask("GET", f"/v1/surveys/{digest}").json["responsible"]
    assert stated == {"controller": "Northfield Hospital", "legal_basis": "Consent"}
    assert "Questions to not stated" in " ".join(Reader(server.url).get(f"/label/{digest}").text.split())


def test_usual_legal_bases_and_that_there_is_no_officer_are_ready_to_choose(operator: Reader) -> None:
    path = checked(operator, title="Ready")
    page = send(operator, f"{path}/check", "state legal_basis 1", controller="Northfield Hospital")
    assert re.search('name="legal_basis"[^>]* autofocus>Tasks that the works council has by law, Art. 6', page.html)
    send(operator, f"{path}/check", "state officer 0")
    assert set(draft_of(operator, path)["responsible"]) == {"controller", "legal_basis", "officer"}
    send(operator, f"{path}/check", "state officer 9")
    assert "none" not in draft_of(operator, path)["responsible"]["officer"].split()


def test_a_survey_that_states_what_an_officer_needs_is_opened_as_it_is(operator: Reader) -> None:
    path = checked(operator, title="Stated", contact="council@northfield.example")
    stated = {"controller": "Northfield Hospital, Hill Road 1", "legal_basis": "Consent"}
    page = send(operator, f"{path}/check", "save", **stated)
    assert ">Open the survey<" in page.html
    sent = operator.post(f"{path}/check", {**hidden(page), "do": "open"})
    assert sent.headers["Location"].startswith("/run/")


def test_every_line_of_the_check_leads_to_its_field(operator: Reader) -> None:
    path = checked(operator, title="Lines")
    page = operator.get(f"{path}/check")
    links = [html.unescape(link) for link in re.findall(r'<a href="([^"]*)" aria-label="Change', page.html)]
    assert len(links) == 10
    for link in links:
        assert operator.get(link).html.count(" autofocus") == 1, link


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"title": ""}, "Give the survey a title"),
        ({"wording-0": ""}, "Write the question"),
        ({"answer-0": "one"}, "at least two answers"),
        ({"answer-0": ["a", "b", "a"]}, "“a” stands there twice"),
        ({"name": "Not a name"}, "lower-case letters"),
        ({"title": "", "answer-0": ""}, "2 things are to correct"),
        (
            {"kind-0": "number", "low-0": "60", "high-0": "0", "want-0": "mean"},
            "Question 1: To must be more than From, which is 60.",
        ),
        ({"kind-0": "number", "low-0": "0", "high-0": "60", "step-0": "0"}, "Write a number above 0"),
    ],
)
def test_a_form_says_what_is_wrong_beside_the_field(operator: Reader, fields: dict[str, Any], said: str) -> None:
    path = begun(operator)
    page = send(operator, f"{path}/questions", "next", **{**ASKED, **fields})
    assert page.status == 200
    assert said in page.text
    assert 'aria-invalid="true"' in page.html
    assert page.html.count(" autofocus") == 1, "the first field that is wrong has the focus"
    for link in re.findall(r'<a href="#([\w-]+)">', page.html[page.html.index('class="summary"') :]):
        if link != "main":
            assert f'id="{link}"' in page.html, "the summary leads to the field"
    assert draft_of(operator, path)["questions"][0]["wording"] == fields.get("wording-0", ASKED["wording-0"])
    assert "to correct" not in operator.get(f"{path}/questions").text, "not before one wants to go on"
    assert operator.get(f"{path}/check").headers["Location"] == f"{path}/questions?check=1"


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"people": "0"}, "Write a whole number of people"),
        ({"people": "1.5"}, "Write a whole number of people"),
        ({"level": "", "epsilon": "nan"}, "Write a number from 0.01 to 15"),
        ({"closes": "2020-01-01T00:00"}, "closed before anybody answers"),
        (
            {"opens": "2031-01-01T00:00", "closes": "2030-01-01T00:00"},
            "Closes: Write a time after the one at which the survey opens.",
        ),
        ({"minimum": "1001"}, "no result would ever be shown"),
        ({"zone": "Atlantis"}, "Write the name of a time zone"),
        ({"protected-0": "some"}, "Question 1: "),
    ],
)
def test_what_cannot_stand_is_refused_where_it_is_typed(operator: Reader, fields: dict[str, str], said: str) -> None:
    path = whole(operator)
    page = send(operator, f"{path}/learn", "next", **{**LEARNED, **fields})
    assert said in page.text
    assert 'aria-invalid="true"' in page.html or "protected-0" in fields
    assert page.html.count(" autofocus") == 1
    name, typed = next(iter(fields.items()))
    if typed and name != "protected-0":
        assert f'value="{typed}"' in page.html, "what is to be corrected"
    assert operator.get(f"{path}/check").headers["Location"] == f"{path}/learn?check=1"


def test_nobody_opens_a_survey_that_tells_nothing_without_the_tick(server: Server, operator: Reader) -> None:
    path = whole(operator, title="Useless")
    page = send(operator, f"{path}/learn", "next", **FEW)
    assert "Nothing yet: one question is too much for 120 people and strong protection." in page.text
    assert "Apply a change, ask more people, protect less, or tick this box." in page.text
    sent = operator.post(f"{path}/check", {**hidden(operator.get(f"{path}/learn")), "do": "open"})
    assert sent.headers["Location"] == f"{path}/learn?check=1"
    page = send(operator, f"{path}/learn", "next", **FEW, knows="1", **{"asks-knows": "1"})
    assert "nothing is told." in page.text
    sent = operator.post(f"{path}/check", {**hidden(page), **UNSTATED})
    assert sent.headers["Location"].startswith("/run/")


def test_the_tick_names_the_questions_of_which_nothing_is_told_in_one_sentence(operator: Reader) -> None:
    second = {"wording-1": "What do you use?", "kind-1": "any_of", "answer-1": list("abcde")}
    path = begun(operator)
    send(operator, f"{path}/questions", "add", **{**ASKED, "title": "Partly"})
    send(operator, f"{path}/questions?at=2", "next", **second)
    page = send(operator, f"{path}/learn", "save", **{**LEARNED, "people": "200"})
    [tick] = re.findall(r'<label class="check knows">(.*?)</label>', page.html)
    assert re.fullmatch(
        "<input [^>]*> <span>(?:(?!</span>).)*<bdi>What do you use[?]</bdi>(?:(?!</span>).)*</span>", tick
    )


def test_advice_is_applied_by_one_click_and_taken_back_by_another(operator: Reader) -> None:
    path = whole(operator, title="Advised")
    page = send(operator, f"{path}/learn", "save", **FEW)
    assert page.html.count('<button class="first" name="do" value="apply ') == 1
    assert "draws by lot what it reports on" not in page.text, "there is one question"
    first = html.unescape(re.findall(r'value="(apply [^"]*)"', page.html)[0])
    better = send(operator, f"{path}/learn", first, **FEW)
    assert "Applied." in better.text
    assert "Nothing yet" not in better.text
    now = {"people": "120", "epsilon": draft_of(operator, path)["epsilon"]}
    assert "Nothing yet" in send(operator, f"{path}/learn", "back", **now).text
    assert "Applied." not in operator.get(f"{path}/learn").text
    before = draft_of(operator, path)
    assert "Nothing yet" in send(operator, f"{path}/learn", "apply level:9", **FEW).text
    assert draft_of(operator, path) == before, "which is not advised"


def test_only_some_answers_may_be_protected_and_groups_of_them(server: Server, operator: Reader) -> None:
    some = {**LEARNED, "protected-0": "some", "chosen-0": ["0", "1"]}
    document = server.ask("GET", f"/v1/surveys/{opened(operator, some, title='Some').removeprefix('/run/')}").json
    assert document["questions"][0]["sensitive"] == ["car", "bus"]
    path = whole(operator, title="Blocks")
    groups = {"protected-0": "blocks", "group-0": ["motor", "motor", "own", "own"]}
    page = send(operator, f"{path}/learn", "save", **LEARNED, **groups)
    assert "of the others somebody can become sure" in page.text
    assert set(draft_of(operator, path)["questions"][0]["groups"].values()) == {"motor", "own"}


def test_several_questions_of_every_kind_in_any_script(server: Server, operator: Reader) -> None:
    path = begun(operator)
    page = send(
        operator, f"{path}/questions", "add", **{**ASKED, "title": "通勤", "silence-0": "I would rather not say"}
    )
    assert 'id="wording-1" name="wording-1" value="" maxlength="4000" autofocus' in page.html
    second = {"wording-1": "どうやって?", "kind-1": "any_of", "answer-1": ["車", "バス"]}
    address = f"{path}/questions?at=2"
    sent = operator.post(f"{path}/questions", {**hidden(operator.get(address)), **second, "do": "next"})
    assert sent.headers["Location"] == f"{path}/learn"
    send(operator, f"{path}/learn", "next", **{**LEARNED, "people": "5000"})
    assert "Each device draws by lot what it reports on" in operator.get(f"{path}/learn").text
    sent = operator.post(f"{path}/check", {**hidden(operator.get(f"{path}/check")), **UNSTATED})
    document = server.ask("GET", f"/v1/surveys/{sent.headers['Location'].removeprefix('/run/')}").json
    assert [question["kind"] for question in document["questions"]] == ["one_of", "any_of"]
    assert document["questions"][0]["no_answer"] == "I would rather not say"
    assert document["title"] == "通勤"


def test_warnings_say_what_a_careful_colleague_would(operator: Reader) -> None:
    path = whole(operator, **{"answer-0": ["18-25", "25-30", "31-99"]})
    page = send(operator, f"{path}/learn", "save", people="5000", epsilon="4")
    for head in (
        "Overlapping answers.",
        "Protection weaker than weak.",
        "Nobody is named.",
    ):
        assert head in page.text


def test_a_survey_is_closed_by_who_says_so(server: Server, operator: Reader) -> None:
    path = opened(operator, title="Closing")
    secret = operator.get(path).csrf
    assert operator.post(f"{path}/close", {"csrf": secret}).status == 422
    assert operator.post(f"{path}/close", {"csrf": secret, "sure": "close"}).status == 303
    assert "Closed" in operator.get(path).text


@pytest.mark.parametrize("scope", ["reader", "auditor"])
def test_who_may_only_read_writes_nothing(server: Server, operator: Reader, scope: str) -> None:
    path = begun(operator)
    form = hidden(operator.get(f"{path}/questions"))
    reader = Reader(server.url).enter(server.token(f"only-{scope}", scope))
    assert reader.get("/new").status == 403
    assert reader.post(f"{path}/questions", {**form, **ASKED}).status == 401
    assert "New survey" not in reader.get("/").text
    assert Reader(server.url).get("/new").status == 303


def test_an_author_sees_their_own_surveys_only(server: Server, operator: Reader) -> None:
    path = opened(operator, title="Mine alone")
    author = Reader(server.url).enter(server.token("another-author", "author"))
    assert author.get(path).status == 404
    assert author.get(f"{path}.svg").status == 404


def test_the_python_that_is_shown_answers_the_survey(server: Server, operator: Reader, tmp_path: Path) -> None:
    path = opened(operator, title="Copied")
    shown = next(
        code for code in re.findall(r"(?s)<pre[^>]*>(.*?)</pre>", operator.get(path).html) if "import den" in code
    )
    program = html.unescape(shown).removeprefix("pip install deniable-client")
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "clients" / "python" / "src"), "HOME": str(tmp_path)}
    subprocess.run([sys.executable, "-c", program], check=True, cwd=tmp_path, env=environment)
    assert "1 answer" in operator.get(path).text


@pytest.mark.parametrize("wording", ["How do you come to work?", "Another question?"])
def test_a_name_that_another_author_took_is_refused_where_it_is_typed(
    server: Server, operator: Reader, wording: str
) -> None:
    opened(operator, title="Taken")
    author = Reader(server.url).enter(server.token("second-author", "author"))
    path = begun(author)
    page = send(author, f"{path}/questions", "next", **{**ASKED, "title": "Taken", "wording-0": wording})
    assert "“taken” belongs to another author: choose a name of your own." in page.text
    page = send(author, f"{path}/questions", "next", name=f"taken-{len(wording)}")
    assert "How many people will answer?" in page.text


def test_an_author_is_told_whom_an_earlier_survey_shuts_out(operator: Reader) -> None:
    opened(operator, title="Mended")
    path = checked(operator, title="Mended")
    assert "An earlier survey of yours has this name too" in operator.get(f"{path}/check").text
    assert "Who answered before" not in operator.get(f"{path}/check").text
    path = checked(operator, None, title="Mended", **{"wording-0": "How do you come here?"})
    assert "Who answered before" in operator.get(f"{path}/check").text


def test_a_survey_in_two_languages_is_opened_with_all_its_texts(server: Server, operator: Reader) -> None:
    path = checked(operator, title="Two languages")
    page = send(operator, f"{path}/languages", "language-add", language="en", tag="de")
    assert "Two languages" in page.text
    assert "6 missing" in operator.get(f"{path}/questions").text
    assert operator.get(f"{path}/learn").status == 200
    assert operator.get(f"{path}/check").headers["Location"] == f"{path}/languages?check=1"
    assert "Deutsch: 6 texts are missing." in operator.get(f"{path}/languages?check=1").text
    german = {f"text-de-{number}": f"Wort {number}" for number in range(6)}
    send(operator, f"{path}/languages", "next", **german)
    assert "English, Deutsch" in operator.get(f"{path}/check").text
    sent = operator.post(f"{path}/check", {**hidden(operator.get(f"{path}/check")), **UNSTATED})
    document = server.ask("GET", f"/v1/surveys/{sent.headers['Location'].removeprefix('/run/')}").json
    assert (document["language"], document["translations"]["de"]["title"]) == ("en", "Wort 0")
