"""The results: cells of timings, and what they say against the fastest peer and the machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from benchmarks.measure import Kind, Timing


@dataclass(frozen=True, slots=True)
class Cell:
    """All timings of one mechanism, domain size and stage, and the peers that failed there."""

    mechanism: str
    d: int
    stage: str
    timings: list[Timing]
    failures: list[str]

    def of(self, kind: Kind) -> list[Timing]:
        """The timings of one kind."""
        return [timing for timing in self.timings if timing.kind == kind]

    @property
    def fastest_peer(self) -> Timing | None:
        """The peer of the highest rate, if any has the mechanism."""
        return max(self.of("peer"), key=lambda timing: timing.rate, default=None)

    def named(self, name: str) -> Timing | None:
        """The timing of that name, if the cell has one."""
        return next((timing for timing in self.timings if timing.name == name), None)

    def ratio(self, ours: Timing) -> float | None:
        """Our rate over the fastest peer's."""
        peer = self.fastest_peer
        return None if peer is None else ours.rate / peer.rate

    def to_dict(self) -> dict[str, Any]:
        """The cell as JSON holds it."""
        return {
            "mechanism": self.mechanism,
            "d": self.d,
            "stage": self.stage,
            "timings": [timing.to_dict() for timing in self.timings],
            "ratios": {timing.name: self.ratio(timing) for timing in self.of("ours")},
            "failures": self.failures,
        }


@dataclass(frozen=True, slots=True)
class Bench:
    """One run of the benchmark."""

    machine: dict[str, Any]
    peers: dict[str, dict[str, str]]
    quick: bool
    cells: list[Cell]

    @property
    def ratios(self) -> list[float]:
        """Every ratio of ours to the fastest peer."""
        found = [cell.ratio(timing) for cell in self.cells for timing in cell.of("ours")]
        return [ratio for ratio in found if ratio is not None]

    def slower(self) -> list[str]:
        """The cells where a peer is faster."""
        return [
            f"{cell.mechanism}, d = {cell.d}, {timing.name}: {ratio:.2g}"
            for cell in self.cells
            for timing in cell.of("ours")
            if (ratio := cell.ratio(timing)) is not None and ratio < 1
        ]

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON holds it."""
        return {
            "machine": self.machine,
            "peers": self.peers,
            "quick": self.quick,
            "cells": [cell.to_dict() for cell in self.cells],
        }
