"""The results: cells of timings, and how they compare with the fastest peer and the machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from benchmarks.affinity import ONE
from benchmarks.limits import HISTOGRAM, LIMITS
from benchmarks.measure import Timing

if TYPE_CHECKING:
    from collections.abc import Mapping

    from benchmarks.measure import Kind


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

    def limit(self, ours: Timing) -> Timing | None:
        """What ours stands beside, on as many processors."""
        work, where = ours.name.removesuffix(ONE), ONE if ours.name.endswith(ONE) else ""
        found = (self.named(name + where) for name in LIMITS[work])
        return next((timing for timing in found if timing is not None), None)

    def share(self, ours: Timing) -> float | None:
        """Our rate over the limit's."""
        limit = self.limit(ours)
        return None if limit is None else ours.rate / limit.rate

    def to_dict(self) -> dict[str, Any]:
        """The cell as JSON holds it, its ratios and shares for whoever reads no Python."""
        ours = self.of("ours")
        return {
            "mechanism": self.mechanism,
            "d": self.d,
            "stage": self.stage,
            "timings": [timing.to_dict() for timing in self.timings],
            "times_the_peer": {timing.name: self.ratio(timing) for timing in ours},
            "share_of_limit": {timing.name: self.share(timing) for timing in ours},
            "failures": self.failures,
        }

    @classmethod
    def from_dict(cls, found: Mapping[str, Any]) -> Cell:
        """Back from JSON."""
        timings = [Timing.from_dict(timing) for timing in found["timings"]]
        return cls(found["mechanism"], found["d"], found["stage"], timings, found["failures"])


@dataclass(frozen=True, slots=True)
class Bench:
    """One run of the benchmark."""

    machine: dict[str, Any]
    peers: dict[str, dict[str, str]]
    quick: bool
    cells: list[Cell]

    @property
    def mechanisms(self) -> list[str]:
        """Those measured, in order."""
        return list(dict.fromkeys(cell.mechanism for cell in self.cells))

    def integers(self, mechanism: str) -> bool:
        """Whether its reports are integers, which a histogram counts."""
        return any(cell.mechanism == mechanism and cell.named(HISTOGRAM) is not None for cell in self.cells)

    def of(self, stage: str, mechanism: str | None = None) -> list[Cell]:
        """The cells of a stage, of one mechanism if it is named."""
        return [cell for cell in self.cells if cell.stage == stage and mechanism in (None, cell.mechanism)]

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

    @classmethod
    def from_dict(cls, found: Mapping[str, Any]) -> Bench:
        """Back from JSON."""
        cells = [Cell.from_dict(cell) for cell in found["cells"]]
        return cls(found["machine"], found["peers"], found["quick"], cells)
