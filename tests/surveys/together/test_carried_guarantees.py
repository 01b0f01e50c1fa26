"""What a guarantee says of a mechanism's values is told as a promise about answers, so it must be true of these."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import pytest

import deniable as dn
from deniable.mechanisms.mechanism import Mechanism
from deniable.protocol.errors import ParameterError
from deniable.protocol.privacy.distance import Distance
from deniable.protocol.privacy.rows import level
from deniable.protocol.questions.question import Encoder

HOURS = dn.Number("hours", 0, 6)
USED = dn.AnyOf("used", ["mail", "maps", "news"])
YES_NO = ["yes", "no"]
ENCODERS: list[Encoder] = [
    *(dn.encoders.Block(size, offset) for size in (1, 2, 3) for offset in range(size)),
    *(dn.encoders.Point(points, 1, 0, about) for points in (2, 3, 7, 13) for about in (None, 0, 2)),
]


def every_guarantee(d: int) -> list[Mechanism]:
    """A mechanism over so many values under each kind of guarantee."""
    split = [[0], list(range(1, d))]
    uneven = [0.5, *[0.5 / (d - 1)] * (d - 1)]
    return [
        dn.RandomizedResponse(d, 0.7),
        dn.Geometric(0, d - 1, 0.4),
        dn.HighLowResponse(d, [0], 0.7),
        dn.BlockHadamard(split, 0.7),
        dn.InformedResponse(d, uneven, 0.7),
    ]


def rows_of(part: dn.Part, answers: Iterable[Any]) -> dict[Any, list[Fraction]]:
    """The exact distribution of the reports of every answer."""
    exact = part.mechanism.channel().exact
    values: Any = part.mechanism.domain
    drawn = {answer: part.encoder.chances(part.questions, [answer]) for answer in answers}
    outputs = range(len(exact[0]))
    mixed = {answer: [(exact[values.index(value)], p) for value, p in found] for answer, found in drawn.items()}
    return {
        answer: [sum((p * row[y] for row, p in found), Fraction()) for y in outputs] for answer, found in mixed.items()
    }


def true_level(row: list[Fraction], other: list[Fraction]) -> float:
    """The least level that is proven to bind two distributions."""
    if any(p and not q for p, q in zip(row, other, strict=True)):
        return math.inf
    return level(max(p / q for p, q in zip(row, other, strict=True) if p))


def told(part: dn.Part, steps: int) -> float:
    """The level of two answers so many steps apart that the sentences tell, where they tell one of all answers."""
    promise = part.mechanism.guarantee
    return promise.epsilon * steps if isinstance(promise, Distance) else promise.claimed


@pytest.mark.parametrize("encoder", ENCODERS, ids=repr)
def test_numbers_are_protected_as_told(encoder: Any) -> None:
    d = encoder.blocks(6) if isinstance(encoder, dn.encoders.Block) else encoder.points
    accepted = []
    for mechanism in every_guarantee(d):
        if not encoder.carries(mechanism.guarantee):
            with pytest.raises(ParameterError, match=f"'{encoder.kind}' must have a mechanism under plain LDP"):
                dn.Part(HOURS, mechanism, encoder)
            continue
        part = dn.Part(HOURS, mechanism, encoder)
        accepted.append(mechanism.name)
        if isinstance(mechanism.guarantee, dn.LDP | Distance):
            for (a, row), (b, other) in itertools.permutations(rows_of(part, range(7)).items(), 2):
                assert true_level(row, other) <= told(part, abs(a - b)) + 1e-12
    assert len(accepted) == (5 if encoder == dn.encoders.Block(1) else 2 if encoder.kind == "block" else 1)


def test_what_is_refused_would_be_false() -> None:
    """Neighbours on the scale may be many points apart: a planted part that is not checked shows it."""
    part = dn.Part(HOURS, dn.RandomizedResponse(13, 1.0), dn.encoders.Point(13, 1, 0))
    object.__setattr__(part, "mechanism", dn.Geometric(0, 12, 0.4))
    rows = rows_of(part, range(7))
    assert true_level(rows[0], rows[1]) > told(part, 1) + 0.3


@pytest.mark.parametrize(
    "mechanism",
    [
        dn.HighLowRappor(YES_NO, ["yes"], 0.5),
        dn.HighLowResponse(YES_NO, ["no"], 2.0),
        dn.BinaryResponse(YES_NO, math.inf, 1.0),
        dn.InformedResponse(YES_NO, [0.9, 0.1], 0.5),
        dn.BlockHadamard([["yes"], ["no"]], 1.0),
    ],
    ids=lambda m: m.name,
)
def test_single_labels_are_asked_for_under_plain_ldp_alone(mechanism: Mechanism) -> None:
    """Two labels of one list are two values: that each is protected in part says nothing of the list."""
    with pytest.raises(ParameterError, match="the encoder 'has' must have a mechanism under plain LDP, got one under"):
        dn.Part(USED, mechanism, dn.encoders.Has("maps"))


def test_prefixes_and_pairs_are_reported_under_plain_ldp_alone() -> None:
    for encoder in (dn.encoders.Prefix(2), dn.encoders.Pair()):
        assert encoder.carries(dn.LDP(1.0))
        assert not encoder.carries(dn.HighLow(4, [0], 1.0))
        assert not encoder.carries(Distance(4, 1.0))
