"""What is shown before somebody takes part: a picture first, few words, and the numbers that their device compares."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from html import escape

from markupsafe import Markup

from deniable.estimation.table import printable
from deniable.pages.dots import dots
from deniable.pages.label_view import guesses_of
from deniable.protocol.questions.one_of import OneOf
from deniable.protocol.say import Language, Statement
from deniable.surveys.arms import Part
from deniable.surveys.facts import ReportFacts
from deniable.surveys.survey import Survey

PLAIN = frozenset({"RandomizedResponse", "Rappor", "OptimizedUnary", "Subset"})
"""The mechanisms whose reports fit labels one by one, as a device knows it before it has loaded any other."""
SHORT = 24
"""So many words a purpose may have to stand before the choice; a longer one is folded."""
SECONDS, READING = 25, 15
"""How long a question takes, and the choice."""
MAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")


@dataclass(frozen=True)
class Figure:
    """100 people, and what they are."""

    caption: Markup
    picture: Markup


@dataclass(frozen=True)
class ConsentView:
    """What a page says before the choice; ``level``, ``own`` and ``other`` are what a device compares with its own."""

    lead: str
    wording: str
    """The question, where there is one, and the title is another."""
    figures: tuple[Figure, ...]
    claim: str
    told: tuple[Markup, ...]
    sentences: tuple[str, ...]
    mail: str
    level: str
    own: str
    other: str


def consent_view(survey: Survey, say: Language) -> ConsentView:
    """What is said of a survey before the choice."""
    label = survey.label()
    facts = _shares(survey)
    own, other = (None, None) if facts is None else facts
    figures = _figures(survey, own, other, say)
    whole = label.level < math.inf
    return ConsentView(
        _lead(survey, say), _wording(survey), figures, say("says_nothing" if whole else "says_part"),
        _told(survey, own, say), tuple(map(say, label.statements)),
        survey.contact if MAIL.fullmatch(survey.contact) else "",
        repr(label.level) if whole else "Infinity", "" if own is None else repr(own), "" if other is None else repr(other),
    )  # fmt: skip


def _shares(survey: Survey) -> tuple[float, float] | None:
    """How often a report about the first question fits a label that was answered, and another one."""
    first = survey.questions[0].name
    parts = [part for arm in survey.arms for part in arm.parts if first in part.names]
    if any(part.mechanism.spec() != parts[0].mechanism.spec() or part.encoder.kind != "label" for part in parts):
        return None
    facts = ReportFacts.of(parts[0].mechanism)
    if parts[0].mechanism.name not in PLAIN or facts.own is None or facts.other is None:
        return None
    return facts.own, facts.other


def _is_dot(survey: Survey, own: float | None) -> bool:
    """Whether one bit is sent: then it is drawn as a dot."""
    first = survey.questions[0]
    name = _first(survey).mechanism.name
    return own is not None and isinstance(first, OneOf) and len(first.labels) == 2 and name == "RandomizedResponse"


def _first(survey: Survey) -> Part:
    return next(part for arm in survey.arms for part in arm.parts if survey.questions[0].name in part.names)


def _figures(survey: Survey, own: float | None, other: float | None, say: Language) -> tuple[Figure, ...]:
    """The pictures: of dots that are sent, of marks that fit, or else of guesses."""
    if own is None or other is None:
        return tuple(_guessed(survey, say))
    first = survey.questions[0]
    assert isinstance(first, OneOf)
    labels = [printable(label) for label in first.labels][:2]
    keys = ("dot_own", "dot_other") if _is_dot(survey, own) else ("fits_own", "fits_other")
    return tuple(
        _figure(key, round(100 * share), name, say)
        for key, share, name in zip(keys, (own, other), labels, strict=True)
    )


def _figure(key: str, share: int, label: str, say: Language) -> Figure:
    told = say(key, label=label, share=share, mark="●")
    words = escape(say(key, label="\0", share=share, mark="\1"))
    own = f"<b><bdi>{escape(label)}</bdi></b>"
    caption = words.replace("\0", own).replace("\1", '<span class="mark" aria-hidden="true">●</span>')
    return Figure(Markup(caption), dots(share, told))


def _guessed(survey: Survey, say: Language) -> list[Figure]:
    """What an even guess can become, of the first promise that bounds one."""
    level = survey.label().level
    if level < math.inf:
        after = min(math.ceil(100 / (1 + math.exp(-level)) - 1e-9), 100)
        told = say("guess_figure", share=after)
        return [Figure(Markup(escape(told)), dots(50, told, after - 50))]
    found = guesses_of(survey.label(), say)[:1]
    return [Figure(Markup(escape(f"{each.caption}. {each.told}")), each.picture) for each in found]


def _lead(survey: Survey, say: Language) -> str:
    """How many questions, how long, and what for if that is short."""
    count = len(survey.questions)
    minutes = math.ceil((count * SECONDS + READING) / 60)
    lead = say("lead", count=count, time=Statement("minutes", {"count": minutes}))
    return f"{lead} {survey.purpose}" if len(survey.purpose.split()) <= SHORT else lead


def _wording(survey: Survey) -> str:
    first = survey.questions[0]
    shown = survey.title or survey.name
    return first.wording if len(survey.questions) == 1 and first.wording != shown else ""


def _told(survey: Survey, own: float | None, say: Language) -> tuple[Markup, ...]:
    """What a device does, in sentences; the word for it is one that the page's script may know better."""
    keys = ["draws_dot" if _is_dot(survey, own) else "draws_mark"]
    if survey.repeat == "remembered":
        keys.append("draws_all")
    words = say.table["question"]
    device = f'<span data-phone="{words["phone"]}" data-computer="{words["computer"]}">{words["device"]}</span>'
    return tuple(Markup(escape(say(key, device="\0")).replace("\0", device)) for key in (*keys, "no_back"))
