"""Sentences that can be said in other languages: English text that keeps its words and what takes their places."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from deniable.protocol.say import language


class Phrase(NamedTuple):
    """Words to be said: those for one thing too, where there are such."""

    words: str
    one: str | None
    values: dict[str, Any]
    begins: bool = False
    """Whether it begins a sentence, and so with a capital letter."""


class Figure(str):
    """A number as it is written in English, with a point and commas, which pages can write in another language."""

    __slots__ = ()


class Sentence(str):
    """A sentence in English, which pages can say in another language.

    >>> sentence("{answers} of {planned} planned answers", answers=1214, planned=1800)
    '1,214 of 1,800 planned answers'
    """

    __slots__ = ("wanted",)
    wanted: Phrase


def sentence(words: str, /, one: str | None = None, **values: Any) -> Sentence:
    """Words with values for the places in them; ``one`` is what is said where ``count`` is 1.

    >>> sentence("{count} questions", one="{count} question", count=1)
    '1 question'
    """
    wording = words if one is None else {"one": one, "other": words}
    said = Sentence(language("en").worded(wording, values))
    said.wanted = Phrase(words, one, values)
    return said


def opening(said: Sentence) -> Sentence:
    """Words that begin a sentence, in each language with a capital letter.

    >>> opening(sentence("at most {most} in {base}", most=4, base=100))
    'At most 4 in 100'
    """
    begun = Sentence(f"{said[:1].upper()}{said[1:]}")
    begun.wanted = said.wanted._replace(begins=True)
    return begun


def joined(sentences: Iterable[Sentence]) -> Sentence:
    """Sentences one after the other.

    >>> joined([sentence("It rains."), sentence("Take a coat.")])
    'It rains. Take a coat.'
    """
    first, *others = sentences
    for other in others:
        first = sentence("{first} {then}", first=first, then=other)
    return first


def listed(things: Iterable[Sentence]) -> Sentence:
    """Several things in a row.

    >>> listed([sentence("bread"), sentence("salt")])
    'bread, salt'
    """
    first, *others = things
    for other in others:
        first = sentence("{first}, {then}", first=first, then=other)
    return first
