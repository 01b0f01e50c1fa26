"""Questions answered by a number or a date."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any, Final

import numpy as np

from deniable.estimation.words import counted
from deniable.pages.builder.notation import date_of, decimal_of
from deniable.pages.kinds.draft_question import DraftQuestion
from deniable.pages.kinds.page_kind import CROWD, PageKind
from deniable.pages.kinds.sent_answer import FittingShares, SentAnswer, Shares, most_telling, shares_telling_apart
from deniable.pages.results.numbers import NumberResult
from deniable.protocol.questions.number import MOST_UNIT, Block, Number, Point
from deniable.protocol.questions.question import Question, QuestionWords
from deniable.protocol.say import Figure, Phrase, Statement
from deniable.surveys.arms import Part

WANTED: Final[Mapping[str, tuple[str, ...]]] = {
    "mean": ("mean",),
    "ranges": ("quantiles", "histogram"),
    "spread": ("spread",),
}
"""What an author may tick, and what each stands for in a document."""
BOUND: Final = Statement("write_a_number_such_as_120")
STEP: Final = Statement("write_a_number_above_0")


class NumberPage(PageKind[Number]):
    """A place on a scale is the answer."""

    has_shares = False
    result = NumberResult()
    title = Statement("a_number")
    hint = Statement("minutes_ages_amounts_a_day")
    fields = "scale"
    preview = "number"

    def to_question(self, question: DraftQuestion, name: str) -> Number:
        """A question from the bounds and the step of a draft, as numbers or days."""
        low, high = (_read_bound(each) for each in (question.low, question.high))
        want = [estimate for each in WANTED if each in question.wanted for estimate in WANTED[each]]
        step = decimal_of(question.step)
        return Number(name, low, high, question.step if step is None else step, question.unit, want, question.wording)

    def to_draft(self, question: Number, before: DraftQuestion) -> DraftQuestion:
        """A draft with the bounds, step and unit of a question, and what is wanted of it."""
        bounds: dict[str, Any] = {key: str(value) for key, value in question.scale.to_json().items()}
        wanted = tuple(each for each, estimates in WANTED.items() if set(estimates) & set(question.want))
        return replace(before, kind="number", **bounds, unit=question.unit, wanted=wanted, protected="everybody")

    def sent_answer(self, question: Number, parts: Sequence[Part], words: QuestionWords) -> SentAnswer:
        """How many people at one end of the scale, and at the other, send a report that fits the first of them."""
        telling = most_telling(parts, _ends_told_apart)
        low, high = (f"{question.scale.shown(end)} {words.unit}".strip() for end in (0, question.scale.steps))
        fitting = None if telling is None else FittingShares.of("number", *telling, low=low, high=high)
        return SentAnswer(fitting, parts=tuple(_parts_notes(question, parts)))

    def brief(self, question: DraftQuestion) -> Phrase:
        statement = Statement("a_number_from_to", low=question.low or "…", high=question.high or "…")
        return counted(statement, question.unit)

    def texts(self, question: DraftQuestion) -> tuple[str, ...]:
        return (question.unit.strip(),)

    def faults(self, question: DraftQuestion) -> dict[str, Statement]:
        """What is wrong with each field by itself, or else with all of them together."""
        faults = {name: BOUND for name in ("low", "high") if not _is_bound(getattr(question, name))}
        step = decimal_of(question.step)
        if step is None or step <= 0:
            faults["step"] = STEP
        if len(question.unit) > MOST_UNIT:
            faults["unit"] = Statement("a_unit_has_at_most", most=MOST_UNIT)
        if not question.wanted:
            faults["want"] = Statement("tick_at_least_one")
        if not faults and (reason := self.refusal(question)):
            faults["high"] = _fault_of_bounds(question) or reason
        return faults

    def example(self, question: Number) -> str | float:
        """A number, or a date, in the middle of the scale."""
        shown = question.scale.shown(question.scale.steps // 2)
        return shown if question.scale.dated else json.loads(shown)

    def made_up_answers(self, question: Number, first: float, rng: np.random.Generator) -> Sequence[str | float]:
        """Numbers, or dates, of which more lie below the middle than above it."""
        scale = question.scale
        places = np.rint(rng.beta(2, 3, CROWD) * scale.steps).astype(int).tolist()
        return [scale.shown(place) if scale.dated else float(scale.value(place)) for place in places]

    def compares_with(self, question: Number, other: Question) -> bool:
        """The scale and the unit are the same."""
        return other.values == question.scale and getattr(other, "unit", None) == question.unit


def _ends_told_apart(part: Part) -> Shares | None:
    """How often the ends of the scale send what fits the lower one; None where both may become the same value."""
    [question] = part.questions
    ends = [part.encoder.chances([question], [end]) for end in (0, question.values.steps)]
    if any(len(chances) > 1 for chances in ends):
        return None
    low, high = (int(value) for [(value, _)] in ends)
    return None if low == high else shares_telling_apart(part, low, high)


def _parts_notes(question: Number, parts: Sequence[Part]) -> Iterator[Statement]:
    """What each part is for, those that are for the same together."""
    encoders = [part.encoder for part in parts]
    points = [each for each in encoders if isinstance(each, Point)]
    if mean := [each for each in points if each.about is None]:
        yield Statement("parts_mean", count=len(mean), points=mean[0].points)
    if spread := [each for each in points if each.about is not None]:
        about = question.scale.shown(spread[0].about or 0)
        yield Statement("parts_spread", count=len(spread), points=spread[0].points, about=about)
    if blocks := [each for each in encoders if isinstance(each, Block)]:
        yield Statement("parts_ranges", count=len(blocks))


def _is_bound(text: str) -> bool:
    """Whether a bound is a number or a day."""
    return decimal_of(text) is not None or date_of(text) is not None


def _read_bound(text: str) -> Decimal | str:
    """A bound as it was meant, or as it stands if it cannot be one."""
    number = decimal_of(text)
    return number if number is not None else date_of(text) or text


def _fault_of_bounds(question: DraftQuestion) -> Statement | None:
    """What is wrong with bounds and a step together, of which each by itself can stand."""
    low, high, step = _read_bound(question.low), _read_bound(question.high), decimal_of(question.step)
    if isinstance(low, str) or isinstance(high, str):
        if not (isinstance(low, str) and isinstance(high, str)):
            return Statement("from_and_to_must_be_two")
        return Statement("to_must_be_after_from") if high <= low else None
    if high <= low:
        return Statement("to_must_be_more_than_from_which_is", low=question.low)
    if step and (high - low) % step:
        nearest = high - (high - low) % step
        above, below = Figure(f"{nearest + step:f}"), Figure(f"{nearest:f}")
        close = Statement("or_below_above", below=below, above=above) if nearest > low else above
        return Statement("in_steps_of_from_one_comes", step=question.step, low=question.low, close=close)
    return None
