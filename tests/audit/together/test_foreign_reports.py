"""Reports that another program drew: an honest one passes, others fail, and what cannot be judged is refused."""

from __future__ import annotations

from typing import Any

import pytest

import deniable as dn
from deniable.protocol.errors import LabelError, ParameterError

COIN = dn.RandomizedResponse(["no", "yes"], 1.0)
VALUES = ["no", "yes"] * 5000


def test_an_honest_program_passes() -> None:
    found = dn.audit_reports(COIN, VALUES, COIN.privatize_many(VALUES, seed=1))
    assert found.holds
    assert found.trials == 5000


def test_a_program_that_tells_the_truth_fails() -> None:
    found = dn.audit_reports(COIN, VALUES, [0, 1] * 5000)
    assert not found.holds
    assert found.epsilon_lower > 5


def test_values_that_are_no_labels_are_refused_and_not_taken_for_the_last_one() -> None:
    with pytest.raises(LabelError, match="one of the domain's 2 labels, got 5000 of 10000") as refused:
        dn.audit_reports(COIN, ["no", "perhaps"] * 5000, COIN.privatize_many(VALUES, seed=1))
    assert "perhaps" not in str(refused.value)


@pytest.mark.parametrize(
    ("values", "told"),
    [
        (["no"] * 10_000, "got 1, the rarest of them with 10,000"),
        (["no"] * 9001 + ["yes"] * 999, "got 2, the rarest of them with 999"),
    ],
)
def test_too_few_are_refused_with_their_number(values: list[str], told: str) -> None:
    with pytest.raises(ParameterError, match=f"at least two, each with at least 1,000 reports, {told}"):
        dn.audit_reports(COIN, values, COIN.privatize_many(values, seed=1))


def test_a_thousand_of_each_suffice() -> None:
    values = ["no", "yes"] * 1000
    assert dn.audit_reports(COIN, values, COIN.privatize_many(values, seed=1)).trials == 1000


def test_values_and_reports_are_pairs() -> None:
    with pytest.raises(ParameterError, match="equally many, got 10000 and 9999"):
        dn.audit_reports(COIN, VALUES, [0] * 9999)


def test_only_mechanisms_are_audited() -> None:
    other: Any = "coin"
    with pytest.raises(ParameterError, match="mechanism must be one of deniable's, got str"):
        dn.audit_reports(other, VALUES, [0])
