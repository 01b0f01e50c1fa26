"""Statements, and how they are said in a language: words, plural forms and numbers stand in `wire/sentences`.

A statement is what is said whatever the language: a key, and values for the places in its words. It is no text, so that
nothing says it by accident in one language: who shows it asks a language. How a place writes its value stands in the
place, as in `{level:factor}`; see wire/sentences.md.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context, Decimal
from functools import cache, cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final, TypeAlias

READABLE = 14.0
"""Beyond e^14, 1.2 million, a factor is written as a power: its digits say nothing to anybody."""
GRAINS = tuple(10**digits for digits in range(2, 16))
"""Into how many parts shares are rounded: hundredths, or finer ones where these would say 0 or 1."""
SLACK = 1e-9
"""How much of such a part is owed to floating point: 0.07 is 7 hundredths, and no more."""
PLACE = re.compile(r"{(\w+)(?::(\w+))?}")
HOME = files(__package__) / "sentences"
APART = ("language", "element")
"""The files of a language that hold no statements: how it writes numbers, and the words of the element."""
Wording: TypeAlias = "str | Mapping[str, str]"


@dataclass(frozen=True, init=False)
class Statement:
    """What is said: the key of the words, and what takes the places in them.

    Values are statements, texts, whole numbers, lists of these, and for places of a kind other numbers.

    >>> english(Statement("any", level=1.0))
    'What is sent is at most 2.72 times likelier from your answer than from any other.'
    """

    key: str
    values: Mapping[str, Any]

    def __init__(self, key: str, /, **values: Any) -> None:
        object.__setattr__(self, "key", key)
        object.__setattr__(self, "values", values)

    def __hash__(self) -> int:
        return hash((self.key, *self.values))

    def to_json(self) -> list[Any]:
        """The statement as JSON holds it: its key, and its values by their names.

        >>> Statement("about", of=Statement("question", name="way")).to_json()
        ['about', {'of': ['question', {'name': 'way'}]}]
        """
        values = self.values.items()
        return [self.key, {name: each.to_json() if isinstance(each, Statement) else each for name, each in values}]

    def __str__(self) -> str:
        raise TypeError(f"a statement must be said in a language before it is a text, got {self!r}")

    def __format__(self, _: str, /) -> str:
        return str(self)


class Figure(str):
    """A number as it is written in English, with a point and commas; each language puts its own marks."""

    __slots__ = ()


TEXTS: Final = (str, Statement)
Phrase: TypeAlias = "str | Statement"
"""What people read: words that are nobody's to translate, such as an author's own, or a statement."""
Say: TypeAlias = "Callable[[Phrase], str]"
"""Says a text in the language of who reads."""


class Language:
    """A language that statements are said in, by its code: one folder of `wire/sentences`."""

    def __init__(self, code: str) -> None:
        self.table = self.section("language", code)
        self.code = code
        self.name: str = self.table["name"]

    def section(self, name: str, code: str = "") -> dict[str, Any]:
        """What a file of words holds, by key: in this language, or in the one of ``code`` if that is given."""
        try:
            words: dict[str, Any] = json.loads((folder(code or self.code) / f"{name}.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            raise FileNotFoundError(
                f"{HOME / (code or self.code)} must be the folder of this name in wire/sentences, or a link to it, "
                f"and hold a file {name}.json, got none that can be read"
            ) from None
        return words

    @cached_property
    def element(self) -> dict[str, dict[str, Wording]]:
        """The words of the element that asks a survey, by where it says them."""
        return self.section("element")

    @cached_property
    def sections(self) -> dict[str, dict[str, Wording]]:
        """The words of statements, by file and key: in a device's package those of labels and errors alone."""
        names = sorted(file.name.removesuffix(".json") for file in folder(self.code).iterdir())
        return {name: self.section(name) for name in names if name not in APART}

    @cached_property
    def words(self) -> dict[str, Wording]:
        """The words of every statement, by key."""
        return {key: wording for section in self.sections.values() for key, wording in section.items()}

    def __call__(self, statement: Statement | str, **values: Any) -> str:
        """A statement in this language; one of which only the key is given has these values."""
        complete = Statement(statement, **values) if isinstance(statement, str) else statement
        return self.worded(self.words[complete.key], complete.values)

    def text(self, text: Any) -> Any:
        """A statement or a number in this language; anything else stays what it is."""
        if isinstance(text, Statement):
            return self(text)
        return text.translate(self._marks) if isinstance(text, Figure) else text

    def worded(self, wording: Wording, values: Mapping[str, Any]) -> str:
        """The text of these words, with the values, by their names, in its places."""
        text, places = pieces(self.form(wording, values))
        for name, kind, after in places:
            text += self._written(values[name], kind) + after
        return text

    def form(self, wording: Wording, values: Mapping[str, Any]) -> str:
        """The words for these values, of plural forms the one for ``count``."""
        one = not isinstance(wording, str) and "one" in wording and values["count"] == 1
        return wording if isinstance(wording, str) else wording["one" if one else "other"]

    @cached_property
    def _marks(self) -> dict[int, str]:
        """The marks of this language in the place of the English ones."""
        return str.maketrans({",": self.table["group"], ".": self.table["point"]})

    def _written(self, value: Any, kind: str | None) -> str:
        """A value as its place writes it: by its ``kind``, such as "percent", or as it is."""
        if kind == "begin":
            text = self._written(value, None)
            return text[:1].upper() + text[1:]
        if isinstance(value, TEXTS):
            return str(self.text(value))
        if isinstance(value, Sequence):
            return self._listed([self._written(each, None) for each in value], kind or "row")
        if kind is None:
            return f"{value:,}".replace(",", str(self.table["group"]))
        digits = KINDS[kind](value).replace(".", self.table["point"])
        return str(self.table["percent"]).replace("{number}", digits) if kind == "percent" else digits

    def _listed(self, said: list[str], kind: str) -> str:
        """Several things one after the other: the last of a list by "and", as rows by commas, sentences by blanks."""
        if kind == "and" and len(said) > 1:
            first = self._listed(said[:-1], "row")
            return self.worded(self.table["and"], {"first": first, "last": said[-1]})
        return str(self.table["text" if kind == "text" else "row"]).join(said)


@cache
def pieces(wording: str) -> tuple[str, tuple[tuple[str, str | None, str], ...]]:
    """Words in front of their first place, and each place with its kind and the words behind it.

    >>> pieces("{share} in {base:number}.")
    ('', (('share', None, ' in '), ('base', 'number', '.')))
    """
    first, *rest = PLACE.split(wording)
    return first, tuple(zip(rest[::3], rest[1::3], rest[2::3], strict=True))


def folder(code: str) -> Traversable:
    """The folder of a language; in a checkout without symbolic links a file stands there that holds its path."""
    there = HOME / code
    return HOME / there.read_text(encoding="utf-8").strip() if there.is_file() else there


@cache
def language(code: str) -> Language:
    """A language by its code."""
    return Language(code)


@cache
def codes() -> list[str]:
    """The languages that there are."""
    return sorted(each.name for each in HOME.iterdir() if not each.name.startswith((".", "_")))


def english(text: Phrase) -> str:
    """A text in English.

    >>> english(Statement("any", level=1.0))
    'What is sent is at most 2.72 times likelier from your answer than from any other.'
    """
    return str(language("en").text(text))


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


def hundred(share: float) -> str:
    """How many of a hundred a share is, in as many digits as it has.

    >>> hundred(0.74), hundred(0.9997), hundred(1.0), hundred(0.0000002)
    ('74', '99.97', '100', '0.00002')
    """
    return f"{100 * share:.13f}".rstrip("0").rstrip(".")


def outwards(share: float, *, up: bool) -> float:
    """A share that bounds something, rounded outwards to hundredths; to more digits rather than to 0 or 1.

    >>> outwards(0.731, up=True), outwards(0.99966, up=True), outwards(0.00034, up=False), outwards(1.0, up=True)
    (0.74, 0.9997, 0.0003, 1.0)
    """
    if not 0 < share < 1:
        return share
    for grain in GRAINS:
        whole = math.ceil(share * grain - SLACK) if up else math.floor(share * grain + SLACK)
        if 0 < whole < grain:
            return float(whole / grain)
    return 1.0 if up else 0.0


KINDS: dict[str, Callable[[float], str]] = {
    "number": lambda number: f"{number:g}", "factor": factor, "percent": hundred, "hundred": hundred,
}  # fmt: skip
"""How the places of each kind write a number, with a point."""
