"""Sending a permanent report again, round after round: whole or replaced, or bit by bit."""

from __future__ import annotations

import copy
import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, TypeVar

import numpy as np

from deniable.arrays import Column, Indices
from deniable.mechanisms.shared.draws import ROUNDS, coins, noise
from deniable.privacy.entropy import Entropy, draw_uniform
from deniable.privacy.repeated import PARTS, Resent, SingleBits, WholeReports
from deniable.protocol.odds import Odds
from deniable.protocol.privacy.guarantees import LDP, Guarantee
from deniable.protocol.words import WORD
from deniable.reports.index_layout import IndexLayout
from deniable.reports.packed_layout import PackedLayout

M = TypeVar("M")


class Permanent(Protocol):
    """Draws permanent reports; every mechanism does."""

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        """One report for each index."""
        ...


class Rounds(ABC):
    """How a family's permanent reports are sent in each round, and what the rounds tell."""

    promise: Resent
    """The odds of one report and of several."""
    cells: int
    """How many permanent answers a device can need: one per label, per symbol of a hash, or two per item of a list."""

    @property
    @abstractmethod
    def words(self) -> float:
        """The random words that a round is expected to need."""

    def guarantee(self, each: float) -> Guarantee:
        """What one round promises."""
        return LDP(each)

    @property
    def kept(self) -> int:
        """How many reports a device keeps for these answers."""
        return self.cells

    @abstractmethod
    def again(self, reports: Column, keep: int, entropy: Entropy) -> Column:
        """What a round sends of these permanent reports, kept in ``keep`` cases of m."""

    def enrol(self, permanent: Permanent, entropy: Entropy) -> Column:
        """A permanent report for each cell."""
        return permanent.draw(np.arange(self.cells), entropy)

    def is_one_device(self, enrolled: Column) -> bool:
        """Whether reports can have been drawn together: what is not randomized of them is the same."""
        return len(enrolled) == self.kept

    def recall(self, value: Indices, enrolled: Column) -> Column:
        """The permanent report of a value, both as columns of one."""
        return enrolled[value]


@dataclass(frozen=True, eq=False)
class Replaced(Rounds):
    """A report is sent as it is, or replaced by one that ``uniform`` draws, given what is public of the report."""

    promise: WholeReports
    cells: int
    uniform: Callable[[Column, Entropy], Column]
    uniform_words: float = 1.0

    @classmethod
    def integers(cls, promise: WholeReports, cells: int, layout: IndexLayout) -> Replaced:
        """Of reports that are integers, any of which a uniform report may be."""

        def uniform(reports: Column, entropy: Entropy) -> Column:
            return draw_uniform(len(reports), layout.outputs, entropy).astype(layout.dtype)

        return cls(promise, cells, uniform)

    @property
    def words(self) -> float:
        return 1 + self.uniform_words

    def again(self, reports: Column, keep: int, entropy: Entropy) -> Column:
        """Both are drawn, then one is selected, so that time does not tell which."""
        kept = coins(len(reports), keep, PARTS, entropy)
        other = self.uniform(reports, entropy)
        return np.where(kept[:, None] if reports.ndim == 2 else kept, reports, other)


@dataclass(frozen=True, eq=False)
class Flipped(Rounds):
    """Each bit is sent as it is, or inverted."""

    promise: SingleBits
    cells: int
    layout: PackedLayout

    @property
    def words(self) -> float:
        """About nine words for 64 bits."""
        return ROUNDS * self.layout.width / 8

    def again(self, reports: Column, keep: int, entropy: Entropy) -> Column:
        """Noise, of which the set bits invert the report's; pad bits stay clear."""
        flips = noise(len(reports), self.layout.width, (PARTS - keep) * (WORD // PARTS), entropy)
        flips[:, -1] &= self.layout.last
        return np.asarray(reports ^ flips)


def at_odds(mechanism: M, odds: Odds, ratio: Fraction) -> M:
    """A mechanism at other odds, which make this largest ratio: for its law and its counts, not for drawing."""
    other = copy.copy(mechanism)
    for derived in ("law", "_channel", "spec_bytes", "_origin"):
        vars(other).pop(derived, None)
    vars(other).update(odds=odds, epsilon=math.log1p(float(ratio - 1)))
    return other
