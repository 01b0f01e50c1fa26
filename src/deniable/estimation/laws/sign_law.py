"""Signed counting: within its part a report is + for half of the labels and - for the rest, by Hadamard rows.

The labels are divided into parts in order, each with its own row besides row 0; see ``kernels/hadamard_rows``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from deniable.arrays import Column, Counts, Exact, Flags, Vector
from deniable.estimation.decoders import Likelihood
from deniable.estimation.evidence import SignedEvidence
from deniable.estimation.laws.law import Law
from deniable.estimation.laws.supports import Sums, two_level_chances
from deniable.kernels._kernels import walsh_hadamard
from deniable.kernels.hadamard_rows import split
from deniable.protocol.odds import Odds
from deniable.theory.crowd.blanket import Blanket
from deniable.theory.risk import hadamard as theory
from deniable.theory.risk import information
from deniable.theory.risk.variance import Loss, Target, combined

Number = TypeVar("Number", np.int64, np.float64)


@dataclass(frozen=True, eq=False)
class SignLaw(Law):
    """Outputs in ``parts`` of ``size``; a label owns the + half of its row of one part, with weight A against B."""

    labels: int
    odds: Odds
    parts: int
    size: int
    epsilon: float
    others: bool = False
    """Whether people who hold none of these labels report here too, or elsewhere."""

    @property
    def total(self) -> int:
        """The total of all weights, in units of half a part."""
        return self.odds.above + (2 * self.parts - 1) * self.odds.below

    @property
    def scale(self) -> float:
        """How much one report in the label's half adds to n times its estimate."""
        return float(Fraction(self.total, self.odds.above - self.odds.below))

    @property
    def leverage(self) -> float:
        """A fake report in a label's half counts for ``scale`` people."""
        return self.scale

    @property
    def decode_operations(self) -> float:
        return self.parts * self.size * math.log2(self.size)

    def by_row(self, values: npt.NDArray[Number]) -> npt.NDArray[Number]:
        """The labels' values [parts, rows] at their rows; row 0 is not used."""
        padded = np.zeros(self.parts * (self.size - 1), values.dtype)
        padded[: len(values)] = values
        return np.pad(padded.reshape(self.parts, -1), ((0, 0), (1, 0)))

    def _transformed(self, values: npt.NDArray[Number]) -> npt.NDArray[Number]:
        """Each part's Walsh-Hadamard transform."""
        parts = values.reshape(self.parts, self.size).copy()
        for part in parts:
            walsh_hadamard(part)
        return parts

    def _by_label(self, parts: npt.NDArray[Number]) -> npt.NDArray[Number]:
        """Rows 1, 2, ... of each part, in the labels' order."""
        return parts[:, 1:].reshape(-1)[: self.labels]

    def evidence(self, n: int, counts: Counts) -> SignedEvidence:
        """Signed evidence: for each label the reports in its half, and those in its part's other half."""
        parts = self._transformed(counts)
        signed = self._by_label(parts)
        within = np.repeat(parts[:, 0], self.size - 1)[: self.labels]
        above, below = self.odds.above, self.odds.below
        gain, landing = Fraction(above - below, 2 * (above + below)), Fraction(above + below, self.total)
        plus, minus = split(within, signed)
        return SignedEvidence(n, plus, minus, float(gain), float(landing), all_land=self.parts == 1 and not self.others)

    def supports(self, reports: Column) -> Flags:
        """A report supports the labels of its part whose row has a + there."""
        y, x = reports.astype(np.int64)[:, None], np.arange(self.labels)[None, :]
        part, row = x // (self.size - 1), x % (self.size - 1) + 1
        minus = np.bitwise_count((y % self.size) & row) & 1
        held: Flags = np.equal(y // self.size, part) & np.equal(minus, 0)
        return held

    def support_chances(self, value: int) -> Vector:
        """The probabilities of support by a report of ``value``: A for itself, (A+B)/2 in its part, B in others."""
        rows, above, below = self.size - 1, self.odds.above / self.total, self.odds.below / self.total
        same_part = np.arange(self.labels) // rows == value // rows
        chances = np.where(same_part, (above + below) / 2, below)
        chances[value] = above
        return chances

    def chances(self, reports: Column) -> Exact:
        """The exact probabilities: A and B over the total, divided among the outputs of half a part."""
        halves = self.total * (self.size // 2)
        level = Fraction(self.odds.above, halves), Fraction(self.odds.below, halves)
        return two_level_chances(self.supports(reports), [level] * len(reports))

    def _mass(self, p: Vector) -> Vector:
        """For each output the sum of p over the labels whose half it is in."""
        parts = self.by_row(p)
        totals = parts.sum(axis=1, keepdims=True)
        mass: Vector = (totals + self._transformed(parts)).reshape(-1) / 2
        return mass

    def _collect(self, weights: Vector) -> Vector:
        """For each label the sum of weights over the outputs in its half."""
        parts = self._transformed(weights)
        within = np.repeat(parts[:, 0], self.size - 1)[: self.labels]
        collected: Vector = (within + self._by_label(parts)) / 2
        return collected

    def likelihood(self, counts: Counts) -> Likelihood:
        """The likelihood of the histogram; two transforms per iteration."""
        return self.sums(counts).likelihood(float(self.odds.ratio))

    def sums(self, counts: Counts) -> Sums:
        """Sums over the labels whose half each output is in."""
        return Sums(counts, self._mass, self._collect)

    def report_sums(self, reports: Column) -> None:
        """None: the histogram is enough."""
        return

    def exact_ratio(self) -> Fraction:
        """A/B, between any two labels."""
        return self.odds.ratio

    def blanket(self) -> Blanket:
        """A label has half of a part; two of one part share half of that, two of different parts nothing."""
        half = Fraction(1, 2 * self.parts)
        return Blanket.two_level(self.odds.ratio, half, half / 2 if self.parts == 1 else Fraction(0))

    def mutual_information(self) -> float:
        """The mutual information in nats, from the number of labels that each output supports."""
        outputs = self.parts * self.size
        members = np.rint(self._mass(np.ones(self.labels)))
        log_low = np.full(outputs, math.log(self.odds.below / (self.total * (self.size // 2))))
        return information.two_level(np.zeros(outputs), members, log_low, self.epsilon, self.labels)

    def error(self, n: int, loss: Loss, truth: Vector | None, target: Target) -> float:
        shape, p = (float(self.odds.ratio), self.parts, self.size), truth
        if p is None and loss == "l2" and target == "sample":
            return theory.worst_sample_l2(*shape, n, self.labels)
        if p is None:
            p = theory.worst_truth(*shape, self.labels, loss, target)
        variance = (theory.variance_population if target == "population" else theory.variance_sample)(*shape, n, p)
        return combined(variance, loss)
