"""What people are handed: who asks, until when, promises that follow from the survey, and what is sent to them."""

from __future__ import annotations

import datetime
import zoneinfo
from typing import Any

import pytest

import deniable as dn
from deniable.pages.handing.handout import MERGE_FIELD, Handout
from deniable.pages.zones import local_moment
from deniable.protocol.say import english, language

LINK, SHORT = "https://surveys.example/q/5fa1", "surveys.example/to/5fa1c2d8"
BERLIN = zoneinfo.ZoneInfo("Europe/Berlin")
NOW = datetime.datetime(2026, 11, 26, 12, 0, tzinfo=datetime.UTC)
YES_NO = dn.OneOf("ill", ["yes", "no"], wording="Are you ill?")
WAYS = dn.OneOf("way", ["car", "bus", "bike"], wording="How do you come?")


def handout(survey: dn.Survey, code: str = "en", invited: bool = False, tag: str | None = None) -> Handout:
    return Handout(language(code), survey, tag, BERLIN, NOW, invited, LINK, SHORT)


def planned(*questions: Any, epsilon: float = 1.0, **terms: Any) -> dn.Survey:
    return dn.Survey.plan("a-survey", questions, epsilon, 500, **{"title": "A survey", "owner": "The council", **terms})


def test_the_only_question_is_the_headline_and_of_several_the_title() -> None:
    assert handout(planned(YES_NO)).headline == "Are you ill?"
    assert handout(planned(YES_NO, WAYS)).headline == "A survey"
    assert handout(planned(dn.OneOf("ill", ["yes", "no"]))).headline == "A survey"
    assert handout(planned(YES_NO, WAYS, title="")).headline == "a-survey"


def test_dates_are_those_of_the_author_s_clock_with_its_place() -> None:
    survey = planned(YES_NO, WAYS, opens="2026-12-01T07:00:00Z", closes="2027-07-01T18:00:00Z")
    opens, closes = "1 December 2026, 8:00 (Berlin time)", "1 July 2027, 20:00 (Berlin time)"
    assert handout(survey).terms == f"2 questions, from {opens}, until {closes}"
    assert handout(survey, "de").times[1] == "bis 1. Juli 2027, 20:00 Uhr (Zeit in Berlin)"
    begun = planned(YES_NO, opens="2026-11-01T07:00:00Z")
    assert handout(begun).terms == "1 question", "that it has begun need not be said"


def test_a_moment_without_a_known_place_says_so() -> None:
    assert english(local_moment(NOW, datetime.UTC)) == "26 November 2026, 12:00 UTC"


@pytest.mark.parametrize(
    ("epsilon", "hint", "most"),
    [
        (1.0, "What is sent is a weak hint.", "74"),
        (2.0, "What is sent is a hint, and no proof.", "89"),
        (3.0, "What is sent is a strong hint.", "96"),
        (8.0, "What is sent nearly tells the answer.", "99.97"),
    ],
)
def test_the_promise_is_that_of_the_survey_rounded_up(epsilon: float, hint: str, most: str) -> None:
    found = handout(planned(WAYS, epsilon=epsilon))
    assert found.promise.endswith(hint)
    assert found.guess == f"A guess of 50 in 100 becomes {most} at most."


def test_of_answers_that_come_again_the_promise_is_that_of_all_of_them() -> None:
    found = handout(planned(WAYS, period="week", repeat="fresh", cap=2.0))
    assert found.guess == "A guess of 50 in 100 becomes 89 at most."
    assert "you can answer every week" in found.once
    assert "you can answer once" in handout(planned(WAYS)).once


def test_what_is_protected_in_part_is_promised_nothing() -> None:
    part = dn.OneOf("ill", ["yes", "no", "perhaps"], sensitive=["yes"], wording="Are you ill?")
    found = handout(planned(part))
    assert found.guess == "A guess at some answers can become certain."
    assert "weak hint" not in found.promise
    assert "may tell some answers for certain" in found.promise
    assert "how well the others are protected stands on the privacy label" in found.message


def test_hardly_any_protection_is_not_praised() -> None:
    for epsilon, guess in ((14.5, "can become nearly certain"), (13.5, "becomes 99.9999 at most")):
        message = handout(planned(YES_NO, epsilon=epsilon)).message
        assert "What is sent nearly tells the answer." in message
        assert guess in message


def test_one_of_two_answers_is_a_picture_of_100_people() -> None:
    picture = handout(planned(YES_NO)).picture
    assert picture is not None
    assert picture.caption == "Of 100 people who answer “<bdi>no</bdi>”, 27 send “<bdi>yes</bdi>” all the same."
    assert picture.picture.count("h0") == 100 + 73, "73 of them are hollow"
    assert handout(planned(WAYS)).picture is None
    assert handout(planned(YES_NO, WAYS)).picture is None


def test_what_others_wrote_stands_apart_and_can_be_no_markup() -> None:
    labels = ["نعم", "<b>"]
    picture = handout(planned(dn.OneOf("ill", labels, wording="?"))).picture
    assert picture is not None
    assert "“<bdi>&lt;b&gt;</bdi>”" in picture.caption
    assert "“<bdi>نعم</bdi>”" in picture.caption
    assert handout(planned(YES_NO, owner="<i>Council</i>")).asker == "<bdi>&lt;i&gt;Council&lt;/i&gt;</bdi> asks"
    assert handout(planned(YES_NO, owner="")).asker == ""


def test_a_survey_in_several_languages_is_handed_out_in_each() -> None:
    asked = {"ill": {"wording": "Sind Sie krank?", "labels": ["ja", "nein"]}}
    translations = {"de": {"title": "Eine Umfrage", "purpose": "", "questions": asked}}
    survey = planned(YES_NO, language="en", translations=translations)
    found = handout(survey, "de", tag="de")
    assert (found.headline, found.title) == ("Sind Sie krank?", "Eine Umfrage")
    assert "Sind Sie krank?" in found.message
    assert found.picture is not None
    assert "„<bdi>nein</bdi>“" in found.picture.caption
    assert handout(survey, "en", tag="en").headline == "Are you ill?"


@pytest.mark.parametrize("code", ["en", "de"])
def test_a_message_has_the_link_or_a_field_for_it(code: str) -> None:
    survey = planned(YES_NO)
    for text in (handout(survey, code).message, handout(survey, code).reminder):
        assert text.endswith(LINK)
        assert text.startswith("The council")
    invited = handout(survey, code, invited=True)
    assert MERGE_FIELD in invited.message
    assert LINK not in invited.message + invited.reminder, "nobody could use it"
