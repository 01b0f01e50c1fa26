"""What all mechanisms share: a spec, a layout, a promise, a draw, and the exact probability of each report."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from ..canonical import Spec, canonical, digest
from ..layouts import Layout, Report
from ..odds import Odds
from ..privacy.guarantees import Guarantee
from ..values import Values
from ..words import SystemWords, Words

VERSION = 1


class Mechanism(ABC):
    """A way to randomize one value so that its report is deniable; made from a spec."""

    odds: Odds | None = None
    """The integers that decide its coins, where it has one pair of them."""
    guarantee: Guarantee
    """What is promised to each person."""
    layout: Layout
    """How reports are stored."""

    def __init__(self, values: Values, /, **parameters: Any) -> None:
        self.domain = values
        self.parameters = parameters

    @classmethod
    @abstractmethod
    def of(cls, spec: Spec) -> Mechanism:
        """The mechanism of a spec's fields, which are checked once it is made: its own spec must be theirs."""

    @abstractmethod
    def draw(self, value: Any, words: Words) -> Report:
        """The report of the index of a value, from random words."""

    @abstractmethod
    def chance(self, value: Any, report: Report) -> Fraction:
        """The probability of a report, given the index of a value."""

    @property
    def name(self) -> str:
        """The name by which specs know the mechanism."""
        return type(self).__name__

    @property
    def support(self) -> tuple[Fraction, Fraction] | None:
        """How often a report fits a label that its sender holds, and one that they do not; None if labels differ."""
        return None

    def privatize(self, value: Any) -> Report:
        """One report for one value, from the operating system's random words."""
        return self.draw(self.domain.index(value), SystemWords())

    def chances(self, value: Any) -> Iterator[tuple[Report, Fraction]]:
        """Every report that may be sent for a value, with its exact probability."""
        place = self.domain.index(value)
        chances = ((report, self.chance(place, report)) for report in self.layout.every())
        return ((report, chance) for report, chance in chances if chance)

    def spec(self) -> Spec:
        """The spec's fields."""
        return {"version": VERSION, "mechanism": self.name, "domain": self.domain.to_json(), **self.parameters}

    def to_json(self) -> str:
        """The spec as canonical JSON."""
        return canonical(self.spec())

    @property
    def digest(self) -> str:
        """SHA-256 of the canonical JSON, in hexadecimal."""
        return digest(self.to_json())

    def __eq__(self, other: object) -> bool:
        return self.to_json() == other.to_json() if isinstance(other, Mechanism) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.to_json())

    def __repr__(self) -> str:
        return f"{self.name}({self.domain!r}, {self.guarantee})"
