"""A link to some questions of a result opens these, and no others, by every address that a link opens."""

from __future__ import annotations

import html
import json
import re
from types import SimpleNamespace
from typing import Any

import pytest
from tests.collector.servers import Server
from tests.pages.readers import Reader, shared
from tests.pages.results.worlds import collected, column, upload

import deniable as dn
from deniable.pages.face import GROUPS

HIDDEN = "zeppelin"
"""An answer to a question that the link does not open."""
QUESTIONS = [
    dn.OneOf("way", [HIDDEN, "car", "bus"], wording="How do you come?"),
    dn.OneOf("late", ["yes", "no"], wording="Were you late?"),
    dn.AnyOf("tools", ["tent", "boat"], wording="Which do you own?"),
]
QUERIES = (
    "", "?question=late", "?question=way", "?question=tools", "?rows=way&columns=late", "?rows=late&columns=way",
    "?show=pairs", "?show=all", "?with=parted-2", "?question=way&with=parted-2", "?question=late&with=parted-2",
)  # fmt: skip


def survey_of(server: Server, name: str) -> dn.Survey:
    """A closed survey of three questions, two of them crossed."""
    survey = dn.Survey.plan(name, QUESTIONS, 3.0, 9000, cross=[("way", "late")], title=name, grace=0)
    answers: dict[str, Any] = {
        "way": column({HIDDEN: 0.6, "car": 0.3, "bus": 0.1}, 9000),
        "late": column({"yes": 0.3, "no": 0.7}, 9000)[::-1],
        "tools": [["tent"]] * 4000 + [["boat"]] * 5000,
    }
    return collected(server, survey, upload(survey, answers))


@pytest.fixture(scope="module")
def guest(server: Server) -> Reader:
    """Whoever followed a link to one question of a survey, and one to another question of a second survey."""
    operator, reader = Reader(server.url).enter(server.operator), Reader(server.url)
    for name, question in (("parted", "late"), ("parted-2", "tools")):
        survey_of(server, name)
        reader.get(f"{shared(operator, name, sees='part', question=question)}?go")
    return reader


def addresses(name: str) -> list[str]:
    """Every address of a result that is read: a new one is among them. No word can be found in the bytes of a PNG."""
    found: list[str] = []
    site: Any = SimpleNamespace(page=lambda path, _, methods=("GET",): found.append(path) if "GET" in methods else None)
    for group in GROUPS:
        group(site).all()
    about = sorted({path.format(name=name) for path in found if "{name}" in path and not path.endswith(".png")})
    assert len(about) > 15, about
    return [*about, "/", "/surveys.json"]


def test_no_address_tells_of_a_question_that_the_link_does_not_open(
    server: Server, operator: Reader, guest: Reader
) -> None:
    told = []
    for path in addresses("parted"):
        for query in QUERIES:
            body = guest.get(path + query).body
            assert HIDDEN.encode() not in body, path + query
            assert b"boat" not in body or path in ("/", "/surveys.json"), path + query
        told += [path] if any(HIDDEN.encode() in operator.get(path + query).body for query in QUERIES) else []
    assert {"/s/parted", "/s/parted.json", "/s/parted.csv", "/s/parted/cross", "/embed/parted", "/"} <= {*told}


def test_what_it_opens_is_the_same_for_everybody(operator: Reader, guest: Reader) -> None:
    for ending in (".png", ".svg", "/slide.svg", "/slide.png"):
        asked = operator.get(f"/s/parted{ending}?question=late")
        assert guest.get(f"/s/parted{ending}").body == asked.body, ending
        assert guest.get(f"/s/parted{ending}?question=way").status == 404
    whole, part = (json.loads(reader.get("/s/parted.json").body) for reader in (operator, guest))
    assert part["questions"] == {"late": whole["questions"]["late"]}
    rows = guest.get("/s/parted.csv").html.splitlines()
    assert rows == [row for row in operator.get("/s/parted.csv").html.splitlines() if "late" in row or row == rows[0]]
    [headline] = [each["headline"] for each in json.loads(guest.get("/surveys.json").body) if each["name"] == "parted"]
    assert "“yes”" in headline, "of the question that it opens"
    assert [guest.get(f"/s/parted{ending}").status for ending in (".tally", ".py", "/cross")] == [404] * 3
    assert "/s/parted/cross" not in guest.get("/s/parted").html


def test_a_link_within_another_page_opens_no_more(server: Server, operator: Reader) -> None:
    link = shared(operator, "parted", sees="part", question=["late", "tools"]).rsplit("/", 1)[-1]
    for query in ("", "&question=way"):
        page = Reader(server.url).get(f"/embed/parted?link={link}{query}")
        assert HIDDEN not in page.html
    shown = Reader(server.url).get(f"/embed/parted?link={link}").text
    assert "Were you late?" in shown
    assert "Which do you own?" in shown


def test_two_links_open_both_and_a_whole_one_all(server: Server, operator: Reader) -> None:
    reader = Reader(server.url)
    for question in ("late", "way"):
        reader.get(f"{shared(operator, 'parted', sees='part', question=question)}?go")
    assert list(json.loads(reader.get("/s/parted.json").body)["questions"]) == ["way", "late"]
    assert HIDDEN in reader.get("/s/parted/cross").text, "whose two questions may both be seen"
    reader.get(f"{shared(operator, 'parted')}?go")
    assert len(json.loads(reader.get("/s/parted.json").body)["questions"]) == 3
    assert reader.get("/s/parted.tally").status == 200


def test_a_link_says_what_it_opens_and_is_not_made_of_nothing(operator: Reader) -> None:
    page = operator.get("/s/parted/share").text
    assert "one question of 3: “Were you late?”" in page
    assert "2 questions of 3: “Were you late?”, “Which do you own?”" in page
    secret = operator.get("/s/parted/share").csrf
    for ticked in ([], ["another"]):
        fields = {"csrf": secret, "days": "3", "sees": "part", "question": ticked, "title": "The mayor"}
        refused = operator.post("/s/parted/share", fields)
        assert refused.status == 422
        assert "Tick the questions that they may see" in refused.text
        assert 'value="The mayor"' in refused.html
    fields = {"csrf": secret, "days": "3", "sees": "all", "question": "late"}
    refused = operator.post("/s/parted/share", fields)
    assert refused.status == 422, "what is ticked is not passed over"
    assert "/shared/" not in refused.html


def test_all_that_a_guests_page_links_to_can_be_read(guest: Reader) -> None:
    """No Python that repeats counts which they may not have; the printed code leads to the link by which they came."""
    page = guest.get("/s/parted")
    links = {html.unescape(each) for each in re.findall(r'href="(/[^"#]*)', page.html)}
    assert len(links) > 8
    assert {link: status for link in links if (status := guest.get(link).status) != 200} == {}
    assert re.search(r"with its numbers, as a page: http[^ ]+/shared/[\w-]+ ", page.text)


def test_the_trail_of_a_guest_leads_to_a_list_only_if_there_is_one(
    server: Server, operator: Reader, guest: Reader
) -> None:
    alone = Reader(server.url)
    alone.get(f"{shared(operator, 'parted')}?go")
    assert '<a href="/">Surveys</a>' not in alone.get("/s/parted").html
    assert '<a href="/">Surveys</a>' in guest.get("/s/parted").html


def test_lines_for_another_page_name_the_survey_and_draw_no_border(operator: Reader) -> None:
    page = operator.post("/s/parted/share", {"csrf": operator.get("/s/parted/share").csrf, "days": "7"})
    assert re.search(
        r'<iframe src="http[^"]+" title="parted" width="100%" height="800" style="border: 0">', html.unescape(page.html)
    )


def test_a_printed_code_says_for_whom_it_is_where_nobody_else_may_read(operator: Reader, guest: Reader) -> None:
    assert "as a page, for those who may read it: http" in operator.get("/s/parted").text
    assert operator.post("/s/parted/share/asked", {"csrf": operator.get("/s/parted/share").csrf}).status == 303
    shown = re.search(r"as a page: (http[^ ]+/shared/asked-\w+) ", operator.get("/s/parted").text)
    assert shown
    assert Reader(operator.url).get(f"{shown[1].removeprefix(operator.url)}?go").status == 303
