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
    """One tree of questions: the first, which everybody is asked, and all that follow from it.

    >>> import deniable as dn
    >>> used, kind = dn.OneOf("used", ["yes", "no"]), dn.OneOf("kind", ["a", "b", "c"], only_if=("used", ["yes"]))
    >>> EvenWays([used, kind]).among_asked("used").tolist(), EvenWays([used, kind]).asked("kind")
    ([0.75, 0.25], 0.75)
    """

    def __init__(self, tree: Sequence[Question]) -> None:
        self._tree = tree
        self._by_name = {question.name: question for question in tree}

    def among_asked(self, name: str) -> Vector:
        """The share of each answer among those who are asked the question."""
        return self._shares[name]

    def asked(self, name: str) -> float:
        """The share of people who are asked a question."""
        only_if = self._by_name[name].only_if if name in self._by_name else None
        if only_if is None:
            return 1.0
        return self.asked(only_if.question) * sum(self._share(only_if.question, label) for label in only_if.labels)

    def of(self, part: Part) -> Vector:
        """The share of each label of a part that tells of some of the questions, and perhaps of another beside them."""
        asked, encoder = self.asked(part.told[0]), part.encoder
        beside = {each.name: 1 / len(each.sides) for each in part.questions if each.name not in self._by_name}
        told = [encoder.answers_in(part.questions, way).items() for way in part.mechanism.domain.every()]
        given = [[(name, label) for name, label in each if label is not None] for each in told]
        shares = [[beside.get(name) or self._share(name, label) for name, label in each] for each in given]
        return np.array([asked * math.prod(each) if each else 1 - asked for each in shares])

    def _share(self, name: str, label: Hashable) -> float:
        return float(self._shares[name][self._by_name[name].choices.index(label)])

    @cached_property
    def _shares(self) -> dict[str, Vector]:
        """Of each question, from the last to the first: as many ways lead on as the answers to the next ones allow."""
        ways: dict[str, list[int]] = {}
        for question in reversed(self._tree):
            following = [
                (sum(ways[q.name]), q.only_if) for q in self._tree if q.only_if and q.only_if.question == question.name
            ]
            ways[question.name] = [
                math.prod(many for many, only_if in following if only_if.follows(label)) for label in question.choices
            ]
        return {name: np.array(each, np.float64) / sum(each) for name, each in ways.items()}
