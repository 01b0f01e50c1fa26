"""Pages for authors in English and in other languages.

The English words stand where they are used, in templates between ``trans`` and ``endtrans`` and in Python as a
``Sentence``; ``sentences/CODE.json`` says each of them in another language. What has no translation is said in English.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, cached_property
from importlib.resources import files
from typing import Any, Final

from markupsafe import Markup, escape

from deniable.protocol.canonical import strict_json
from deniable.protocol.say import Language, Wording
from deniable.sentence import Figure, Phrase, Sentence

Told = Callable[[Any], str]
"""Says a sentence or a number in the language of who reads."""
HOME: Final = files("deniable.pages") / "sentences"
OWN: Final = "en"
"""The language in which templates and sentences are written."""
INTERPOLATED: Final = re.compile(r"%(?:\((\w+)\)s|%)")
"""How Jinja writes a place and a per cent sign in the words between ``trans`` and ``endtrans``."""


class Translation(Language):
    """What authors read in a language; numbers, days and months as ``wire/sentences`` writes them in it."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        file = HOME / f"{code}.json"
        self.wordings: dict[str, Wording] = strict_json(file.read_text(encoding="utf-8")) if code != OWN else {}
        """By the English words, those of this language."""

    def said(self, wanted: Phrase) -> str:
        """Words with their values."""
        text = self.worded(self._wording(wanted), wanted.values)
        return f"{text[:1].upper()}{text[1:]}" if wanted.begins else text

    def told(self, text: Any) -> Any:
        """A sentence or a number in this language; anything else stays what it is."""
        if isinstance(text, Sentence):
            return self.said(text.wanted)
        return text.translate(self._marks) if isinstance(text, Figure) else text

    @cached_property
    def _marks(self) -> dict[int, str]:
        """The marks of this language in the place of the English ones."""
        return str.maketrans({",": self.table["group"], ".": self.table["point"]})

    def marked(self, wanted: Phrase) -> Markup:
        """Words of a template, which are HTML, with values that are escaped unless they are HTML."""
        values = {name: self._escaped(value) for name, value in wanted.values.items()}
        return Markup(self.worded(self._wording(wanted), values))

    def _escaped(self, value: Any) -> Any:
        return escape(self.told(value)) if isinstance(value, str) else value

    def _wording(self, wanted: Phrase) -> Wording:
        own = wanted.words if wanted.one is None else {"one": wanted.one, "other": wanted.words}
        return self.wordings.get(wanted.words, own)

    def _written(self, value: Any, kind: str | None) -> str:
        return super()._written(self.told(value), kind)

    # --- as Jinja calls it: between trans and endtrans, and for each value of a template ------------------------------

    def gettext(self, message: str, **values: Any) -> Markup:
        """Words of a template."""
        return self.marked(Phrase(words_of(message), None, values))

    def ngettext(self, one: str, other: str, num: int, **values: Any) -> Markup:
        """Words of a template that has others for one thing."""
        return self.marked(Phrase(words_of(other), words_of(one), {"count": num, **values}))

    def number(self, value: int) -> str:
        """A whole number as people write it."""
        return self._written(value, None)


def words_of(message: str) -> str:
    """The words of a template, with places as sentences have them.

    >>> words_of("%(count)s of 100%%")
    '{count} of 100%'
    """
    return INTERPOLATED.sub(lambda found: "%" if found[1] is None else f"{{{found[1]}}}", message)


@cache
def translation(code: str) -> Translation:
    """What authors read in a language."""
    return Translation(code)


def codes() -> list[str]:
    """The languages in which authors can read."""
    return sorted([OWN, *(file.name.removesuffix(".json") for file in HOME.iterdir() if file.name.endswith(".json"))])
