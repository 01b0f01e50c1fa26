"""The conformance suite finds what it is for: each planted fault fails the check that it is planted for."""

from __future__ import annotations

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
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.registry import FAMILIES
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
