"""The difference of two estimates from different people: two periods, two groups, two surveys."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np
import scipy

from deniable.arrays import Matrix, Vector
from deniable.checks import check_level
from deniable.estimation.bars import Bar
from deniable.estimation.binomial import quantile
from deniable.estimation.census import FEW
from deniable.estimation.difference_picture import draw_difference
from deniable.estimation.evidence import Evidence, SupportEvidence, bounds_to_add, step_of
from deniable.estimation.frame import Framed, Rows
from deniable.estimation.saying import RARE, clearest, differ
from deniable.estimation.share import digits_of
from deniable.estimation.significance import Significance
from deniable.estimation.table import Table, printable
from deniable.estimation.words import outward, signed
from deniable.protocol.errors import ParameterError
from deniable.protocol.say import Statement, english

if TYPE_CHECKING:
    from matplotlib.figure import Figure


USUAL: Final = (RARE, RARE / 10)
"""The levels at which bounds are looked at for the p-value of few people."""


class Compared(Protocol):
    """What is compared: every estimate is such."""

    @property
    def labels(self) -> Sequence[Hashable]:
        """The labels, in the order of all arrays."""

    @property
    def evidence(self) -> Evidence:
        """What the reports say of each label."""

    @property
    def n(self) -> int:
        """How many people answered."""

    @property
    def spec_bytes(self) -> bytes:
        """What the reports came from."""


@dataclass(frozen=True, eq=False, repr=False)
class Difference(Framed):
    """The shares of the second estimate minus those of the first.

    ``test`` is of the hypothesis that all shares are equal.
    """

    first: Compared
    second: Compared

    @property
    def labels(self) -> Sequence[Hashable]:
        """The labels of both."""
        return self.first.labels

    @cached_property
    def values(self) -> Vector:
        """The differences of the unbiased shares."""
        return np.asarray(self.second.evidence.unbiased() - self.first.evidence.unbiased(), np.float64)

    @cached_property
    def stderr(self) -> Vector:
        """Their standard errors: the people are others, so variances add."""
        return np.hypot(self.first.evidence.stderr(), self.second.evidence.stderr())

    @property
    def looked_at(self) -> int:
        """How many differences chance has a say in: one for each label, but one of two that mirror each other."""
        labels = len(self.labels)
        mirrored = labels == 2 and bool(np.isclose(self.values.sum(), 0))
        return 1 if mirrored else labels

    def interval(self, level: float = 0.95, simultaneous: bool = False) -> Matrix:
        """Bounds [d, 2] on each difference: each side from the limits of both shares, squared and added.

        From exact limits such bounds covered 95% of all enumerated cases at least (Newcombe 1998's method).
        Simultaneous bounds hold for all labels at once (Bonferroni).
        """
        return self._bounds((1 - check_level(level)) / (self.looked_at if simultaneous else 1))

    def _bounds(self, alpha: float) -> Matrix:
        (low, high), (low_before, high_before) = (
            bounds_to_add(each.evidence, alpha).T for each in (self.second, self.first)
        )
        after, before = self.second.evidence.unbiased(), self.first.evidence.unbiased()
        down = np.hypot(after - low, high_before - before)
        up = np.hypot(high - after, before - low_before)
        return np.asarray(np.clip(np.stack([self.values - down, self.values + up], axis=1), -1, 1), np.float64)

    @cached_property
    def p_values(self) -> Vector:
        """Of each label, how often chance alone makes a difference as large.

        If both estimates come from the same mechanism by support counting, equal shares mean equally distributed
        reports, and Fisher's test on the counts of supports is exact; otherwise the test is normal. Of few people,
        and of whole numbers of them, it is no surer than the intervals are: what they report has a law of steps.
        """
        one, other = self.first.evidence, self.second.evidence
        if self._same and isinstance(one, SupportEvidence) and isinstance(other, SupportEvidence):
            pairs = zip(one.counts.tolist(), other.counts.tolist(), strict=True)
            return np.array([_fisher(a, one.n, b, other.n) for a, b in pairs])
        normal = self._normal_p_values()
        is_coarse = min(one.n, other.n) < FEW or max(step_of(one), step_of(other)) > 0
        return np.maximum(normal, self._p_values_of_bounds()) if is_coarse else normal

    def _p_values_of_bounds(self) -> Vector:
        """As surely as bounds at some usual levels leave 0 out, as if they were normal ones."""
        found = np.zeros(len(self.values))
        for alpha in {RARE / self.looked_at, *USUAL}:
            low, high = self._bounds(alpha).T
            reach = np.where(self.values > 0, self.values - low, high - self.values)
            deviates = quantile(alpha / 2) * np.abs(self.values) / np.where(reach > 0, reach, np.inf)
            found = np.maximum(found, 2 * scipy.special.ndtr(-deviates))
        return found

    def _normal_p_values(self) -> Vector:
        with np.errstate(divide="ignore", invalid="ignore"):
            z = np.where(self.stderr > 0, np.abs(self.values) / self.stderr, 0)
        return np.asarray(2 * scipy.special.ndtr(-z), np.float64)

    @property
    def _same(self) -> bool:
        return self.first.spec_bytes == self.second.spec_bytes

    @property
    def test(self) -> Significance:
        """All labels at once, by the smallest p-value times their number, or one of two that mirror each other."""
        exact = self._same and isinstance(self.first.evidence, SupportEvidence)
        return self._smallest("Fisher's test" if exact else "normal test")

    def _smallest(self, method: str) -> Significance:
        """The smallest p-value times how many were looked at."""
        return Significance("both have equal shares", method, min(1.0, self.looked_at * float(self.p_values.min())))

    @property
    def people(self) -> str:
        """Who is compared, in words."""
        return f"{self.second.n:,} people minus {self.first.n:,} people"

    def plot(self, level: float = 0.95) -> Figure:
        """A picture of the differences with their intervals; of many labels those of the clearest differences."""
        return draw_difference(self, check_level(level))

    def table(self, level: float = 0.95) -> Table:
        """A row for each label."""
        bounds, digits = self.interval(level), digits_of(self.stderr)
        rows = [
            (printable(label), signed(value, digits), f"{signed(low, digits)} to {signed(high, digits)}", f"{p:.3g}")
            for label, value, (low, high), p in zip(self.labels, self.values, bounds, self.p_values, strict=True)
        ]
        bars = [Bar(v, a, b, False, None) for v, (a, b) in zip(self.values.tolist(), bounds.tolist(), strict=True)]
        headings = ("label", "difference in points", f"{100 * level:.10g}% interval", "p")
        return Table(self.people, headings, rows, [str(self.test)], bars)

    def tables(self, level: float = 0.95) -> list[Table]:
        """All there is to print."""
        return [self.table(level)]

    def summary(self) -> str:
        """Whether the two differ, and the clearest differences: their intervals hold for all labels at once."""
        return self._of_shares if self.remark is None else f"{self._of_shares} {self.remark}"

    @property
    def remark(self) -> str | None:
        """What is said beside the difference of shares, in a sentence; mostly nothing."""
        return None if self.remark_statement is None else english(self.remark_statement)

    @property
    def remark_statement(self) -> Statement | None:
        """The same, whatever the language."""
        return None

    @property
    def _of_shares(self) -> str:
        chance = self.test.p_value
        if chance >= RARE:
            return english(differ(chance))
        bounds = self.interval(1 - RARE, simultaneous=True)
        order = np.argsort(self.p_values, kind="stable")
        changes = ((printable(self.labels[j]), *outward(*bounds[j].tolist())) for j in order.tolist())
        return f"{english(differ(chance))} {clearest(changes)}".rstrip()

    def _frame(self, level: float) -> Rows:
        low, high = self.interval(level).T.tolist()
        about = {"n": [self.first.n, self.second.n], "level": level, "p_value": self.test.p_value}
        columns = {"value": self.values.tolist(), "stderr": self.stderr.tolist(), "low": low, "high": high}
        return Rows(about, {"label": list(self.labels), **columns, "p": self.p_values.tolist()})

    def __str__(self) -> str:
        return str(self.table())

    def __repr__(self) -> str:
        return f"Difference({len(self.labels)} labels, n={self.first.n} and {self.second.n})"

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()


def difference(first: Compared, second: Any) -> Difference:
    """The difference of two estimates of the same labels."""
    if not hasattr(second, "evidence") or not hasattr(second, "labels"):
        raise ParameterError(f"other must be an estimate, got {type(second).__name__}")
    if list(first.labels) != list(second.labels):
        raise ParameterError("other must be an estimate of the same labels in the same order, got others")
    return Difference(first, second)


def _fisher(a: int, n: int, b: int, m: int) -> float:
    """The two-sided p-value of a of n against b of m."""
    return float(scipy.stats.fisher_exact(np.array([[a, n - a], [b, m - b]])).pvalue)
