"""What every encoder must do: one sample of each kind, and the same checks for all of them.

What is drawn is compared with the exact chances by chi-square, at a false alarm in 10^6 for all samples together.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import stats

import deniable as dn
from deniable.arrays import Indices
from deniable.protocol.errors import DenialError
from deniable.protocol.questions.any_of import Has, Listed
from deniable.protocol.questions.encoders import ENCODERS, encoder_from_json
from deniable.protocol.questions.number import Block, Point
from deniable.protocol.questions.one_of import Label
from deniable.protocol.questions.pair import Pair, pairs_of
from deniable.protocol.questions.path import Path, paths_of
from deniable.protocol.questions.question import Encoder, Question
from deniable.protocol.questions.text import Prefix, Whole
from deniable.surveys.encoded_columns import draw_held, encoded, encoded_one
from deniable.values.domain import Domain
from deniable.values.lists import Lists
from deniable.values.texts import Texts
from deniable.values.values import Values

WAY = dn.OneOf("way", ["car", "büs", "foot"])
USED = dn.AnyOf("used", ["news", "mail", "maps"])
APP = dn.Text("app", 8)
MINUTES = dn.Number("minutes", 0, 100)
AGE = dn.Number("age", 0, 10)
WHERE = dn.OneOf("where", ["in", "out"], only_if=("way", ["büs", "foot"]))
STAYS = dn.OneOf("stays", [1, 2])
DRAWN, ALPHA = 1 << 15, 1e-6


@dataclass(frozen=True)
class Sample:
    """An encoder, what it goes with, and answers that it has to encode."""

    encoder: Encoder
    questions: Sequence[Question]
    values: Values
    answers: Sequence[Sequence[Any]]


SAMPLES = {
    "label": Sample(Label(), [WAY], Domain.of(WAY.labels), [["car"], ["foot"]]),
    "list": Sample(Listed(), [USED], Lists(Domain.of(USED.labels)), [[[]], [["mail", "maps"]]]),
    "has": Sample(Has("mail"), [USED], Domain.of(("yes", "no")), [[["news"]], [["news", "mail"]]]),
    "text": Sample(Whole(), [APP], Texts("a/app"), [["mail"], ["é"]]),
    "prefix": Sample(Prefix(3), [APP], Texts("a/app"), [["maps"], ["a"]]),
    "block": Sample(Block(7, 2), [MINUTES], Domain.of(15), [[0], [4], [5], [100]]),
    "point": Sample(Point(2, 16, 3), [MINUTES], Domain.of(2), [[0], [19], [22], [100]]),
    "point of five": Sample(Point(5, 1, 0), [MINUTES], Domain.of(5), [[0], [33], [50], [100]]),
    "point about": Sample(Point(2, 1, 0, 50), [MINUTES], Domain.of(2), [[0], [30], [50]]),
    "pair": Sample(Pair(), [WAY, STAYS], Domain.of(pairs_of([WAY, STAYS])), [["car", 1], ["büs", 2]]),
    "pair with a number": Sample(
        Pair(), [WAY, MINUTES], Domain.of(pairs_of([WAY, MINUTES])), [["car", 30], ["foot", 100]]
    ),
    "path": Sample(Path(0), [WAY, WHERE], Domain.of(paths_of([WAY, WHERE])), [["car", None], ["büs", "in"]]),
    "path from a place on": Sample(
        Path(1), [WAY, WHERE], Domain.of(paths_of([WAY, WHERE], 1)), [["car", None], ["foot", "out"]]
    ),
    "pair of numbers": Sample(Pair(), [MINUTES, AGE], Domain.of(pairs_of([MINUTES, AGE])), [[30, 5], [100, 0]]),
}
every_sample = pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES)


Index = tuple[int, ...]


def chances_of(sample: Sample, answers: Sequence[Any]) -> dict[Index, Fraction]:
    """The exact chance of each index of a value."""
    chances = sample.encoder.chances(sample.questions, answers)
    return {next(iter(of_indices(sample.values.column([value])))): chance for value, chance in chances}


def fits(counts: Counter[Index], chances: dict[Index, Fraction]) -> bool:
    """Whether counts of indices are as likely as these chances have it."""
    if set(counts) - set(chances):
        return False
    n = counts.total()
    off = sum((counts[index] - n * float(p)) ** 2 / (n * float(p)) for index, p in chances.items())
    return len(chances) == 1 or off < stats.chi2.isf(ALPHA / 100, len(chances) - 1)


def of_indices(indices: Indices) -> Counter[Index]:
    """How often each comes; that of a list is a row."""
    return Counter(zip(*indices.reshape(len(indices), -1).T.tolist(), strict=True))


def test_every_kind_has_a_sample() -> None:
    assert {each.encoder.kind for each in SAMPLES.values()} == set(ENCODERS)


@every_sample
def test_it_goes_with_its_questions_and_with_no_others(sample: Sample) -> None:
    sample.encoder.check(sample.questions, sample.values)
    for other in SAMPLES.values():
        if list(map(type, other.questions)) != list(map(type, sample.questions)):
            with pytest.raises(DenialError):
                sample.encoder.check(other.questions, sample.values)
    with pytest.raises(DenialError):
        sample.encoder.check(sample.questions, Domain.of(4093))


@every_sample
def test_a_document_holds_it(sample: Sample) -> None:
    assert encoder_from_json(json.loads(json.dumps(sample.encoder.to_json()))) == sample.encoder


@every_sample
def test_chances_are_exact_add_up_and_are_of_values(sample: Sample) -> None:
    for answers in sample.answers:
        chances = sample.encoder.chances(sample.questions, answers)
        assert {type(chance) for _, chance in chances} == {Fraction}
        assert min(chance for _, chance in chances) > 0
        assert sum(chance for _, chance in chances) == 1
        assert all(value in sample.values for value, _ in chances)


@every_sample
def test_columns_and_simulated_crowds_are_drawn_by_these_chances(sample: Sample) -> None:
    for number, answers in enumerate(sample.answers):
        chances, seed = chances_of(sample, answers), dn.SeededEntropy(number)
        column: list[Any] = [[answer] * DRAWN for answer in answers]
        columns = [np.array(each) if isinstance(each[0], int) else each for each in column]
        drawn = of_indices(encoded(sample.encoder, sample.questions, columns, sample.values, seed))
        assert fits(drawn, chances)
        if sample.encoder.is_drawn:
            rng, one = np.random.default_rng(number), [each[:1] for each in columns]
            held = draw_held(sample.encoder, sample.questions, one, np.array([DRAWN]), sample.values, rng)
            assert fits(Counter({(place,): n for place, n in enumerate(held.tolist()) if n}), chances)


@every_sample
def test_one_device_draws_as_a_column_does(sample: Sample) -> None:
    """2,000 devices; where nothing is drawn one is enough."""
    for number, answers in enumerate(sample.answers):
        chances, entropy = chances_of(sample, answers), dn.SeededEntropy(number)
        drawn = [
            encoded_one(sample.encoder, sample.questions, answers, sample.values, entropy.part(k))
            for k in range(2000 if len(chances) > 1 else 1)
        ]
        assert fits(of_indices(np.concatenate(drawn)), chances)


def test_a_wrong_chance_is_seen() -> None:
    """One chance in 40 moved, and a value that should not come."""
    drawn = encoded(SAMPLES["point"].encoder, [MINUTES], [np.full(DRAWN, 19)], Domain.of(2), dn.SeededEntropy(1))
    right = chances_of(SAMPLES["point"], [19])
    assert set(right) == {(0,), (1,)}
    assert fits(of_indices(drawn), right)
    assert not fits(of_indices(drawn), {(0,): right[0,] - Fraction(1, 40), (1,): right[1,] + Fraction(1, 40)})
    assert not fits(of_indices(drawn), {(0,): Fraction(1)})
