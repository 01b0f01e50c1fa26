"""Judges of what is promised about one answer, and of what is left open: from ratios between answers alone.

A guarantee may be wrong; here it is not looked at. Which answers are protected, and how well, is read off the reports.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from deniable.audit.answer_ratios import AnswerRatios
from deniable.audit.truth import Bounded, Judge, Truth, bounded, true_if
from deniable.protocol.say import Statement


def _protected(answers: AnswerRatios, _: Mapping[str, Any]) -> Truth | None:
    return bounded(level=answers.worst(lambda x, _: x in answers.hidden))


def _near_far(answers: AnswerRatios, values: Mapping[str, Any]) -> Truth | None:
    return bounded(level=answers.worst(answers.apart(1)), far=answers.worst(answers.apart(values["count"])))


def _relative(answers: AnswerRatios, values: Mapping[str, Any]) -> Truth | None:
    """A level against the prior, and the one between any two answers that it implies, which is said too."""
    if answers.prior is None or values["any"].key != "any":
        return None
    whole = bounded(level=answers.worst())
    return whole and {"level": Bounded(answers.against_prior(two_sided=True)), "any": whole}


def _claimed(answers: AnswerRatios, values: Mapping[str, Any]) -> Truth | None:
    """What is promised relative to a prior, by name."""
    promise = values["promise"]
    key = promise.key if isinstance(promise, Statement) else None
    if key not in ("lip", "lip_held") or answers.prior is None:
        return None
    ratio = answers.against_prior(two_sided=key == "lip")
    return {"promise": {"level": Bounded(ratio), "count": len(answers.answers)}}


def _some_pairs(answers: AnswerRatios, _: Mapping[str, Any]) -> Truth | None:
    return bounded(level=answers.worst(lambda x, z: answers.square[x][z] < math.inf))


PROMISES: Mapping[str, Judge[AnswerRatios]] = {
    "any": lambda answers, _: bounded(level=answers.worst()),
    "protected": _protected,
    "grouped": lambda answers, _: bounded(level=answers.worst(answers.grouped)),
    "near": lambda answers, _: bounded(level=answers.worst(answers.apart(1))),
    "near_far": _near_far,
    "listed": lambda answers, _: bounded(level=answers.worst(answers.differ_in_one)),
    "listed_held": lambda answers, _: bounded(level=answers.worst(answers.has_one_more)),
    "relative": _relative,
    "claimed": _claimed,
    "no_level": lambda answers, _: true_if(answers.worst() == math.inf),
    "some_pairs": _some_pairs,
    "no_pair": lambda answers, _: true_if(all(answers.square[x][z] == math.inf for x, z in answers.pairs())),
}
"""What is promised about one answer, by key."""


def _open_labels(answers: AnswerRatios, _: Mapping[str, Any]) -> Truth | None:
    hidden, every = len(answers.hidden), len(answers.answers)
    both = {"kept": Statement("kept", count=hidden), "rest": Statement("rest", count=every - hidden)}
    return both if hidden < every else None


def _open_group(answers: AnswerRatios, _: Mapping[str, Any]) -> Truth | None:
    return {"count": len(answers.groups)} if len(answers.groups) > 1 else None


def _open_lists(answers: AnswerRatios, _: Mapping[str, Any]) -> Truth | None:
    whole = bounded(level=answers.worst())
    return whole and {**whole, "count": len(set[Any]().union(*answers.answers))}


def _open_absence(answers: AnswerRatios, _: Mapping[str, Any]) -> Truth | None:
    return true_if(answers.worst(lambda x, z: answers.has_one_more(z, x)) == math.inf)


def _open_far(answers: AnswerRatios, _: Mapping[str, Any]) -> Truth | None:
    return bounded(level=answers.worst(answers.apart(len(answers.answers) - 1)))


OPEN: Mapping[str, Judge[AnswerRatios]] = {
    "open_labels": _open_labels,
    "open_group": _open_group,
    "open_far": _open_far,
    "open_lists": _open_lists,
    "open_absence": _open_absence,
    "open_prior": lambda answers, _: true_if(answers.prior is not None),
    "open_pairs": lambda answers, _: true_if(answers.worst() == math.inf),
}
"""What is left open about one answer, by key."""
