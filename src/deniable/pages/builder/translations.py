"""The languages of a draft: its texts beside what they are called in others, and which language they seem to be in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

from starlette.datastructures import FormData

from deniable.pages.builder.draft import Draft
from deniable.pages.builder.fields import Faults, read_text
from deniable.pages.kinds.kinds import kind_of
from deniable.pages.results.cautions import Caution
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
SHORT_WORDS: Final = {
    "de": re.compile(
        r"\b(?:auf|aus|bei|das|dem|den|der|einen?|für|haben|ich|ihnen|ihre?|im|ist|ja|kann|keine|mehr|mit|nach|nein|"
        r"nicht|oder|sich|sie|sind|und|von|werden|wie|wir|wird|zu|zum|zur)\b"
    ),
    "en": re.compile(
        r"\b(?:and|are|be|did|do|for|from|has|have|how|is|my|not?|of|or|than|that|the|this|to|we|what|when|where|which|"
        r"with|would|yes|your?)\b"
    ),
}
"""Words that are in nearly every sentence of a language and are none of the other."""
SURE: Final = 3
"""So many of them, and none of the other language, are no accident."""


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
    texts = [draft.title.strip(), draft.purpose.strip()]
    for _, question in draft.asked:
        texts += [question.wording.strip(), *question.asked_rows, *kind_of(question).texts(question)]
    return tuple(dict.fromkeys(text for text in texts if text))


def missing(draft: Draft, tag: str) -> list[str]:
    """The texts that are not translated into a language."""
    return [text for text in texts_of(draft) if not draft.translations[tag].get(text)]


def read_languages(draft: Draft, form: FormData) -> Draft:
    """The form of languages: that of the texts themselves, translations into others, and one more or less of these."""
    translations = {}
    for tag, before in draft.translations.items():
        typed = {text: read_text(form, f"text-{tag}-{place}") for place, text in enumerate(texts_of(draft))}
        translations[tag] = {text: translation for text, translation in {**before, **typed}.items() if translation}
    button, _, removed = str(form.get("do", "")).partition(" ")
    added = read_text(form, "tag")
    if button == "language-add" and is_tag(added) and len(translations) < MOST_LANGUAGES:
        translations.setdefault(added, {})
    if button == "language-remove":
        translations.pop(removed, None)
    tag = read_text(form, "language", draft.language)
    questions = tuple(each.silent_in(tag) for each in draft.questions) if tag != draft.language else draft.questions
    return replace(draft, language=tag, translations=translations, questions=questions)


def faults_of_languages(draft: Draft) -> Faults:
    """Why a draft cannot be opened in its languages."""
    if draft.language and not is_tag(draft.language):
        return {"language": Statement("choose_the_language_of_your_own")}
    if draft.translations and (not draft.language or draft.language in draft.translations):
        return {"language": Statement("say_in_which_language_your_own")}
    for tag in draft.translations:
        if lost := missing(draft, tag):
            fault = Statement("texts_are_missing", language=name_of(tag), count=len(lost))
            return {f"text-{tag}-{texts_of(draft).index(lost[0])}": fault}
    return {}


def terms_of_languages(draft: Draft, questions: list[Question]) -> dict[str, Any]:
    """The language of a survey, and its translations as far as they are whole, as a document has them."""
    if not is_tag(draft.language):
        return {}
    whole = {tag: own for tag, own in draft.translations.items() if tag != draft.language and not missing(draft, tag)}
    translations = {tag: _translated(draft, questions, own) for tag, own in whole.items()}
    return {"language": draft.language, "translations": translations or None}


def _translated(draft: Draft, questions: list[Question], translations: Mapping[str, str]) -> dict[str, Any]:
    """All texts of a survey in a language, as its document has them; ``translations`` are by the text translated."""

    def text(source: object) -> str:
        return translations.get(str(source).strip(), "")

    translated = {
        question.name: {
            name: [text(each) for each in value] if isinstance(value, list) else text(value)
            for name, value in question.words.to_json().items()
        }
        for question in questions
    }
    return {"title": text(draft.title), "purpose": text(draft.purpose), "questions": translated}


def translations_of(survey: Survey) -> dict[str, dict[str, str]]:
    """The translations of a survey, each text beside the one that it translates."""
    translations = {}
    for tag in survey.languages[1:]:
        own, texts = survey.own_words, survey.texts(tag)
        pairs = [(own.title, texts.title), (own.purpose, texts.purpose)]
        for name, question in own.questions.items():
            other = texts.questions[name]
            pairs += [(question.wording, other.wording), (question.unit, other.unit), (question.heading, other.heading)]
            pairs += [(str(one), str(two)) for one, two in zip(question.labels, other.labels, strict=True)]
        translations[tag] = {one: two for one, two in pairs if one}
    return translations


def language_of(texts: Iterable[str]) -> str:
    """The language of texts, of those that authors read; empty where it cannot be told.

    >>> language_of(["How do you come to work?"]), language_of(["Wie kommen Sie zur Arbeit?"]), language_of(["Bus"])
    ('en', 'de', '')
    """
    text = " ".join(texts).casefold()
    counts = {code: count for code, pattern in SHORT_WORDS.items() if (count := len(pattern.findall(text)))}
    return next(iter(counts)) if len(counts) == 1 and sum(counts.values()) >= SURE else ""


def mistaken_languages(draft: Draft) -> Iterator[Caution]:
    """Texts that a draft calls by another language than theirs, its own and each translation."""
    translations = [(tag, own.values()) for tag, own in draft.translations.items()]
    for tag, texts in ((draft.language, texts_of(draft)), *translations):
        stated, seeming = tag.lower().partition("-")[0], language_of(texts)
        if stated in SHORT_WORDS and seeming and seeming != stated:
            names = {"language": name_of(seeming), "stated": name_of(stated)}
            about = Statement("the_texts_seem_to_be_in_and_is_stated", **names)
            yield Caution(Statement("another_language_is_stated"), about)
