"""How often each answer is given if all ways through questions that follow from each other are equally frequent."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from functools import cached_property

import numpy as np

from deniable.arrays import Vector
from deniable.protocol.questions.question import Question
from deniable.surveys.arms import Part


class EvenWays:
    """Questions of which some follow from others; the answers to those that lead to none are equally frequent.

    >>> import deniable as dn
    >>> used, kind = dn.OneOf("used", ["yes", "no"]), dn.OneOf("kind", ["a", "b", "c"], only_if=("used", ["yes"]))
    >>> EvenWays([used, kind]).among_asked("used").tolist(), EvenWays([used, kind]).asked("kind")
    ([0.75, 0.25], 0.75)
    """

    def __init__(self, questions: Sequence[Question]) -> None:
        self._by_name = {question.name: question for question in questions}

    def among_asked(self, name: str) -> Vector:
        """The share of each answer among those who are asked the question."""
        return self._shares[name]

    def asked(self, name: str) -> float:
        """The share of people who are asked a question."""
        only_if = self._by_name[name].only_if
        if only_if is None:
            return 1.0
        return self.asked(only_if.question) * sum(self._share(only_if.question, label) for label in only_if.labels)

    def of(self, part: Part) -> Vector:
        """The share of each label of a part that tells of some of the questions."""
        first, asked = part.estimable[0], self.asked(part.estimable[0])
        told = [part.encoder.answers_in(part.questions, way) for way in part.mechanism.domain.every()]
        return np.array([
            (1 - asked if each[first] is None else asked)
            * math.prod(self._share(name, label) for name, label in each.items() if label is not None)
            for each in told
        ])  # fmt: skip

    def _share(self, name: str, label: Hashable) -> float:
        """Of a number either end of its scale stands for half of the answers."""
        question = self._by_name[name]
        return (
            float(self._shares[name][question.choices.index(label)])
            if question.choices
            else 1 / len(question.pair_labels)
        )

    @cached_property
    def _shares(self) -> dict[str, Vector]:
        """Of each question, from the last to the first: as many ways lead on as the answers to the next ones allow."""
        ways: dict[str, list[int]] = {}
        every = self._by_name.values()
        for question in reversed(every):
            branches = [(each.name, each.only_if) for each in every if each.only_if is not None]
            following = [(sum(ways[name]), branch) for name, branch in branches if branch.question == question.name]
            ways[question.name] = [
                math.prod(many for many, branch in following if branch.follows(label)) for label in question.choices
            ]
        return {name: np.array(each, np.float64) / sum(each) for name, each in ways.items()}
