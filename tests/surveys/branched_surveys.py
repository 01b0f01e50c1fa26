"""Surveys by chance whose questions follow from each other: trees of two to five, chains of three, planned or made."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

import deniable as dn
from deniable.arrays import Vector
from deniable.protocol.questions.branches import chain_to, trees
from deniable.protocol.questions.path import Path, paths_of
from deniable.surveys.grouping import QuestionGroup, crossings, groupings

LEVELS = (0.5, 1.0, 2.0, 4.0)
MOST_BITS = 8
"""Of so many labels at most reports with a bit for each can be enumerated."""
FAMILIES = (dn.RandomizedResponse, dn.Subset, dn.OptimizedUnary, dn.Rappor, dn.Hadamard)


def questions(source: random.Random) -> list[dn.OneOf]:
    """A tree, and perhaps a question that everybody is asked beside it."""
    found = [_question(source, "q0", None)]
    for place in range(1, source.randint(2, 5)):
        parent = source.choice([each for each in found if _depth(each, found) < 3])
        labels = source.sample(list(parent.labels), source.randint(1, len(parent.labels) - 1))
        found.append(_question(source, f"q{place}", (parent.name, labels)))
    return [*found, *([dn.OneOf("beside", ["x", "y"])] if source.random() < 0.3 else [])]


def _question(source: random.Random, name: str, only_if: Any) -> dn.OneOf:
    labels = [f"{name}.{place}" for place in range(source.choice((2, 2, 3, 4)))]
    if source.random() < 0.3:
        return dn.Scale(name, labels, only_if=only_if)
    return dn.OneOf(name, labels, no_answer=labels[-1] if source.random() < 0.3 else None, only_if=only_if)


def _depth(question: dn.OneOf, others: Sequence[dn.OneOf]) -> int:
    return len(chain_to(question, {each.name: each for each in others}))


def planned(seed: int, people: int = 4000, population: int | None = None) -> dn.Survey:
    """The planned survey of a number."""
    source = random.Random(seed)
    return dn.Survey.plan("ways", questions(source), source.choice(LEVELS), people, population=population)


def made(seed: int) -> dn.Survey:
    """A survey whose arms are made by chance: groups of questions joined or apart, one or several in an arm."""
    source = random.Random(f"made {seed}")
    asked = questions(source)
    parts = [_part(source, group) for group in source.choice(groupings(asked))]
    source.shuffle(parts)
    cut = source.randint(0, len(parts) - 1)
    arms = [dn.Arm(each, source.randint(1, 3)) for each in (parts[:cut], parts[cut:]) if each]
    again: dict[str, Any] = {"period": "week", "repeat": "fresh"} if source.random() < 0.3 else {}
    return dn.Survey("ways", asked, arms, **again)


def crossed(seed: int) -> tuple[dn.Survey, str]:
    """A survey in which a question that only some are asked is crossed with one beside it, and that question's name.

    The way to it is told with it, or what leads to it is asked apart; all that follows may be told too.
    """
    source = random.Random(f"crossed {seed}")
    tree = [each for each in questions(source) if each.name != "beside"]
    asked = [*tree, dn.OneOf("beside", ["x", "y", "z"][: source.choice((2, 3))])]
    following = source.choice(tree[1:])
    groups = source.choice(groupings(asked))
    paired = crossings(groups, [(following, asked[-1])])
    parts = [_part(source, group) for group in (*paired, *(each for each in groups if following not in each.reported))]
    return dn.Survey("ways", asked, [dn.Arm(part, source.randint(1, 3)) for part in parts]), following.name


def _part(source: random.Random, group: QuestionGroup) -> dn.Part:
    few, is_crossed = (
        not group.is_way or len(group.labels) <= MOST_BITS,
        group.is_way and not group.reported[-1].only_if,
    )
    family, level = source.choice(FAMILIES[: 2 if not few else 4 if is_crossed else None]), source.choice(LEVELS)
    if not group.is_way:
        return dn.Part(group.reported[0], family(group.reported[0].values, level))
    return dn.Part(group.questions, family(group.labels, level), group.encoder)


class Ways(NamedTuple):
    """All joint answers, a row each, and how frequent each is."""

    table: dict[str, list[Any]]
    shares: Vector

    @classmethod
    def of(cls, asked: Sequence[Any], weights: Any = None) -> Ways:
        """Those to some questions; ways through a tree are equally frequent unless weights are drawn by a function."""
        rows: list[dict[str, Any]] = [{}]
        for tree in trees(asked):
            rows = [{**row, **more} for row in rows for more in _answers(tree)]
        shares = np.ones(len(rows)) if weights is None else weights(len(rows))
        return cls({each.name: [row[each.name] for row in rows] for each in asked}, shares / shares.sum())

    def of_all(self, question: Any) -> Vector:
        """The share of each label among all people."""
        held = np.array([[label == answer for answer in self.table[question.name]] for label in question.labels])
        return np.asarray(held @ self.shares, np.float64)


def _answers(tree: Sequence[Any]) -> Iterator[dict[str, Any]]:
    encoder = Path(0)
    if len(tree) == 1:
        yield from ({tree[0].name: label} for label in tree[0].labels)
        return
    for way in paths_of(tree):
        yield encoder.answers_in(tree, way)
