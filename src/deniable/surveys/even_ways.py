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
    """How often each answer to questions is given if all ways through them are equally frequent.

    Where some questions follow from others, an answer counts for as many ways as it leads to.

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
        every = [part.encoder.answers_in(part.questions, label) for label in part.mechanism.domain.every()]
        return np.array([
            (1 - asked if answers[first] is None else asked)
            * math.prod(self._share(name, answer) for name, answer in answers.items() if answer is not None)
            for answers in every
        ])  # fmt: skip

    def _share(self, name: str, label: Hashable) -> float:
        """The share of an answer among those who are asked; either end of a number's scale stands for half of them."""
        question = self._by_name[name]
        return (
            float(self._shares[name][question.choices.index(label)])
            if question.choices
            else 1 / len(question.pair_labels)
        )

    @cached_property
    def _shares(self) -> dict[str, Vector]:
        """The share of each answer to each question: from the last question to the first, the ways that it leads to."""
        ways: dict[str, list[int]] = {}
        every = self._by_name.values()
        branches = [(each.name, each.only_if) for each in every if each.only_if is not None]
        for question in reversed(every):
            following = [(sum(ways[name]), branch) for name, branch in branches if branch.question == question.name]
            ways[question.name] = [
                math.prod(count for count, branch in following if branch.follows(label)) for label in question.choices
            ]
        return {name: np.array(counts, np.float64) / sum(counts) for name, counts in ways.items()}
