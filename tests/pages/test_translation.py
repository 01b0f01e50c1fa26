"""Pages for authors in other languages: nothing is missing, nothing is left over, and each page is in one language."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from tests.pages.translated import words

from deniable.pages.translation import OWN, codes, translation
from deniable.protocol.say import PLACE, Wording
from deniable.sentence import sentence

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


def test_a_sentence_is_english_and_can_be_said_in_german() -> None:
    said = sentence("{count} people", one="{count} person", count=1200)
    assert (said, translation("de").told(said)) == ("1,200 people", "1.200 Menschen")
    assert translation("de").told("as it is") == "as it is"
