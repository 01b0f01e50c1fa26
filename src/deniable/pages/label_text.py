"""A privacy label as plain text, to print and to put up."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from deniable.pages.label_asked import Asked
from deniable.pages.label_shown import Shown, Version
from deniable.pages.translation import Translation

WIDTH = 72


def written(shown: Shown, t: Translation) -> str:
    """The label in lines of at most 72 characters, but for what cannot be broken."""
    return "\n".join(_lines(shown, t)) + "\n"


def _lines(shown: Shown, t: Translation) -> Iterator[str]:
    yield from (f"{t('Privacy label').upper()}: {shown.title}", "")
    yield from _part(t("What is promised, and what is not"), shown.sentences)
    yield from _part(t("About this server"), shown.host)
    yield from _part(t("Who, what for, how long"), [f"{name}: {text}" for name, text in shown.terms])
    yield from _part(t("What is asked"), [_asked(each) for each in shown.asked])
    yield from _part(t("For the expert"), [f"{name}: {text}" for name, text in shown.facts])
    yield from _part(t("Proof"), [t(verdict(shown))])
    yield from _part(t("This survey, and others of its name"), [_version(one, t) for one in shown.versions])


def _asked(one: Asked) -> str:
    said = f"{one.wording} ({one.name})" if one.name else one.wording
    return " · ".join([said, *(f"{told}: {answers}" for told, answers in one.parts)])


def _version(one: Version, t: Translation) -> str:
    this = f" ({t('this one')})" if one.shown else ""
    ended = f", {t('closed')}" if one.closed else ""
    return f"{one.digest}, {t(f'since {one.since}')}{ended}{this}"


def verdict(shown: Shown) -> str:
    """What the certificate says, in a sentence."""
    if shown.proving:
        return "The proof is being computed by this server. Ask again in a minute."
    if shown.certificate is None:
        return "This server could not prove the promise in the time that it has. Anybody can, from the document."
    if not shown.certificate["holds"]:
        return "The promise does NOT hold: this survey must not be asked."
    return "The promise is proven in exact arithmetic, from the chance of each report."


def _part(heading: str, sentences: list[str] | tuple[str, ...]) -> Iterator[str]:
    yield from (heading, "-" * len(heading))
    for sentence in sentences:
        yield from textwrap.wrap(sentence, WIDTH, initial_indent="- ", subsequent_indent="  ")
    yield ""
