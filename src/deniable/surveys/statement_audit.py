"""The statements of a survey's label, each judged against the exact reports of all joint answers.

Nothing is taken from the guarantees that the label was made from: which answers are protected, and how well, is read
off the realised channels of the parts, of which those of one arm are independent once the answers are given.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from deniable.audit.answer_ratios import AnswerRatios
from deniable.audit.mechanism_judges import keeps_labels, life_of
from deniable.audit.promise_judges import OPEN, PROMISES
from deniable.audit.truth import UNJUDGED, Judge, JudgedStatement, Truth, bounded, judged, moved, true_if
from deniable.mechanisms.repeat.remembered import Remembered
from deniable.privacy.entropy import SystemEntropy
from deniable.protocol.privacy.rows import Ratio
from deniable.surveys.answer_bytes import written
from deniable.surveys.arms import Arm
from deniable.surveys.document import Document
from deniable.surveys.label import Label
from deniable.surveys.realised import SurveyChannel, product


def judged_survey(document: Document) -> tuple[JudgedStatement, ...]:
    """Every statement of a survey's label with its verdict; refused for surveys with too many joint answers."""
    return judged(SurveyChannel.of(document), Label(document).statements, JUDGES)


def _about(realised: SurveyChannel, values: Mapping[str, Any]) -> Truth | None:
    promise = values["promise"]
    judge = PROMISES.get(promise.key)
    return None if judge is None else {"promise": judge(_named(realised, values), promise.values)}


def _open(judge: Judge[AnswerRatios]) -> Judge[SurveyChannel]:
    return lambda realised, values: judge(_named(realised, values), values)


def _named(realised: SurveyChannel, values: Mapping[str, Any]) -> AnswerRatios:
    """The question that a statement names."""
    return realised.about(values["of"].values["name"])


def _life(realised: SurveyChannel) -> Ratio:
    """A life costs what its permanent reports cost."""
    return max(product(life_of(m) for m in _remembered(arm)) for arm in realised.document.arms)


def _remembered(arm: Arm) -> list[Remembered]:
    return [part.mechanism for part in arm.parts if isinstance(part.mechanism, Remembered)]


def _is_remembered(realised: SurveyChannel, _: Mapping[str, Any]) -> Truth | None:
    return true_if(all(len(_remembered(arm)) == len(arm.parts) for arm in realised.document.arms))


def _changed_labels(realised: SurveyChannel, _: Mapping[str, Any]) -> Truth | None:
    return true_if(any(keeps_labels(m) for arm in realised.document.arms for m in _remembered(arm)))


def _tells(realised: SurveyChannel, _: Mapping[str, Any]) -> Truth | None:
    return true_if(realised.worst == math.inf)


def _bytes(realised: SurveyChannel, _: Mapping[str, Any]) -> Truth:
    """By one answer of each arm, as it is sent."""
    document, entropy = realised.document, SystemEntropy()
    sizes: list[int] = []
    for number, arm in enumerate(document.arms):
        columns = [part.mechanism.draw(part.index(realised.some_answer, entropy), entropy) for part in arm.parts]
        sizes += map(len, written(document, number, arm, columns))
    least, most = min(sizes), max(sizes)
    return {"count": most, "length": most if least == most else {"least": least, "most": most}}


def _languages(realised: SurveyChannel, _: Mapping[str, Any]) -> Truth:
    tags = realised.document.languages
    return {"count": len(tags), "tags": ", ".join(tags)}


JUDGES: Mapping[str, Judge[SurveyChannel]] = {
    **UNJUDGED,
    "drawn": lambda realised, _: {"count": len(realised.document.arms)},
    "changed": lambda realised, _: true_if(realised.never_certain()),
    "changed_part": _tells,
    "differs": _tells,
    "whole": lambda realised, _: bounded(level=realised.worst),
    "belief": lambda realised, values: moved(realised.worst, values),
    "round": lambda realised, _: bounded(level=realised.worst),
    "round_belief": lambda realised, values: moved(realised.worst, values),
    "unchanged": lambda realised, _: bounded(level=realised.worst_unchanged),
    "life": lambda realised, _: bounded(level=_life(realised)),
    "life_belief": lambda realised, values: moved(_life(realised), values),
    "about": _about,
    "bytes": _bytes,
    "fresh": lambda realised, _: {"cap": realised.document.cap, "topic": realised.document.topic},
    "remembered": _is_remembered,
    **{key: _open(judge) for key, judge in OPEN.items()},
    "promise_sent": lambda realised, _: bounded(level=realised.worst),
    "promise_ever": lambda realised, _: bounded(level=_life(realised)),
    "promise_part": _tells,
    "changes": _is_remembered,
    "changed_labels": _changed_labels,
    "languages": _languages,
    "kiosk": lambda realised, _: true_if(realised.document.kiosk),
}
"""How each statement is judged, by key."""
