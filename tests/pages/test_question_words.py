"""The words of the question page: the same in every language, which follows what a browser accepts."""

from __future__ import annotations

import re

import pytest

from deniable.pages.question_words import CODES, WORDS, language_of


def places(said: str) -> set[str]:
    return {found.split(".")[0].split(":")[0] for found in re.findall(r"{(\w[^}]*)}", said)}


@pytest.mark.parametrize("code", CODES)
def test_every_language_says_all_with_the_same_places(code: str) -> None:
    own, reference = WORDS[code], WORDS["en"]
    assert set(own) == set(reference)
    assert {key: places(own[key]) for key in own} == {key: places(reference[key]) for key in reference}
    assert [key for key in own if not own[key].strip()] == []


@pytest.mark.parametrize(
    ("asked", "accepted", "wanted"),
    [
        (None, "", "en"),
        (None, "de", "de"),
        (None, "fr, de-CH;q=0.8, en;q=0.9", "en"),
        (None, "de;q=x, *;q=0.1", "de"),
        ("de-AT", "en", "de"),
        ("../de", "de", "de"),
    ],
)
def test_the_language_is_asked_for_or_accepted(asked: str | None, accepted: str, wanted: str) -> None:
    assert language_of(asked, accepted) == wanted
