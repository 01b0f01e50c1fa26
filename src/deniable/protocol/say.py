"""Statements, and how they are said in a language: words, plural forms and numbers stand in `wire/sentences`.

A statement is what is said whatever the language: a key, and values for the places in its words. How a place writes its
value stands in the place, as in `{level:factor}`; see wire/sentences.md.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from decimal import ROUND_CEILING, Context, Decimal
from functools import cache, cached_property
from importlib.resources import files
from typing import Any, NamedTuple, TypeAlias

from .errors import FormatError

READABLE = 14.0
"""Beyond e^14, 1.2 million, a factor is written as a power: its digits say nothing to anybody."""
PLACE = re.compile(r"{(\w+)(?::(\w+))?}")
HOME = files(__package__) / "sentences"
SAID = ("label", "mechanism", "pages")
"""The sections whose keys statements have: each key stands in one of them."""
Wording: TypeAlias = "str | Mapping[str, str]"


class Statement(NamedTuple):
    """What is said: the key of the words, and what takes the places in them."""

    key: str
    values: Mapping[str, Any] = {}
    """Statements, texts, whole numbers, and for places of a kind other numbers."""


class Language:
    """One file of `wire/sentences`."""

    def __init__(self, code: str) -> None:
        try:
            self.table: dict[str, Any] = json.loads(_text(f"{code}.json"))
        except (OSError, ValueError):
            raise FormatError(
                f"{HOME / code}.json must be wire/sentences/{code}.json, or a link to it, got another file"
            ) from None
        self.code = code
        self.name: str = self.table["name"]

    def __call__(self, statement: Statement | str, **values: Any) -> str:
        """A statement in this language; one of which only the key is given has these values."""
        said = Statement(statement, values) if isinstance(statement, str) else statement
        return self.worded(self._words[said.key], said.values)

    def worded(self, wording: Wording, values: Mapping[str, Any]) -> str:
        """Words with their values."""
        return PLACE.sub(lambda place: self._written(values[place[1]], place[2]), self.form(wording, values))

    def form(self, wording: Wording, values: Mapping[str, Any]) -> str:
        """The words for these values, of plural forms the one for ``count``."""
        one = not isinstance(wording, str) and "one" in wording and values["count"] == 1
        return wording if isinstance(wording, str) else wording["one" if one else "other"]

    @cached_property
    def _words(self) -> dict[str, Wording]:
        return {key: wording for section in SAID for key, wording in self.table[section].items()}

    def _written(self, value: Any, kind: str | None) -> str:
        """A value in its place."""
        if isinstance(value, Statement):
            return self(value)
        if isinstance(value, str):
            return value
        if kind is None:
            return f"{value:,}".replace(",", self.table["group"])
        digits = KINDS[kind](value).replace(".", self.table["point"])
        return self.table["percent"].replace("{number}", digits) if kind in SHARES else digits


def _text(name: str) -> str:
    """The text of a file; in a checkout without symbolic links it holds the path of another, whose text it is."""
    text = (HOME / name).read_text(encoding="utf-8")
    return text if text.startswith("{") else (HOME / text.strip()).read_text(encoding="utf-8")


@cache
def language(code: str) -> Language:
    """A language by its code."""
    return Language(code)


def codes() -> list[str]:
    """The languages that there are."""
    return sorted(file.name.removesuffix(".json") for file in HOME.iterdir() if file.name.endswith(".json"))


def english(statement: Statement) -> str:
    """A statement in English.

    >>> english(Statement("any", {"level": 1.0}))
    'What is sent is at most 2.72 times likelier from your answer than from any other.'
    """
    return language("en")(statement)


def up(number: float) -> str:
    """A number with three digits, never less than it is: a bound that is shown must hold.

    >>> up(4.4817), up(2.0)
    ('4.49', '2')
    """
    return f"{Decimal(number).normalize(Context(prec=3, rounding=ROUND_CEILING)):f}"


def factor(level: float) -> str:
    """How many times likelier, rounded up; as a power where the digits would say nothing.

    >>> factor(1.0), factor(6.0), factor(40.0)
    ('2.72', '404', 'e^40')
    """
    return up(math.exp(level)) if level <= READABLE else f"e^{level:g}"


SHARES: dict[str, Callable[[float], str]] = {
    "percent": lambda share: f"{100 * share:.0f}",
    "tenths": lambda share: f"{100 * share:.1f}",
}
KINDS: dict[str, Callable[[float], str]] = {"number": lambda number: f"{number:g}", "factor": factor, **SHARES}
"""How the places of each kind write a number, with a point."""
