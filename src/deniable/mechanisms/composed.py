"""Mechanisms that are composed: parts say how reports are stored and drawn, and what counts tell of the people."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Generic, TypeVar

import numpy as np

from deniable.arrays import Column, Counts, Indices
from deniable.estimation.laws.law import Law
from deniable.mechanisms.drawing import Cost
from deniable.mechanisms.mechanism import Mechanism
from deniable.privacy.entropy import Entropy
from deniable.reports.layout import Layout
from deniable.values.domain import Domain

LawT_co = TypeVar("LawT_co", bound=Law, covariant=True)


class Parts(ABC, Generic[LawT_co]):
    """How the reports of one promise are stored and drawn, and what counts of them say."""

    @property
    @abstractmethod
    def layout(self) -> Layout:
        """How reports are stored, checked and counted."""

    @property
    @abstractmethod
    def law(self) -> LawT_co:
        """What counts say of the people."""

    @property
    @abstractmethod
    def cost(self) -> Cost:
        """The random words per report, and the binomial draws in aggregate."""

    @abstractmethod
    def draw(self, values: Indices, entropy: Entropy) -> Column:
        """One report for each index."""

    @abstractmethod
    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        """The counts of reports from ``people`` of each label."""


class Composed(Mechanism, Generic[LawT_co]):
    """A mechanism that says what its parts are, and leaves the rest to them."""

    domain: Domain
    """The labels that people may hold."""
    _parts: Parts[LawT_co]

    @property
    def layout(self) -> Layout:
        return self._parts.layout

    @property
    def law(self) -> LawT_co:
        return self._parts.law

    @property
    def cost(self) -> Cost:
        return self._parts.cost

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        return self._parts.draw(values, entropy)

    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        return self._parts.draw_counts(people, generator)
