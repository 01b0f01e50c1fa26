"""A privacy label in another language: every text of its page but those that the survey's author wrote."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from typing import Final

from markupsafe import Markup

from deniable.pages.label_asked import Asked
from deniable.pages.label_shown import Shown
from deniable.pages.label_terms import Row
from deniable.pages.label_view import Fitting, Guess, Guesses
from deniable.pages.translation import Translation

AUTHORS: Final = {"Asked by", "Purpose"}
"""Terms that the author of the survey wrote, unless nothing was said."""


def translated(shown: Shown, t: Translation) -> Shown:
    """The label as somebody reads it who reads that language."""
    return replace(
        shown,
        asked=tuple(_asked(each, t) for each in shown.asked),
        sentences=tuple(map(t, shown.sentences)),
        host=tuple(map(t, shown.host)),
        guesses=tuple(_guesses(each, t) for each in shown.guesses),
        fitting=tuple(_fitting(each, t) for each in shown.fitting),
        terms=tuple(_term(row, t) for row in shown.terms),
        facts=tuple((t(name), "; ".join(map(t, told.split("; ")))) for name, told in shown.facts),
    )


def _asked(found: Asked, t: Translation) -> Asked:
    return found._replace(parts=tuple((t(told), answers) for told, answers in found.parts))


def _term(row: Row, t: Translation) -> Row:
    name, told = row
    return t(name), told if name in AUTHORS and told != "not said" else t(told)


def _guesses(found: Guesses, t: Translation) -> Guesses:
    rows = tuple(Guess(t(row.before), t(row.most), t(row.least)) for row in found.rows)
    return Guesses(t(found.caption), rows, t(found.told), _retold(found.picture, found.told, t))


def _fitting(found: Fitting, t: Translation) -> Fitting:
    pictures = (_retold(found.own_picture, found.own, t), _retold(found.other_picture, found.other, t))
    return Fitting(found.about, t(found.own), t(found.other), *pictures)


def _retold(picture: Markup, told: str, t: Translation) -> Markup:
    """A picture that says in that language what it shows."""
    return Markup(str(picture).replace(escape(told), escape(t(told))))
