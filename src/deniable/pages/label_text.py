"""A privacy label as plain text, to print and to put up."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from deniable.pages.label_terms import kept_of
from deniable.pages.label_versions import Version
from deniable.pages.label_view import HOST_KEEPS, HOST_SHOWS, LabelQuestion, LabelView
from deniable.protocol.say import Language

WIDTH = 72


def label_text(shown: LabelView) -> str:
    """The label in lines of at most 72 characters, but for what cannot be broken."""
    return "\n".join(_lines(shown, shown.say)) + "\n"


def _lines(shown: LabelView, say: Language) -> Iterator[str]:
    version = shown.history.shown
    yield from (f"{say('privacy_label').upper()}: {shown.title}", *(_version(version, say) if version else ()), "")
    yield from _section(say("label"), shown.sentences)
    yield from _section(say("about_server"), [say(key) for key in (*HOST_KEEPS, *HOST_SHOWS)])
    yield from _section(say("responsible"), [f"{name}: {text}" for name, text in shown.terms])
    yield from _section(say("your_rights"), shown.rights)
    yield from _section(say("shown"), list(map(say, (*kept_of(shown.document, shown.ended), *shown.reveals))))
    yield from _section(say("leaves"), list(_sending(shown)))
    yield from _section(say("asked"), [_question(each) for each in shown.asked])
    yield from _section(say("expert"), [f"{name}: {text}" for name, text in shown.facts])
    yield from _section(say("proof"), [shown.proven])
    yield from (shown.commands, "")
    yield from _section(say("others"), [_version_line(one, shown) for one in shown.history.versions])


def _question(one: LabelQuestion) -> str:
    said = f"{one.wording} ({one.name})" if one.name else one.wording
    return " · ".join([said, *(f"{told}: {answers}" for told, answers in one.parts)])


def _sending(shown: LabelView) -> Iterator[str]:
    """What leaves the device, question by question."""
    if shown.sending.parts:
        yield shown.sending.parts
    for each in shown.sending.questions:
        told = [*(figure.caption for figure in each.figures), each.told, each.parts]
        yield f"{'; '.join(each.about)}: {' '.join(filter(None, told))}"


def _version(one: Version, say: Language) -> Iterator[str]:
    yield say("version", count=one.number, date=one.since)


def _version_line(one: Version, shown: LabelView) -> str:
    say = shown.say
    this = f" ({say('this')})" if one == shown.history.shown else ""
    ended = f", {say('closed')}" if one.closed else ""
    return f"{one.title}, {say(one.when)}, {say('since', date=one.since)}{ended}{this}: {one.digest}"


def _section(heading: str, sentences: list[str] | tuple[str, ...]) -> Iterator[str]:
    yield from (heading, "-" * len(heading))
    for sentence in sentences:
        yield from textwrap.wrap(sentence, WIDTH, initial_indent="- ", subsequent_indent="  ")
    yield ""
