"""Pages for authors in other languages: nothing is missing, nothing is left over, and each page is in one language."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from deniable.pages.translation import OWN, codes, translation
from deniable.sentence import sentence
from tests.pages.translated import words

import deniable as dn
from deniable.protocol.say import PLACE, Wording

SPAN = r"\d+(,\d+)? bis \d+(,\d+)?"
TAG = re.compile(r"</?\w+[^>]*>")
OTHERS = [code for code in codes() if code != OWN]


def forms(wording: Wording) -> list[str]:
    return [wording] if isinstance(wording, str) else list(wording.values())


@pytest.mark.parametrize("code", OTHERS)
def test_a_language_says_all_words_and_no_others(code: str) -> None:
    told = translation(code).wordings
    assert sorted(words() - told.keys()) == [], f"missing in sentences/{code}.json"
    assert sorted(told.keys() - words()) == [], f"unused in sentences/{code}.json"


@pytest.mark.parametrize("code", OTHERS)
def test_a_translation_has_the_places_and_the_markup_of_its_words(code: str) -> None:
    for own, wording in translation(code).wordings.items():
        for form in forms(wording):
            assert set(PLACE.findall(form)) <= {*PLACE.findall(own), ("count", "")}, own
            assert Counter(TAG.findall(form)) == Counter(TAG.findall(own)), own
            assert form, own


def test_changes_of_numbers_are_said_in_german() -> None:
    """One period against another, where the mean and the quartiles of a number, or the mean of a scale, are told."""
    survey = dn.Survey.plan(
        "wege", [dn.Number("dauer", 0, 90, 10, "min"), dn.Scale("fair", 5)], 4.0, 9000, period="day"
    )
    given = [{"dauer": [low, low + 20] * 2000, "fair": [fair, 3] * 2000} for low, fair in ((10, 1), (30, 4))]
    changes = dn.change([survey.estimate(survey.tally(survey.answer_many(each, seed=1))) for each in given])
    told = translation("de").told
    said = rf"Der Mittelwert stieg um {SPAN} min, von dem ersten Tag zu dem letzten Tag\."
    assert re.fullmatch(said, told(changes["dauer"].sentence))
    assert [told(label) for label in changes["dauer"].labels][:2] == ["Mittelwert", "Ein Viertel liegt bei höchstens"]
    assert re.fullmatch(rf"Der Mittelwert auf der Skala liegt höher, um {SPAN}\.", told(changes["fair"].notes[0]))


def test_a_sentence_is_english_and_can_be_said_in_german() -> None:
    said = sentence("{count} people", one="{count} person", count=1200)
    assert (said, translation("de").told(said)) == ("1,200 people", "1.200 Menschen")
    assert translation("de").told("as it is") == "as it is"
