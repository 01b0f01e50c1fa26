"""Shares of people who gave each answer to a question that only some are asked: of all, and of those asked."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from typing import Any, Self, cast

import numpy as np
import scipy

from deniable.arrays import Matrix, Sparse, Vector
from deniable.estimation.decoders import LINEAR, Decoded
from deniable.estimation.estimate import Estimate
from deniable.estimation.numbers.quantity import Quantity
from deniable.estimation.ratios import Ratios
from deniable.estimation.reading import LARGEST, MOST, Reading, Truth
from deniable.estimation.sources import CombinedEvidence
from deniable.estimation.sparse_rows import SparseRows
from deniable.estimation.table import Table
from deniable.protocol.say import Phrase, Statement
from deniable.theory.risk.variance import Target

FIELLER = Statement("intervals_are_of_ratios")
NOT_TOLD = Statement("asked_cannot_be_told")
UNKNOWN = "too few to say"


@dataclass(frozen=True, eq=False)
class AskedShares:
    """The shares of answers among those who were asked, from those of all; with Fieller's intervals.

    How many were asked is told by the same reports. Where these may be nobody nothing is said: shares are nan.
    """

    of_all: CombinedEvidence
    size: float
    """Among how many people the shares of all are; without end where that is not known."""

    @property
    def n(self) -> int:
        """How many people reported, of whom some were asked."""
        return self.of_all.n

    @property
    def notes(self) -> tuple[Statement, ...]:
        """What to say of the intervals."""
        statement = Statement("asked_about", asked=f"{self.people_asked:,.0f}", people=f"{self.n:,}")
        return (statement, FIELLER) if self.anyone_asked else (NOT_TOLD,)

    @property
    def people_asked(self) -> float:
        """About how many people were asked."""
        return max(float(self.of_all.unbiased().sum()), 0.0) * self.n

    @property
    def anyone_asked(self) -> bool:
        """Whether clearly more than nobody was asked."""
        return bool(self._ratios.are_seen.all())

    @cached_property
    def _ratios(self) -> Ratios:
        return self._over_asked(scipy.sparse.eye_array(len(self.of_all.unbiased()), format="csr"), self.size)

    def _over_asked(self, rows: Matrix | Sparse, size: float) -> Ratios:
        """Sums of the answers' shares with these rows of weights, over the share of those asked."""
        parts = [SparseRows.all_of(scipy.sparse.csr_array(rows @ weights)) for weights in self.of_all.weights]
        asked = [scipy.sparse.csr_array(weights.sum(axis=0)[None]) for weights in self.of_all.weights]
        wholes = [SparseRows(each, np.zeros(rows.shape[0], np.int64)) for each in asked]
        return Ratios(self.of_all.sources, parts, wholes, size)

    def unbiased(self) -> Vector:
        """The shares, which may lie a little outside of 0 to 1."""
        return self._ratios.values

    def stderr(self, target: Target = "population") -> Vector:
        """By the delta method; infinite where nothing can be said."""
        return self._ratios.stderr

    def interval(self, alpha: float, target: Target = "population") -> Matrix:
        """Fieller's; from 0 to 1 where nothing can be said."""
        return self._ratios.interval(alpha)

    def contrast_variance(self, weights: Vector) -> float | None:
        """A weighted sum's variance by the delta method, of people without end; None where nothing can be said."""
        if not self.anyone_asked:
            return None
        parts = zip(self.of_all.sources, self._ratios.slopes, strict=True)
        return float(sum(source.sums(np.asarray(weights @ slopes)[None]).variances[0] for source, slopes in parts))

    def mean_place(self, places: int) -> Quantity:
        """The mean place 1 to ``places`` of the answers, among people without end.

        It is 1 plus ``places - 1`` times a ratio: the shares times how far from the first each is, over those asked.
        """
        ratio = self._over_asked(np.linspace(0, 1, places)[None], np.inf)
        from_first = Quantity.of(ratio.values[0], ratio.stderr[0], lambda level: ratio.interval(1 - level)[0])
        return from_first.scaled(1, places - 1)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class FollowUpEstimate(Estimate):
    """Shares of all people who gave each answer to a question that only some are asked; they add up to those asked.

    >>> import deniable as dn
    >>> used, kind = dn.OneOf("used", ["yes", "no"]), dn.OneOf("kind", ["a", "b"], only_if=("used", ["yes"]))
    >>> survey = dn.Survey.plan("tools", [used, kind], epsilon=3.0, people=4000)
    >>> given = {"used": ["yes"] * 3000 + ["no"] * 1000, "kind": ["a"] * 1000 + ["b"] * 2000 + [None] * 1000}
    >>> kinds = survey.estimate(survey.tally(survey.answer_many(given, seed=1)))["kind"]
    >>> kinds.shares.round(1).tolist(), kinds.of_asked().shares.round(1).tolist()
    ([0.3, 0.5], [0.3, 0.7])
    """

    _: KW_ONLY
    asked: Estimate

    @classmethod
    def of(cls, shares: Estimate, estimate: Estimate) -> Self:
        """The shares of all, and those of the people who were asked."""
        return cls(shares.labels, shares.decoded, shares.origin, shares.census, asked=estimate)

    @property
    def _sums_note(self) -> tuple[Phrase, ...]:
        return (Statement("shares_of_asked"),)

    def of_asked(self) -> Estimate:
        """The shares among those who were asked; nan with bounds 0 and 1 where too few were to say."""
        return self.asked

    def statement(self, is_open: bool = False) -> Statement:
        """What can be said of those who were asked."""
        said = self.asked.statement(is_open) if anyone_asked(self) else NOT_TOLD
        return Statement("of_those_asked", said=said)

    def reading(
        self, level: float = 0.95, simultaneous: bool = False, target: Target = "population", truth: Truth | None = None
    ) -> Reading:
        """The shares of all, and beside them those of the people who were asked: to print or to export."""
        return FollowUpReading(self, level, simultaneous, target, truth)


class FollowUpReading(Reading):
    """The reading of a question that only some are asked; see ``Reading``."""

    __slots__ = ()

    @property
    def asked(self) -> Reading:
        """The reading of those who were asked."""
        return cast("FollowUpEstimate", self.estimate).of_asked().reading(self.level, self.simultaneous)

    def table(self) -> Table:
        of_all, asked = super().table(), self.asked
        of_asked = [row[1:3] for row in asked.table().rows]
        known = np.isfinite(asked.estimate.unbiased)[self.places(MOST, LARGEST)].tolist()
        beside = [cells if is_known else (UNKNOWN, "") for cells, is_known in zip(of_asked, known, strict=True)]
        rows = [(*row, *cells) for row, cells in zip(of_all.rows, beside, strict=True)]
        notes = list(dict.fromkeys([*of_all.notes, *(f"note: {note}" for note in asked.notes)]))
        headings = (*of_all.headings, "of those asked", self.interval_name)
        return replace(of_all, headings=headings, rows=rows, notes=notes)

    @property
    def about(self) -> dict[str, Any]:
        reading = self.asked
        mean = {name: value for name, value in reading.about.items() if name == "mean"}
        asked = {"people": reading.estimate.counts.sum(), "notes": list(reading.notes), **mean}
        return {**super().about, "asked": asked}

    @property
    def columns(self) -> dict[str, list[Any]]:
        columns = self.asked.columns
        names = {"of_asked": "unbiased", "of_asked_stderr": "stderr", "of_asked_low": "low", "of_asked_high": "high"}
        return {**super().columns, **{name: columns[column] for name, column in names.items()}}


def anyone_asked(estimate: Estimate) -> bool:
    """Whether clearly more than nobody was asked the question: most questions are asked of everybody."""
    evidence = estimate.of_asked().evidence
    return not isinstance(evidence, AskedShares) or evidence.anyone_asked


def among_asked(of_all: Estimate, evidence: CombinedEvidence, size: float) -> Estimate:
    """The estimate of the shares among those who were asked."""
    asked, decoder = AskedShares(evidence, size), of_all.decoder
    unbiased = asked.unbiased()
    shares = LINEAR[decoder](unbiased) if asked.anyone_asked else unbiased
    origin = of_all.origin._replace(adds_up=True, title=f"{of_all.title}, of those who were asked")
    return Estimate(of_all.labels, Decoded(shares, unbiased, decoder, asked), origin)
