"""What is wrong with a mechanism of lists is found: each fault is one that a person might make."""

from __future__ import annotations

import numpy as np
import pytest

import deniable as dn
from deniable.arrays import Column, Counts, Indices
from deniable.audit.conformance import CHECKS
from deniable.mechanisms.mechanism import Mechanism
from deniable.privacy.entropy import Entropy


class Interested(dn.AskedItems):
    """Asks about the first label that somebody holds: the window tells the list."""

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        reports = super().draw(values, entropy)
        held = self.domain.flags(values)
        answer = reports % (1 << self.together)
        moved = (held.argmax(axis=1) << self.together) + answer
        return np.where(held.any(axis=1), moved, reports).astype(reports.dtype)


class Impatient(dn.PrivateSet):
    """Takes the first set whatever it holds, if the list is empty: the size shows."""

    def _held_places(self, lists: Indices, entropy: Entropy) -> Column:
        places = super()._held_places(lists, entropy)
        places[~self.domain.flags(lists).any(axis=1)] = 0xFF
        return places


class Silent(dn.ItemResponse):
    """Never inverts the last label."""

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        reports = super().draw(values, entropy)
        last = np.uint8(1 << (self.layout.symbols - 1))
        return (reports & ~last) | (self._bytes(values) & last)


class Drifting(dn.ItemResponse):
    """Draws people of each list in aggregate as if they held another one."""

    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        return super().draw_counts(np.roll(people, 1), generator)


@pytest.mark.parametrize("m", [Interested(3, 1.0), Impatient(3, 1.0, most=2), Silent(3, 1.0)], ids=repr)
def test_wrong_draws_are_found(m: Mechanism) -> None:
    assert CHECKS["sampled channel"](m) is not None


def test_wrong_aggregate_draws_are_found() -> None:
    assert CHECKS["aggregate means"](Drifting(3, 1.0)) is not None
