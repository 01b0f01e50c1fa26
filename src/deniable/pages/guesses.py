"""What guesses at answers can become once something was sent: tables, and pictures of 100 guesses."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from markupsafe import Markup

from deniable.pages.dots import dots, full_dots
from deniable.pages.languages import marked
from deniable.protocol.say import READABLE, Language, Statement
from deniable.protocol.surveys.statements import RISES, belief_statements
from deniable.protocol.surveys.translations import SurveyWords
from deniable.surveys.label import Label


@dataclass(frozen=True)
class Guess:
    """How sure somebody can be: before, and at most and at least after. ``least`` is empty where none is proven."""

    before: str
    most: str
    least: str


@dataclass(frozen=True)
class Guesses:
    """What guesses can become; ``picture`` shows those of which half were right before."""

    captions: tuple[Markup, ...]
    """What the table is of: more than one where the same holds of each."""
    rows: tuple[Guess, ...]
    told: str
    """What the picture shows, in words."""
    picture: Markup


def guesses_of(label: Label, say: Language, words: SurveyWords | None = None) -> tuple[Guesses, ...]:
    """Tables of what guesses can become; none where a factor is too large to protect, or no belief is bound."""
    promises = _promises(label, words or label.document.own_words)
    tables: dict[tuple[Guess, ...], Guesses] = {}
    for table in (_table(each, say) for each in promises if each.level <= READABLE):
        same = tables.setdefault(table.rows, table)
        if same is not table:
            tables[table.rows] = replace(same, captions=(*same.captions, *table.captions))
    return tuple(tables.values())


def guesses_at(question: str, label: Label, say: Language, words: SurveyWords | None = None) -> Guesses | None:
    """What guesses at the answer to one question can become; None where nothing bounds them to speak of."""
    bounds = list(_promises(label, words or label.document.own_words))
    own = [each for each in bounds if each.question == question] or [each for each in bounds if not each.question]
    return _table(own[0], say) if own and own[0].level <= READABLE else None


class Bound(NamedTuple):
    """What a promise is about, the key of the sentence on beliefs, and the level that bounds them."""

    about: Statement
    key: str
    level: float
    during: Statement | str = ""
    """The stretch of time that it is about; empty if that is all times."""
    question: str = ""
    """The name of the only question that it is about; empty if it is about all."""


def _promises(label: Label, words: SurveyWords) -> Iterator[Bound]:
    """Each promise that bounds a belief: the same that the label has sentences on."""
    stated, rounds = label.stated, label.rounds
    if rounds is not None:
        yield Bound(Statement("one_round"), "round_belief", rounds.each)
        yield Bound(Statement("life_of_rounds"), "life_belief", rounds.life)
        return
    if label.level < math.inf:
        yield Bound(Statement("all_answers"), "belief", label.level, stated.during)
    for name, guarantee in stated.apart():
        wording = words.questions[name].wording or name
        yield Bound(Statement("by_itself", wording=wording), *guarantee.belief, "", name)


def _table(bound: Bound, say: Language) -> Guesses:
    """The table of a promise, with a picture of the guess that is right every second time before."""
    moves = [each.values for each in belief_statements(bound.key, bound.level)]
    even = moves[-1]["most"]
    full = full_dots(even)
    told = say("guessed", share=even, count=full)
    caption = marked(say.code)(f"caption_{bound.key}", about=bound.about, during=bound.during)
    rows = tuple(_guess(move, bound.key not in RISES, say) for move in moves)
    return Guesses((caption,), rows, told, dots(50, told, max(full - 50, 0)))


def _guess(move: Mapping[str, float], falls: bool, say: Language) -> Guess:
    before, most, least = (say("in_hundred", share=move[name]) for name in ("before", "most", "least"))
    return Guess(before, most, least if falls else "")
