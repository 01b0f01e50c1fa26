"""What a result page says of a survey that is open, cut short, withheld, or that nobody answered."""

from __future__ import annotations

import json
import re
import time

from tests.collector.servers import Server, put
from tests.pages.readers import Reader
from tests.pages.results.worlds import CARS, a_survey, collected, column, upload


def test_an_open_period_is_provisional_and_compared_with_nothing(server: Server, operator: Reader) -> None:
    survey = a_survey("running")
    collected(server, survey, upload(survey, {"way": column(CARS, 900)}), close=False)
    page = operator.get("/s/running?a=0&b=1")
    assert "provisional" in page.text
    assert "Still open." in page.text
    assert "Compared" not in page.text
    assert "Compare two answers" not in page.text
    assert operator.get("/s/running.json").body.count(b'"provisional":true') == 1
    svg = operator.get("/s/running.svg").html
    assert "900 devices reported on this question. Open, provisional; people in 100" in svg
    assert re.search(r"The way to work · Open, as of \d+ \w+ \d{4} · [\d.:]+/s/running<", svg), "who asked, and when"


def test_a_survey_closed_by_hand_is_not_final_while_late_answers_are_counted(server: Server, operator: Reader) -> None:
    survey = a_survey("just-closed", grace=3600)
    collected(server, survey, upload(survey, {"way": column(CARS, 900)}), close=False)
    assert server.ask("POST", f"/v1/surveys/{survey.digest}/close", b"", server.operator).status == 200
    time.sleep(1.1)  # a survey is read anew after a second
    page = operator.get("/s/just-closed")
    assert "Closed, waiting for late answers" in page.text
    assert "provisional" in page.text
    assert "Answers that were on their way are still counted until" in page.text
    assert "Still open." not in page.text
    assert "After that this period can be compared." in operator.get("/s/just-closed/compare").text
    run = operator.get(f"/run/{survey.digest}")
    assert "Closed, waiting for late answers until" in run.text
    assert "Give people this link" not in run.text
    assert "In a page of your own" not in run.text


def test_withheld_says_how_many_of_how_many(server: Server, operator: Reader) -> None:
    survey = a_survey("withheld")
    collected(server, survey, upload(survey, {"way": column(CARS, 38)}))
    page = operator.get("/s/withheld")
    assert "No result: 38 answered, and 50 were promised." in page.text
    assert re.search(r"The answers are deleted on \d+ \w+ \d{4}\. Ask again, as a copy", page.text)
    assert "in 100" not in page.text.replace("a guess of 50 in 100", ""), "which the protection is about"
    for ending in ("csv", "svg", "png", "tally", "py"):
        refused = operator.get(f"/s/withheld.{ending}")
        assert refused.status == 409
        assert "Too few people answered" in refused.text
    assert json.loads(operator.get("/s/withheld.json").body)["questions"] == {}


def test_nobody_yet_and_too_few_are_states_of_their_own(server: Server, operator: Reader) -> None:
    survey = put(server, server.operator, a_survey("unanswered"))
    assert "Nobody has answered yet" in operator.get("/s/unanswered").text
    assert server.send(survey, upload(survey, {"way": ["car"] * 20})).status == 200
    assert "20 of the 50 answers that a result needs." in operator.get("/s/unanswered").text
    page = Reader(server.url).enter(server.token("uninformed", "reader")).get("/s/unanswered")
    assert "fewer than 50" in page.text
    assert " 20 " not in page.text
    assert server.send(survey, upload(survey, {"way": ["car"] * 40}, 2)).status == 200
    page = operator.get("/s/unanswered")
    assert "60 answers have come, and are being counted." in page.text or page.text.count("car") > 1


def test_a_survey_that_was_cut_short_says_so_and_one_that_was_not_does_not(server: Server, operator: Reader) -> None:
    for name, closes in (("cut", "2099-01-01T00:00:00Z"), ("uncut", None)):
        survey = a_survey(name, closes=closes)
        collected(server, survey, upload(survey, {"way": column(CARS, 900)}))
        page = operator.get(f"/s/{name}")
        told = re.search(r"Closed by hand on \d+ \w+ \d{4}, [\d,]+ days before the announced end", page.text)
        assert bool(told) == (name == "cut")


def test_who_closes_before_anybody_answered_reads_so(server: Server, operator: Reader) -> None:
    survey = put(server, server.operator, a_survey("too-soon"))
    assert server.ask("POST", f"/v1/surveys/{survey.digest}/close", None, server.operator).status == 200
    page = operator.get("/s/too-soon").text
    assert "Closed, unanswered" in page
    assert "Nobody answered before it was closed" in page
