"""What a careful colleague would see in a survey before it goes out."""

from __future__ import annotations

import dataclasses
import time

import pytest

from deniable.pages.builder.advice import advice, alone, overlapping, same_words, shut_out
from deniable.pages.builder.draft import Draft
from deniable.pages.builder.planned import survey_of
from deniable.pages.kinds.draft_question import DraftQuestion
from deniable.protocol.say import english

AGES = DraftQuestion("How old?", "one_of", ("18-24", "25-30", "31+"))


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
    heads = {english(each.head) for each in advice(draft)}
    assert "Overlapping answers." not in heads
    assert same_words(("a", "A")) == ("a", "A")


def test_texts_in_another_language_than_the_one_stated_are_found() -> None:
    asked = DraftQuestion("How do you come to work?", "one_of", ("by bus", "by car"))
    german = {asked.wording: "Wie kommen Sie zur Arbeit?", "by bus": "mit dem Bus", "by car": "mit dem Auto"}
    draft = Draft(title="Work", questions=(asked,), people="500", language="de")
    assert mistaken_of(draft) == ["The texts seem to be in English, and Deutsch is stated"]
    right = dataclasses.replace(draft, language="en-GB", translations={"de": german, "fr": german})
    assert mistaken_of(right) == []
    copied = dataclasses.replace(right, translations={"de": {text: text for text in german}})
    assert mistaken_of(copied) == ["The texts seem to be in English, and Deutsch is stated"]
    assert mistaken_of(dataclasses.replace(draft, language="")) == []


def mistaken_of(draft: Draft) -> list[str]:
    told = advice(draft)
    return [english(each.rest).split(":")[0] for each in told if english(each.head) == "Another language is stated."]


def test_an_accent_may_be_stored_in_two_ways() -> None:
    assert same_words(("caf\N{LATIN SMALL LETTER E WITH ACUTE}", "tea", "Cafe\N{COMBINING ACUTE ACCENT}")) is not None
    assert same_words(("caf\N{LATIN SMALL LETTER E WITH ACUTE}", "cafe")) is None


def test_an_answer_alone_in_its_group_is_named() -> None:
    assert (
        alone(dataclasses.replace(AGES, protected="blocks", groups={"18-24": "young", "25-30": "young", "31+": "old"}))
        == "31+"
    )
    assert (
        alone(dataclasses.replace(AGES, protected="blocks", groups={"18-24": "all", "25-30": "all", "31+": "all"}))
        is None
    )
    assert alone(dataclasses.replace(AGES, groups={"18-24": "a"})) is None


def test_who_spent_their_limit_on_an_earlier_survey_cannot_answer() -> None:
    first = survey_of(Draft(title="Ages", questions=(AGES,), people="500"))
    mended = survey_of(
        Draft(title="Ages", questions=(dataclasses.replace(AGES, wording="How old are you?"),), people="500")
    )
    other = survey_of(Draft(title="Other", questions=(AGES,), people="500"))
    assert shut_out(first, []) == shut_out(first, [first, other]) == []
    [caution] = shut_out(mended, [first, other])
    assert "“Ages”" in english(caution.rest)
