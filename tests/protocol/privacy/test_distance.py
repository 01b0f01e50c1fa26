"""Distance: a Pairwise in a formula, what it implies, how it adds, and that neighbours decide."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

import deniable as dn
from deniable.privacy.ledger import RunningComposition
from deniable.protocol.privacy.composition import as_pairwise
from deniable.protocol.say import Statement, english

FIVE = dn.Distance(5, 0.5)
WIDE = dn.Distance(dn.Domain.between(-7, 10**6), 0.001)


def test_it_is_pairwise_in_a_formula() -> None:
    levels = as_pairwise(FIVE, FIVE.domain).matrix
    assert levels == tuple(tuple(0.5 * abs(x - z) for z in range(5)) for x in range(5))
    assert (FIVE.claimed, FIVE.plain) == (0.5, 2.0)
    assert WIDE.pair_level(0, 10**6) == 1000.0
    assert dn.Distance(3, 0.1).pair_level(0, 2) == 0.2


def test_it_agrees_with_pairwise_on_random_channels() -> None:
    """Whatever keeps neighbours keeps all pairs, exactly; whatever fails, fails for neighbours too."""
    source, kept = np.random.default_rng(1), 0
    for _ in range(300):
        weights = source.integers(50, 100, (5, 4))
        rows = [[Fraction(int(w), int(row.sum())) for w in row] for row in weights]
        by_pairs = as_pairwise(FIVE, FIVE.domain).holds(rows)
        assert FIVE.holds(rows) == by_pairs
        kept += by_pairs
    assert 30 < kept < 290


def test_a_report_that_a_neighbour_cannot_send_breaks_it() -> None:
    assert not dn.Distance(2, 32.0).holds([[1, 0], [Fraction(1, 2), Fraction(1, 2)]])
    assert dn.Distance(3, 1.0).tightest([[1, 0], [0, 1], [0, 1]]) == math.inf
    with pytest.raises(dn.ParameterError, match="3 rows"):
        dn.Distance(3, 1.0).holds([[1, 0], [0, 1]])


@pytest.mark.parametrize(
    ("stronger", "weaker", "holds"),
    [
        (FIVE, dn.Distance(5, 0.5), True),
        (FIVE, dn.Distance(5, 0.4), False),
        (FIVE, dn.Distance(6, 0.5), False),
        (FIVE, dn.LDP(2.0), True),
        (FIVE, dn.LDP(1.99), False),
        (dn.LDP(0.5), FIVE, True),
        (dn.LDP(0.51), FIVE, False),
        (dn.LDP(0.001), WIDE, True),
        (WIDE, dn.LDP(32.0), False),
        (FIVE, as_pairwise(FIVE, FIVE.domain), True),
        (as_pairwise(FIVE, FIVE.domain), FIVE, True),
        (FIVE, dn.HighLow(5, [0, 4], 2.0), True),
        (FIVE, dn.HighLow(5, [0, 4], 1.9), False),
        (FIVE, dn.Blocks([[0, 1], [2, 3, 4]], 1.0), True),
        (FIVE, dn.InformationPrivacy(5, [0, 0.5, 0, 0.5, 0], 1.0), True),
        (FIVE, dn.InformationPrivacy(5, [0.5, 0, 0, 0, 0.5], 1.9), False),
    ],
    ids=str,
)
def test_what_it_implies(stronger: dn.LDP, weaker: dn.LDP, holds: bool) -> None:
    assert dn.implies(stronger, weaker) == holds


def test_sums() -> None:
    assert dn.composed([FIVE] * 3) == dn.Distance(5, 1.5)
    both = dn.composed([FIVE, dn.LDP(1.0)])
    assert isinstance(both, dn.Pairwise)
    assert both.pair_level(0, 4) == 3.0
    assert dn.composed([WIDE, WIDE]) == WIDE.at(0.002)
    assert dn.composed([WIDE, dn.LDP(1.0)]) == dn.LDP(1.0).at(1001.007)
    running = RunningComposition()
    for _ in range(10):
        running.add(dn.Distance(5, 0.1))
    assert running.spent == dn.Distance(5, 1.0)


def test_a_ledger_counts_it() -> None:
    ledger = dn.Ledger(dn.LDP(1.0))
    ledger.spend(dn.Distance(3, 0.25), "March")
    assert ledger.allows(dn.Distance(3, 0.25))
    assert not ledger.allows(dn.Distance(3, 0.26))
    assert dn.Ledger.from_json(ledger.to_json()) == ledger


def test_it_protects_every_pair() -> None:
    assert WIDE.protects(dn.LDP(1.0))
    assert FIVE.protects(dn.HighLow(5, [0], 1.0))


def test_what_a_person_is_told_is_proven() -> None:
    near = dn.Distance(dn.Domain.between(18, 120), 0.1).promised
    assert english(near) == (
        "What is sent is at most 1.11 times likelier from your answer than from the next one, and at most 2.72 times "
        "likelier than from one 10 steps away."
    )
    assert FIVE.belief == ("belief_near", FIVE.epsilon)
    assert "from the next one." in english(dn.Distance(2, 1.0).promised)
    (open_part,) = FIVE.left_open(Statement("your_answer"))
    assert english(open_part).endswith("only up to a factor of 7.39.")


def test_a_label_says_it() -> None:
    label = dn.label(dn.Geometric(0, 4, 0.5))
    assert label.facts.level == 2.0
    assert any("than from the next one" in sentence for sentence in label.sentences)
    assert any("far ones less" in sentence for sentence in label.sentences)
