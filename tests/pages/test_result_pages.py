"""Result pages over a real collector: what stands on them, in every state, and that people can read it rightly."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest
from tests.collector.servers import Server
from tests.pages.readers import Page, Reader
from tests.pages.results.worlds import CARS, a_survey, collected, column, upload
from tests.waiting import check_quick, until

import deniable as dn
from deniable.estimation.words import MINUS
from deniable.protocol.say import english


@pytest.fixture(scope="module")
def commute(server: Server) -> dn.Survey:
    """A closed survey of 7,000 people."""
    survey = a_survey("commute")
    return collected(server, survey, upload(survey, {"way": column(CARS, 7000)}))


def share_on(page: Page, label: str) -> tuple[int, int]:
    """The share of a label in 100, as somebody reads it in the table."""
    row = re.search(rf"{label} \d+ (between (\d+) and (\d+)|at most (\d+)|at least (\d+)) in 100", page.text)
    assert row, label
    _, low, high, most, least = row.groups()
    return int(low or least or 0), int(high or most or 100)


def test_ten_questions_are_answered_rightly_from_the_page_alone(
    server: Server, operator: Reader, commute: dn.Survey
) -> None:
    page = operator.get("/s/commute")
    tally = dn.SurveyTally.from_bytes(
        server.ask("GET", f"/v1/surveys/{commute.digest}/periods/once/tally", None, server.operator).body
    )
    way = commute.estimate(tally)["way"]
    bounds = dict(zip(CARS, way.interval().tolist(), strict=True))
    # 1 which is the largest? 2 by how much at least?
    leader = re.search(r"“(\w+)” is the most frequent answer", page.text)
    assert leader
    assert leader[1] == "car" == max(CARS, key=lambda label: bounds[label][0])
    gap = re.search(r"at least (\d+) in 100 more than any other", page.text)
    assert gap
    simultaneous = way.interval(simultaneous=True)
    assert int(gap[1]) / 100 <= simultaneous[0, 0] - simultaneous[1:, 1].max() < (int(gap[1]) + 1) / 100
    # 3 how many come by car? 4 on foot at most?
    assert share_on(page, "car")[0] / 100 <= bounds["car"][0] + 1e-9
    assert share_on(page, "foot")[1] / 100 >= bounds["foot"][1] - 1e-9
    # 5 is the share of cars above 20 in 100? 6 is that of trains?
    assert (share_on(page, "car")[0] >= 20) == (bounds["car"][0] >= 0.2)
    assert (share_on(page, "train")[0] >= 20) == (bounds["train"][0] >= 0.2)
    # 7 can bus and bike be told apart? 8 car and bus?
    assert "“bus” and “bike” cannot be told apart" in operator.get("/s/commute?a=1&b=3").text
    assert "More people answer “car” than “bus”" in operator.get("/s/commute?a=0&b=1").text
    # 9 how many answered, and is it final? 10 what would unprotected answers have needed?
    assert "7,000 answers" in page.text
    assert "Closed" in page.text
    assert "provisional" not in page.text
    worth = re.search(r"as much as ([\d,]+) unprotected ones", page.text)
    assert worth
    assert int(worth[1].replace(",", "")) < 7000


def test_the_number_of_a_question_stands_beneath_its_title_and_the_value_beside_its_dot(
    operator: Reader, commute: dn.Survey
) -> None:
    page = operator.get("/s/commute")
    told = re.search(r"</h1>.*?<strong>7,000</strong> devices reported on this question.*?<table", page.html, re.DOTALL)
    assert told, "before the picture"
    value = re.search(r'<circle cx="([\d.]+)%"[^>]*/><text x="([\d.]+)%"[^>]*>(\d+)</text>', page.html)
    assert value
    dot, end, share = value.groups()
    assert float(dot) < float(end)
    assert round(float(dot)) == int(share), "all shares are drawn from 0 to 100"
    assert page.text.count("Give or take (±): how far the line reaches from its dot") == 1
    for ending in ("png", "svg", "csv"):
        assert re.search(rf'Save:.*href="/s/commute\.{ending}', page.html, re.DOTALL)
    assert re.search(r"The way to work · Closed on \d+ \w+ \d{4} · [\w.:]+/s/commute", page.text)


def test_all_pictures_of_a_page_are_zoomed_alike(operator: Reader, commute: dn.Survey) -> None:
    whole, zoomed = (operator.get(f"/s/commute{query}").html for query in ("", "?zoom=1"))
    ends = [
        max(int(each) for each in re.findall(r'text-anchor="middle">(\d+)</text>', html)) for html in (whole, zoomed)
    ]
    assert ends[0] == 100 > ends[1]
    assert "zoom=1" in operator.get("/s/commute?zoom=1").html.partition("Order:")[2], "links carry it along"


def test_what_is_drawn_once_for_all_readers_is_in_the_language_and_at_the_address_of_each(
    server: Server, operator: Reader
) -> None:
    questions = [dn.OneOf(name, list(CARS), wording=f"{name}?") for name in ("way", "back")]
    both = dn.Survey.plan("both-ways", questions, 4.0, 3000, grace=0)
    collected(server, both, upload(both, {"way": column(CARS, 3000), "back": column(CARS, 3000)[::-1]}))
    asked = ("lang=en", "lang=de", "lang=en&zoom=1", f"lang=en&digest={both.digest}")
    first, again = ([operator.get(f"/s/both-ways?{query}").html for query in asked] for _ in range(2))
    drawn = ["".join(re.findall(r"(?s)<section class=.question.*?</section>", html)) for html in first]
    assert drawn == ["".join(re.findall(r"(?s)<section class=.question.*?</section>", html)) for html in again]
    assert [html.count("In 95 of 100 such surveys") for html in drawn] == [1, 0, 1, 1]
    assert ["zoom=1" in html for html in drawn] == [False, False, True, False]
    assert [both.digest in html for html in drawn] == [False, False, False, True]


def test_a_line_counts_by_intervals_that_hold_all_at_once(server: Server, operator: Reader, commute: dn.Survey) -> None:
    tally = server.ask("GET", f"/v1/surveys/{commute.digest}/periods/once/tally", None, server.operator).body
    way = commute.estimate(dn.SurveyTally.from_bytes(tally, dn.Survey))["way"]
    for above in ("10", "12.5", "0,4"):
        share = float(above.replace(",", ".")) / 100
        higher, lower = way.surely_above(share), way.surely_below(share)
        page = operator.get(f"/s/commute?above={above}")
        assert f'<h1 class="finding">{len(higher)} of 5 are surely above {above.replace(",", ".")} in 100.' in page.html
        left = 5 - len(higher) - len(lower)
        assert f"Surely below {above.replace(',', '.')}: {len(lower)}. Cannot be told: {left}." in page.text
        assert page.text.count("surely not ") == len(lower)
        assert 'class="mark"' in page.html
        assert f"{len(higher)} of 5 are surely above" in operator.get(f"/s/commute.svg?above={above}").html
    [finding] = re.findall(r'<h1 class="finding">(.*?)</h1>', operator.get("/s/commute?above=x").html)
    assert "in 100." not in finding


def test_answers_stand_in_the_order_of_any_column(operator: Reader, commute: dn.Survey) -> None:
    def labels(order: str) -> list[str]:
        return re.findall(r'<th scope="row">(\w+)</th>', operator.get(f"/s/commute?order={order}").html)

    assert labels("") == list(CARS)
    assert labels("name") == sorted(CARS)
    assert labels("value")[0] == "car"
    assert sorted(labels("error")) == sorted(CARS)
    assert labels("error") != labels("value"), "the most frequent answer has the widest interval"
    page = operator.get("/s/commute?order=name").text
    assert "as asked by value by name by give or take" in page


def test_sides_that_differ_are_told_each(server: Server, operator: Reader) -> None:
    rare = dn.OneOf("way", ["car", "boat"])
    survey = dn.Survey(
        "rare", [rare], [dn.Arm([dn.Part([rare], dn.RandomizedResponse(["car", "boat"], 6.0))])], grace=0
    )
    collected(server, survey, upload(survey, {"way": ["car"] * 295 + ["boat"] * 5}))
    assert re.search(rf"boat \d+ (at most|between).*? \d\.\d {MINUS}\d\.\d / \+\d\.\d", operator.get("/s/rare").text)


def test_a_page_is_small_and_quick(operator: Reader, commute: dn.Survey) -> None:
    page = operator.get("/s/commute")
    assert len(page.body) < 60_000
    check_quick(lambda: operator.seconds("/s/commute"), 0.1)


def test_words_that_nobody_listed_are_looked_for_once(server: Server, operator: Reader) -> None:
    survey = dn.Survey.plan("sites", [dn.Text("site", 8)], 4.0, 3000, grace=0)
    collected(server, survey, upload(survey, {"site": ["news"] * 2000 + ["mail"] * 1000}))
    assert "Most people answer “news”" in operator.get("/s/sites").text
    for path in ("", "?order=value", ".csv"):
        page = operator.look(f"/s/sites{path}")
        assert page.status == 200
        assert "Refresh" not in page.headers, "nobody waits again"


def test_everything_is_exported_and_says_the_same(operator: Reader, commute: dn.Survey, tmp_path: Path) -> None:
    told = json.loads(operator.get("/s/commute.json").body)
    assert (told["n"], told["state"], told["provisional"]) == (7000, "Closed", False)
    shares = dict(zip(told["questions"]["way"]["label"], told["questions"]["way"]["unbiased"], strict=True))
    assert set(shares) == set(CARS)
    finding = told["questions"]["way"]["finding"]
    title, more = finding.split(": ")
    assert f"{title}. {more[0].upper()}{more[1:]}" in operator.get("/s/commute").text
    csv = operator.get("/s/commute.csv")
    assert csv.html.count("\n") == 6
    assert 'filename="commute-once.csv"' in csv.headers["Content-Disposition"]
    rows = csv.rows
    assert [row["label"] for row in rows] == list(CARS)
    assert [float(row["unbiased"]) for row in rows] == [shares[label] for label in CARS]
    svg = operator.get("/s/commute.svg").html
    assert "<desc" in svg
    assert "car: between" in svg
    words = re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", svg.partition("</desc>")[2]))
    assert finding in words, "in lines beneath each other"
    assert finding in re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", operator.get("/s/commute/slide.svg").html))
    assert f"{title}. {more[0].upper()}{more[1:]}" in operator.get("/embed/commute").text
    assert operator.get("/s/commute.png").body.startswith(b"\x89PNG")
    tally = operator.get("/s/commute.tally")
    name = re.search(r'filename="([^"]+)"', tally.headers["Content-Disposition"])
    assert name, "the name under which a browser keeps the file"
    (tmp_path / name[1]).write_bytes(tally.body)
    code = operator.get("/s/commute.py").html
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, cwd=tmp_path)
    assert "7,000 people" in done.stdout


def test_by_value_ranks_stand_beside_intervals_for_all_at_once(operator: Reader, commute: dn.Survey) -> None:
    page = operator.get("/s/commute?order=value")
    assert "all at once" in page.text
    assert re.search(r"Rank", page.text)
    assert page.text.index(" car ") < page.text.index(" foot ")


def test_a_picture_is_well_formed_whatever_the_question_says(server: Server, operator: Reader) -> None:
    survey = a_survey("odd-words", wording="a\x00b\x01c \ufffe<&>")
    collected(server, survey, upload(survey, {"way": column(CARS, 100)}))
    assert ElementTree.fromstring(operator.get("/s/odd-words.svg").html).tag.endswith("svg")


def test_answers_that_cannot_be_honest_are_called_so(server: Server, operator: Reader) -> None:
    survey = a_survey("faked")
    honest = upload(survey, {"way": column(CARS, 500)})
    made_up = honest[:18] + (900).to_bytes(4, "little") + bytes([1]) * 900
    collected(server, survey, made_up)
    assert "Answers were probably made up" in operator.get("/s/faked").text


def test_ten_answers_say_that_nothing_can_be_said(server: Server, operator: Reader) -> None:
    survey = a_survey("ten", epsilon=0.5, minimum=1)
    collected(server, survey, upload(survey, {"way": column(CARS, 10)}))
    text = operator.get("/s/ten").text
    assert "Nothing can be said yet" in text
    assert re.search(r"It takes about [\d,]+ answers to say something\.", text)


def test_crossed_questions_have_a_table_and_a_verdict(server: Server, operator: Reader) -> None:
    way, late = dn.OneOf("way", ["car", "bus"]), dn.OneOf("late", ["yes", "no"])
    survey = dn.Survey.plan("crossed", [way, late], 3.0, 4000, cross=[("way", "late")], grace=0)
    rows = {"way": ["car", "bus"] * 2000, "late": ["yes", "no"] * 2000}
    collected(server, survey, upload(survey, rows))
    page = operator.get("/s/crossed/cross")
    assert "The answers to way and late go together" in page.text
    assert "They may go together without the one being why for the other." in page.text
    assert operator.get("/s/commute/cross").status == 404


def test_a_question_of_some_says_how_many_were_asked(server: Server, operator: Reader) -> None:
    way, late = dn.OneOf("way", ["car", "bus", "foot"]), dn.OneOf("late", ["yes", "no", "never"])
    parts = [dn.Part([each], dn.RandomizedResponse(each.labels, 2.0)) for each in (way, late)]
    survey = dn.Survey("halves", [way, late], [dn.Arm([part]) for part in parts], grace=0)
    rows = {"way": ["car", "car", "bus", "foot"] * 1000, "late": ["yes", "no", "no", "never"] * 1000}
    collected(server, survey, upload(survey, rows))
    asked = {name: json.loads(operator.get("/s/halves.json").body)["questions"][name]["n"] for name in ("way", "late")}
    assert sum(asked.values()) == 4000
    for name, people in asked.items():
        told = f"{people:,} of 4,000 devices reported on this question, drawn by lot."
        alone, framed = (operator.get(f"/{path}/halves?question={name}").text for path in ("s", "embed"))
        for text in (alone, framed, operator.get("/s/halves").text):
            assert told in text
        assert told in operator.get(f"/s/halves.svg?question={name}").html
        assert f"from asking {people:,} people and not everybody" in alone


def of_one(name: str, mechanism: dn.Mechanism) -> dn.Survey:
    """A survey of one question that a mechanism answers."""
    question = dn.OneOf("way", ["a", "b", "c"])
    return dn.Survey(name, [question], [dn.Arm([dn.Part([question], mechanism)])], grace=0)


def test_what_cannot_be_told_is_no_failure_of_any_export(server: Server, operator: Reader) -> None:
    """Reports of two kinds tell the expected answer from the others, and not the others from each other."""
    survey = of_one("mixed", dn.InformedResponse(["a", "b", "c"], [0.8, 0.1, 0.1], 0.5))
    collected(server, survey, upload(survey, {"way": ["a", "b", "c"] * 500}))
    told = json.loads(operator.get("/s/mixed.json").body)["questions"]["way"]
    assert told["stderr"][1:] == ["inf", "inf"]
    text = operator.get("/s/mixed").text
    assert [f" {label} nothing can be said" in text for label in "abc"] == [False, True, True]
    for ending in ("csv", "svg", "png"):
        assert operator.get(f"/s/mixed.{ending}").status == 200


def test_a_question_without_a_result_says_why_and_its_files_hold_nothing(server: Server, operator: Reader) -> None:
    channel = dn.Channel(["a", "b", "c"], np.array([[3, 1], [1, 3], [1, 3]]) / 4)
    survey = of_one("alike", channel)
    collected(server, survey, upload(survey, {"way": ["a", "b", "c"] * 500}))
    why = "rows must be linearly independent"
    assert why in json.loads(operator.get("/s/alike.json").body)["questions"]["way"]["missing"]
    assert "Nothing can be shown of this question: a channel" in operator.get("/s/alike").text
    assert operator.get("/s/alike.csv").html.strip() == "question"
    for ending in ("svg", "png"):
        refused = operator.get(f"/s/alike.{ending}")
        assert (refused.status, why in refused.text) == (422, True)


def test_trust_says_what_was_refused_and_what_is_proven(server: Server, operator: Reader, commute: dn.Survey) -> None:
    assert server.send(commute, b"nonsense").status in (400, 410)
    until(lambda: "being proven" not in operator.get("/s/commute/trust").text)
    page = operator.get("/s/commute/trust")
    assert "The promise was proven by this server" in page.text
    assert commute.digest in page.html
    assert "Anybody with the link could answer" in page.text


def test_results_may_be_framed_only_where_they_are_made_for_it(operator: Reader, commute: dn.Survey) -> None:
    framed = operator.get("/embed/commute")
    assert framed.status == 200
    assert framed.headers["Content-Security-Policy"].endswith("frame-ancestors *")
    assert "<form" not in framed.html
    assert operator.get("/s/commute").headers["Content-Security-Policy"].endswith("frame-ancestors 'none'")


@pytest.mark.parametrize(
    "path", ["", ".json", ".csv", ".tally", "/trust", "/trust.json", "/time.json", "/cross.json", "/share"]
)
def test_who_may_not_read_finds_nothing(server: Server, commute: dn.Survey, path: str) -> None:
    assert Reader(server.url).get(f"/s/commute{path}").status == 303
    other = Reader(server.url).enter(server.token(f"other{path.translate({46: 45, 47: 45})}", "reader", "elsewhere"))
    assert other.get(f"/s/commute{path}").status == 404


@pytest.mark.parametrize(
    "query", ["question=none", "period=2026-01-01", "digest=ffff", "a=99&b=98", "a=x&b=-1", "find=" + "x" * 5000]
)
def test_odd_addresses_are_no_failure(operator: Reader, commute: dn.Survey, query: str) -> None:
    assert operator.get(f"/s/commute?{query}").status in (200, 404)


def test_a_survey_that_asks_once_promises_no_change(operator: Reader, commute: dn.Survey) -> None:
    page = operator.get("/s/commute/time").text
    assert "This survey asks once: there is no change over time to show." in page
    assert "once two periods" not in page


@pytest.mark.parametrize("made", ["1", "2", "2,5"])
def test_how_many_lie_is_the_readers_to_suppose(operator: Reader, commute: dn.Survey, made: str) -> None:
    shift = commute.manipulation(float(made.replace(",", ".")) / 100)["way"]
    moved = english(shift.moved)
    written = made.replace(",", ".")
    for path in ("/s/commute", "/s/commute/trust"):
        page = operator.get(f"{path}?made={made}")
        assert moved in page.text
        assert re.search(rf'name="made"[^>]* value="{written}"', page.html)
    if made != "1":
        assert f"If {written} in 100 of the answers were made up" in operator.get(f"/s/commute?made={made}").text
