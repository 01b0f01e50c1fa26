"""How reports are stored, and which ones there are; see wire/reports.md."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any, TypeAlias

from .checks import is_int
from .errors import ReportError

Report: TypeAlias = int | bytes
"""A report: an integer, or packed bits."""


def check_bytes(report: Any, width: int) -> None:
    """Refuse a report that is anything but so many bytes."""
    if not isinstance(report, bytes):
        raise ReportError(f"a report must be {width} bytes, got {type(report).__name__}")
    if len(report) != width:
        raise ReportError(f"a report must be {width} bytes, got {len(report)}")


def number_of(report: Report) -> int:
    """A report as an integer: packed bits are the set of its symbols, symbol j being bit j."""
    return int.from_bytes(report, "little") if isinstance(report, bytes) else report


class Layout(ABC):
    """How a mechanism's reports are stored."""

    @property
    @abstractmethod
    def width(self) -> int:
        """The bytes that a stored report takes."""

    @property
    @abstractmethod
    def bits(self) -> int:
        """The information of one report in bits."""

    @property
    @abstractmethod
    def cells(self) -> int:
        """How many counts a tally of reports holds."""

    @property
    @abstractmethod
    def outputs(self) -> int:
        """How many reports there are."""

    @abstractmethod
    def every(self) -> Iterator[Report]:
        """All reports."""

    @abstractmethod
    def check(self, report: Any) -> None:
        """Raise a ReportError for anything but a report of this layout."""

    def stored(self, report: Report) -> bytes:
        """A report as it travels: integers little-endian in their width, bits as they are."""
        return report if isinstance(report, bytes) else report.to_bytes(self.width, "little")

    def read(self, stored: bytes) -> Report:
        """The report that was stored, checked."""
        self.check(stored)
        return stored


@dataclass(frozen=True)
class IndexLayout(Layout):
    """An integer below ``numbers``; ``silent`` ones that no value sends are refused."""

    numbers: int
    silent: frozenset[int] = frozenset()

    def __str__(self) -> str:
        return f"one of {self.numbers} numbers"

    @property
    def width(self) -> int:
        return next(width for width in (1, 2, 4, 8) if self.numbers <= 1 << 8 * width)

    @property
    def bits(self) -> int:
        return (self.numbers - 1).bit_length()

    @property
    def cells(self) -> int:
        return self.numbers

    @property
    def outputs(self) -> int:
        """All integers, silent ones too."""
        return self.numbers

    def every(self) -> Iterator[Report]:
        return iter(range(self.numbers))

    def check(self, report: Any) -> None:
        if not is_int(report) or not 0 <= report < self.numbers or report in self.silent:
            got = "one that is not" if is_int(report) else type(report).__name__
            raise ReportError(f"a report must be an integer from 0 to {self.numbers - 1} that is sent, got {got}")

    def read(self, stored: bytes) -> Report:
        check_bytes(stored, self.width)
        report = int.from_bytes(stored, "little")
        self.check(report)
        return report


@dataclass(frozen=True)
class BitsLayout(Layout):
    """One bit per symbol: ``weight`` of them are set, if given; at most one from ``single_from`` on."""

    symbols: int
    weight: int | None = None
    single_from: int | None = None

    def __str__(self) -> str:
        if self.weight is not None:
            return f"{self.symbols} bits, {self.weight} of them set"
        single = "" if self.single_from is None else f", at most one of them set from bit {self.single_from} on"
        return f"{self.symbols} bits{single}"

    @property
    def width(self) -> int:
        return -(-self.symbols // 8)

    @property
    def bits(self) -> int:
        return self.symbols

    @property
    def cells(self) -> int:
        return self.symbols

    @property
    def outputs(self) -> int:
        if self.weight is not None:
            return math.comb(self.symbols, self.weight)
        if self.single_from is not None:
            return (1 << self.single_from) * (1 + self.symbols - self.single_from)
        return 1 << self.symbols

    def every(self) -> Iterator[Report]:
        return (self.pack(members) for members in self._sets())

    def _sets(self) -> Iterator[int]:
        """Every set of symbols that a report may hold, symbol j being bit j."""
        if self.weight is not None:
            yield from (sum(1 << j for j in chosen) for chosen in combinations(range(self.symbols), self.weight))
        elif self.single_from is not None:
            highs = [0, *(1 << j for j in range(self.single_from, self.symbols))]
            yield from (low | high for high in highs for low in range(1 << self.single_from))
        else:
            yield from range(1 << self.symbols)

    def pack(self, members: int) -> bytes:
        """A set as bytes."""
        return members.to_bytes(self.width, "little")

    def check(self, report: Any) -> None:
        """Bytes of the width, pad bits 0, as many bits set as there may be."""
        check_bytes(report, self.width)
        members = int.from_bytes(report, "little")
        if members >> self.symbols:
            raise ReportError(f"a report must have no bits beyond its {self.symbols} symbols, got one that has")
        if self.weight is not None and members.bit_count() != self.weight:
            raise ReportError(f"a report must have {self.weight} bits set, got {members.bit_count()}")
        if self.single_from is not None and (members >> self.single_from).bit_count() > 1:
            raise ReportError(f"a report must have at most one bit set from {self.single_from} on, got more")
