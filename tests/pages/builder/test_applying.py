"""Advice on a draft: applied it is the survey that was advised, and taken back it is the draft that it was."""

from __future__ import annotations

from dataclasses import replace

import pytest

from deniable.pages.builder.applying import applied, put_aside, taken_back
from deniable.pages.builder.cards import cards_of, contradicts
from deniable.pages.builder.draft import Draft
from deniable.pages.builder.learning import advice_on, example_of, nothing_known, outlook_of
from deniable.pages.builder.planned import survey_of
from deniable.pages.kinds.draft_question import DraftQuestion
from deniable.protocol.errors import ParameterError
from deniable.protocol.say import english

COUNCIL = Draft(
    title="Breaks",
    questions=(
        DraftQuestion("How do you come?", "one_of", ("car", "bus", "bike", "foot"), silence=True),
        DraftQuestion(),
        DraftQuestion("What do you use?", "any_of", ("a", "b", "c", "d", "e")),
        DraftQuestion("How long?", "number", low="0", high="60", unit="min"),
    ),
    people="120",
)


def test_each_option_that_is_applied_errs_as_was_said() -> None:
    options = advice_on(COUNCIL).options
    assert len(options) > 3
    for option in options:
        draft = applied(COUNCIL, option.key)
        made = survey_of(draft)
        assert made.questions == option.survey.questions
        assert made.arms == option.survey.arms
        assert outlook_of(draft).errors == option.errors
        assert Draft.from_json(draft.to_json()) == draft
        assert taken_back(draft) == COUNCIL


def test_what_is_kept_is_offered_as_cards_and_said_once_it_is_applied() -> None:
    told = advice_on(replace(COUNCIL, census=True))
    cards = cards_of(told, told.keeping)
    assert [english(card.title) for card in cards] == ["Keep all 3", "Keep 2", "One, exactly"]
    assert all(english(card.price).startswith("Price: a guess of 50 in 100 becomes ") for card in cards)
    assert all("Tells the first answer from the second if it is" in english(card.sees[-1]) for card in cards)
    draft = applied(replace(COUNCIL, census=True), cards[0].design.key)
    assert draft.applied == "Keep all 3"
    assert taken_back(draft) == replace(COUNCIL, census=True)


def test_a_smaller_error_with_a_larger_smallest_share_is_explained() -> None:
    asked = (replace(COUNCIL.questions[0], silence=False), *COUNCIL.questions[1:])
    told = advice_on(replace(COUNCIL, questions=asked, census=True))
    two, one = cards_of(told, told.keeping)[1:]
    assert [english(card.told[0]) for card in (two, one)] == ["± 10.8 points", "± 9.9 points"]
    assert [english(card.sees[0]) for card in (two, one)] == [
        "Shows shares from 11 in 100 up.", "Shows shares from 14 in 100 up.",
    ]  # fmt: skip
    assert contradicts([two, one])
    assert not contradicts([one])


def test_what_is_applied_twice_is_taken_back_at_once_and_what_was_typed_since_stays() -> None:
    draft = applied(COUNCIL, advice_on(COUNCIL).options[0].key)
    again = applied(draft, advice_on(draft).options[0].key)
    assert again.applied.startswith(draft.applied)
    assert taken_back(again) == COUNCIL
    assert taken_back(COUNCIL) == COUNCIL
    typed = replace(again, purpose="To agree on breaks.", closes="2030-01-01 8:00")
    assert taken_back(typed) == replace(COUNCIL, purpose="To agree on breaks.", closes="2030-01-01 8:00")


def test_questions_that_are_left_out_are_put_aside() -> None:
    option = next(each for each in advice_on(COUNCIL).options if len(each.survey.questions) == 1)
    draft = applied(COUNCIL, option.key)
    [kept] = draft.questions
    assert {kept.wording, *put_aside(draft)} == {"How do you come?", "What do you use?", "How long?"}
    assert put_aside(COUNCIL) == ()


def test_a_change_that_is_not_advised_is_refused() -> None:
    with pytest.raises(ParameterError, match="the change must be one that is advised"):
        applied(COUNCIL, "level:9")


def test_the_example_is_as_far_off_as_the_survey_may_be() -> None:
    fine = replace(COUNCIL, questions=COUNCIL.questions[:1], people="5000", epsilon="2")
    [row] = outlook_of(fine).rows
    shown = example_of(row)
    assert nothing_known(fine) == []
    assert len(nothing_known(COUNCIL)) == 3
    low, high = (round(100 * (0.3 + sign * row.error)) for sign in (-1, 1))
    assert abs(int(english(shown.words).split(" ")[1]) - low) <= 1
    assert abs(int(english(shown.words).split(" ")[3]) - high) <= 1
    assert [band.width for band in shown.row.bands] == sorted((band.width for band in shown.row.bands), reverse=True)


def test_a_list_that_becomes_a_yes_or_no_names_the_answer_that_it_is_about() -> None:
    used = DraftQuestion("What did you use this week?", "any_of", ("car", "bus", "bike", "train", "none"))
    draft = Draft(title="Ways", questions=(used,), people="120")
    option = next(each for each in advice_on(draft).options if "yes or no" in english(each.short))
    now = applied(draft, option.key)
    ((_, asked),) = now.asked
    assert (asked.wording, asked.kind, asked.answers) == ("What did you use this week: car?", "one_of", ("yes", "no"))
    assert put_aside(now) == ()
