"""Two versions of a draft that were changed at once, beside each other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import Final, NamedTuple, TypeAlias

from deniable.pages.builder.draft import Draft
from deniable.pages.kinds.draft_question import DraftQuestion
from deniable.pages.kinds.kinds import kind_of
from deniable.protocol.say import Phrase, Statement
from deniable.protocol.surveys.responsible import RESPONSIBLE

TERMS: Final = {
    "title": Statement("title_heading"),
    "name": Statement("name_in_links"),
    "owner": Statement("who_asks"),
    "contact": Statement("how_to_reach_you"),
    "purpose": Statement("what_the_result_is_for"),
    "people": Statement("how_many_people"),
    "epsilon": Statement("protection_as_a_number"),
    "minimum": Statement("no_result_below"),
    "opens": Statement("opens"),
    "closes": Statement("closes"),
    "zone": Statement("time_zone"),
}
STATED: Final = {name: Statement("about_about", about=Statement(name)) for name in RESPONSIBLE}
"""What may be stated of who is responsible, as the label names it."""


Lines: TypeAlias = "tuple[Phrase, ...]"


class Difference(NamedTuple):
    """What stands in one place of the two."""

    about: Phrase
    saved: Lines
    yours: Lines


def differences(saved: Draft, yours: Draft) -> list[Difference]:
    """The places in which two drafts differ."""
    return [each for each in _places(saved, yours) if each.saved != each.yours]


def _places(saved: Draft, yours: Draft) -> Iterator[Difference]:
    for name, about in TERMS.items():
        yield Difference(about, *(_line(getattr(draft, name)) for draft in (saved, yours)))
    everybody = Statement("i_ask_everybody_whom_the_result")
    ticked = {"census": everybody, "kiosk": Statement("on_one_device"), "lan": Statement("in_one_room")}
    for name, about in ticked.items():
        yield Difference(about, _yes(getattr(saved, name)), _yes(getattr(yours, name)))
    for name, about in STATED.items():
        yield Difference(about, *(_line(draft.responsible.get(name, "")) for draft in (saved, yours)))
    yield Difference(Statement("languages_heading"), *map(_languages, (saved, yours)))
    for number, pair in enumerate(zip_longest(saved.questions, yours.questions), 1):
        yield Difference(Statement("question_number", number=number), *map(_question, pair))


def _line(text: str) -> Lines:
    """A text; nothing of an empty one."""
    return (text,) if text else ()


def _languages(draft: Draft) -> Lines:
    """The languages, with all translations."""
    told = [f"{tag}: {text}: {own[text]}" for tag, own in draft.translations.items() for text in own]
    return tuple(filter(None, [draft.language, *draft.translations, *told]))


def _question(asked: DraftQuestion | None) -> Lines:
    """All of a question."""
    if asked is None:
        return ()
    apart = [Statement("alone_answers", answers=asked.exclusive)] if asked.exclusive else []
    groups = "within_groups_of_answers" if asked.protected == "blocks" else "only_people_who_give_one"
    chosen = asked.chosen or (Statement(groups),)
    partly = [] if asked.protected == "everybody" else [Statement("protected_answers", answers=chosen)]
    kind = kind_of(asked)
    brief = (kind.brief(asked), Statement("in_steps", step=asked.step))
    listed: Lines = asked.labels if kind.fields == "answers" else brief
    return (*_line(asked.wording), kind.title, *(each for each in listed if each), *apart, *partly)


def _yes(ticked: bool) -> Lines:
    return (Statement("yes") if ticked else Statement("no"),)
