"""Questions that are reported together: one by itself, or a way through some that follow from each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from deniable.protocol.errors import CapacityError
from deniable.protocol.questions.branches import chain_to, trees
from deniable.protocol.questions.pair import Pair, pairs_of
from deniable.protocol.questions.path import Path, paths_of
from deniable.protocol.questions.question import Encoder, Question
from deniable.values.domain import Domain

MOST_WAYS: Final = 40
"""So many ways at most are tried as one label: with more the first question pays for it."""


@dataclass(frozen=True)
class QuestionGroup:
    """Questions of one report: ``leading`` ones only decide whether the others, which it tells of, are asked."""

    leading: tuple[Question, ...]
    reported: tuple[Question, ...]

    @property
    def questions(self) -> tuple[Question, ...]:
        """All that the report is about."""
        return (*self.leading, *self.reported)

    @property
    def is_way(self) -> bool:
        """Whether it is a way through questions, and not one that everybody is asked, or two."""
        return any(question.only_if is not None for question in self.questions)

    @cached_property
    def labels(self) -> Domain:
        """The labels of a way, or of two questions that are crossed."""
        return Domain.of(paths_of(self.questions, len(self.leading)) if self.is_way else pairs_of(self.reported))

    @property
    def encoder(self) -> Encoder:
        """What makes these labels of answers."""
        return Path(len(self.leading)) if self.is_way else Pair()


def groupings(questions: Sequence[Question]) -> list[list[QuestionGroup]]:
    """How questions may be grouped: those that follow from each other joined as far as they may, or all apart."""
    by_name = {question.name: question for question in questions}
    apart = [_group((question,), by_name) for question in questions]
    joined = [group for tree in trees(questions) for group in _joined(tree, by_name)]
    return [joined, apart] if len(joined) < len(apart) else [apart]


def crossings(groups: Sequence[QuestionGroup], pairs: Iterable[tuple[Question, Question]]) -> list[QuestionGroup]:
    """What tells of questions that are crossed: two, or one and the whole report of one that only some are asked."""
    crossed: dict[frozenset[str], QuestionGroup] = {}
    for one, other in pairs:
        way = next(
            (group for group in groups if one.only_if is not None and one in group.reported), QuestionGroup((), (one,))
        )
        group = QuestionGroup(way.leading, (*way.reported, other))
        crossed.setdefault(frozenset(question.name for question in group.reported), group)
    return [group for names, group in crossed.items() if not any(names < larger for larger in crossed)]


def _group(questions: Sequence[Question], by_name: Mapping[str, Question]) -> QuestionGroup:
    """The group that tells of questions which follow from the first of them."""
    return QuestionGroup(tuple(chain_to(questions[0], by_name)[:-1]), tuple(questions))


def _joined(questions: Sequence[Question], by_name: Mapping[str, Question]) -> Iterator[QuestionGroup]:
    """One group, or as many as it takes to have few ways: the question of most labels is taken out first."""
    group = _group(questions, by_name)
    with suppress(CapacityError):
        if len(questions) == 1 or len(group.labels) <= MOST_WAYS:
            yield group
            return
    largest = max(questions[1:], key=lambda question: len(question.choices))
    below = [question for question in questions if largest in chain_to(question, by_name)]
    yield from _joined([question for question in questions if question not in below], by_name)
    yield from _joined(below, by_name)


def joined_words(groups: Iterable[QuestionGroup]) -> str:
    """Which questions are reported in one label, in words that follow what a person does; nothing if none is."""
    joined = [", ".join(question.name for question in group.reported) for group in groups if len(group.reported) > 1]
    return "".join(f", with {names} as one label" for names in joined)
