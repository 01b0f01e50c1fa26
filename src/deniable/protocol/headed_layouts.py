"""Reports that name a block or a cohort in two bytes before their bits; see wire/reports.md."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from .errors import ReportError
from .layouts import Layout, Report, check_bytes

HEAD = 2
"""Bytes that name a block or a cohort."""


@dataclass(frozen=True)
class BlockLayout(Layout):
    """A block in two bytes, then a bit for each label of the largest of all ``sizes``: ``weights[block]`` are set."""

    sizes: tuple[int, ...]
    weights: tuple[int, ...]

    def __str__(self) -> str:
        return f"one of {len(self.sizes)} blocks, and {max(self.sizes)} bits"

    @property
    def width(self) -> int:
        return HEAD + -(-max(self.sizes) // 8)

    @property
    def bits(self) -> int:
        return (len(self.sizes) - 1).bit_length() + max(self.sizes)

    @property
    def cells(self) -> int:
        return sum(self.sizes)

    @property
    def outputs(self) -> int:
        return sum(math.comb(size, weight) for size, weight in zip(self.sizes, self.weights, strict=True))

    def every(self) -> Iterator[Report]:
        for block, (size, weight) in enumerate(zip(self.sizes, self.weights, strict=True)):
            for chosen in combinations(range(size), weight):
                yield self.join(block, sum(1 << j for j in chosen))

    def join(self, block: int, members: int) -> bytes:
        """A block and a set of its labels as bytes."""
        return block.to_bytes(HEAD, "little") + members.to_bytes(self.width - HEAD, "little")

    def check(self, report: Any) -> None:
        check_bytes(report, self.width)
        block = int.from_bytes(report[:HEAD], "little")
        if block >= len(self.sizes):
            raise ReportError(f"a report must name one of {len(self.sizes)} blocks, got a number beyond")
        members = int.from_bytes(report[HEAD:], "little")
        if members >> self.sizes[block]:
            raise ReportError(f"a report must have no bits beyond its block's {self.sizes[block]}, got one that has")
        if members.bit_count() != self.weights[block]:
            raise ReportError(f"a report must have {self.weights[block]} bits set, got {members.bit_count()}")


@dataclass(frozen=True)
class CohortLayout(Layout):
    """A cohort in two bytes, then one bit per symbol."""

    cohorts: int
    symbols: int

    def __str__(self) -> str:
        return f"one of {self.cohorts} cohorts, and {self.symbols} bits"

    @property
    def width(self) -> int:
        return HEAD + -(-self.symbols // 8)

    @property
    def bits(self) -> int:
        return (self.cohorts - 1).bit_length() + self.symbols

    @property
    def cells(self) -> int:
        """The people of each cohort, and those who hold each of its symbols."""
        return self.cohorts * (1 + self.symbols)

    @property
    def outputs(self) -> int:
        return self.cohorts << self.symbols

    def every(self) -> Iterator[Report]:
        return (self.join(c, members) for c in range(self.cohorts) for members in range(1 << self.symbols))

    def join(self, cohort: int, members: int) -> bytes:
        """A cohort and a set of its symbols as bytes."""
        return cohort.to_bytes(HEAD, "little") + members.to_bytes(self.width - HEAD, "little")

    def check(self, report: Any) -> None:
        check_bytes(report, self.width)
        if int.from_bytes(report[:HEAD], "little") >= self.cohorts:
            raise ReportError(f"a report must name one of {self.cohorts} cohorts, got a number beyond")
        if int.from_bytes(report[HEAD:], "little") >> self.symbols:
            raise ReportError(f"a report must have no bits beyond its {self.symbols} symbols, got one that has")
