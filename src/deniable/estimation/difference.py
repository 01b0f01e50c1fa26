"""The difference of two estimates from different people, such as two periods or groups, or from people who stayed."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np
import scipy

from deniable.arrays import Indices, Matrix, Vector
from deniable.checks import check_shares, unlike
from deniable.estimation.bars import Bar
from deniable.estimation.binomial import quantile
from deniable.estimation.census import FEW
from deniable.estimation.contrast import ContrastTable, share_difference_bounds
from deniable.estimation.evidence import SupportEvidence, bounds_to_add, step_of
from deniable.estimation.finding import Significance
from deniable.estimation.frame import Rows
from deniable.estimation.lists_evidence import AskedEvidence
from deniable.estimation.saying import RARE, change_over_time, clearest, differ
from deniable.estimation.share import Comparable, digits_of
from deniable.estimation.table import Table, printable
from deniable.estimation.words import outward, signed
from deniable.protocol.errors import ParameterError
from deniable.protocol.say import Statement, english
from deniable.theory.risk.linked import least_covariance

USUAL: Final = (RARE, RARE / 10)
"""The levels at which bounds are looked at for the p-value of few people."""
LEAST_LEFT: Final = 1e-9
"""Of the variance of different people; what is less than this is rounding."""
SHARES: Final = "share"
"""What differences of shares are counted in."""


class AnswerChange(NamedTuple):
    """An answer's share in both estimates, or a mean or quantile, and how much more it is in the last one."""

    label: Hashable
    first: float
    last: float
    value: float
    low: float
    high: float
    statement: Statement

    @property
    def words(self) -> str:
        """What the interval says, in English."""
        return english(self.statement)

    @property
    def way(self) -> int:
        """1 where it surely rose, -1 where it surely fell, 0 where no change can be seen."""
        return 1 if self.low > 0 else -1 if self.high < 0 else 0


@dataclass(frozen=True, eq=False, repr=False)
class Difference(ContrastTable):
    """The shares of the second estimate minus those of the first.

    ``test`` is of the hypothesis that all shares are equal.
    """

    first: Comparable
    second: Comparable

    @property
    def labels(self) -> Sequence[Hashable]:
        return self.first.labels

    @property
    def unit(self) -> str:
        """What is counted in the table of changes."""
        return SHARES

    @cached_property
    def values(self) -> Vector:
        """The differences of the unbiased shares."""
        return np.asarray(self.second.evidence.unbiased() - self.first.evidence.unbiased(), np.float64)

    @cached_property
    def stderr(self) -> Vector:
        """Their standard errors: the people are others, so variances add."""
        return np.hypot(self.first.evidence.stderr(), self.second.evidence.stderr())

    def _bounds(self, alpha: float) -> Matrix:
        """Each side from the limits of both shares, squared and added.

        From exact limits such bounds covered 95% of all enumerated cases at least (Newcombe 1998's method).
        """
        both = self.second.evidence, self.first.evidence
        values = np.stack([each.unbiased() for each in both], axis=1)
        return share_difference_bounds(values, np.stack([bounds_to_add(each, alpha) for each in both], axis=1))

    @cached_property
    def p_values(self) -> Vector:
        """Of each label, how often chance alone makes a difference as large.

        If both estimates come from the same mechanism by support counting, equal shares mean equally distributed
        reports, and Fisher's test on the counts of supports is exact; otherwise the test is normal. Of few people,
        and of whole numbers of them, it is no surer than the intervals are: what they report has a law of steps.
        """
        one, other = self.first.evidence, self.second.evidence
        if self._same_design and isinstance(one, SupportEvidence) and isinstance(other, SupportEvidence):
            pairs = zip(one.counts.tolist(), other.counts.tolist(), strict=True)
            return np.array([_fisher(a, one.n, b, other.n) for a, b in pairs])
        normal = self._normal_p_values()
        is_coarse = min(one.n, other.n) < FEW or max(step_of(one), step_of(other)) > 0
        return np.maximum(normal, self._p_values_of_bounds()) if is_coarse else normal

    def _p_values_of_bounds(self) -> Vector:
        """The p-values of normal tests that would be as sure as the bounds at some usual levels are."""
        p_values = np.zeros(len(self.values))
        for alpha in {RARE / self.looked_at, *USUAL}:
            low, high = self._bounds(alpha).T
            distance = np.where(self.values > 0, self.values - low, high - self.values)
            deviates = quantile(alpha / 2) * np.abs(self.values) / np.where(distance > 0, distance, np.inf)
            p_values = np.maximum(p_values, 2 * scipy.special.ndtr(-deviates))
        return p_values

    def _normal_p_values(self) -> Vector:
        with np.errstate(divide="ignore", invalid="ignore"):
            z = np.where(self.stderr > 0, np.abs(self.values) / self.stderr, 0)
        return np.asarray(2 * scipy.special.ndtr(-z), np.float64)

    @property
    def _same_design(self) -> bool:
        return self.first.spec_bytes == self.second.spec_bytes

    @property
    def _method(self) -> str:
        exact = self._same_design and isinstance(self.first.evidence, SupportEvidence)
        return "Fisher's test" if exact else "normal test"

    @property
    def test(self) -> Significance:
        """All labels at once, by the smallest p-value times their number, or one of two that mirror each other."""
        smallest = min(1.0, self.looked_at * float(self.p_values.min()))
        return Significance("both have equal shares", self._method, smallest)

    @property
    def people(self) -> str:
        return f"{self.second.n:,} people minus {self.first.n:,} people"

    @property
    def _clearest(self) -> Indices:
        return np.argsort(self.p_values, kind="stable")

    @property
    def compared(self) -> Sequence[Hashable]:
        """What changes are told of: the answers."""
        return self.labels

    def changes(self, level: float) -> list[AnswerChange]:
        """How much more each is in the second estimate; the intervals hold for all of them at once."""
        before, after = self.first.evidence.unbiased(), self.second.evidence.unbiased()
        bounds = self.interval(level, simultaneous=True)
        shares = zip(self.labels, before.tolist(), after.tolist(), self.values.tolist(), bounds.tolist(), strict=True)
        return [
            AnswerChange(label, first, last, value, low, high, change_over_time(low, high))
            for label, first, last, value, (low, high) in shares
        ]

    def table(self, level: float = 0.95) -> Table:
        bounds, digits = self.interval(level), digits_of(self.stderr)
        rows = [
            (printable(label), signed(value, digits), f"{signed(low, digits)} to {signed(high, digits)}", f"{p:.3g}")
            for label, value, (low, high), p in zip(self.labels, self.values, bounds, self.p_values, strict=True)
        ]
        bars = [Bar(v, low, high) for v, (low, high) in zip(self.values.tolist(), bounds.tolist(), strict=True)]
        headings = ("label", "difference in points", f"{100 * level:.10g}% interval", "p")
        return Table(self.people, headings, rows, [str(self.test)], bars)

    def summary(self) -> str:
        return " ".join(filter(None, (self._share_sentences, self.remark)))

    @property
    def remark(self) -> str | None:
        """What is said beside the difference of shares, in a sentence; mostly nothing."""
        return None if self.remark_statement is None else english(self.remark_statement)

    @property
    def remark_statement(self) -> Statement | None:
        """The same, whatever the language."""
        return None

    @property
    def _share_sentences(self) -> str:
        """Whether the shares differ, and the clearest differences."""
        chance = self.test.p_value
        if chance >= RARE:
            return english(differ(chance))
        bounds = self.interval(1 - RARE, simultaneous=True)
        changes = ((printable(self.labels[j]), *outward(*bounds[j].tolist())) for j in self._clearest.tolist())
        return f"{english(differ(chance))} {clearest(changes)}".rstrip()

    def _frame(self, level: float) -> Rows:
        low, high = self.interval(level).T.tolist()
        about = {"n": [self.first.n, self.second.n], "level": level, "p_value": self.test.p_value}
        columns = {"value": self.values.tolist(), "stderr": self.stderr.tolist(), "low": low, "high": high}
        return Rows(about, {"label": list(self.labels), **columns, "p": self.p_values.tolist()})

    def __repr__(self) -> str:
        return f"Difference({len(self.labels)} labels, n={self.first.n} and {self.second.n})"


def difference(first: Comparable, second: Any) -> Difference:
    """The difference of two estimates of the same labels."""
    if not hasattr(second, "evidence") or not hasattr(second, "labels"):
        raise ParameterError(f"other must be an estimate, got {type(second).__name__}")
    if list(first.labels) != list(second.labels):
        raise ParameterError(
            f"other must be of the same labels in the same order, got {unlike(first.labels, second.labels)}"
        )
    return Difference(first, second)


def _fisher(a: int, n: int, b: int, m: int) -> float:
    """The two-sided p-value of a of n against b of m."""
    return float(scipy.stats.fisher_exact(np.array([[a, n - a], [b, m - b]])).pvalue)


# --- people who stayed ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class SamePeople(Difference):
    """A difference of two periods; a share ``stayed`` of the people gave the same answer in both.

    Who stayed with an answer sent reports of both periods from one permanent report, so both estimates err alike, and
    their difference less. How much is known only as far as it is known who stayed: see theory/risk/linked.py.
    """

    stayed: float

    @cached_property
    def covariance(self) -> Vector:
        """The least that the errors of both estimates can have in common."""
        one, other = _linked(self.first.evidence), _linked(self.second.evidence)
        permanent = one.permanent
        if permanent is None or not self._same_design:
            raise ParameterError("stayed must be left out unless both periods are of one survey that remembers reports")
        before, after = (np.clip(each.evidence.unbiased(), 0, 1) for each in (self.first, self.second))
        told = one.told.astype(np.float64), other.told.astype(np.float64)
        return least_covariance(permanent, (before, after), told, self.stayed)

    @cached_property
    def stderr(self) -> Vector:
        """The standard errors: of what both estimates have in common nothing is left.

        If everybody stayed and sent the permanent report itself, both estimates are one, and no error is left. Where
        estimates contradict what is said of those who stayed, so that none could be left, it is that of others.
        """
        others = super().stderr ** 2
        left = others - 2 * self.covariance
        nothing_left = np.where((self.values == 0) & np.isfinite(others), 0.0, others)
        return np.asarray(np.sqrt(np.where(left > LEAST_LEFT * others, left, nothing_left)))

    def _bounds(self, alpha: float) -> Matrix:
        reach = quantile(alpha / 2) * self.stderr
        return np.asarray(np.clip(np.stack([self.values - reach, self.values + reach], axis=1), -1, 1), np.float64)

    @cached_property
    def p_values(self) -> Vector:
        """Of each label, how often chance alone makes a difference as large, by the normal law."""
        return self._normal_p_values()

    @property
    def _method(self) -> str:
        return "normal test"

    @property
    def people(self) -> str:
        return f"{super().people}, of whom {self.stayed:.0%} stayed"


def same_people(found: Difference, stayed: Any) -> SamePeople:
    """The difference where a share of the people is known to have stayed."""
    same = SamePeople(found.first, found.second, float(check_shares("stayed", [stayed], 1)[0]))
    _ = same.covariance  # refused at once, and not when it is shown
    return same


def _linked(evidence: Any) -> SupportEvidence | AskedEvidence:
    """The evidence, refused where its reports support no labels."""
    if not isinstance(evidence, SupportEvidence | AskedEvidence):
        raise ParameterError(
            "stayed must be left out for reports that support no labels, such as hashed ones; the difference is then "
            "shown with a larger error"
        )
    return evidence
