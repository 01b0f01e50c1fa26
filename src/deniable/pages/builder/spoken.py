"""In which language texts are, by a few short words: enough to see that a survey says another one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from deniable.pages.builder.draft import Draft
from deniable.pages.builder.wordings import name_of, texts_of
from deniable.pages.results.cautions import Caution
from deniable.protocol.say import Statement

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


def language_of(texts: Iterable[str]) -> str:
    """The language of texts, of those that authors read; empty where it cannot be told.

    >>> language_of(["How do you come to work?"]), language_of(["Wie kommen Sie zur Arbeit?"]), language_of(["Bus"])
    ('en', 'de', '')
    """
    text = " ".join(texts).casefold()
    found = {code: len(words.findall(text)) for code, words in SHORT_WORDS.items()}
    told = [code for code, count in found.items() if count]
    return told[0] if len(told) == 1 and found[told[0]] >= SURE else ""


def mistaken(draft: Draft) -> Iterator[Caution]:
    """Texts that a draft calls by another language than theirs, its own and each translation."""
    for tag, texts in ((draft.language, texts_of(draft)), *_translated(draft)):
        code, found = tag.lower().partition("-")[0], language_of(texts)
        if code in SHORT_WORDS and found and found != code:
            yield Caution(
                Statement("another_language_is_stated"),
                Statement(
                    "the_texts_seem_to_be_in_and_is_stated",
                    language=name_of(found),
                    stated=name_of(code),
                ),
            )


def _translated(draft: Draft) -> Iterator[tuple[str, Iterable[str]]]:
    yield from ((tag, own.values()) for tag, own in draft.translations.items())
