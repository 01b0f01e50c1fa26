"""The statements of a survey's label, each judged against the exact reports of all joint answers.

Nothing is taken from the guarantees that the label was made from: which answers are protected, and how well, is read
off the realised channels of the parts, of which those of one arm are independent once the answers are given.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from deniable.mechanisms.repeat.remembered import Remembered
from deniable.privacy.entropy import SystemEntropy
from deniable.protocol.privacy.informed import InformationPrivacy
from deniable.protocol.privacy.rows import Ratio, level, within_sum
from deniable.protocol.say import Statement
from deniable.surveys.answer_bytes import written
from deniable.surveys.document import Document
from deniable.surveys.label import Label
from deniable.surveys.realised import Answer, QuestionRatios, SurveyChannel

Judge: TypeAlias = "Callable[[SurveyChannel, Mapping[str, Any]], bool]"


class JudgedStatement(NamedTuple):
    """A statement and whether it is true; of one with a level also the level that is realised."""

    statement: Statement
    holds: bool
    realised: float | None = None


def judged(document: Document) -> tuple[JudgedStatement, ...]:
    """Every statement of a survey's label with its verdict; refused for surveys with too many joint answers."""
    realised = SurveyChannel.of(document)
    return tuple(_judged(realised, statement) for statement in Label(document).statements)


def _judged(realised: SurveyChannel, statement: Statement) -> JudgedStatement:
    """A statement that nobody knows how to judge is no true one."""
    judge = JUDGES.get(statement.key)
    holds = judge is not None and judge(realised, statement.values)
    worst = _bounded(realised, statement.key)
    return JudgedStatement(statement, holds, None if worst is None else level(worst))


def _bounded(realised: SurveyChannel, key: str) -> Ratio | None:
    """What a statement with a level of whole answers bounds; None for others."""
    if key in ("whole", "round"):
        return realised.worst
    return realised.worst_unchanged if key == "unchanged" else None


# --- whole answers --------------------------------------------------------------------------------------------------


def _whole(realised: SurveyChannel, values: Mapping[str, Any]) -> bool:
    return within_sum(realised.worst, values["level"])


def _belief(realised: SurveyChannel, values: Mapping[str, Any]) -> bool:
    return _moves(realised.worst, values)


def _moves(worst: Ratio, values: Mapping[str, Any]) -> bool:
    """Whether the odds of a belief, multiplied or divided by a ratio, stay within what is said of it."""
    before, odds = Fraction(repr(values["before"])), Fraction(worst)
    most, least = before * odds / (before * odds + 1 - before), before / (before + (1 - before) * odds)
    return Fraction(repr(values["least"])) <= least and most <= Fraction(repr(values["most"]))


def _unchanged(realised: SurveyChannel, values: Mapping[str, Any]) -> bool:
    return within_sum(realised.worst_unchanged, values["level"])


def _life(realised: SurveyChannel, values: Mapping[str, Any]) -> bool:
    """A life costs what its permanent reports cost."""
    return all(proof.holds and proof.claimed <= values["level"] for proof in realised.lives)


def _life_belief(realised: SurveyChannel, values: Mapping[str, Any]) -> bool:
    return _moves(Fraction(math.exp(max(proof.claimed for proof in realised.lives))), values)


def _changed(realised: SurveyChannel, _: Mapping[str, Any]) -> bool:
    """Whatever somebody answers, another answer may have sent the same."""
    return all(any(_alike(realised, x, z) for z in realised.answers if z != x) for x in realised.answers)


def _alike(realised: SurveyChannel, answer: Answer, other: Answer) -> bool:
    return any(all(part.overlaps(answer, other) for part in arm) for arm in realised.arms)


def _differs(realised: SurveyChannel, _: Mapping[str, Any]) -> bool:
    return realised.worst == math.inf


# --- one question by itself -----------------------------------------------------------------------------------------


def _alone(realised: SurveyChannel, values: Mapping[str, Any]) -> QuestionRatios:
    """The question that a statement names."""
    return QuestionRatios.of(realised, values["of"].values["name"])


def _about(realised: SurveyChannel, values: Mapping[str, Any]) -> bool:
    promise, alone = values["promise"], _alone(realised, values)
    return promise.key in PROMISES and PROMISES[promise.key](alone, promise.values)


def _protected(alone: QuestionRatios, values: Mapping[str, Any]) -> bool:
    hidden = alone.hidden()
    return alone.bound(values["level"], lambda a, _: a in hidden)


def _grouped(alone: QuestionRatios, values: Mapping[str, Any]) -> bool:
    groups = alone.groups()
    together = [(a, b) for a, b, _ in alone.pairs if any({a, b} <= group for group in groups)]
    return not together or alone.bound(values["level"], lambda a, b: (a, b) in together)


def _near_far(alone: QuestionRatios, values: Mapping[str, Any]) -> bool:
    near, far = alone.apart(1), alone.apart(values["count"])
    return alone.bound(values["level"], near) and alone.bound(values["far"], far)


def _listed(alone: QuestionRatios, values: Mapping[str, Any]) -> bool:
    return alone.bound(values["level"], lambda a, b: len(set(a) ^ set(b)) == 1)


def _listed_held(alone: QuestionRatios, values: Mapping[str, Any]) -> bool:
    return alone.bound(values["level"], _holds_one_more)


def _holds_one_more(one: Any, other: Any) -> bool:
    return set(other) < set(one) and len(one) == len(other) + 1


def _relative(alone: QuestionRatios, values: Mapping[str, Any]) -> bool:
    promise = alone.question.guarantee(values["level"])
    if not isinstance(promise, InformationPrivacy):
        return False
    return alone.bound(values["any"].values["level"]) and all(promise.judge(rows).holds for rows in alone.rows)


def _some_pairs(alone: QuestionRatios, values: Mapping[str, Any]) -> bool:
    finite = [ratio for _, _, ratio in alone.pairs if ratio < math.inf]
    return bool(finite) and all(within_sum(ratio, values["level"]) for ratio in finite)


PROMISES: Mapping[str, Callable[[QuestionRatios, Mapping[str, Any]], bool]] = {
    "any": lambda alone, values: alone.bound(values["level"]),
    "protected": _protected,
    "grouped": _grouped,
    "near": lambda alone, values: alone.bound(values["level"], alone.apart(1)),
    "near_far": _near_far,
    "listed": _listed,
    "listed_held": _listed_held,
    "relative": _relative,
    "some_pairs": _some_pairs,
    "no_pair": lambda alone, _: all(ratio == math.inf for _, _, ratio in alone.pairs),
}
"""What is promised about one question, by key."""


# --- what is left open ----------------------------------------------------------------------------------------------


def _open_labels(realised: SurveyChannel, values: Mapping[str, Any]) -> bool:
    alone = _alone(realised, values)
    kept, every = len(alone.hidden()), {a for a, _, _ in alone.pairs}
    stated = [values[part].values["count"] for part in ("kept", "rest")]
    return stated == [kept, len(every) - kept] and kept < len(every)


def _open_group(realised: SurveyChannel, values: Mapping[str, Any]) -> bool:
    count: int = values["count"]
    return len(_alone(realised, values).groups()) == count > 1


def _open_far(realised: SurveyChannel, values: Mapping[str, Any]) -> bool:
    alone = _alone(realised, values)
    last = max(alone.place(a) for a, _, _ in alone.pairs)
    return alone.bound(values["level"], alone.apart(last))


def _open_lists(realised: SurveyChannel, values: Mapping[str, Any]) -> bool:
    return _alone(realised, values).bound(values["level"])


def _open_absence(realised: SurveyChannel, values: Mapping[str, Any]) -> bool:
    return any(ratio == math.inf and _holds_one_more(b, a) for a, b, ratio in _alone(realised, values).pairs)


def _open_prior(realised: SurveyChannel, values: Mapping[str, Any]) -> bool:
    return isinstance(_alone(realised, values).question.guarantee(1.0), InformationPrivacy)


def _open_pairs(realised: SurveyChannel, values: Mapping[str, Any]) -> bool:
    return any(ratio == math.inf for _, _, ratio in _alone(realised, values).pairs)


# --- facts of the document ------------------------------------------------------------------------------------------


def _bytes(realised: SurveyChannel, values: Mapping[str, Any]) -> bool:
    """By one answer of each arm, as it is sent."""
    document, entropy, answer = realised.document, SystemEntropy(), realised.answers[0]
    sizes: list[int] = []
    for number, arm in enumerate(document.arms):
        columns = [part.mechanism.draw(part.index(answer, entropy), entropy) for part in arm.parts]
        sizes += map(len, written(document, number, arm, columns))
    length = values["length"]
    stated = (length, length) if isinstance(length, int) else (length.values["least"], length.values["most"])
    return stated == (min(sizes), max(sizes)) and values["count"] == max(sizes)


def _is_remembered(realised: SurveyChannel, _: Mapping[str, Any]) -> bool:
    return all(isinstance(part.mechanism, Remembered) for arm in realised.document.arms for part in arm.parts)


JUDGES: Mapping[str, Judge] = {
    "drawn": lambda realised, values: values["count"] == len(realised.document.arms),
    "changed": _changed,
    "changed_part": _differs,
    "differs": _differs,
    "whole": _whole,
    "belief": _belief,
    "huge": lambda realised, _: realised.worst > 1,
    "round": _whole,
    "round_belief": _belief,
    "unchanged": _unchanged,
    "life": _life,
    "life_belief": _life_belief,
    "about": _about,
    "bytes": _bytes,
    "fresh": lambda realised, values: values["cap"] == realised.document.cap,
    "remembered": _is_remembered,
    "open_labels": _open_labels,
    "open_group": _open_group,
    "open_far": _open_far,
    "open_lists": _open_lists,
    "open_absence": _open_absence,
    "open_prior": _open_prior,
    "open_pairs": _open_pairs,
    "changes": _is_remembered,
    "changed_labels": _is_remembered,
    "languages": lambda realised, values: values["tags"].split(", ") == list(realised.document.languages),
    "kiosk": lambda realised, _: realised.document.kiosk,
    "taking_part": lambda *_: True,
}
"""How each statement is judged, by key."""
