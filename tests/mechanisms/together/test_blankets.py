"""The blanket of every family beside enumerated crowds, or its refusal with what would do instead."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from tests.crowd_enumeration import Row, enumerated

import deniable as dn
from deniable.mechanisms.blankets import blankets_of
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.registry import FAMILIES
from deniable.theory.crowd.blanket import Blanket
from deniable.theory.crowd.channels import of_channel
from deniable.theory.crowd.crowds import curve_of

REFUSED = {
    "HighLowHadamard": "the plain mechanism over all labels", "HighLowResponse": "the plain mechanism over all labels",
    "HighLowRappor": "the plain mechanism over all labels", "HighLowSubset": "the plain mechanism over all labels",
    "HighLowCyclic": "the plain mechanism over all labels", "BlockHadamard": "the plain mechanism over all labels",
    "BlockSubset": "the plain mechanism over all labels", "BlockCyclic": "the plain mechanism over all labels",
    "ItemResponse": ".*, which protects whole lists", "Remembered": "fresh reports",
}  # fmt: skip
"""Families whose reports a crowd does not hide, and what a message says to take."""
EXACT = {"RandomizedResponse", "Subset", "HashedResponse"}
"""Whose law tells the blanket of the worst pair exactly, at the examples below."""
MOST_WORK = 200_000
"""Histograms times choices of the others' answers that are enumerated for one crowd."""
HIDDEN = [family for name, family in FAMILIES.items() if name not in REFUSED]


def rows_of(m: Mechanism) -> tuple[Row, ...]:
    """The different rows of the channel; reports that all values make in one proportion are one."""
    columns: dict[tuple[float, ...], float] = {}
    for column in m.channel().probabilities.T.tolist():
        if size := sum(column):
            key = tuple(round(chance / size, 12) for chance in column)
            columns[key] = columns.get(key, 0.0) + size
    table = [[share * size for share in key] for key, size in columns.items()]
    return tuple(dict.fromkeys(tuple(row) for row in zip(*table, strict=True)))


def crowds_of(rows: tuple[Row, ...]) -> list[int]:
    """Crowds of 2 to 5 people that are quick to enumerate."""
    reports = len(rows[0])

    def work(people: int) -> int:
        return math.comb(reports + people - 1, people) * math.comb(len(rows) + people - 2, people - 1) * len(rows)

    return [people for people in (2, 3, 4, 5) if work(people) <= MOST_WORK]


@pytest.mark.parametrize("family", HIDDEN, ids=lambda family: family.name)
@pytest.mark.parametrize("labels", [2, 3])
def test_no_crowd_tells_more(family: Any, labels: int) -> None:
    """Whatever the others answer, of crowds of 2 to 5 people."""
    m = family.example(dn.Domain.of(labels), 1.0)
    rows, blankets = rows_of(m), blankets_of(m)
    crowds = crowds_of(rows)
    assert crowds
    for people in crowds:
        for t in (1.0, 1.3, 2.0):
            truth = enumerated(rows, people, t) * (1 - 1e-9) - 1e-12
            assert truth <= max(blanket.delta(t, people) for blanket in blankets)
            assert truth <= curve_of(blankets, people).delta(math.log(t))


@pytest.mark.parametrize("family", HIDDEN, ids=lambda family: family.name)
def test_a_law_is_never_smaller_than_that_of_the_channel(family: Any) -> None:
    for labels, epsilon in ((2, 0.5), (3, 1.0), (5, 2.0)):
        m = family.example(dn.Domain.of(labels), epsilon)
        told, listed = blankets_of(m), of_channel(m.channel().rows.listed())
        for t in (1.01, math.exp(epsilon / 2)):
            bound, truth = (max(each.delta(t, 50) for each in found) for found in (told, listed))
            assert truth <= bound * (1 + 1e-6) + 1e-12
            assert family.name not in EXACT or bound <= truth * (1 + 1e-6) + 1e-12


@pytest.mark.parametrize("name", REFUSED)
def test_what_no_crowd_hides_is_refused(name: str) -> None:
    m = FAMILIES[name].example(dn.Domain.of(4), 1.0)
    with pytest.raises(dn.ParameterError, match=f"^mechanism must .*, got {name}; take {REFUSED[name]}"):
        blankets_of(m)


def test_channels_with_zeros_are_refused() -> None:
    for m in (dn.Channel(2, [[1, 0], [0.5, 0.5]]), dn.BinaryResponse(2, math.inf, 1.0), dn.ItemResponse(3, 1.0, True)):
        with pytest.raises(dn.ParameterError, match="take "):
            blankets_of(m)


def test_any_text_has_the_law_of_its_symbols() -> None:
    m = dn.HashedResponse(3.0, 16, 64)
    (found,), symbols = blankets_of(m), Blanket.two_level(m.odds.ratio, Fraction(1, 16), Fraction(0))
    assert found.mass == pytest.approx(symbols.mass, rel=1e-12)
