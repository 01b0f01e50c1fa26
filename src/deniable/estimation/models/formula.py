"""Formulas as R and statsmodels have them, of a few words that cannot run code (regression.md 12).

``formulaic`` turns a formula into columns, and would run any Python in it. So nothing is handed on but columns' names,
``+ - : *``, 0, 1, parentheses, and ``C(x)``, ``log(x)``, ``center(x)``, ``I(x**2)``, ``I(x/10)``, ``poly(x, 2)``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from deniable.protocol.checks import shown
from deniable.protocol.errors import ParameterError

NAME = r"[^\W\d]\w*"
NUMBER = r"(?:[1-9]\d{0,8}(?:\.\d{1,9})?|0\.\d{0,8}[1-9])"
WITHIN = rf"\s*{NAME}\s*(?:\*\*\s*[1-9]|[-+*/]\s*{NUMBER})\s*"
CALL = rf"(?:C|log|center)\(\s*{NAME}\s*\)|I\({WITHIN}\)|poly\(\s*{NAME}\s*,\s*[1-9]\s*\)"
RIGHT = re.compile(rf"(?:\s*(?:{CALL}|{NAME}(?![\w(]|\s+\()|[01](?!\w)|[-+:()]|\*(?!\s*\*)))+\s*")
FUNCTIONS = re.compile(r"\b(?:C|log|center|I|poly)(?=\()")
LONGEST, MOST_PRODUCTS = 1000, 6
WANTED = "names of columns, + - : *, 0, 1, C(x), log(x), center(x), I(x**2), I(x/10) and poly(x, 2)"


class Formula(NamedTuple):
    """The outcome, each term of the right side as its sign and its text, and the columns that these name."""

    outcome: str
    terms: tuple[tuple[str, str], ...]
    names: tuple[str, ...]

    def without(self, private: Iterable[str]) -> tuple[str, list[str]]:
        """The right side without private items, and those of them that are in it: each as a term of its own."""
        known = set(private)
        inside = [text for sign, text in self.terms if sign == "+" and text in known]
        others = [(sign, text) for sign, text in self.terms if not (sign == "+" and text in known)]
        if strays := known & {name for _, text in others for name in _names(text)}:
            raise ParameterError(f"a private item must stand in a formula by itself, got {min(strays)!r} within a term")
        return " ".join(["1", *(f"{sign} {text}" for sign, text in others)]), list(dict.fromkeys(inside))


def read_formula(formula: str) -> Formula:
    """A formula, of which every word is known.

    >>> read_formula("late ~ age + C(ward) * sex - 1").names
    ('age', 'ward', 'sex')
    """
    outcome, tilde, right = formula.partition("~")
    if not tilde or not re.fullmatch(NAME, outcome.strip()):
        raise ParameterError('a formula must be like "late ~ age + sex", got one without a single name before a tilde')
    products = len(re.findall(r"[*:]", re.sub(CALL, "", right)))
    if len(formula) > LONGEST or products > MOST_PRODUCTS:
        raise ParameterError(
            f"a formula must have at most {LONGEST} characters and {MOST_PRODUCTS} products, "
            f"got {len(formula)} and {products}"
        )
    if not RIGHT.fullmatch(right) or right.count("(") != right.count(")"):
        raise ParameterError(f"a formula must consist of {WANTED}, got {shown(right.strip())}")
    return Formula(outcome.strip(), tuple(_terms(right)), tuple(dict.fromkeys(_names(right))))


def _names(text: str) -> list[str]:
    """The columns that a part of a formula names."""
    return [name for name in re.findall(NAME, FUNCTIONS.sub("", text)) if not name.isdigit()]


def _terms(right: str) -> Iterator[tuple[str, str]]:
    """What stands between plus and minus outside parentheses."""
    depth, parts = 0, [["+", ""]]
    for character in right if right.lstrip()[:1] in ("+", "-") else f"+{right}":
        depth += (character == "(") - (character == ")")
        if character in "+-" and depth == 0:
            parts.append([character, ""])
        else:
            parts[-1][1] += character
    if not all(text.strip() for _, text in parts[1:]):
        raise ParameterError("a formula must have a term on its right side and after each sign, got none")
    yield from ((sign, text.strip()) for sign, text in parts[1:])
