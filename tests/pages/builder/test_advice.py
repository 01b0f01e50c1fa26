"""What a careful colleague would see in a survey before it goes out; advice that is applied, and taken back."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from deniable.pages.builder.advice import (
    advice_on,
    cards_of,
    cautions_of,
    contradicts,
    gentlest,
    lone_answer,
    overlapping,
    put_aside,
    same_words,
    spent_caps,
    with_advice,
    without_advice,
)
from deniable.pages.builder.draft import Draft
from deniable.pages.builder.draft_survey import survey_of
from deniable.pages.builder.form_views import learn_values
from deniable.pages.builder.outlook import example_of, nothing_known, outlook_of
from deniable.pages.builder.presets import example_in
from deniable.pages.kinds.draft_question import DraftQuestion
from deniable.protocol.errors import ParameterError
from deniable.protocol.say import english

AGES = DraftQuestion("How old?", "one_of", ("18-24", "25-30", "31+"))
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


@pytest.mark.parametrize(
    ("answers", "found"),
    [
        (("18-25", "25-30"), ("18-25", "25-30")),
        (("25-30", "18-25"), ("25-30", "18-25")),
        (("18 to 25", "40-50", "20 \N{EN DASH} 22"), ("18 to 25", "20 \N{EN DASH} 22")),
        (("60-69 years", "65+ years"), ("60-69 years", "65+ years")),
        (("1-99", "2-3", "90-100"), ("1-99", "2-3")),
        (("Car", "bus", " car"), ("Car", " car")),
        (("18-24", "25-30", "31+"), None),
        (("1-3 hours", "1-3 days"), None),
        (("2020-01", "2021-01"), None),
        (("a", "b", ""), None),
        (("9" * 5000 + "-1", "1-2"), None),
    ],
)
def test_answers_that_may_both_be_true_are_found(answers: tuple[str, ...], found: tuple[str, str] | None) -> None:
    assert overlapping(answers) == found


def test_thousands_of_answers_are_looked_through_at_once() -> None:
    answers = tuple(f"{2 * place}-{2 * place + 1}" for place in range(5000))
    begun = time.process_time()
    assert overlapping(answers) is None
    assert overlapping((*answers, "9999-10003")) == ("9998-9999", "9999-10003")
    assert time.process_time() - begun < 1  # pair by pair it takes many seconds


def test_ranges_may_overlap_where_any_number_of_answers_is_given() -> None:
    several = DraftQuestion("When?", "any_of", ("8-10", "9-12"))
    draft = Draft(title="t", questions=(several,), people="500")
    heads = {english(each.head) for each in cautions_of(draft)}
    assert "Overlapping answers." not in heads
    assert same_words(("a", "A")) == ("a", "A")


def test_texts_in_another_language_than_the_one_stated_are_found() -> None:
    asked = DraftQuestion("How do you come to work?", "one_of", ("by bus", "by car"))
    german = {asked.wording: "Wie kommen Sie zur Arbeit?", "by bus": "mit dem Bus", "by car": "mit dem Auto"}
    draft = Draft(title="Work", questions=(asked,), people="500", language="de")
    assert mistaken_of(draft) == ["The texts seem to be in English, and Deutsch is stated"]
    right = replace(draft, language="en-GB", translations={"de": german, "fr": german})
    assert mistaken_of(right) == []
    copied = replace(right, translations={"de": {text: text for text in german}})
    assert mistaken_of(copied) == ["The texts seem to be in English, and Deutsch is stated"]
    assert mistaken_of(replace(draft, language="")) == []


def mistaken_of(draft: Draft) -> list[str]:
    told = cautions_of(draft)
    return [english(each.rest).split(":")[0] for each in told if english(each.head) == "Another language is stated."]


def test_an_accent_may_be_stored_in_two_ways() -> None:
    assert same_words(("caf\N{LATIN SMALL LETTER E WITH ACUTE}", "tea", "Cafe\N{COMBINING ACUTE ACCENT}")) is not None
    assert same_words(("caf\N{LATIN SMALL LETTER E WITH ACUTE}", "cafe")) is None


def test_an_answer_alone_in_its_group_is_named() -> None:
    assert (
        lone_answer(replace(AGES, protected="blocks", groups={"18-24": "young", "25-30": "young", "31+": "old"}))
        == "31+"
    )
    assert lone_answer(replace(AGES, protected="blocks", groups={"18-24": "all", "25-30": "all", "31+": "all"})) is None
    assert lone_answer(replace(AGES, groups={"18-24": "a"})) is None


def test_who_spent_their_limit_on_an_earlier_survey_cannot_answer() -> None:
    first = survey_of(Draft(title="Ages", questions=(AGES,), people="500"))
    mended = survey_of(Draft(title="Ages", questions=(replace(AGES, wording="How old are you?"),), people="500"))
    other = survey_of(Draft(title="Other", questions=(AGES,), people="500"))
    assert spent_caps(first, []) == spent_caps(first, [first, other]) == []
    [caution] = spent_caps(mended, [first, other])
    assert "“Ages”" in english(caution.rest)


def test_each_option_that_is_applied_errs_as_was_said() -> None:
    options = advice_on(COUNCIL).options
    assert len(options) > 3
    for option in options:
        draft = with_advice(COUNCIL, option.key)
        made = survey_of(draft)
        assert made.questions == option.survey.questions
        assert made.arms == option.survey.arms
        assert outlook_of(draft).errors == option.errors
        assert Draft.from_json(draft.to_json()) == draft
        assert without_advice(draft) == COUNCIL


def test_what_is_kept_is_offered_as_cards_and_said_once_it_is_applied() -> None:
    told = advice_on(replace(COUNCIL, census=True))
    cards = cards_of(told, told.best_by_questions_kept)
    assert [english(card.title) for card in cards] == ["Keep all 3", "Keep 2", "One, exactly"]
    assert all(english(card.price).startswith("Price: a guess of 50 in 100 becomes ") for card in cards)
    assert all("Tells the first answer from the second if it is" in english(card.sees[-1]) for card in cards)
    draft = with_advice(replace(COUNCIL, census=True), cards[0].design.key)
    assert draft.applied == "Keep all 3"
    assert without_advice(draft) == replace(COUNCIL, census=True)


def test_a_smaller_error_with_a_larger_smallest_share_is_explained() -> None:
    asked = (replace(COUNCIL.questions[0], silence=False), *COUNCIL.questions[1:])
    told = advice_on(replace(COUNCIL, questions=asked, census=True))
    two, one = cards_of(told, told.best_by_questions_kept)[1:]
    assert [english(card.errors[0]) for card in (two, one)] == ["± 10.8 points", "± 9.9 points"]
    assert [english(card.sees[0]) for card in (two, one)] == [
        "Shows shares from 11 in 100 up.", "Shows shares from 14 in 100 up.",
    ]  # fmt: skip
    assert contradicts([two, one])
    assert not contradicts([one])


def test_what_is_applied_twice_is_taken_back_at_once_and_what_was_typed_since_stays() -> None:
    draft = with_advice(COUNCIL, advice_on(COUNCIL).options[0].key)
    again = with_advice(draft, advice_on(draft).options[0].key)
    assert again.applied.startswith(draft.applied)
    assert without_advice(again) == COUNCIL
    assert without_advice(COUNCIL) == COUNCIL
    typed = replace(again, purpose="To agree on breaks.", closes="2030-01-01 8:00")
    assert without_advice(typed) == replace(COUNCIL, purpose="To agree on breaks.", closes="2030-01-01 8:00")


def test_questions_that_are_left_out_are_put_aside() -> None:
    option = next(each for each in advice_on(COUNCIL).options if len(each.survey.questions) == 1)
    draft = with_advice(COUNCIL, option.key)
    [kept] = draft.questions
    assert {kept.wording, *put_aside(draft)} == {"How do you come?", "What do you use?", "How long?"}
    assert put_aside(COUNCIL) == ()


def test_a_change_that_is_not_advised_is_refused() -> None:
    with pytest.raises(ParameterError, match="the change must be one that is advised"):
        with_advice(COUNCIL, "level:9")


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
    now = with_advice(draft, option.key)
    ((_, asked),) = now.asked
    assert (asked.wording, asked.kind, asked.answers) == ("What did you use this week: car?", "one_of", ("yes", "no"))
    assert put_aside(now) == ()


def test_a_class_that_is_too_small_is_told_to_ask_more_before_it_protects_less() -> None:
    draft = replace(example_in("class", "en"), epsilon="1")
    outcome = learn_values(draft, [])["outcome"]
    first, *others = outcome["cards"]
    assert outcome["lost"]
    assert [change.kind for change in first.design.changes] == ["people"]
    assert 80 <= first.design.inputs.people == first.design.inputs.population <= 100
    assert first.is_urged
    assert others
    assert not any(card.is_urged for card in others), "what protects less never stands out"
    closer = with_advice(draft, first.design.key)
    assert (closer.people, closer.census, closer.epsilon) == (f"{first.design.inputs.people}", True, "1")
    assert not nothing_known(closer)


def test_of_each_kind_of_advice_one_is_shown_and_the_gentlest_first() -> None:
    shown = gentlest(advice_on(COUNCIL).options)
    kinds = [each.kind for each in shown]
    assert len(kinds) == len(set(kinds)) > 2
    weaker = [any(change.kind in ("level", "protected") for change in each.changes) for each in shown]
    assert weaker == sorted(weaker)
