"""Columns of answers as columns of values, encoder by encoder: what a device does for one person, for many at once.

A point is drawn so that its mean is the number: between two points a device takes the upper one with just the
probability that makes it so (numbers.md 1). The threshold of that draw is uniform; its ``level``, which everybody may
know, is the arm's, and the rest of it the device's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from deniable.arrays import Counts, Indices
from deniable.privacy.entropy import Entropy, draw_uniform
from deniable.protocol.questions.any_of import Has
from deniable.protocol.questions.number import HALF, Block, Point
from deniable.protocol.questions.pair import Pair
from deniable.protocol.questions.path import Path
from deniable.protocol.questions.question import Encoder, Question
from deniable.protocol.questions.text import Prefix
from deniable.values.columns import Labels, python_values
from deniable.values.texts import text_column
from deniable.values.values import Values

Answers = Sequence[Labels]
"""A column of answers for each question, that to a number as its places on the scale."""


def encoded(
    encoder: Encoder, questions: Sequence[Question], answers: Answers, values: Values, entropy: Entropy
) -> Indices:
    """The indices of the values of columns of answers; where they are drawn, from this entropy."""
    match encoder:
        case Has():
            return values.column([encoder.of([held]) for held in python_values(answers[0])])
        case Prefix():
            return values.column([encoder.of([text]) for text in text_column(answers[0])])
        case Block():
            return (_places(answers[0]) + encoder.offset) // encoder.size
        case Point():
            return _points(encoder, questions, answers, entropy)
        case Pair():
            parts = [entropy.part(k) for k in range(len(questions))]
            return values.column(_pairs(questions, answers, parts))
        case Path():
            return values.column([encoder.of(row) for row in zip(*map(python_values, answers), strict=True)])
    return values.column(answers[0])


def encoded_one(
    encoder: Encoder, questions: Sequence[Question], answers: Sequence[Any], values: Values, entropy: Entropy
) -> Indices:
    """The index of one person's value, as a column of one; a device has one source for all that it draws."""
    columns = [[answer] for answer in answers]
    if len(questions) > 1 and not encoder.tells_asked:
        index = values.column(_pairs(questions, columns, [entropy] * len(questions)))
    else:
        index = encoded(encoder, questions, columns, values, entropy)
    values.check(index)  # no report is drawn for what is no value
    return index


def draw_held(
    encoder: Encoder,
    questions: Sequence[Question],
    answers: Answers,
    people: Counts,
    values: Values,
    generator: np.random.Generator,
) -> Counts:
    """How many people come to hold each value, if so many give each row of answers: for simulation."""
    held: Counts = np.zeros(values.size or 0, np.int64)
    if isinstance(encoder, Point):
        steps = _steps(questions)
        below, cases_above = _point_below(encoder, steps, _places(answers[0]))
        above = generator.binomial(people, cases_above / encoder.largest(steps))
        np.add.at(held, below, people - above)
        np.add.at(held, np.minimum(below + 1, len(held) - 1), above)
        return held
    every = [python_values(column) for column in answers]
    for columns, count in _by_drawn_ends(questions, every, people, generator):
        held += np.bincount(values.column(list(zip(*columns, strict=True))), count, len(held)).astype(np.int64)
    return held


def _points(encoder: Point, questions: Sequence[Question], answers: Answers, entropy: Entropy) -> Indices:
    """The point that is drawn for each number, the one below or the one above it."""
    steps = _steps(questions)
    below, cases_above = _point_below(encoder, steps, _places(answers[0]))
    return below + (draw_uniform(len(below), encoder.largest(steps), entropy) < cases_above)


def _point_below(encoder: Point, steps: int, places: Indices) -> tuple[Indices, Indices]:
    """The point below each number, and in how many of ``cases``, equally likely, the one above is drawn."""
    cases = encoder.largest(steps)
    numbers = places if encoder.about is None else (places - encoder.about) ** 2
    below, remainder = np.divmod(numbers * (encoder.points - 1), cases)
    return below, np.clip(remainder * encoder.levels - encoder.level * cases, 0, cases)


def _pairs(questions: Sequence[Question], answers: Answers, sources: Sequence[Entropy]) -> list[Any]:
    """The pairs of labels; of a number either end of its scale, drawn so that the mean is right (numbers.md 4)."""
    sides = [
        python_values(column) if question.choices else _points(HALF, [question], [column], source).tolist()
        for question, column, source in zip(questions, answers, sources, strict=True)
    ]
    return list(zip(*sides, strict=True))


def _by_drawn_ends(
    questions: Sequence[Question], answers: Sequence[list[Any]], people: Counts, generator: np.random.Generator
) -> Iterator[tuple[list[list[Any]], Counts]]:
    """Columns in which each number is an end of its scale, one for each combination of ends, and who draws these.

    ``people`` counts those of each row; those who draw a combination are counted for each row too.
    """
    place = next((k for k, question in enumerate(questions) if not question.choices), None)
    if place is None:
        yield list(answers), people
        return
    rows = len(people)
    above = generator.binomial(people, np.array(answers[place]) / _steps([questions[place]]))
    others = [*questions[:place], *questions[place + 1 :]]
    for end, count in ((0, people - above), (1, above)):
        for columns, part in _by_drawn_ends(others, [*answers[:place], *answers[place + 1 :]], count, generator):
            yield [*columns[:place], [end] * rows, *columns[place:]], part


def _steps(questions: Sequence[Question]) -> int:
    """The steps of the only question, a number, which has been checked."""
    return int(questions[0].values.steps)


def _places(answers: Labels) -> Indices:
    return np.asarray(answers, np.int64)
