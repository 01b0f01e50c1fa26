"""What may be changed about a survey so that it tells more: how else a question may be asked, and what it costs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final

from deniable.estimation.words import people
from deniable.protocol.questions.any_of import AnyOf
from deniable.protocol.questions.number import Number
from deniable.protocol.questions.one_of import OneOf
from deniable.protocol.questions.question import Question
from deniable.protocol.questions.scale import Scale
from deniable.protocol.say import Statement, english
from deniable.protocol.surveys.crowd import Crowd
from deniable.protocol.surveys.protection import Protection
from deniable.surveys.advising.inputs import DesignInputs
from deniable.surveys.advising.words import named

FEWER: Final = (10, 5, 3)
"""To how many answers a question is cut, of those that are fewer than it has."""
MOST_PARTED: Final = 64
"""Of so many answers at most, one is proposed to be protected alone."""
CLASSES: Final = 4
"""Into how many classes the range of a number is cut."""
DEAR: Final = 1.0
"""The price of asking e times as many people."""
MIXER: Final = 0.6
"""The price of finding a second party, and of what both see together."""
YES_NO: Final = ("yes", "no")
SO_OR_NOT: Final = ("it is so", "it is not so")
"""In their place, where one of them is how people say nothing."""
OTHER: Final = "another answer"
NONE: Final = "none of these"


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that is done in another way: its kind, the new number or level (``to``), and of which question.

    ``brief`` names it in a table, and ``what`` says in sentences what is given up. ``price`` is how much that is, on a
    scale on which a survey that tells what was wanted of its first question, and nothing before, has gained 1.
    """

    kind: str
    brief: str
    what: Statement
    price: float
    to: Any
    question: str | None = None
    short: Statement | None = None
    """``what`` in fewer words, where it is seen already what is given up."""

    @property
    def key(self) -> str:
        """What tells it apart from other changes of a survey."""
        return ":".join(str(each) for each in (self.kind, self.question, self.to) if each is not None)

    def to_dict(self) -> dict[str, Any]:
        """The change as plain values."""
        return {"kind": self.kind, "question": self.question, "to": self.to, "what": english(self.what)}


@dataclass(frozen=True, slots=True)
class Variant:
    """A question asked in another way, or as it is, without a change."""

    question: Question
    change: Change | None = None

    @property
    def kind(self) -> str:
        """The kind of its change; empty if there is none."""
        return "" if self.change is None else self.change.kind


def variants(question: Question) -> Iterator[Variant]:
    """All other ways in which a question may be asked, those that give up less first; of texts there are none."""
    return WAYS.get(question.kind, lambda _: iter(()))(question)


def _of_labels(question: OneOf) -> Iterator[Variant]:
    """Fewer answers, two of them, or only one of them protected; not where the author already protects a part."""
    if not question.guarantee(1.0).alike:
        return
    answers = [each for each in question.labels if each != question.no_answer]
    silence = [] if question.no_answer is None else [question.no_answer]
    for to in FEWER:
        if to < len(answers):
            labels = [*answers[: to - 1], _apart_from(OTHER, answers), *silence]
            what = Statement("merge_or_cut_the_answers", count=len(answers), question=named(question), to=to)
            short = Statement("change_answers", question=named(question), count=to)
            change = Change("answers", f"{to} answers", what, 0.1, to, question.name, short)
            yield Variant(_one_of(question, labels), change)
    if len(answers) > 2:
        statement = Statement("whether_people_give_the_one", count=len(answers))
        yield _yes_no(question, statement, f"{answers[0]}", silence)
    if len(answers) > MOST_PARTED:
        return
    what = Statement(
        "protect_only_one_answer_of_which_you_choose",
        question=named(question),
    )
    partly = OneOf(question.name, question.labels, answers[:1], None, None, question.wording, question.no_answer)
    yield Variant(partly, Change("protected", "one answer protected", what, 0.75, 1, question.name))


def _of_list(question: AnyOf) -> Iterator[Variant]:
    """Fewer answers, one that fits best, or yes or no of one."""
    labels, name = list(question.labels), named(question)
    for to in FEWER:
        if to < len(labels):
            most = None if question.most is None else min(question.most, to)
            alone = [label for label in question.exclusive or () if label in labels[:to]]
            cut = AnyOf(question.name, labels[:to], question.wording, most, alone or None)
            what = Statement("ask_about_of_the_answers", to=to, count=len(labels), question=name)
            short = Statement("change_answers", question=name, count=to)
            yield Variant(cut, Change("answers", f"{to} answers", what, 0.1, to, question.name, short))
    single = labels if question.exclusive else [*labels, _apart_from(NONE, labels)]
    what = Statement(
        "let_people_give_the_one",
        question=name,
    )
    short = Statement("change_single", question=name)
    yield Variant(_one_of(question, single), Change("single", "one answer each", what, 0.15, 1, question.name, short))
    statement = Statement("whether_people_tick_the_one", count=len(labels))
    yield _yes_no(question, statement, f"{labels[0]}")


def _of_number(question: Number) -> Iterator[Variant]:
    """The mean alone, a few classes, or yes or no."""
    scale, name = question.scale, named(question)
    if "mean" in question.want and question.want != ("mean",):
        bounds = scale.to_json()
        mean = Number(question.name, **bounds, unit=question.unit, want=("mean",), wording=question.wording)
        what = Statement("ask_for_the_mean_of_alone", question=name)
        short = Statement("change_mean", question=name)
        yield Variant(mean, Change("mean", "the mean alone", what, 0.1, "mean", question.name, short))
    if scale.size >= 2 * CLASSES:
        what = Statement("ask_for_in_classes_no_mean", question=name, count=CLASSES)
        classes = _one_of(question, list(_classes(question)))
        short = Statement("change_classes", question=name, count=CLASSES)
        yield Variant(classes, Change("classes", f"{CLASSES} classes", what, 0.15, CLASSES, question.name, short))
    middle = scale.shown(scale.size // 2)
    yield _yes_no(question, Statement("whether_a_persons_number"), f"> {middle}")


def _of_scale(question: Scale) -> Iterator[Variant]:
    """Fewer answers, or yes or no."""
    labels, name = list(question.labels), named(question)
    for to in FEWER:
        if to < len(labels):
            spread = [labels[round(place * (len(labels) - 1) / (to - 1))] for place in range(to)]
            what = Statement("ask_on_a_scale_of_answers", question=name, to=to, count=len(labels))
            shorter = Scale(question.name, spread, question.wording)
            short = Statement("change_answers", question=name, count=to)
            yield Variant(shorter, Change("answers", f"{to} answers", what, 0.1, to, question.name, short))
    if len(labels) > 2:
        middle = labels[(len(labels) - 1) // 2]
        yield _yes_no(question, Statement("whether_a_persons_answer"), f"> {middle}")


WAYS: Final[Mapping[str, Callable[[Any], Iterator[Variant]]]] = {
    OneOf.kind: _of_labels, AnyOf.kind: _of_list, Number.kind: _of_number,
    Scale.kind: _of_scale,
}  # fmt: skip
"""The other ways to ask, by the kind of question."""


def _classes(question: Number) -> Iterator[str]:
    """The places of a scale in classes of nearly the same width, as people read them."""
    scale = question.scale
    cuts = [round(scale.size * place / CLASSES) for place in range(CLASSES + 1)]
    for start, end in pairwise(cuts):
        yield f"{scale.shown(start)} to {scale.shown(end - 1)}"


def _yes_no(question: Question, statement: Statement, about: str, silence: Sequence[Any] = ()) -> Variant:
    """The question whether ``about`` holds of a person: whoever asks may choose something else of that kind.

    ``statement`` says what such questions ask, and ``silence`` lists the answer of those who say nothing, if any.
    """
    what = Statement("ask_as_a_yes_or_no_nothing", question=named(question), asked=statement)
    short = Statement("change_yes_no", question=named(question), about=about)
    change = Change("yes_no", "yes or no", what, 0.2, 2, question.name, short)
    wording = f"{stem_of(question.wording)}: {about}?" if question.wording else ""
    answers = SO_OR_NOT if set(silence) & set(YES_NO) else YES_NO
    return Variant(_one_of(question, [*answers, *silence], wording), change)


def stem_of(wording: str) -> str:
    """A question without its sign, so that what it is about can follow.

    >>> stem_of("What did you take? ")
    'What did you take'
    """
    return wording.rstrip(" ?:.")


def _one_of(question: Question, labels: list[Any], wording: str | None = None) -> OneOf:
    """A question of the same name with these answers, and of the same wording if no other is given."""
    no_answer = question.skip_answer if question.skip_answer in labels else None
    return OneOf(question.name, labels, wording=question.wording if wording is None else wording, no_answer=no_answer)


def _apart_from(word: str, labels: list[Any]) -> str:
    """A word that is none of the labels."""
    return word if word not in labels else _apart_from(f"{word} ", labels)


def _several(questions: tuple[Question, ...]) -> Statement:
    """A few questions as sentences name them."""
    statement = named(questions[0])
    for question in questions[1:]:
        statement = Statement("and", first=statement, second=named(question))
    return statement


def fewer_questions(questions: tuple[Question, ...], left_out: tuple[Question, ...]) -> Change:
    """Only these ``questions`` are asked."""
    names = [question.name for question in questions]
    brief = f"{names[0]} alone" if len(names) == 1 else f"{len(names)} questions"
    others = _several(left_out) if len(left_out) < 4 else Statement("the_others")
    only = _several(questions) if len(questions) < 4 else Statement(
        "the_questions", count=len(questions), names=", ".join(names)
    )  # fmt: skip
    what = Statement("ask_only_nothing_is_told", questions=only, others=others)
    short = Statement("ask_only", questions=only)
    price = 0.45 * len(left_out) / (len(questions) + len(left_out))
    return Change("questions", brief, what, price, names, short=short)


def weaker_protection(now: DesignInputs, to: float) -> Change:
    """Less protection, which costs more where there is little left."""
    level = now.epsilon
    price = 0.25 * (min(to, 2.0) - min(level, 2.0)) + 0.5 * (max(to, 2.0) - max(level, 2.0))
    before, after = (each.protection for each in (now, replace(now, epsilon=to)))
    if before.level == math.inf:
        what = Statement("protect_less_what_is_protected", level=to, asked=level)
        return Change("level", f"epsilon {to:g}", what, price, to)
    what = Statement("protect_less_a_guess_of_50_in", after=after.guess(), before=before.most())
    short = Statement("protect_less_a_guess_of_50", after=after.guess(), before=before.most())
    return Change("level", f"{english(after.name)} protection", what, price, to, short=short)


def through_mixer(now: DesignInputs, crowd: Crowd, together: Protection) -> Change:
    """Somebody else passes the answers on; from both parties ``together`` they are protected less than was asked."""
    guesses = {"after": together.guess(), "before": now.protection.most()}
    mixed = Protection(crowd.belief or together.level).guess()
    what = Statement("have_somebody_mix", least=crowd.least, mixed=mixed, made_up=crowd.made_up, **guesses)
    short = Statement("price_of_a_mixer", **guesses)
    return Change("mixer", f"a mixer, {crowd.least:,} at once", what, MIXER, crowd.least, short=short)


def as_census(count: int) -> Change:
    """The people are all that are asked about."""
    what = Statement("say_that_these_are_all_of_them", count=count)
    return Change("census", "a census", what, 0.25, count)


def uncrossed(pairs: int) -> Change:
    """No answers are set side by side."""
    what = Statement("ask_no_answers_side_by_side", count=pairs)
    return Change("cross", "nothing crossed", what, 0.15, 0)


def more_people(count: int, to: int) -> Change:
    """More people are asked: ``to`` in place of ``count``."""
    what = Statement("ask_in_place_of", people=people(to), count=count)
    return Change("people", english(people(to)), what, DEAR * math.log(to / count), to)
