"""Hadamard response (Acharya, Sun and Zhang 2019): outputs in parts, a row of signs a label, decoded by one FWHT."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from deniable.arrays import Column, Counts, Indices, Vector
from deniable.checks import check_int
from deniable.errors import ParameterError
from deniable.estimation.decoders import Messages, support_messages
from deniable.estimation.evidence import SignedEvidence
from deniable.kernels.decode.hadamard_rows import split
from deniable.kernels.decode.transforms import walsh_hadamard
from deniable.kernels.draw.aggregate import over_half_rows, scatter
from deniable.kernels.draw.draws import draw_hadamard
from deniable.mechanisms.plain.base import Plain
from deniable.mechanisms.shared.stored import IndexReports
from deniable.mechanisms.shared.support import TwoLevel
from deniable.privacy.entropy import Entropy
from deniable.privacy.odds import Odds, weighted_odds
from deniable.reports.layout import IndexLayout
from deniable.reports.spec import Spec
from deniable.reports.tally import Tally
from deniable.theory.risk import hadamard as theory
from deniable.theory.risk import information
from deniable.theory.risk.variance import Loss, Target, combined
from deniable.values.domain import DomainLike

Number = TypeVar("Number", np.int64, np.float64)


class Hadamard(Plain, TwoLevel, IndexReports):
    """The outputs fall into ``parts``; a label owns the + half of its row of one part, with weight A against B.

    Label x has row ``x % (size - 1) + 1`` of part ``x // (size - 1)``, where a part has ``size`` outputs. ``parts``
    is a power of two; None takes the number of least variance.

    >>> m = Hadamard(100, 3.0)
    >>> m.parts, m.size, m.report_bits
    (8, 16, 7)
    """

    title = "an output of the label's half of a Hadamard row"
    parts: int

    def __init__(self, domain: DomainLike, epsilon: float, parts: int | None = None) -> None:
        super().__init__(domain, epsilon)
        self._fix(parts=self._resolve(parts))
        self._certify()

    def _resolve(self, parts: object) -> int:
        d = len(self.domain)
        if parts is None:
            return theory.best_parts(d, self.epsilon)[0]
        chosen = check_int("parts", parts, 1)
        if chosen & (chosen - 1) or chosen >= 2 * d:
            raise ParameterError(f"parts must be a power of two below {2 * d}, got parts={chosen}")
        return chosen

    @property
    def size(self) -> int:
        """Outputs a part: a power of two with a row for every label of the part, row 0 left out."""
        labels = -(-len(self.domain) // self.parts)
        return 1 << labels.bit_length()

    def parameters(self) -> Spec:
        """Epsilon and the number of parts."""
        return {"epsilon": self.epsilon, "parts": self.parts}

    @property
    def layout(self) -> IndexLayout:
        """One of the outputs."""
        return IndexLayout(self.parts * self.size)

    @cached_property
    def odds(self) -> Odds:
        """In units of half a part: A for the own half, B for each of the others."""
        return weighted_odds(self.epsilon, 1, 2 * self.parts - 1)

    @property
    def _total(self) -> int:
        return self.odds.above + (2 * self.parts - 1) * self.odds.below

    @property
    def scale(self) -> float:
        """What one report more in the own half than in the other half adds to n times the estimate."""
        return float(Fraction(self._total, self.odds.above - self.odds.below))

    @property
    def leverage(self) -> float:
        """A fake report in a label's half counts ``scale`` people for it."""
        return self.scale

    @property
    def words_per_report(self) -> float:
        """A coin and an output."""
        return 2 + self._total / 2**64

    @property
    def decode_operations(self) -> float:
        """One fast transform a part."""
        return self.outputs * math.log2(self.size)

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        """Two words a report."""
        bonus, total = np.uint64(self.odds.above - self.odds.below), np.uint64(self._total)
        size, parts = np.uint64(self.size), np.uint64(self.parts)
        return self.drawn_by(draw_hadamard, values, entropy, bonus, total, size, parts)

    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        """Some answer in their half of a row, the rest with a uniform output."""
        told = generator.binomial(people, 1 / self.scale)
        halves = over_half_rows(self._by_row(told), generator).reshape(-1)
        return np.asarray(halves + scatter(int((people - told).sum()), np.ones(self.outputs), generator))

    @property
    def aggregate_draws(self) -> float:
        """A transform of people, where every place is two."""
        return self.outputs * (2 * math.log2(self.size) + 1)

    def _transformed(self, values: npt.NDArray[Number]) -> npt.NDArray[Number]:
        """Each part's Walsh-Hadamard transform."""
        parts = values.reshape(self.parts, self.size).copy()
        for part in parts:
            walsh_hadamard(part)
        return parts

    def _by_row(self, values: npt.NDArray[Number]) -> npt.NDArray[Number]:
        """The labels' values at their rows of each part; row 0 is nobody's."""
        padded = np.zeros(self.parts * (self.size - 1), values.dtype)
        padded[: len(values)] = values
        return np.pad(padded.reshape(self.parts, -1), ((0, 0), (1, 0)))

    def _by_label(self, parts: npt.NDArray[Number]) -> npt.NDArray[Number]:
        """Rows 1, 2, ... of each part, in the labels' order."""
        return parts[:, 1:].reshape(-1)[: len(self.domain)]

    def evidence(self, tally: Tally) -> SignedEvidence:
        """For each label the reports in its half, and those in its part's other half."""
        parts = self._transformed(tally.counts)
        signed = self._by_label(parts)
        within = np.repeat(parts[:, 0], self.size - 1)[: len(self.domain)]
        return SignedEvidence(tally.n, *split(within, signed), *self._law, everyone=self.parts == 1)

    @property
    def _law(self) -> tuple[float, float]:
        """By how much a holder's report that lands in the part is more often + than 1/2, and how often it lands."""
        above, below = self.odds.above, self.odds.below
        return float(Fraction(above - below, 2 * (above + below))), float(Fraction(above + below, self._total))

    def supports(self, reports: Column) -> npt.NDArray[np.bool_]:
        """A report supports the labels of its part whose row has a + there."""
        y, x = reports.astype(np.int64)[:, None], np.arange(len(self.domain))[None, :]
        part, row = x // (self.size - 1), x % (self.size - 1) + 1
        minus = np.bitwise_count((y % self.size) & row) & 1
        held: npt.NDArray[np.bool_] = np.equal(y // self.size, part) & np.equal(minus, 0)
        return held

    def support_chances(self, value: int) -> npt.NDArray[np.float64]:
        """A for the value, half of A + B for the other labels of its part, B for those of other parts."""
        rows, above, below = self.size - 1, self.odds.above / self._total, self.odds.below / self._total
        same_part = np.arange(len(self.domain)) // rows == value // rows
        chances = np.where(same_part, (above + below) / 2, below)
        chances[value] = above
        return chances

    def levels(self, reports: Column) -> list[tuple[Fraction, Fraction]]:
        """A and B over the total, shared by the outputs of half a part."""
        halves = self._total * (self.size // 2)
        level = Fraction(self.odds.above, halves), Fraction(self.odds.below, halves)
        return [level] * len(reports)

    def _mass(self, p: Vector) -> Vector:
        parts = self._by_row(p)
        held = parts.sum(axis=1, keepdims=True)
        mass: Vector = (held + self._transformed(parts)).reshape(-1) / 2
        return mass

    def _collect(self, weights: Vector) -> Vector:
        parts = self._transformed(weights)
        within = np.repeat(parts[:, 0], self.size - 1)[: len(self.domain)]
        collected: Vector = (within + self._by_label(parts)) / 2
        return collected

    def messages(self, counts: Counts) -> Messages:
        """The histogram of outputs; two FWHTs an iteration."""
        return support_messages(counts, float(self.odds.ratio), self._mass, self._collect)

    def mutual_information(self) -> float:
        """From how many labels each output supports."""
        members = np.rint(self._mass(np.ones(len(self.domain))))
        log_low = np.full(self.outputs, math.log(self.odds.below / (self._total * (self.size // 2))))
        return information.two_level(np.zeros(self.outputs), members, log_low, self.epsilon, len(self.domain))

    def risk(
        self, n: int, loss: Loss = "l2", truth: Iterable[float] | None = None, target: Target = "population"
    ) -> float:
        """The predicted error of the unbiased decoder (l1, linf: asymptotic); without a truth, the worst case."""
        p = self.check_risk(n, loss, truth, target)
        shape = float(self.odds.ratio), self.parts, self.size
        if p is None and loss == "l2" and target == "sample":
            return theory.worst_sample_l2(*shape, n, len(self.domain))
        if p is None:
            p = theory.worst_truth(*shape, len(self.domain), loss, target)
        variance = (theory.variance_population if target == "population" else theory.variance_sample)(*shape, n, p)
        return combined(variance, loss)
