"""What a label says of what leaves the device: of every question, in shares that are those of the mechanisms."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

import deniable as dn
from deniable.pages.label_sending import QuestionSending, sending_of
from deniable.protocol.questions.number import Block, Point
from deniable.protocol.questions.question import Question
from deniable.protocol.say import language

ENGLISH = language("en")
WAY = dn.OneOf("way", ["car", "bus", "bike", "foot"], wording="How do you come?")
LATE = dn.OneOf("late", ["yes", "no"], wording="Were you late?")
MINUTES = dn.Number("minutes", 0, 90, 10, "min", wording="How long?")
WORD = dn.Text("word", 8, wording="In a word?")
TOOLS = dn.AnyOf("tools", ["a", "b", "c", "d", "e"], wording="Which do you own?")
FAIR = dn.Scale("fair", ["no", "so so", "yes"], wording="Is it fair?")
ILL = dn.OneOf("ill", ["flu", "cold", "none"], sensitive=["flu"], wording="Were you ill?")


def sent(*questions: Question, epsilon: float = 2.0, **terms: Any) -> Mapping[str, QuestionSending]:
    """What is said of each question, by its wording."""
    found = sending_of(dn.Survey.plan("asked", list(questions), epsilon, 20000, **terms).label(), ENGLISH)
    return {wording: each for each in found.questions for wording in each.about}


def full(picture: str) -> int:
    """How many dots are full."""
    return picture.split('"/>', maxsplit=1)[0].count("M")


def test_every_question_has_a_picture_or_a_sentence_and_no_part_is_left_unexplained() -> None:
    survey = dn.Survey.plan("six", [WAY, LATE, MINUTES, WORD, TOOLS, FAIR], 2.0, 20000)
    found = sending_of(survey.label(), ENGLISH)
    said = {wording: each for each in found.questions for wording in each.about}
    assert list(said) == [question.wording for question in survey.questions]
    assert all(bool(each.figures) != bool(each.told) for each in said.values())
    assert f"The survey has {len(survey.arms)} parts." in found.parts
    counts = [sum(map(int, re.findall(r"(\d+) parts", each.parts))) or 1 for each in said.values()]
    assert sum(counts) == len(survey.arms)


def test_the_same_picture_is_drawn_once() -> None:
    again = dn.OneOf("again", list("abcd"), wording="And back?")
    found = sending_of(dn.Survey.plan("two", [WAY, again], 2.0, 20000).label(), ENGLISH)
    assert [each.about for each in found.questions] == [("How do you come?", "And back?")]


def test_of_one_answer_the_picture_has_the_chances_of_a_report() -> None:
    [own, other] = sent(LATE, epsilon=1.0)["Were you late?"].figures
    fits = 100 * math.e / (1 + math.e)
    assert f"{fits:.0f} send a report that fits it" in own.caption
    assert f"{100 - fits:.0f} send" in other.caption
    assert (full(own.picture), full(other.picture)) == (round(fits), 100 - round(fits))


def test_of_several_answers_it_has_how_often_a_label_that_was_asked_for_is_sent_as_ticked() -> None:
    found = sent(TOOLS)["Which do you own?"].figures
    survey = dn.Survey.plan("asked", [TOOLS], 2.0, 20000)
    mechanism = survey.arms[0].parts[0].mechanism
    assert isinstance(mechanism, dn.AskedItems)
    asked, rng = mechanism.together, np.random.default_rng(4)
    for figure, answer in zip(found, (["c"], []), strict=True):
        reports = mechanism.privatize_many([answer] * 40000, seed=int(rng.integers(100)))
        first, pattern = reports >> asked, reports & ((1 << asked) - 1)
        place = 2 - first.astype(int)
        of_it = (place >= 0) & (place < asked)
        ticked = (pattern[of_it] >> place[of_it].astype(pattern.dtype)) & 1
        assert full(figure.picture) == pytest.approx(100 * ticked.mean(), abs=2.5), "4 standard errors and the rounding"
    assert "asked about it by lot" in found[0].caption


def test_of_a_number_it_has_how_often_the_ends_of_its_scale_are_told_apart() -> None:
    [own, other] = sent(MINUTES)["How long?"].figures
    assert "the answer 0\N{NO-BREAK SPACE}min" in own.caption or "the answer 0 min" in own.caption
    shares = []
    for part in (arm.parts[0] for arm in dn.Survey.plan("asked", [MINUTES], 2.0, 20000).arms):
        rows = part.mechanism.channel().probabilities
        assert isinstance(part.encoder, Block | Point)
        last = part.encoder.blocks(9) - 1 if isinstance(part.encoder, Block) else part.encoder.points - 1
        shares.append(np.maximum(rows[0] - rows[last], 0).sum())
    assert full(own.picture) - full(other.picture) == pytest.approx(100 * max(shares), abs=1.1)


def test_of_own_words_it_says_why_there_is_no_picture() -> None:
    found = sent(WORD)["In a word?"]
    assert found.told.startswith("No picture: a device sends a mark that very many texts share")
    assert "the first 2, 4, 6, 8 characters, and the whole text" in found.parts


def test_where_no_report_fits_one_answer_guesses_are_drawn() -> None:
    [figure] = sent(ILL, epsilon=1.0)["Were you ill?"].figures
    assert "one of the protected answers" in figure.caption
    assert "at most 74 are right afterwards" in figure.caption


def test_what_bounds_no_guess_is_said_to() -> None:
    question = dn.OneOf("way", ["a", "b"], sensitive=["a"])
    part = dn.Part(question, dn.HighLowResponse(question.labels, ["a"], 15.0))
    found = sending_of(dn.Survey("useless", [question], [dn.Arm(part)]).label(), ENGLISH)
    assert [each.told for each in found.questions] == [
        "No picture: what is promised of this answer bounds no guess at it to speak of."
    ]


def test_crossed_answers_are_one_part_together() -> None:
    found = sent(WAY, LATE, cross=[("way", "late")])
    assert list(found) == ["How do you come? · Were you late?"]
    assert "one pair of answers" in found["How do you come? · Were you late?"].figures[0].caption


def test_remembered_reports_are_said_to_be_drawn_in_two_steps() -> None:
    survey = dn.Survey.plan("weekly", [LATE], 2.0, 500, period="week", repeat="remembered")
    found = sending_of(survey.label(), ENGLISH)
    assert found.parts.startswith("Each report is drawn in two steps: one draw that the device keeps for life")
    spans = {arm.span for arm in survey.audit().arms}
    assert len(spans) == 2, "two levels, as it says"
