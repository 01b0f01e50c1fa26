"""The texts of a draft in other languages, each beside the text that it translates: texts that move keep theirs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

from starlette.datastructures import FormData

from deniable.pages.builder.draft import Draft
from deniable.pages.builder.fields import Faults, words
from deniable.pages.kinds.kinds import kind_of
from deniable.protocol.errors import ParameterError
from deniable.protocol.questions.question import Question
from deniable.protocol.say import Statement
from deniable.protocol.surveys.translations import check_language
from deniable.surveys.survey import Survey

NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "ar": "العربية", "bg": "Български", "cs": "Čeština", "da": "Dansk", "de": "Deutsch", "el": "Ελληνικά",
        "en": "English", "es": "Español", "fa": "فارسی", "fi": "Suomi", "fr": "Français", "hr": "Hrvatski",
        "hu": "Magyar", "it": "Italiano", "ja": "日本語", "nl": "Nederlands", "pl": "Polski", "pt": "Português",
        "ro": "Română", "ru": "Русский", "sv": "Svenska", "tr": "Türkçe", "uk": "Українська", "zh-Hans": "简体中文",
    }
)  # fmt: skip
"""Languages to choose from, by what their readers call them; others are written by their tags."""
MOST_LANGUAGES: Final = 10


def name_of(tag: str) -> str:
    """A language as its readers call it; its tag where that is not known here."""
    return NAMES.get(tag, tag)


def is_tag(tag: str) -> bool:
    """Whether a text is the tag of a language."""
    try:
        return bool(check_language(tag))
    except ParameterError:
        return False


def texts_of(draft: Draft) -> tuple[str, ...]:
    """All that people read of a draft, each text once."""
    found = [draft.title.strip(), draft.purpose.strip()]
    for _, asked in draft.asked:
        listed = asked.labels if kind_of(asked).fields == "answers" else ()
        unit = asked.unit.strip() if kind_of(asked).fields == "scale" else ""
        found += [asked.wording.strip(), *listed, unit]
    return tuple(dict.fromkeys(text for text in found if text))


def missing(draft: Draft, tag: str) -> list[str]:
    """The texts that are not translated into a language."""
    return [text for text in texts_of(draft) if not draft.translations[tag].get(text)]


def read_languages(draft: Draft, form: FormData) -> Draft:
    """The form of languages: the one of the texts themselves, translations, and one language more."""
    found = {}
    for tag, own in draft.translations.items():
        typed = {text: words(form, f"text-{tag}-{place}") for place, text in enumerate(texts_of(draft))}
        found[tag] = {text: told for text, told in {**own, **typed}.items() if told}
    name, _, left = str(form.get("do", "")).partition(" ")
    more = words(form, "tag")
    if name == "language-add" and is_tag(more) and len(found) < MOST_LANGUAGES:
        found.setdefault(more, {})
    if name == "language-remove":
        found.pop(left, None)
    tag = words(form, "language", draft.language)
    questions = tuple(each.silent_in(tag) for each in draft.questions) if tag != draft.language else draft.questions
    return replace(draft, language=tag, translations=found, questions=questions)


def faults_of_languages(draft: Draft) -> Faults:
    """Why a draft cannot be opened in its languages."""
    if draft.language and not is_tag(draft.language):
        return {"language": Statement("choose_the_language_of_your_own")}
    if draft.translations and (not draft.language or draft.language in draft.translations):
        return {"language": Statement("say_in_which_language_your_own")}
    for tag in draft.translations:
        if lost := missing(draft, tag):
            told = Statement(
                "texts_are_missing",
                language=name_of(tag), count=len(lost),
            )  # fmt: skip
            return {f"text-{tag}-{texts_of(draft).index(lost[0])}": told}
    return {}


def terms_of_languages(draft: Draft, questions: list[Question]) -> dict[str, Any]:
    """The language of a survey, and its translations as far as they are whole, as a document has them."""
    if not is_tag(draft.language):
        return {}
    whole = {tag: own for tag, own in draft.translations.items() if tag != draft.language and not missing(draft, tag)}
    told = {tag: _translated(draft, questions, own) for tag, own in whole.items()}
    return {"language": draft.language, "translations": told or None}


def _translated(draft: Draft, questions: list[Question], own: Mapping[str, str]) -> dict[str, Any]:
    def text(source: object) -> str:
        return own.get(str(source).strip(), "")

    asked = {}
    for question in questions:
        fields = question.words.to_json()
        asked[question.name] = {
            name: [text(each) for each in value] if isinstance(value, list) else text(value)
            for name, value in fields.items()
        }
    return {"title": text(draft.title), "purpose": text(draft.purpose), "questions": asked}


def translations_of(survey: Survey) -> dict[str, dict[str, str]]:
    """The translations of a survey, each text beside the one that it translates."""
    found = {}
    for tag in survey.languages[1:]:
        own, told = survey.own_words, survey.texts(tag)
        pairs = [(own.title, told.title), (own.purpose, told.purpose)]
        for name, words_of in own.questions.items():
            other = told.questions[name]
            pairs += [(words_of.wording, other.wording), (words_of.unit, other.unit)]
            pairs += [(str(one), str(two)) for one, two in zip(words_of.labels, other.labels, strict=True)]
        found[tag] = {one: two for one, two in pairs if one}
    return found
