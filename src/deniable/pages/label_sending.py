"""What leaves the device, question by question: a picture of 100 people or a sentence, and what each part is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from markupsafe import Markup

from deniable.pages.dots import dots, full_dots
from deniable.pages.guesses import guesses_at
from deniable.pages.kinds.kinds import page_kind
from deniable.pages.kinds.sent_answer import FittingShares, SentAnswer, most_telling
from deniable.protocol.questions.number import Number
from deniable.protocol.say import Language, Statement
from deniable.protocol.surveys.translations import SurveyWords
from deniable.surveys.arms import Part
from deniable.surveys.document import Document
from deniable.surveys.label import Label


class SentFigure(NamedTuple):
    """100 people or guesses as dots, with what the dots are."""

    caption: str
    picture: Markup


class QuestionSending(NamedTuple):
    """What may be sent of the answers to a question, or to all those of which the same is true."""

    about: tuple[str, ...]
    """The wordings."""
    figures: tuple[SentFigure, ...]
    told: str
    """Said where no picture is drawn."""
    parts: str
    """Which parts of the survey ask about it; empty where there is one part in all."""


class SurveySending(NamedTuple):
    """What may be sent of all answers, and what the parts are that it is sent in."""

    questions: tuple[QuestionSending, ...]
    parts: str

    def to_dict(self) -> dict[str, Any]:
        """The same in words, for programs."""
        questions = [
            {**each._asdict(), "figures": [str(figure.caption) for figure in each.figures]} for each in self.questions
        ]
        return {"parts": self.parts, "questions": questions}


def sending_of(label: Label, say: Language, words: SurveyWords | None = None) -> SurveySending:
    """What may be sent of each question, and of each two that are crossed; where the same is true, together."""
    worded = words or label.document.own_words
    about: dict[QuestionSending, list[str]] = {}
    for names, sent in _sent(label.document, worded):
        wording = " · ".join(worded.questions[name].wording or name for name in names)
        about.setdefault(_said(names, sent, label, say, worded), []).append(wording)
    questions = tuple(_of_all(each, tuple(wordings), say) for each, wordings in about.items())
    return SurveySending(questions, " ".join(map(say, _divided(label.document))))


def _of_all(said: QuestionSending, wordings: tuple[str, ...], say: Language) -> QuestionSending:
    """What is true of one question or of several: then each of them has these parts."""
    parts = say("parts_each", parts=said.parts) if said.parts and len(wordings) > 1 else said.parts
    return said._replace(about=wordings, parts=parts)


def _sent(document: Document, words: SurveyWords) -> Iterator[tuple[tuple[str, ...], SentAnswer]]:
    """What may be sent of each question by itself, and of the pairs of answers that are one answer together."""
    parts: dict[tuple[str, ...], list[Part]] = {}
    for part in (part for arm in document.arms for part in arm.parts):
        parts.setdefault(part.names, []).append(part)
    order = list(document.by_name)
    for names in sorted(parts, key=lambda names: (order.index(names[0]), len(names))):
        if len(names) > 1:
            yield names, _crossed(parts[names])
        else:
            [question] = parts[names][0].questions
            yield names, page_kind(question).sent(question, parts[names], words.questions[names[0]])


def _crossed(parts: list[Part]) -> SentAnswer:
    """What may be sent of two answers that are one together, or of all that are given on a way through questions."""
    found, ways = most_telling(parts), parts[0].encoder.tells_asked
    numbers = any(isinstance(question, Number) for question in parts[0].questions)
    key = "parts_ways" if ways else "parts_pair_number" if numbers else "parts_pair"
    fitting = None if found is None else FittingShares.of("fits" if ways else "pair", *found)
    return SentAnswer(fitting, parts=(Statement(key, count=len(parts)),))


def _said(names: tuple[str, ...], sent: SentAnswer, label: Label, say: Language, words: SurveyWords) -> QuestionSending:
    """What may be sent, in a language, without what it is about."""
    one = len(label.document.arms) == len(label.document.arms[0].parts) == 1
    parts = "" if one else " ".join(map(say, sent.parts))
    if sent.told is not None:
        return QuestionSending((), (), say(sent.told), parts)
    if sent.fitting is not None:
        own, own_share, other, other_share = sent.fitting
        return QuestionSending((), (_drawn(say(own), own_share), _drawn(say(other), other_share)), "", parts)
    guesses = guesses_at(names[0], label, say, words)
    if guesses is None:
        return QuestionSending((), (), say("sent_unbound"), parts)
    caption = Markup("{}. {} {}").format(guesses.captions[0], guesses.told, say("dots"))
    return QuestionSending((), (SentFigure(caption, guesses.picture),), "", parts)


def _drawn(caption: str, share: float) -> SentFigure:
    return SentFigure(caption, dots(full_dots(share), caption))


def _divided(document: Document) -> Iterator[Statement]:
    """What a part is, and how many a device sends; nothing where there is but one."""
    arms, each = len(document.arms), max(len(arm.parts) for arm in document.arms)
    if arms * each > 1:
        key = "parts_sent" if arms == 1 else "parts_drawn" if each == 1 else "parts_sets"
        yield Statement(key, count=each if arms == 1 else arms)
    if document.rounds is not None:
        yield Statement("parts_remembered")
