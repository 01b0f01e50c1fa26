"""The difference of two periods that the same people answered, from permanent reports that they had kept.

Who stayed with an answer sent reports of both periods from one permanent report, so both estimates err alike, and their
difference less. How much is known only as far as it is known who stayed: see theory/risk/linked.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, runtime_checkable

import numpy as np

from deniable.arrays import Counts, Matrix, Vector
from deniable.checks import check_shares
from deniable.estimation.binomial import quantile
from deniable.estimation.difference import Difference
from deniable.estimation.significance import Significance
from deniable.protocol.errors import ParameterError
from deniable.theory.risk.linked import least_covariance
from deniable.theory.risk.support import Support

LEAST_LEFT = 1e-9
"""Of the variance of different people; what is less than this is rounding."""


@runtime_checkable
class LinkedEvidence(Protocol):
    """Evidence from reports that support labels, which may be remembered."""

    @property
    def permanent(self) -> Support | None:
        """The g and h of the permanent reports."""

    @property
    def told(self) -> Counts:
        """How many people told of each label."""


@dataclass(frozen=True, eq=False, repr=False)
class SamePeople(Difference):
    """A difference of two periods; a share ``stayed`` of the people gave the same answer in both."""

    stayed: float

    @cached_property
    def covariance(self) -> Vector:
        """The least that the errors of both estimates can have in common."""
        one, other = _kept(self.first.evidence), _kept(self.second.evidence)
        permanent = one.permanent
        if permanent is None or not self._same:
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
        """Normal bounds [d, 2] on each difference."""
        reach = quantile(alpha / 2) * self.stderr
        return np.asarray(np.clip(np.stack([self.values - reach, self.values + reach], axis=1), -1, 1), np.float64)

    @cached_property
    def p_values(self) -> Vector:
        """Of each label, how often chance alone makes a difference as large, by the normal law."""
        return self._normal_p_values()

    @property
    def test(self) -> Significance:
        """All labels at once, by the smallest p-value times their number."""
        return self._smallest("normal test")

    @property
    def people(self) -> str:
        """Who is compared, in words."""
        return f"{self.second.n:,} people minus {self.first.n:,} people, of whom {self.stayed:.0%} stayed"


def same_people(found: Difference, stayed: Any) -> SamePeople:
    """The difference where a share of the people is known to have stayed."""
    made = SamePeople(found.first, found.second, float(check_shares("stayed", [stayed], 1)[0]))
    _ = made.covariance  # refused at once, and not when it is shown
    return made


def _kept(evidence: Any) -> LinkedEvidence:
    if not isinstance(evidence, LinkedEvidence):
        raise ParameterError(
            "stayed must be left out for reports that support no labels, such as hashed ones; the difference is then "
            "shown with a larger error"
        )
    return evidence
