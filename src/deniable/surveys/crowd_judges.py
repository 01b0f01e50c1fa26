"""Judges of what a label says of a crowd: from the exact rows of each part, never from the laws that plans use."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final, NamedTuple

from deniable.audit.exact import proof_of
from deniable.audit.truth import Bounded, Judge, StatementVerdict, Truth, judge_belief, true_if
from deniable.mechanisms.mechanism import Mechanism
from deniable.protocol.errors import CapacityError
from deniable.protocol.privacy.levels import rounded_up
from deniable.protocol.say import Statement
from deniable.protocol.surveys.crowd import Crowd
from deniable.protocol.surveys.periods import count_of
from deniable.protocol.surveys.protection import BEYOND, GRADES
from deniable.surveys.crowd_pairs import pairs_of_arms
from deniable.surveys.document import Document
from deniable.surveys.protection_judges import RatioOfSent, grades_of, sent_in_all
from deniable.surveys.realised import SurveyChannel
from deniable.theory.crowd.blanket import Blanket
from deniable.theory.crowd.channels import MOST_LISTED, of_channel
from deniable.theory.crowd.crowds import curve_of
from deniable.theory.crowd.curves import Curve
from deniable.theory.crowd.solving import belief, least_level

HARDLY: Final = 1.01
"""A level or a belief that is no more than this above the one that is found says all that it can, in three digits."""


def crowd_judges(sent: RatioOfSent) -> Mapping[str, Judge[SurveyChannel]]:
    """How each statement on a crowd is judged, by key; ``sent`` is the ratio of what is sent, as if no crowd hid it."""

    def judge_together(realised: SurveyChannel, _: Mapping[str, Any]) -> Truth | None:
        truth = _terms("owner", "operator")(realised, {})
        return truth and {**truth, "level": Bounded(sent(realised)), "during": realised.during}

    def clues(realised: SurveyChannel) -> tuple[set[Statement], set[Statement]]:
        """The true clues on what the mixed answers tell, and on what all that is sent tells.

        Each may also be that of a level as far above the proven one as a stated level may be.
        """
        crowd = realised.document.crowd
        stated = math.inf if crowd is None or crowd.belief is None else Fraction(math.exp(crowd.belief))
        ratios = (stated, sent_in_all(realised, sent))
        alone, together = ({Statement(f"clue_{name}") for name in grades_of(ratio)} for ratio in ratios)
        return alone, together

    def judge_hints(realised: SurveyChannel, values: Mapping[str, Any]) -> Truth | None:
        truth, worst = _belief(realised, values), judge_belief(sent_in_all(realised, sent), values)
        alone, together = clues(realised)
        if truth is None or worst is None or values["alone"] not in alone or values["together"] not in together:
            return None
        return {**{name: truth[name] for name in ("owner", "during", "most")}, "all": worst["most"]}

    def clue_judge(name: str) -> Judge[SurveyChannel]:
        """Whether a clue is true of either level; which of them it is said of is judged in the hints around it."""
        return lambda realised, _: true_if(any(Statement(f"clue_{name}") in true for true in clues(realised)))

    return {
        "crowd_counts": _terms("honest"),
        "crowd_mixer": _terms("operator"),
        "crowd_collector": _collector,
        "crowd_belief": _belief,
        "crowd_together": judge_together,
        "crowd_periods": _periods,
        "crowd_stated": _terms("owner"),
        "crowd_apart": _terms("owner", "operator"),
        "crowd_made_up": _terms("made_up", "owner", "operator"),
        "crowd_codes": _terms(),
        "crowd_opened": _terms("owner"),
        "crowd_hints": judge_hints,
        **{f"clue_{name}": clue_judge(name) for name in (*GRADES, BEYOND)},
    }


@dataclass(frozen=True)
class Certified:
    """A certified level or belief; where it was found part by part (``is_by_parts``) it may be larger than need be."""

    value: float
    is_by_parts: bool

    def judged(self, stated: float) -> StatementVerdict:
        """Whether what is stated is proven; and whether less could be stated, where that can be told."""
        holds = stated >= self.value
        return StatementVerdict(holds, holds and stated > rounded_up(self.value) * HARDLY and not self.is_by_parts)


class CrowdTruth(NamedTuple):
    """What is certified of a survey's crowd."""

    level: Certified
    belief: Certified


def _collector(realised: SurveyChannel, _: Mapping[str, Any]) -> Truth | None:
    crowd, truth = realised.document.crowd, _terms("owner", "least", "chance")(realised, {})
    if crowd is None or truth is None:
        return None
    return {**truth, "level": certified(realised.document, crowd).level, "during": realised.during}


def _belief(realised: SurveyChannel, values: Mapping[str, Any]) -> Truth | None:
    """A belief that is within what the document states, which is what moves beliefs at most, up and down."""
    crowd, terms = realised.document.crowd, _terms("owner", "chance")(realised, {})
    if crowd is None or crowd.belief is None or terms is None:
        return None
    if not certified(realised.document, crowd).belief.judged(crowd.belief).holds:
        return None
    truth = judge_belief(Fraction(math.exp(crowd.belief)), values)
    return truth and {**truth, **terms, "during": realised.during}


def _periods(realised: SurveyChannel, _: Mapping[str, Any]) -> Truth | None:
    document = realised.document
    if document.crowd is None or not realised.during:
        return None
    return {"during": realised.during, "count": count_of(document)}


def _terms(*places: str) -> Judge[SurveyChannel]:
    """A judge of what names the parties and the numbers of a crowd, and promises nothing that a report could show."""

    def judge(realised: SurveyChannel, _: Mapping[str, Any]) -> Truth | None:
        document = realised.document
        return None if document.crowd is None else {
            place: document.owner if place == "owner" else getattr(document.crowd, place) for place in places
        }  # fmt: skip

    return judge


@lru_cache(maxsize=64)
def certified(document: Document, crowd: Crowd) -> CrowdTruth:
    """The level and the belief that are proven of a crowd; once for all statements of a label."""
    curve, is_by_parts = _curve(document, crowd)
    levels = least_level(curve, crowd.delta), belief(curve, crowd.delta / 2)
    return CrowdTruth(*(Certified(each, is_by_parts) for each in levels))


def _curve(document: Document, crowd: Crowd) -> tuple[Curve, bool]:
    """The curve of the crowd, and whether it is by parts: where rows or pairs are too many, by closed forms."""
    with suppress(CapacityError):
        blankets, is_exact = _blankets(document, _blankets_of_rows)
        if is_exact:
            return curve_of(blankets, crowd.honest), False
    return curve_of(_blankets(document, _blankets_of_part)[0], crowd.honest), True


def _blankets(document: Document, of: Callable[[Mechanism], tuple[Blanket, ...]]) -> tuple[tuple[Blanket, ...], bool]:
    """The blankets of all pairs of answers, and whether none of them is replaced by a larger one."""
    counts = []

    def counted(mechanism: Mechanism, _: str) -> tuple[Blanket, ...]:
        blankets = of(mechanism)
        counts.append(len(blankets))
        return blankets

    blankets = pairs_of_arms(document.arms, counted)
    return blankets, len(blankets) == math.prod(counts)


def _blankets_of_rows(mechanism: Mechanism) -> tuple[Blanket, ...]:
    """The blankets of all pairs of a mechanism's exact rows; refused where they are too many."""
    rows = mechanism.channel().rows.listed()
    if len(rows) > MOST_LISTED:
        raise CapacityError("rows must be fewer to look at all pairs of them")
    if len(rows) == len(rows[0]) == 2 and rows[0] == rows[1][::-1] and rows[0] != rows[1]:
        g, h = (Fraction(weight, sum(rows[0])) for weight in sorted(rows[0], reverse=True))
        return (Blanket.supports(g / h, g, h, 2),)
    every = of_channel(rows)
    different = tuple(each for each in every if each.spread)
    has_two_levels = len(different) == 1 and {*different[0].u, *different[0].v} <= {1.0, different[0].u.max()}
    return different if has_two_levels else every  # of two levels, two equal answers are never worse


def _blankets_of_part(mechanism: Mechanism) -> tuple[Blanket, ...]:
    """The blanket of a mechanism's closed form; without one its rows', or that of its proven odds, which is larger."""
    closed_form = None if mechanism.law.instead else mechanism.law.blanket()
    if closed_form is not None:
        return (closed_form,)
    with suppress(CapacityError):
        return _blankets_of_rows(mechanism)
    return (Blanket.generic(Fraction(proof_of(mechanism).exact_ratio)),)
