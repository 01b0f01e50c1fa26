"""A privacy researcher has an idea for a mechanism, and wants to see it proven and beside the others."""

from __future__ import annotations

import pytest
from tests.first_hours.conftest import Hour

OWN = """
from fractions import Fraction
import deniable as dn

# Of three answers the middle one may be told from its neighbours less than these from each other.
rows = [[Fraction(weight, 7) for weight in row] for row in ([4, 2, 1], [2, 3, 2], [1, 2, 4])]
m = dn.Channel(["never", "sometimes", "often"], rows)
print(dn.audit(m))
print(dn.audit_sampling(m, trials=20_000, seed=1))
best = dn.optimal_channel(dn.LDP(2.0), m.domain, goal="minimax")
for each in (m, best, dn.RandomizedResponse(3, 2.0)):
    print(type(each).__name__, round(each.risk(10_000) ** 0.5, 4))
print(dn.bounds.most_effective_users(3, 2.0, 10_000))
"""


@pytest.mark.minutes(3)
def test_from_an_idea_to_a_proof_and_a_comparison(hour: Hour) -> None:
    found = hour.python(OWN)
    assert "holds" in found
    assert "passes over 20000 trials per label" in found
    assert "RandomizedResponse" in found
    planned = hour.deniable("plan --domain 3 --epsilon 2 --users 10000 --plot plan.svg")
    assert "who answered openly" in planned
    assert (hour.folder / "plan.svg").stat().st_size > 1000
    simulated = hour.deniable("simulate --mechanism Subset --domain 3 --epsilon 2 --users 10000 --truth zipf --seed 1")
    assert "truth" in simulated
    assert "paper" in hour.deniable("reproduce --help")
