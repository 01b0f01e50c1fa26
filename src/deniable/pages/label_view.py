"""What the page of a privacy label shows: only what the label proves, rounded outwards."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from markupsafe import Markup

from deniable.pages.dots import dots
from deniable.protocol.privacy.distance import Distance
from deniable.protocol.privacy.each_item import EachItem
from deniable.protocol.surveys.promise import up
from deniable.surveys.document import Document
from deniable.surveys.facts import ReportFacts
from deniable.surveys.label import Label
from deniable.surveys.rounds import ABOUT
from deniable.surveys.sayings import READABLE, SEEN, Belief, Said, said

MOST_PICTURES = 3
EVEN = 0.5


@dataclass(frozen=True)
class Guess:
    """How sure somebody can be: before, and at most and at least after. ``least`` is empty where none is proven."""

    before: str
    most: str
    least: str


@dataclass(frozen=True)
class Guesses:
    """What guesses can become; ``picture`` shows the one that is right every second time."""

    caption: str
    rows: tuple[Guess, ...]
    told: str
    picture: Markup


@dataclass(frozen=True)
class Fitting:
    """How many of 100 people send a report that fits an answer: of those with the answer, and of others."""

    about: str
    own: str
    other: str
    own_picture: Markup
    other_picture: Markup


def guesses_of(label: Label) -> tuple[Guesses, ...]:
    """Tables of what guesses can become; none where a factor is too large to protect, or no belief is bound."""
    return tuple(_guesses(about, promise) for about, promise in _promises(label) if promise.level <= READABLE)


def fitting_of(label: Label) -> tuple[Fitting, ...]:
    """The different facts of reports that fit answers one by one; the first few of them."""
    found: dict[tuple[str, float, float], Fitting] = {}
    for part in (part for arm in label.parts for part in arm):
        own, other = part.report.own, part.report.other
        if own is not None and other is not None:
            asked = " ".join(label.document.by_name[name].wording or name for name in part.questions)
            found.setdefault((asked, own, other), _fitting(asked, part.report, own, other))
    return tuple(found.values())[:MOST_PICTURES]


def level_shown(level: float | str) -> str:
    """A level of a certificate as people read it, rounded up; a text if it is no number.

    >>> level_shown(0.9999999999996901), level_shown(2.0), level_shown("inf")
    ('1', '2', 'inf')
    """
    return up(level) if isinstance(level, float) and math.isfinite(level) else str(level)


def _promises(label: Label) -> Iterator[tuple[str, Said]]:
    """Each promise that bounds a belief, and what it is about: the same that the label has sentences on."""
    rounds, document = label.rounds, label.document
    if rounds is not None:
        yield "One round", Said("", rounds.each, about=ABOUT, seen=f"{SEEN} in one round")
        yield "A life of rounds", rounds.lifelong(ABOUT)
        return
    if label.level < math.inf:
        once = f" in one {document.period}" if document.repeat == "fresh" else ""
        yield "All your answers together", Said("", label.level, about=ABOUT, seen=f"{SEEN}{once}")
    yield from _by_question(document, label.level)


def _by_question(document: Document, level: float) -> Iterator[tuple[str, Said]]:
    for question in document.questions:
        found = document.promise.about(question.name)
        if len(found) == 1 and (level == math.inf or isinstance(found[0], Distance | EachItem)):
            yield (
                f"{question.wording or question.name} By itself, all your other answers being the same",
                said(found[0]),
            )


def _guesses(about: str, promise: Said) -> Guesses:
    even = Belief.at(EVEN, promise.level, promise.falls)
    most = math.ceil(100 * _outward(even.most))
    who = promise.holder.removesuffix(" and").removesuffix(" who").replace("Somebody", "somebody")
    caption = f"{about}: how sure {who} can become {promise.about}, {promise.seen}"
    told = (
        f"Of 100 guesses of which 50 were right before, at most {100 * _outward(even.most):.3g} are right afterwards; "
        f"the picture shows {most}."
    )
    return Guesses(caption, tuple(map(_guess, promise.beliefs)), told, dots(50, told, max(most - 50, 0)))


def _guess(belief: Belief) -> Guess:
    least = math.floor(1000 * belief.least) / 10
    falls = belief.least > 0 or belief.before == 0
    return Guess(f"{100 * belief.before:g} in 100", f"{100 * _outward(belief.most):.3g} in 100",
                 f"{least:.3g} in 100" if falls else "")  # fmt: skip


def _outward(share: float) -> float:
    """Rounded up to tenths of a hundredth, as the label's sentences have it."""
    return math.ceil(1000 * share) / 1000


def _fitting(asked: str, facts: ReportFacts, own: float, other: float) -> Fitting:
    here = " in one round" if facts.rounds is not None else ""
    with_it = f"Of 100 people with one answer, {_about(own)} send a report that fits it{here}."
    without = f"Of 100 people with another answer, {_about(other)} send a report that fits the first one as well{here}."
    return Fitting(asked, with_it, without, dots(round(100 * own), with_it), dots(round(100 * other), without))


def _about(share: float) -> str:
    count = round(100 * share)
    if share > 0 and count == 0:
        return "fewer than 1"
    return f"{count}" if math.isclose(100 * share, count, abs_tol=1e-9) else f"about {count}"
