"""Translations stand beside the texts that they translate, and a survey has all of them or is not asked."""

from __future__ import annotations

from dataclasses import replace

import pytest
from starlette.datastructures import FormData

from deniable.pages.builder.draft import Draft
from deniable.pages.builder.draft_survey import draft_of, survey_of
from deniable.pages.builder.editing import edited
from deniable.pages.builder.translations import faults_of_languages, missing, read_languages, texts_of
from deniable.pages.kinds.draft_question import DraftQuestion
from deniable.protocol.say import english

DRAFT = Draft(
    title="Breaks",
    purpose="To agree on breaks.",
    questions=(
        DraftQuestion("Do you take it?", answers=("yes", "no"), silence=True),
        DraftQuestion("How long?", "number", low="0", high="60", unit="min"),
    ),
    people="5000",
    language="en",
    translations={"de": {}},
)
GERMAN = ("Pausen", "Damit wir uns einigen.", "Machst du sie?", "ja", "nein", "Keine Angabe", "Wie lange?", "Min.")


def translated(*texts: str, **fields: str) -> Draft:
    return read_languages(DRAFT, FormData([*((f"text-de-{n}", text) for n, text in enumerate(texts)), *fields.items()]))


def test_a_survey_has_all_texts_in_each_of_its_languages() -> None:
    draft = translated(*GERMAN)
    assert texts_of(draft)[:5] == ("Breaks", "To agree on breaks.", "Do you take it?", "yes", "no")
    assert missing(draft, "de") == []
    assert faults_of_languages(draft) == {}
    survey = survey_of(draft)
    assert survey.languages == ("en", "de")
    german = survey.texts("de")
    assert (german.title, german.purpose) == GERMAN[:2]
    yes_no, minutes = german.questions.values()
    assert (yes_no.wording, yes_no.labels) == ("Machst du sie?", ("ja", "nein", "Keine Angabe"))
    assert (minutes.wording, minutes.unit) == ("Wie lange?", "Min.")
    assert draft_of(survey).translations == draft.translations
    assert Draft.from_json(draft.to_json()) == draft


def test_texts_that_move_keep_their_translations_and_texts_that_change_need_new_ones() -> None:
    draft = translated(*GERMAN)
    moved = edited(draft, "down 0")
    assert moved is not None
    assert missing(moved.draft, "de") == []
    other = replace(draft, questions=(replace(draft.questions[0], answers=("yes", "never")), draft.questions[1]))
    assert missing(other, "de") == ["never"]
    assert {field: english(said) for field, said in faults_of_languages(other).items()} == {
        "text-de-4": "Deutsch: 1 text is missing."
    }
    assert survey_of(other).languages == ("en",), "what can be planned before all is translated"


@pytest.mark.parametrize(("language", "wrong"), [("en", False), ("", True), ("de", True), ("Deutsch", True)])
def test_the_language_of_the_texts_themselves_must_be_another(language: str, wrong: bool) -> None:
    draft = replace(translated(*GERMAN), language=language)
    assert ("language" in faults_of_languages(draft)) == wrong


def test_languages_are_added_by_their_tags_and_removed() -> None:
    assert set(translated(tag="tr", do="language-add").translations) == {"de", "tr"}
    assert set(translated(tag="tr").translations) == {"de"}, "which is still being typed"
    assert set(translated(tag="Türkisch", do="language-add").translations) == {"de"}
    assert translated(do="language-remove de").translations == {}
    assert survey_of(replace(DRAFT, translations={}, language="")).language is None


def test_the_answer_of_those_who_do_not_want_to_say_follows_the_language_until_its_author_writes_another() -> None:
    german = read_languages(replace(DRAFT, translations={}), FormData([("language", "de-CH")]))
    assert german.questions[0].labels == ("yes", "no", "Das möchte ich lieber nicht sagen")
    own = replace(DRAFT, questions=(replace(DRAFT.questions[0], silent="No comment"),))
    assert read_languages(own, FormData([("language", "fr")])).questions[0].labels == ("yes", "no", "No comment")
