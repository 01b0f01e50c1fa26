"""The cards of advice: what an author keeps, how closely it is told, and at which price."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from deniable.estimation.words import joined, rounded
from deniable.protocol.say import Phrase, Statement
from deniable.surveys.advising.advice import Advice
from deniable.surveys.advising.designs import AdvisedDesign
from deniable.surveys.advising.outlooks import QuestionOutlook
from deniable.surveys.advising.words import named


class Card(NamedTuple):
    """A design to choose: its title where it keeps something, what is changed, what it tells, and its price."""

    design: AdvisedDesign
    title: Phrase
    changed: Phrase
    told: tuple[Phrase, ...]
    sees: tuple[Phrase, ...]
    price: Phrase


def cards_of(told: Advice, designs: Iterable[AdvisedDesign]) -> list[Card]:
    """Designs as cards."""
    return [_card(told, each) for each in designs]


def title_of(told: Advice, design: AdvisedDesign) -> Phrase:
    """What a design keeps, of several questions; empty where it is none of those between which an author chooses."""
    if design.key not in {each.key for each in told.keeping}:
        return ""
    kept = len(design.asking.questions)
    if kept == 1:
        return Statement("keep_one")
    return Statement("keep_all" if kept == len(told.now.asking.questions) else "keep_some", count=kept)


def _card(told: Advice, design: AdvisedDesign) -> Card:
    shorts = {change.kind: change.short or change.what for change in design.changes}
    price = shorts.pop("level", "")
    changed = joined(change.short or change.what for change in design.changes if change.kind != "level")
    return Card(design, title_of(told, design), changed if shorts else "", _told(design.rows), sees(design.rows), price)


def _told(rows: Sequence[QuestionOutlook]) -> tuple[Phrase, ...]:
    """How closely the questions are told: of shares the worst, then of each mean."""
    shares, means = [row for row in rows if row.is_of_shares], [row for row in rows if not row.is_of_shares]
    worst = [max(shares, key=lambda row: row.error)] if shares else []
    told = [Statement("plus_minus", error=row.error_statement) for row in (*worst, *means)]
    named_means = [
        Statement("question_error", question=named(row.question), error=error)
        for row, error in zip(means, told[len(worst) :], strict=True)
    ]
    return tuple(told) if len(rows) == 1 else (*told[: len(worst)], *named_means)


def sees(rows: Sequence[QuestionOutlook]) -> tuple[Phrase, ...]:
    """Which shares are seen whatever the question, and which answer is known to be the first; nothing of numbers."""
    shares = [row for row in rows if row.is_of_shares]
    leads = [row.lead for row in shares if row.lead is not None]
    seen = [max(shares, key=lambda row: row.smallest)] if shares else []
    return (
        *(Statement("shows_shares_from", share=row.seen_statement) for row in seen),
        *([Statement("tells_the_first", lead=rounded(100 * max(leads), 2))] if leads else []),
    )


def contradicts(cards: Iterable[Card]) -> bool:
    """Whether one of two designs errs less and shows fewer shares all the same."""
    found = [(max(card.design.errors.values()), _smallest(card.design)) for card in cards]
    return any(one[0] < other[0] and one[1] > other[1] for one, other in itertools.permutations(found, 2))


def _smallest(design: AdvisedDesign) -> float:
    """The smallest share that is seen, whatever the question; of a number none is told."""
    return max((row.smallest for row in design.rows if row.is_of_shares), default=0.0)
