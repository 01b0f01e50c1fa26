"""What is shown before somebody takes part: a picture first, few words, and the numbers that their device compares."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import NamedTuple

from markupsafe import Markup

from deniable.estimation.table import printable
from deniable.mechanisms.facts import ReportFacts
from deniable.mechanisms.mechanism import Mechanism
from deniable.pages.dots import DotFigure, dots, full_dots, of_hundred
from deniable.pages.guesses import guesses_of
from deniable.protocol.privacy.guarantees import LDP
from deniable.protocol.questions.one_of import OneOf
from deniable.protocol.say import Language, Statement
from deniable.protocol.surveys.crowd import Crowd
from deniable.protocol.surveys.protection import EVEN, Protection, crowd_hints
from deniable.protocol.surveys.translations import SurveyWords, nearest
from deniable.reports.index_layout import IndexLayout
from deniable.reports.packed_layout import PackedLayout
from deniable.surveys.arms import Part
from deniable.surveys.survey import Survey

PLAIN = {"version", "mechanism", "domain", "epsilon"}
"""The fields of a spec that says no more than a level."""
SHORT, SHORT_IN_CROWD = 24, 8
"""So many words a purpose may have to stand before the choice, in a crowd fewer; a longer one is folded."""
SECONDS, READING = 25, 15
"""How long a question takes, and the choice."""
MAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")


class Essentials(NamedTuple):
    """The numbers behind the picture, which a device compares with its own before it takes any consent.

    ``level`` is epsilon of a whole answer; of the first question ``own`` and ``other`` are how often, from 0 to 1, a
    report fits the label that was answered, and another one; None where reports do not fit labels one by one. In a
    crowd the mixed answers move odds by at most e^``belief``, but for a chance of delta.
    """

    level: float
    own: float | None
    other: float | None
    belief: float | None = None

    @property
    def attributes(self) -> Markup:
        """These numbers as the attributes of an element."""
        level = self.level if self.level < math.inf else "Infinity"
        values = {"level": level, "own": self.own, "other": self.other}
        values |= {} if self.belief is None else {"belief": self.belief}
        pairs = (Markup('data-{}="{}"').format(name, "" if value is None else value) for name, value in values.items())
        return Markup(" ").join(pairs)


@dataclass(frozen=True)
class ConsentView:
    """What the page of a survey says before somebody chooses whether to take part."""

    title: str
    words: SurveyWords
    lang: str
    """The tag of the language of the author's words; empty where the survey does not say."""
    lead: str
    """How many questions, and how long they take."""
    purpose: str
    """What it is for, if that is short."""
    wording: str
    """The question, where there is one, and the title is another."""
    figures: tuple[DotFigure, ...]
    claim: str
    """How strong the protection is, in a sentence or two."""
    told: tuple[Markup, ...]
    """What becomes of an answer, in sentences."""
    levels: tuple[str, ...]
    """In a crowd both levels, and what they count on."""
    sentences: tuple[str, ...]
    """The whole privacy label."""
    mail: str
    """The author's address; empty where what they named is none."""
    essentials: Essentials


def consent_view(survey: Survey, say: Language, wanted: Sequence[str] = ()) -> ConsentView:
    """What is said of a survey before the choice, the author's words in the language nearest to those ``wanted``."""
    label, tag = survey.label(), nearest(survey.languages, wanted)
    words = survey.texts(tag)
    (own, other), crowd = _shares(survey) or (None, None), survey.crowd
    essentials = Essentials(label.level, own, other, None if crowd is None else crowd.belief)
    claim = Protection.of(survey).hint if crowd is None else crowd_hints(survey, label.stated.during)
    return ConsentView(
        title=words.title or survey.name,
        words=words,
        lang=tag or "",
        lead=_lead(survey, say),
        purpose=words.purpose if len(words.purpose.split()) <= (SHORT if crowd is None else SHORT_IN_CROWD) else "",
        wording=_wording(survey, words),
        figures=_figures(survey, words, essentials, say),
        claim=say(claim),
        told=_sentences(survey, essentials, say) if crowd is None else _sentences_of_crowd(survey, crowd, say),
        levels=tuple(map(say, _levels(label.statements))),
        sentences=tuple(map(say, label.statements)),
        mail=survey.contact if MAIL.fullmatch(survey.contact) else "",
        essentials=essentials,
    )


def _shares(survey: Survey) -> tuple[float, float] | None:
    """How often a report on the first question fits the label answered, and how often any other; None if not plain."""
    first = survey.questions[0].name
    parts = [part for arm in survey.arms for part in arm.parts if first in part.names]
    if any(part.mechanism.spec() != parts[0].mechanism.spec() or part.encoder.kind != "label" for part in parts):
        return None
    facts = ReportFacts.of(parts[0].mechanism)
    if facts.own is None or facts.other is None or not _is_plain(parts[0].mechanism, facts):
        return None
    return facts.own, facts.other


def _is_plain(mechanism: Mechanism, facts: ReportFacts) -> bool:
    """Whether a report is one label or a bit for each: what a device knows before it has loaded any other family."""
    layout, d = mechanism.layout, mechanism.domain.size
    if facts.rounds is not None or not isinstance(mechanism.guarantee, LDP):
        return False
    if isinstance(layout, IndexLayout):
        return layout.outputs == d and mechanism.spec().keys() <= PLAIN
    return isinstance(layout, PackedLayout) and layout.symbols == d


def _is_dot(survey: Survey, essentials: Essentials) -> bool:
    """Whether one bit is sent: then it is drawn as a dot."""
    first, layout = survey.questions[0], _first(survey).mechanism.layout
    is_pair = isinstance(first, OneOf) and isinstance(layout, IndexLayout) and len(first.labels) == 2
    return essentials.own is not None and is_pair


def _first(survey: Survey) -> Part:
    return next(part for arm in survey.arms for part in arm.parts if survey.questions[0].name in part.names)


def _figures(survey: Survey, words: SurveyWords, essentials: Essentials, say: Language) -> tuple[DotFigure, ...]:
    """The pictures: of dots that are sent, of marks that fit, or else of guesses."""
    own, other = essentials.own, essentials.other
    if own is None or other is None:
        return tuple(_guess_figures(survey, words, say))
    first = survey.questions[0]
    assert isinstance(first, OneOf)
    labels = [printable(label) for label in words.questions[first.name].labels or first.labels][:2]
    keys = ("dot_own", "dot_other") if _is_dot(survey, essentials) else ("fits_own", "fits_other")
    return tuple(_figure(key, share, name, say) for key, share, name in zip(keys, (own, other), labels, strict=True))


def _figure(key: str, share: float, label: str, say: Language) -> DotFigure:
    """A picture of a share, whose caption sets the answer apart and hides the mark from those who cannot see it."""
    description = say(key, label=label, share=of_hundred(share), mark="●")
    words = escape(say(key, label="\0", share=of_hundred(share), mark="\1"))
    answer = f"<b><bdi>{escape(label)}</bdi></b>"
    caption = words.replace("\0", answer).replace("\1", '<span class="mark" aria-hidden="true">●</span>')
    return DotFigure(Markup(caption), dots(full_dots(share), description))


def _guess_figures(survey: Survey, words: SurveyWords, say: Language) -> list[DotFigure]:
    """What an even guess can become, of the first promise that bounds one."""
    level = survey.label().level
    if level < math.inf:
        after = Protection(level).most()
        caption = say("guess_figure", share=after)
        return [DotFigure(Markup(escape(caption)), dots(50, caption, full_dots(after) - 50))]
    first = guesses_of(survey.label(), say, words)[:1]
    return [DotFigure(Markup("{}. {}").format(each.captions[0], each.told), each.picture) for each in first]


def _lead(survey: Survey, say: Language) -> str:
    """How many questions, and how long they take."""
    count = len(survey.questions)
    minutes = math.ceil((count * SECONDS + READING) / 60)
    return say("lead", count=count, time=Statement("minutes", count=minutes))


def _wording(survey: Survey, words: SurveyWords) -> str:
    wording = words.questions[survey.questions[0].name].wording
    return wording if len(survey.questions) == 1 and wording != (words.title or survey.name) else ""


def _sentences(survey: Survey, essentials: Essentials, say: Language) -> tuple[Markup, ...]:
    """What a device does, in sentences; the word for it is one that the page's script may know better."""
    keys = ["draws_dot" if _is_dot(survey, essentials) else "draws_mark"]
    if survey.repeat == "remembered":
        keys.append("draws_all")
    return tuple(_with_device(say(key, device="\0"), say) for key in keys)


def _sentences_of_crowd(survey: Survey, crowd: Crowd, say: Language) -> tuple[Markup, ...]:
    """What a device, a mixer and a collector do, a sentence each."""
    sentences = (
        say("mixed_seals", device="\0", count=len(survey.questions)),
        say("mixed_shuffles", operator=crowd.operator, least=crowd.least),
        say("mixed_opens", owner=survey.owner),
    )
    return tuple(_with_device(each, say) for each in sentences)


def _levels(statements: Sequence[Statement]) -> Iterator[Statement]:
    """What a label says of a crowd, of guesses but the even one."""
    for each in statements:
        if each.key.startswith("crowd_") and each.values.get("before", EVEN) == EVEN:
            yield each


def _with_device(sentence: str, say: Language) -> Markup:
    """A sentence with the word for the device in place of NUL, which the page's script replaces by a better one."""
    words = say.element["question"]
    device = f'<span data-phone="{words["phone"]}" data-computer="{words["computer"]}">{words["device"]}</span>'
    return Markup(escape(sentence).replace("\0", device))
