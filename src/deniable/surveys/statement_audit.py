"""The statements of a survey's label, each judged against the exact reports of all joint answers.

Nothing is taken from the guarantees that the label was made from: which answers are protected, and how well, is read
off the realised channels of the parts, of which those of one arm are independent once the answers are given.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from deniable.audit.answer_ratios import AnswerRatios
from deniable.audit.mechanism_judges import keeps_labels, life_of
from deniable.audit.promise_judges import OPEN, PROMISES
from deniable.audit.truth import (
    UNJUDGED,
    Bounded,
    Judge,
    JudgedStatement,
    Truth,
    bounded,
    judge_belief,
    judged,
    true_if,
    unjudged,
)
from deniable.mechanisms.repeat.remembered import Remembered
from deniable.privacy.entropy import SystemEntropy
from deniable.protocol.errors import CapacityError
from deniable.protocol.privacy.rows import Ratio
from deniable.protocol.say import Statement
from deniable.protocol.surveys.protection import Protection
from deniable.surveys.answer_bytes import written
from deniable.surveys.arms import Arm
from deniable.surveys.crowd_judges import crowd_judges
from deniable.surveys.label import Label
from deniable.surveys.protection_judges import protection_judges
from deniable.surveys.realised import SurveyChannel, product


def judged_survey(realised: SurveyChannel) -> tuple[JudgedStatement, ...]:
    """The statements of a survey's label with their verdicts, but for those with too many answers to judge."""
    return _judged(realised, Label(realised.document).statements)


def judged_protection(realised: SurveyChannel) -> tuple[JudgedStatement, ...]:
    """What every face says of a survey's protection, with its verdict, but for what has too many answers to judge."""
    protection = Protection.of(realised.document)
    return _judged(realised, (protection.name, protection.hint, protection.guess()))


def _judged(realised: SurveyChannel, statements: Iterable[Statement]) -> tuple[JudgedStatement, ...]:
    """Each statement with its verdict; those that take too many answers to judge are left out."""
    verdicts = []
    for statement in statements:
        with suppress(CapacityError):
            verdicts.append(judged_statement(realised, statement))
    return tuple(verdicts)


def judged_statement(realised: SurveyChannel, statement: Statement) -> JudgedStatement:
    """A statement on a survey with its verdict, wherever it is said."""
    [verdict] = judged(realised, [statement], JUDGES)
    return verdict


def _about(realised: SurveyChannel, values: Mapping[str, Any]) -> Truth | None:
    """What is promised about one question, by that promise's own judge."""
    promise, answers = values["promise"], _answers_named(realised, values)
    judge = PROMISES.get(promise.key)
    return None if judge is None or answers is None else {"promise": judge(answers, promise.values)}


def _of_named_question(judge: Judge[AnswerRatios]) -> Judge[SurveyChannel]:
    """A judge of a survey, from one of the answers to the question that a statement names."""

    def judge_named(realised: SurveyChannel, values: Mapping[str, Any]) -> Truth | None:
        answers = _answers_named(realised, values)
        return None if answers is None else judge(answers, values)

    return judge_named


def _answers_named(realised: SurveyChannel, values: Mapping[str, Any]) -> AnswerRatios | None:
    """The answers to the question that a statement names; None if there is none of that name."""
    name = values["of"].values["name"]
    return realised.about(name) if name in realised.document.by_name else None


def _sent(realised: SurveyChannel) -> Ratio:
    """The largest ratio of all that is sent: in one period, or where reports are remembered in a life."""
    life = _life(realised)
    return realised.worst if life is None else life


def _ever(realised: SurveyChannel) -> Ratio | None:
    """The largest ratio of all that is ever sent; None where reports are made anew, whose levels add up."""
    return None if realised.document.repeat == "fresh" else _sent(realised)


def _life(realised: SurveyChannel) -> Ratio | None:
    """The largest ratio of a life of remembered reports, from the permanent ones; None where there are none."""
    arms = realised.document.arms
    return max(product(map(life_of, _remembered(arm))) for arm in arms) if _is_remembered(realised) else None


def _unchanged(realised: SurveyChannel) -> Ratio | None:
    """The largest ratio of all rounds, if answers stay the same; None where reports are not remembered."""
    return realised.worst_unchanged if _is_remembered(realised) else None


def _is_remembered(realised: SurveyChannel) -> bool:
    return realised.document.repeat == "remembered"


def _remembered(arm: Arm) -> list[Remembered]:
    return [part.mechanism for part in arm.parts if isinstance(part.mechanism, Remembered)]


def _during(judge: Judge[SurveyChannel]) -> Judge[SurveyChannel]:
    """A judge that also judges of which stretch of time something is said."""

    def judge_during(realised: SurveyChannel, values: Mapping[str, Any]) -> Truth | None:
        truth = judge(realised, values)
        return None if truth is None else {**truth, "during": realised.during}

    return judge_during


def _repeated(repeat: str, *terms: str) -> Judge[SurveyChannel]:
    """A judge of what is said of being asked again: how often, and other terms of the document by their names."""

    def judge_repeated(realised: SurveyChannel, _: Mapping[str, Any]) -> Truth | None:
        document = realised.document
        values = {term: getattr(document, term) for term in terms}
        return {"every": Statement(f"every_{document.period}"), **values} if document.repeat == repeat else None

    return judge_repeated


def _drawn(realised: SurveyChannel, _: Mapping[str, Any]) -> Truth | None:
    """That some answers never leave the device, which is so where some arm reports on fewer than all questions."""
    every = len(realised.document.questions)
    return {"asked": _spanned(realised.asked), "count": every} if min(realised.asked) < every else None


def _open_part(realised: SurveyChannel, _: Mapping[str, Any]) -> Truth | None:
    """Of some questions, which are named, some answers can be told apart for certain; what cannot has a price."""
    open_ones = [name for name in realised.document.by_name if realised.about(name).worst() == math.inf]
    return {"questions": ", ".join(open_ones), "charge": Bounded(realised.charge)} if open_ones else None


def _changed_labels(realised: SurveyChannel, _: Mapping[str, Any]) -> Truth | None:
    return true_if(any(keeps_labels(m) for arm in realised.document.arms for m in _remembered(arm)))


def _is_certain_for_some(realised: SurveyChannel, _: Mapping[str, Any]) -> Truth | None:
    return true_if(realised.worst == math.inf)


def _bytes(realised: SurveyChannel, _: Mapping[str, Any]) -> Truth:
    """How many bytes an answer has, by one of each arm as it is sent."""
    document, entropy = realised.document, SystemEntropy()
    sizes: list[int] = []
    for number, arm in enumerate(document.arms):
        columns = [part.mechanism.draw(part.index(realised.some_answer, entropy), entropy) for part in arm.parts]
        sizes += map(len, written(document, number, arm, columns))
    return {"count": max(sizes), "length": _spanned(sizes)}


def _spanned(sizes: Sequence[int]) -> Statement | int:
    """From the least to the most, if they differ."""
    least, most = min(sizes), max(sizes)
    return most if least == most else Statement("range", least=least, most=most)


def _languages(realised: SurveyChannel, _: Mapping[str, Any]) -> Truth:
    tags = realised.document.languages
    return {"count": len(tags), "tags": ", ".join(tags)}


def _ways(realised: SurveyChannel, _: Mapping[str, Any]) -> Truth | None:
    """That no report tells for certain which way somebody went, nor how long it is."""
    leading = {question.only_if.question for question in realised.document.questions if question.only_if is not None}
    return true_if(bool(leading) and not any(realised.about(name).worst() == math.inf for name in leading))


def _in_field(realised: SurveyChannel, _: Mapping[str, Any]) -> Truth | None:
    return true_if(realised.document.carrier == "field")


JUDGES: Mapping[str, Judge[SurveyChannel]] = {
    **UNJUDGED,
    "drawn": _drawn,
    "changed": lambda realised, _: true_if(realised.never_certain()),
    "changed_part": _is_certain_for_some,
    "differs": _is_certain_for_some,
    "whole": _during(lambda realised, _: bounded(level=_sent(realised))),
    "belief": _during(lambda realised, values: judge_belief(_sent(realised), values)),
    "round": lambda realised, _: bounded(level=realised.worst),
    "round_belief": lambda realised, values: judge_belief(realised.worst, values),
    "unchanged": lambda realised, _: bounded(level=_unchanged(realised)),
    "life": lambda realised, _: bounded(level=_life(realised)),
    "life_belief": lambda realised, values: judge_belief(_life(realised), values),
    "about": _about,
    "bytes": _bytes,
    "fresh": _repeated("fresh", "cap", "topic"),
    "remembered": _repeated("remembered"),
    **{key: _of_named_question(judge) for key, judge in OPEN.items()},
    "promise_sent": lambda realised, _: bounded(level=_sent(realised)),
    "promise_ever": lambda realised, _: bounded(level=_ever(realised)),
    "promise_part": _open_part,
    "changes": lambda realised, _: true_if(_is_remembered(realised)),
    "changed_labels": _changed_labels,
    "languages": _languages,
    "kiosk": lambda realised, _: true_if(realised.document.kiosk),
    "paths": _ways,
    "paths_time": unjudged,  # a warning of what no report tells
    "lan": lambda realised, _: true_if(realised.document.lan),
    **dict.fromkeys(("field_beside", "field_same", "field_again"), _in_field),
    **protection_judges(_sent),
    **crowd_judges(_sent),
}
"""How each statement is judged, by key."""
