"""What a label's page shows: bounds rounded outwards, and no more than the label proves."""

from __future__ import annotations

import datetime
import math
import re
from pathlib import Path
from typing import Any

import pytest
from tests.collector.worlds import Clock, Service, a_survey, body_of, chunked

import deniable as dn
from deniable.intake.storage.sqlite import SqliteStore
from deniable.pages.dots import dots
from deniable.pages.guesses import guesses_of
from deniable.pages.label_pages import shown_label
from deniable.pages.label_terms import facts_of, keeping, kept_of, reveals_of, terms_of
from deniable.pages.label_view import unpromised_of
from deniable.protocol.say import language

ENGLISH = language("en")
WELL = dn.OneOf("well", ["yes", "no"], wording="Are you well?")
SENSITIVE = dn.OneOf("ill", ["flu", "cold", "none"], sensitive=["flu"], wording="Were you ill?")


def yes_or_no(epsilon: float, **terms: Any) -> dn.Survey:
    return dn.Survey.plan("well", [WELL], epsilon, 500, **terms)


def shares(text: str) -> list[float]:
    """The shares of a sentence or a cell, in hundredths."""
    return [float(found) for found in re.findall(r"([\d.]+) in 100", text)]


def step_of(share: float) -> float:
    """The steps in which a bound is told so far from 0 or 1: one of a hundred, or less where that would say 0 or 1."""
    return float(10.0 ** min(0, math.floor(math.log10(100 * share)))) + 1e-9


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 2.5, 8.0])
def test_guesses_are_bounded_by_bayes_and_rounded_outwards(epsilon: float) -> None:
    [guesses] = guesses_of(yes_or_no(epsilon).label(), ENGLISH)
    odds = math.exp(epsilon)
    assert [shares(row.before) for row in guesses.rows] == [[1], [10], [50]]
    for row, before in zip(guesses.rows, (0.01, 0.1, 0.5), strict=True):
        most, least = before * odds / (before * odds + 1 - before), before / (before + (1 - before) * odds)
        assert 0 <= shares(row.most)[0] - 100 * most <= step_of(1 - most)
        assert 0 <= 100 * least - shares(row.least)[0] <= step_of(least)
        assert 0 < shares(row.least)[0] < shares(row.most)[0] < 100
    [(after, drawn)] = re.findall(r"at most ([\d.]+) are right afterwards; the picture shows (\d+)\.", guesses.told)
    assert 0 <= float(after) - 100 * odds / (odds + 1) <= step_of(1 / (odds + 1))
    assert int(drawn) == min(math.ceil(float(after)), 99), "of what is not sure one dot stays hollow"


def test_the_table_says_what_the_sentences_say() -> None:
    label = yes_or_no(1.0).label()
    [guesses] = guesses_of(label, ENGLISH)
    said = " ".join(label.sentences)
    for row in guesses.rows:
        assert f"will be between {shares(row.least)[0]:g}% and {shares(row.most)[0]:g}% sure" in said


def test_where_only_some_answers_are_protected_no_table_is_of_the_whole_answer() -> None:
    [guesses] = guesses_of(dn.Survey.plan("ill", [SENSITIVE], 1.0, 500).label(), ENGLISH)
    assert guesses.captions[0].startswith("<bdi>Were you ill?</bdi> By itself")
    assert "one of the protected answers" in guesses.captions[0]
    assert [row.least for row in guesses.rows] == ["", "", ""], "nothing is promised of how far a belief may fall"


def test_of_answers_that_are_given_afresh_the_whole_label_speaks_of_all_of_them() -> None:
    weekly = {"period": "week", "repeat": "fresh"}
    labels = [yes_or_no(1.0, **terms).label() for terms in ({}, {**weekly, "cap": 2.0}, {**weekly, "cap": 5.0})]
    claims = [shown_label(label, ENGLISH, "sha384-x").claim.key for label in labels]
    assert claims == ["hint_strong", "hint_middling", "hint_beyond"], "e^2 is 88 : 12, e^5 is 99 : 1"


def test_a_factor_beyond_use_has_no_table() -> None:
    label = a_survey(cap=100.0).label()
    assert len(guesses_of(label, ENGLISH)) == 1
    question = dn.OneOf("way", ["a", "b"])
    useless = dn.Survey("w", [question], [dn.Arm(dn.Part(question, dn.RandomizedResponse(question.labels, 15.0)))])
    assert guesses_of(useless.label(), ENGLISH) == ()


def test_remembered_reports_have_a_table_of_a_round_and_one_of_a_life() -> None:
    survey = dn.Survey.plan("weekly", [WELL], 2.0, 500, period="week", repeat="remembered")
    label = survey.label()
    rounds = label.rounds
    assert rounds is not None
    one, life = guesses_of(label, ENGLISH)
    assert one.captions[0].startswith("One round")
    assert "knows when your answers change" in life.captions[0]
    for guesses, level in ((one, rounds.each), (life, rounds.life)):
        assert 0 <= shares(guesses.rows[2].most)[0] - 100 / (1 + math.exp(-level)) <= 1
    facts = dict(facts_of(label, ENGLISH))
    assert "Guarantee of a whole answer" not in facts
    assert "at the same times" in facts["A life of rounds"]


def test_a_hundred_dots_are_drawn_once_each_and_said_in_words() -> None:
    picture = dots(50, 'as "much" as that', 24)
    places = re.findall(r"M(\d+) (\d+)h0", "".join(re.findall(r'class="dot" d="([^"]*)"', picture)))
    assert len(places) == len(set(places)) == 100
    assert [path.count("M") for path in re.findall(r'class="dot" d="([^"]*)"', picture)] == [50, 24, 26]
    assert 'aria-label="as &quot;much&quot; as that"' in picture
    assert [path.count("M") for path in re.findall(r'd="([^"]*)"', dots(100, "all"))] == [100]


def test_terms_are_those_of_the_document() -> None:
    survey = a_survey(
        opens="2026-08-03T10:00:00Z",
        closes="2026-09-01T00:00:00Z",
        period="week",
        keep=3600,
        minimum=1200,
        purpose="A bus",
    )
    terms = dict(terms_of(survey, ENGLISH))
    assert terms["When"] == "from 3 August 2026, 10:00 UTC until 1 September 2026, 00:00 UTC"
    assert terms["Asked"] == "each browser or device once, counted by the week"
    assert (terms["Purpose"], terms["Asked by"], terms["Controller"]) == ("A bus", "not stated", "not stated")
    shown, kept = map(ENGLISH, kept_of(survey))
    assert "1,200 answers" in shown
    assert kept.startswith("Each report is deleted 1 hour after its period no longer takes late answers")
    assert "the last ones by 3 September 2026." in kept, "two days of grace, an hour, and an hour until it is looked at"
    assert "Whom it is about" not in terms


def test_a_census_says_whom_it_is_about() -> None:
    assert dict(terms_of(a_survey(population=1200), ENGLISH))["Whom it is about"] == "1,200 people, and nobody else"


def test_reports_are_gone_on_the_day_that_is_said_and_not_before(tmp_path: Path) -> None:
    clock = Clock()
    survey = a_survey(closes="2026-08-05T20:00:00Z", keep=3 * 86400)
    with Service(clock, lambda: SqliteStore(tmp_path, clock)) as service:
        service.desk.put(survey, "ann")
        service.send(survey, body_of([0, 1]))
        service.pass_time(datetime.datetime(2026, 8, 10, 19, tzinfo=datetime.UTC).timestamp() - clock.moment)
        service.keeper.discard()
        assert service.collector.run(chunked(survey)) == 2, "three days after the two of grace"
        assert ENGLISH(keeping(survey)).startswith("Reports are deleted by 10 August 2026, 3 days after")
        clock.advance(2 * 3600)
        service.keeper.discard()
        assert service.collector.run(chunked(survey)) == 0


def test_of_a_survey_without_an_end_the_rule_is_said_until_it_is_closed_by_hand() -> None:
    survey = a_survey(grace=0)
    rule = "Reports are deleted 90 days after the survey no longer takes late answers"
    assert ENGLISH(keeping(survey)).startswith(rule)
    assert ENGLISH(keeping(a_survey(closes="9999-12-31T23:59:59Z"))).startswith(rule), "no calendar has the day"
    ended = datetime.datetime(2026, 8, 3, 10, tzinfo=datetime.UTC).timestamp()
    assert ENGLISH(keeping(survey, ended)).startswith("Reports are deleted by 1 November 2026, 90 days after")


def test_what_all_surveys_on_a_topic_may_reveal_is_said_where_it_is_more_than_one_reveals() -> None:
    alone = yes_or_no(1.0)
    assert reveals_of(alone) == ()
    wide = dn.Survey.plan("again", [WELL], 1.0, 500, topic="well", cap=2.0)
    for survey, others in ((wide, ()), (alone, (wide,))):
        [told] = map(ENGLISH, reveals_of(survey, others))
        assert told.startswith("All surveys on the topic “well” together: whatever one device sends to them")
        assert "a guess of 50 in 100 becomes 89 at most." in told, "by the highest limit, e^2 : 1"
    [told] = map(ENGLISH, reveals_of(dn.Survey.plan("ill", [SENSITIVE], 1.0, 500, topic="health", cap=3.0)))
    assert "at what they protect a guess of 50 in 100 becomes 96 at most." in told
    kiosk = dn.Survey.plan("turns", [WELL], 1.0, 500, topic="well", kiosk=True)
    assert reveals_of(alone, (kiosk,)) == (), "which begins anew for each person"


def test_of_a_crowd_no_order_is_said_to_be_seen_and_addresses_reach_the_mixer() -> None:
    crowd = dn.Crowd("https://mixer.example", "The university", least=250, level=0.5)
    terms: dict[str, Any] = {"owner": "The council", "closes": "2027-01-01T00:00:00Z"}
    mixed = dn.Survey.plan("well", [WELL], 2.0, 500, crowd=crowd, **terms)
    directly = {each.key for each in unpromised_of(yes_or_no(2.0).label())}
    through = {each.key: each for each in unpromised_of(mixed.label())}
    assert {"host_order", "second_browser"} <= directly
    assert not {"host_order", "second_browser"} & set(through)
    assert "reaches The university" in ENGLISH(through["mixer_address"])
    assert {"host_script", "host_copies", "nearly_all", "crowd_apart"} <= set(through)
