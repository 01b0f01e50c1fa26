"""Texts in another language: each English one has a pattern in a table, with places for what differs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

ENGLISH: Final = "en"
ROOM: Final = files("deniable.pages")
PLACE: Final = re.compile(r"{(\w+)}")
NUMBERS: Final = {"before", "cap", "count", "day", "factor", "least", "level", "most", "other", "share", "year"}
NUMBER: Final = r"(?:e\^)?\d[\d.,]*(?:e[+-]?\d+)?%?|inf"
WORDS: Final = {"word": r"[\w-]+", "questions": r"[\w-]+(?: and [\w-]+)*"}
RAW: Final = {"mechanism", "name", "time", "topic", "word"}
"""Words of the survey or of its mathematics, which are the same in every language; all other places are texts again."""
POINTS: Final = str.maketrans({".": ",", ",": ".", "%": "\N{NO-BREAK SPACE}%"})
Forms = dict[str, str]


class Pattern(NamedTuple):
    """An English text with places, and its forms in another language: that of one, and of any other count."""

    english: re.Pattern[str]
    forms: Forms


class Translation:
    """Says English texts in another language; a text that it does not know stays as it is."""

    def __init__(self, code: str) -> None:
        self.code = code
        self._patterns = [] if code == ENGLISH else list(_patterns(code))

    def __call__(self, text: str) -> str:
        """The text in this language."""
        for pattern in self._patterns:
            if found := pattern.english.fullmatch(text):
                return self._said(pattern, found.groupdict())
        return text

    def _said(self, pattern: Pattern, values: dict[str, str]) -> str:
        form = pattern.forms["one" if values.get("count") == "1" and "one" in pattern.forms else "other"]
        return PLACE.sub(lambda place: self._value(place[1], values[place[1]]), form)

    def _value(self, place: str, value: str) -> str:
        if place in NUMBERS:
            return value.translate(POINTS)
        return value if place in RAW else self(value)


@cache
def translation_to(code: str) -> Translation:
    """The translation to a language."""
    return Translation(code)


def _patterns(code: str) -> Iterator[Pattern]:
    """Those of the label's sentences, which the client has too, then those of pages; exact texts first."""
    sentences = json.loads((ROOM / "static" / "sentences.json").read_text(encoding="utf-8"))
    pairs = [(own, sentences[code][key]) for key, own in sentences[ENGLISH].items()]
    pairs += json.loads((ROOM / "languages" / f"label.{code}.json").read_text(encoding="utf-8")).items()
    found = [(form, _meant(_forms(said), own, which)) for own, said in pairs for which, form in _forms(own).items()]
    for form, said in sorted(found, key=lambda pair: len(PLACE.findall(pair[0]))):
        yield Pattern(re.compile(_expression(form), re.DOTALL), said)


def _meant(forms: Forms, own: Any, which: str) -> Forms:
    """The forms that an English text may become: where that has several itself, the same one."""
    return forms if isinstance(own, str) else {"other": forms.get(which, forms["other"])}


def _forms(said: Any) -> Forms:
    return {"other": said} if isinstance(said, str) else said


def _expression(form: str) -> str:
    """What matches a text with any values in its places; a place that comes again has the same value."""
    seen: set[str] = set()
    parts = []
    for number, part in enumerate(PLACE.split(form)):
        if number % 2 == 0:
            parts.append(re.escape(part))
        elif part in seen:
            parts.append(f"(?P={part})")
        else:
            parts.append(f"(?P<{part}>{NUMBER if part in NUMBERS else WORDS.get(part, '.*?')})")
            seen.add(part)
    return "".join(parts)
