"""Judges of what every face says of protection: over all that a device will ever send, from the exact reports alone."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Final, TypeAlias

from deniable.audit.truth import CLOSE, BeliefBound, Bounded, Judge, Truth, judge_belief, true_if
from deniable.protocol.privacy.rows import Ratio, level_sum, within_sum
from deniable.protocol.say import READABLE
from deniable.protocol.surveys.protection import BEYOND, EVEN, GRADES, grade_of
from deniable.surveys.realised import SurveyChannel

RatioOfSent: TypeAlias = Callable[[SurveyChannel], Ratio]
"""The largest ratio between two persons' chances of sending the same: in one period, or of remembered reports ever."""
BELOW: Final = 1 - Fraction(1, 10**12)
"""A cap is a level; e to its power, as floating point has it, may be this much too large."""


def sent_in_all(realised: SurveyChannel, sent: RatioOfSent) -> Ratio:
    """The largest ratio of all that a device sends: its cap bounds that of fresh answers, if none costs more than said.

    ``sent`` is the ratio of what is sent in one period, or of remembered reports in a life.
    """
    document, worst = realised.document, sent(realised)
    if document.repeat != "fresh" or worst == math.inf:
        return worst
    return Fraction(math.exp(document.cap)) * BELOW if within_sum(worst, document.promise.charge) else math.inf


def protection_judges(sent: RatioOfSent) -> Mapping[str, Judge[SurveyChannel]]:
    """How each statement on protection is judged, by key."""

    def in_all(realised: SurveyChannel) -> Ratio:
        return sent_in_all(realised, sent)

    def graded(name: str) -> Judge[SurveyChannel]:
        return lambda realised, _: true_if(name in grades_of(in_all(realised)))

    def guess(realised: SurveyChannel, values: Mapping[str, Any]) -> Truth | None:
        return _largest_belief(in_all(realised), values)

    def guess_during(realised: SurveyChannel, values: Mapping[str, Any]) -> Truth | None:
        truth = _largest_belief(sent(realised), values) if realised.during else None
        return truth and {**truth, "during": realised.during}

    def all_grades(realised: SurveyChannel, values: Mapping[str, Any]) -> Truth | None:
        worst, stated = in_all(realised), values["grade"]
        if worst == math.inf or stated.key.removeprefix("grade_") not in grades_of(worst):
            return None
        return {"grade": stated, **GRADES, "level": Bounded(worst)}

    def nearly_certain(realised: SurveyChannel, _: Mapping[str, Any]) -> Truth | None:
        return true_if(READABLE * (1 - CLOSE) < _level(in_all(realised)) < math.inf)

    return {
        **{f"grade_{name}": graded(name) for name in (*GRADES, BEYOND)},
        **{f"hint_{name}": graded(name) for name in (*GRADES, BEYOND)},
        "hint_part": lambda realised, _: true_if(in_all(realised) == math.inf),
        "guess_becomes": guess,
        "guess_becomes_during": guess_during,
        "guess_nearly_certain": nearly_certain,
        "guess_certain": lambda realised, _: true_if(in_all(realised) == math.inf),
        "grades": all_grades,
        **RECORDS,
    }


RECORDS: Final[Mapping[str, Judge[SurveyChannel]]] = {
    "record_found": lambda realised, values: _largest_belief(realised.worst, values),
    "record_found_nearly": lambda realised, _: true_if(_level(realised.worst) > READABLE * (1 - CLOSE)),
    "records_linked": lambda realised, values: _largest_belief(realised.worst, values) if realised.during else None,
}
"""What the record of one answer, or of one round, tells of whose it is: which of two people sent it has no other odds
than which of two answers it is of. So has, where each is drawn anew, whether two records are of one person."""


def _level(worst: Ratio) -> float:
    return math.inf if worst == math.inf else level_sum(worst)


def grades_of(worst: Ratio) -> set[str]:
    """The grade of a ratio, and that of the level as far above as a stated one may be."""
    truth = judge_belief(worst, {"before": EVEN})
    if truth is None:
        return {BEYOND}
    most: BeliefBound = truth["most"]
    return {grade_of(float(most.share)), grade_of(float(most.loosest))}


def _largest_belief(worst: Ratio, values: Mapping[str, Any]) -> Truth | None:
    """How sure a guess may become at most, and not how unsure."""
    truth = judge_belief(worst, values)
    return truth and {"most": truth["most"]}
