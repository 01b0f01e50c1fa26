"""The conformance suite finds what it is for: each planted fault fails the check that it is planted for."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import deniable as dn
from deniable.arrays import Column, Counts, Indices, Vector
from deniable.audit.conformance import CHECKS, conform
from deniable.estimation.laws.support_law import SupportLaw
from deniable.mechanisms import registry
from deniable.mechanisms.family import plain_family
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.registry import FAMILIES, register
from deniable.privacy.entropy import Entropy
from deniable.protocol.canonical import Spec
from deniable.protocol.errors import CapacityError
from deniable.reports.index_layout import IndexLayout
from deniable.theory.risk.variance import Loss, Target


class Skewed(SupportLaw):
    """Sees a tenth too many supports of the first label."""

    def evidence(self, n: int, counts: Counts) -> Any:
        return super().evidence(n, counts + (np.arange(len(counts)) == 0) * counts // 10 + 1)


class Optimist(SupportLaw):
    """Predicts two thirds of the error."""

    def error(self, n: int, loss: Loss, truth: Vector | None, target: Target) -> float:
        return super().error(n, loss, truth, target) * 2 / 3


class Biased(dn.RandomizedResponse):
    @property
    def law(self) -> SupportLaw:
        return Skewed(**vars(super().law))


class Hopeful(dn.RandomizedResponse):
    @property
    def law(self) -> SupportLaw:
        return Optimist(**vars(super().law))


class Talkative(dn.RandomizedResponse):
    """Claims to tell more than it does."""

    @property
    def law(self) -> SupportLaw:
        return replace(super().law, information=lambda: 1.0)


class Overclaiming(dn.RandomizedResponse):
    """Realises another ratio than it says."""

    @property
    def law(self) -> SupportLaw:
        return replace(super().law, largest_ratio=self.odds.ratio + Fraction(1, 1000))


class Honest(dn.RandomizedResponse):
    """Always tells the truth."""

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        return values.astype(self.layout.dtype)


class Drifting(dn.RandomizedResponse):
    """Draws all people of the first label in aggregate as if they held the last one."""

    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        return super().draw_counts(np.roll(people, 1), generator)


class Forgetful(dn.RandomizedResponse):
    """Writes another epsilon into its spec."""

    @property
    def name(self) -> str:
        return "RandomizedResponse"

    def _spec_parameters(self) -> Spec:
        return {"epsilon": self.epsilon / 2}


class DoubleCounting(IndexLayout):
    """Counts the first report of a batch twice."""

    def tally(self, reports: Any, onto: Counts | None = None) -> tuple[int, Counts]:
        n, counts = super().tally(reports, onto)
        if n > 1:
            counts[int(np.asarray(reports)[0])] += 1
        return n, counts


class Doubled(dn.RandomizedResponse):
    @property
    def layout(self) -> IndexLayout:
        return DoubleCounting(len(self.domain))


class Swallowing(dn.RandomizedResponse):
    """Takes any value for the first label."""

    def privatize_many(self, labels: Any, seed: int | None = None) -> Column:
        return super().privatize_many([label if label in self.domain else self.domain[0] for label in labels], seed)


FAULTS: dict[str, Callable[[int, float], dn.RandomizedResponse]] = {
    "exact channel": Overclaiming, "unbiased estimator": Biased, "enumerated risk": Hopeful,
    "enumerated information": Talkative, "sampled channel": Honest, "aggregate means": Drifting,
    "spec and back": Forgetful, "adding tallies": Doubled, "refusals": Swallowing,
}  # fmt: skip


def test_every_check_has_its_fault() -> None:
    assert set(FAULTS) == set(CHECKS)


@pytest.mark.parametrize("check", FAULTS)
def test_planted_faults_are_found(check: str) -> None:
    assert CHECKS[check](dn.RandomizedResponse(3, 1.0)) is None
    assert CHECKS[check](FAULTS[check](3, 1.0)) is not None


@pytest.mark.parametrize(
    ("check", "said"),
    [
        ("exact channel", "largest ratio of its own channel, 2.7182818.*, got 2.7192818.*; see largest_ratio"),
        ("unbiased estimator", "right on average, got one that is off by .* of the people; the law's g and h"),
        ("enumerated risk", "risk must be .* by all reports of 10 people, got .*; see error of the law"),
        ("enumerated information", "by the channel, got 1; see information of the law"),
        ("sampled channel", "draw must follow the channel of the law, got reports that do not: "),
        ("aggregate means", "got .* standard errors off; it draws by other probabilities than the law has"),
    ],
)
def test_a_problem_says_what_is_wrong_and_where(check: str, said: str) -> None:
    assert re.search(said, str(CHECKS[check](FAULTS[check](3, 1.0))))


def claiming(epsilon: float, channel: list[list[Fraction]]) -> Mechanism:
    """A table of weights that claims another level than it keeps."""
    m = dn.Channel(["a", "b"], channel)
    vars(m)["guarantee"] = dn.LDP(epsilon)
    return m


def test_a_claim_that_fails_is_told_by_what_is_kept() -> None:
    half, third, quarter = Fraction(1, 2), Fraction(1, 3), Fraction(1, 4)
    check = CHECKS["exact channel"]
    loud = str(check(claiming(0.5, [[3 * quarter, quarter], [quarter, 3 * quarter]])))
    assert re.search(r"must keep 0.5-LDP.*, got probabilities that keep 1\.0986.*weighted_odds or exp_lower", loud)
    silent = str(check(claiming(0.5, [[half, half, Fraction(0)], [third, third, third]])))
    assert "got a report that some values never send and others do" in silent


def test_a_member_that_cannot_be_made_is_one_problem() -> None:
    """A constructor that wants other labels, or a law that does not fit together: said once, not by every check."""

    class Even(dn.RandomizedResponse):
        def __init__(self, domain: Any, epsilon: float) -> None:
            if len(dn.Domain.of(domain)) % 2:
                raise dn.ParameterError("domain must have an even number of labels")
            super().__init__(domain, epsilon)

    family = register(plain_family(Even, "a label"))
    try:
        found = conform(family).problems
    finally:
        del registry._families["Even"]
    assert len(found) == 2
    assert found[0].startswith("Even of 3 labels at epsilon 1 cannot be made, ParameterError: domain must have an even")
    assert found[0].endswith("name them (sizes of plain_family)")


def test_only_registered_families_are_checked() -> None:
    with pytest.raises(dn.ParameterError, match="register it first"):
        conform(replace(FAMILIES["Subset"]))


def test_an_error_of_the_mechanism_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    """A family whose members break a check does not pass it."""

    def broken(m: Mechanism) -> None:
        raise CapacityError(f"nothing can be drawn of {m!r}")

    monkeypatch.setitem(conform.__globals__, "CHECKS", {"broken": broken})
    found = conform(FAMILIES["Subset"])
    assert not found.holds
    assert "broken: CapacityError: nothing can be drawn" in str(found)
