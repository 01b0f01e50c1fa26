"""What leaves the device, question by question: a picture of 100 people or a sentence, and what each part is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from markupsafe import Markup

from deniable.pages.dots import DotFigure, dots, full_dots
from deniable.pages.guesses import guesses_at
from deniable.pages.kinds.kinds import page_kind
from deniable.pages.kinds.sent_answer import FittingShares, SentAnswer, most_telling
from deniable.protocol.questions.number import Number
from deniable.protocol.say import Language, Statement
from deniable.protocol.surveys.translations import SurveyWords
from deniable.surveys.arms import Part
from deniable.surveys.document import Document
from deniable.surveys.label import Label


class QuestionSending(NamedTuple):
    """What may be sent of the answers to a question, or to all those of which the same is true."""

    about: tuple[str, ...]
    """The wordings."""
    figures: tuple[DotFigure, ...]
    told: str
    """Said where no picture is drawn."""
    parts: str
    """Which parts of the survey ask about it; empty where there is one part in all."""


class SurveySending(NamedTuple):
    """What may be sent of all answers, and what the parts are that it is sent in."""

    questions: tuple[QuestionSending, ...]
    parts: str

    def to_dict(self) -> dict[str, Any]:
        """What may be sent, in words, for programs."""
        questions = [
            {**each._asdict(), "figures": [str(figure.caption) for figure in each.figures]} for each in self.questions
        ]
        return {"parts": self.parts, "questions": questions}


def sending_of(label: Label, say: Language, words: SurveyWords | None = None) -> SurveySending:
    """What may be sent of each question, and of each two that are crossed; where the same is true, together."""
    texts = words or label.document.own_words
    about: dict[QuestionSending, list[str]] = {}
    for names, sent in _sent_answers(label.document, texts):
        wording = " · ".join(texts.questions[name].wording or name for name in names)
        about.setdefault(_question_sending(names, sent, label, say, texts), []).append(wording)
    questions = tuple(_about_all(each, tuple(wordings), say) for each, wordings in about.items())
    return SurveySending(questions, " ".join(map(say, _parts_in_words(label.document))))


def _about_all(sending: QuestionSending, wordings: tuple[str, ...], say: Language) -> QuestionSending:
    """What may be sent, with the questions of which it is true: of several the words say that each has these parts."""
    parts = say("parts_each", parts=sending.parts) if sending.parts and len(wordings) > 1 else sending.parts
    return sending._replace(about=wordings, parts=parts)


def _sent_answers(document: Document, words: SurveyWords) -> Iterator[tuple[tuple[str, ...], SentAnswer]]:
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
            yield names, page_kind(question).sent_answer(question, parts[names], words.questions[names[0]])


def _crossed(parts: list[Part]) -> SentAnswer:
    """What may be sent of two answers that are one together, or of all that are given on a way through questions."""
    telling, ways = most_telling(parts), parts[0].encoder.tells_asked
    numbers = any(isinstance(question, Number) for question in parts[0].questions)
    key = "parts_ways" if ways else "parts_pair_number" if numbers else "parts_pair"
    fitting = None if telling is None else FittingShares.of("fits" if ways else "pair", *telling)
    return SentAnswer(fitting, parts=(Statement(key, count=len(parts)),))


def _question_sending(
    names: tuple[str, ...], sent: SentAnswer, label: Label, say: Language, words: SurveyWords
) -> QuestionSending:
    """What may be sent, in a language, without what it is about."""
    is_whole = len(label.document.arms) == len(label.document.arms[0].parts) == 1
    parts = "" if is_whole else " ".join(map(say, sent.parts))
    if sent.instead is not None:
        return QuestionSending((), (), say(sent.instead), parts)
    if sent.fitting is not None:
        own, own_share, other, other_share = sent.fitting
        return QuestionSending(
            (), (_share_figure(say(own), own_share), _share_figure(say(other), other_share)), "", parts
        )
    guesses = guesses_at(names[0], label, say, words)
    if guesses is None:
        return QuestionSending((), (), say("sent_unbound"), parts)
    caption = Markup("{}. {} {}").format(guesses.captions[0], guesses.told, say("dots"))
    return QuestionSending((), (DotFigure(caption, guesses.picture),), "", parts)


def _share_figure(caption: str, share: float) -> DotFigure:
    return DotFigure(caption, dots(full_dots(share), caption))


def _parts_in_words(document: Document) -> Iterator[Statement]:
    """What a part is, and how many a device sends; nothing where there is but one."""
    arms, each = len(document.arms), max(len(arm.parts) for arm in document.arms)
    if arms * each > 1:
        key = "parts_sent" if arms == 1 else "parts_drawn" if each == 1 else "parts_sets"
        yield Statement(key, count=each if arms == 1 else arms)
    if document.rounds is not None:
        yield Statement("parts_remembered")
