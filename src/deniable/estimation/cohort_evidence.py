"""The results of hashed reports for each candidate: estimate, standard error, interval and p-value.

Validity. Intervals are normal ones, widened by the allowance of ``intervals`` for lattices and skewness: the most that
one person can move an estimate, times |z^2 - 1|/6 + 1/2 + |z|^3/1000; and upwards by the growth of the variance with
the share. They are not guaranteed for finite samples, because the variances are estimated. They refer to

- ``joint``: the survey given the table of symbols. Unlisted strings enter through their roughness over tables, which
  the residual shows; with few cohorts it does not (notes say so), and a single frequent unlisted string that collides
  with a candidate would be mistaken for it.
- ``screened``: candidates that stand out as above, all others over the draw of their own hashes.

Tests simulate their coverage. P-values need less: they rest on the hashes alone (``chances``). Candidates that no count
can tell apart get the interval 0 to 1, labels of a closed survey that of ``mixed_labels``; candidates with equal rows
share their mass evenly, and each has the interval from 0 to the upper bound of all of it. The standard error of all
these is infinite.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt
import scipy

from deniable.arrays import Indices, Matrix, Vector
from deniable.estimation.binomial import allowance, quantile
from deniable.estimation.candidate_fit import Fitted, joint
from deniable.estimation.chances import chances
from deniable.estimation.cohorts import CohortSurvey
from deniable.estimation.mixed_labels import mixed_interval
from deniable.estimation.screening import leading, screened
from deniable.protocol.errors import ParameterError
from deniable.protocol.say import Phrase, Statement
from deniable.theory.risk.hashed import alike
from deniable.theory.risk.variance import Target

Method: TypeAlias = Literal["auto", "joint", "screened"]

JOINT, ROOM = 3000, 2
"""Up to so many candidates are fitted all at once, if there are so many degrees of freedom for each."""
HIDDEN = 0.01
"""If one more string agrees with a candidate in all cohorts more likely than this, the unlisted share is unknown."""
HIGHEST = 40.0
"""No p-value is below the normal tail at this many standard errors."""


@dataclass(frozen=True, slots=True, eq=False)
class CohortEvidence:
    """Least squares over a table of candidates; ``notes`` states its limitations in words."""

    survey: CohortSurvey
    fit: Fitted

    @property
    def n(self) -> int:
        """How many people answered."""
        return self.survey.n

    @property
    def notes(self) -> tuple[Phrase, ...]:
        """Sentences about candidates that could not be told apart, and about approximations."""
        shared = sum(len(group) for group in self.collisions)
        colliding = (Statement("candidates_collide", count=shared),) if shared else ()
        hidden = (Statement("cohorts_hide_the_unlisted", count=len(self.survey.sizes)),)
        return self.fit.notes + colliding + (hidden if self._hidden else ())

    @property
    def collisions(self) -> tuple[tuple[int, ...], ...]:
        """Groups of candidates with the same symbols in every cohort that has people."""
        group = self.survey.group
        shared = np.flatnonzero(self._copies > 1)
        if not len(shared):
            return ()
        members = np.flatnonzero(self._copies[group] > 1)
        return tuple(tuple(members[group[members] == row].tolist()) for row in shared)

    @property
    def _copies(self) -> Indices:
        """How many candidates share each row of symbols."""
        return np.bincount(self.survey.group, minlength=len(self.fit.estimate))

    @property
    def unlisted(self) -> tuple[float, float] | None:
        """The share of people whose string is no candidate, with its standard error; None in a closed survey.

        Near 0 and 1 the sampling variance is that of Agresti and Coull's (1998) share, with 4 more people. If there are
        too few cohorts to tell unlisted strings apart, the error is at least 1: the share is unknown.
        """
        if self.survey.closed:
            return None
        u = min(max(self.fit.unlisted, 0.0), 1.0)
        wary = (self.n * u + 2) / (self.n + 4)
        added = max(wary * (1 - wary) - u * (1 - u), 0.0) / (self.n * self.survey.gap * (1 - self.survey.beta))
        error = math.sqrt(self.fit.unlisted_variance + added)
        return self.fit.unlisted, max(error, 1.0) if self._hidden else error

    @property
    def _hidden(self) -> bool:
        """Whether an unlisted string is likely to have the symbols of some candidate in every cohort."""
        rows, cohorts, hashes = self.survey.symbols.shape
        return not self.survey.closed and rows * alike(self.survey.r, hashes) ** cohorts > HIDDEN

    def unbiased(self) -> Vector:
        """The least-squares estimate of each candidate's share; may be negative."""
        return np.asarray((self.fit.estimate / self._copies)[self.survey.group])

    def stderr(self, target: Target = "population") -> Vector:
        """The standard error of each estimate; infinite for candidates that counts cannot tell from others."""
        alone = self.fit.told_apart & (self._copies == 1)
        return np.asarray(np.where(alone, np.sqrt(self._variance(target)), math.inf)[self.survey.group])

    def scores(self) -> Vector:
        """Each estimate in standard errors; for candidates that share their mass, their total; 0 without an error."""
        error = np.sqrt(self.fit.variance)[self.survey.group]
        return np.asarray(np.where(error > 0, self.unbiased() / np.where(error > 0, error, 1), 0))

    def _variance(self, target: Target) -> Vector:
        """The variances; against the sample less by p (1 - p) / n, the variance of drawing the people."""
        p = np.clip(self.fit.estimate, 0, 1)
        drawing = p * (1 - p) / self.n if target == "sample" else 0.0
        return np.asarray(np.maximum(self.fit.variance - drawing, 0))

    def interval(self, alpha: float, target: Target = "population") -> Matrix:
        """Bounds [S, 2] of each share, not clipped; what they promise is said on top of this file."""
        z = quantile(alpha / 2)
        variance, slack = self._variance(target), self.fit.reach * allowance(np.array([z]))
        growth = z * z / (2 * self.n * self.survey.gap * (1 - self.survey.beta))
        low = self.fit.estimate - z * np.sqrt(variance) - slack
        high = self.fit.estimate + growth + np.sqrt(z * z * variance + growth**2) + slack
        bounds, mixed = np.stack([low, high], axis=1), ~self.fit.told_apart
        if mixed.any():
            bounds[mixed] = mixed_interval(self.survey, alpha, target)[mixed] if self.survey.closed else (0, 1)
        bounds[self._copies > 1, 0] = np.minimum(bounds[self._copies > 1, 0], 0)
        return bounds[self.survey.group]

    def pvalues(self) -> Vector:
        """One-sided p-values against a share of 0; 1 for candidates that counts cannot tell from others.

        They bound how likely a string that nobody holds would stand out as much by its hashes alone (see ``chances``).
        The labels of a closed survey are dealt out, not hashed, and nobody holds another one: there it is the alpha / 2
        at which an interval would begin at 0.
        """
        fit = self.fit
        if self.survey.closed:
            tails = self._by_interval()
        else:
            tails = chances(self.survey, leading(self.survey) if fit.leaders is None else fit.leaders)
        return np.asarray(np.where(fit.told_apart & (self._copies == 1), tails, 1.0)[self.survey.group])

    def _by_interval(self) -> Vector:
        """By bisection for z: the normal tail at which a lower bound with z standard errors would be 0."""
        error = np.sqrt(self.fit.variance)

        def is_above_0(z: Vector) -> npt.NDArray[np.bool_]:
            return np.asarray(z * error + self.fit.reach * allowance(z) < self.fit.estimate)

        low, high = np.ones(len(error)), np.full(len(error), HIGHEST)
        any_z = is_above_0(low)
        for _ in range(60):
            middle = (low + high) / 2
            below = is_above_0(middle)
            low, high = np.where(below, middle, low), np.where(below, high, middle)
        return np.where(any_z, scipy.special.ndtr(-low), 1.0)


def fits_jointly(survey: CohortSurvey) -> bool:
    """Whether there are few enough candidates to be fitted all at once, unless some cannot be told apart."""
    return fitted_together(len(survey.symbols), survey.dimensions, closed=survey.closed)


def fitted_together(strings: int, equations: int, *, closed: bool) -> bool:
    """Whether so many strings are fitted all at once, by so many equations."""
    return strings <= JOINT and (closed or ROOM * strings <= equations)


def regress(survey: CohortSurvey, method: Method = "auto") -> CohortEvidence:
    """The least-squares evidence for every candidate's share.

    "joint" fits all at once and is unbiased, but useless if candidates outnumber the degrees of freedom of the counts,
    C (r - 1). "screened" fits those that stand out and each other one beside them, for any number. "auto" fits jointly
    up to 3000 candidates if there are two degrees of freedom for each.

    >>> table, counts = np.array([[0, 1], [1, 1]], np.uint16), np.array([[30, 10], [15, 25]])
    >>> regress(CohortSurvey.responses(table, counts, 3.0), "joint").unbiased().round(6).tolist()
    [0.75, -0.25]
    """
    if method not in ("auto", "joint", "screened"):
        raise ParameterError(f'method must be "auto", "joint" or "screened", got method={method!r}')
    if method == "screened":
        return CohortEvidence(survey, screened(survey))
    if method == "joint" or fits_jointly(survey):
        fit = joint(survey)
        if method == "joint" or fit.told_apart.all():
            return CohortEvidence(survey, fit)
    fit = screened(survey)
    return CohortEvidence(survey, _of_closed(survey, fit) if survey.closed else fit)


def _of_closed(survey: CohortSurvey, fit: Fitted) -> Fitted:
    """The fit where everybody holds a label: the share that is left over is spread evenly over all labels.

    That is right on average over the orders in which labels are dealt out; for one order only if there are cohorts
    enough to tell the labels apart, of which there are too many to be fitted at once.
    """
    copies = np.bincount(survey.group)
    even = fit._replace(estimate=fit.estimate + fit.unlisted * copies / copies.sum(), unlisted=0.0)
    size = len(copies)
    if size > JOINT and ROOM * size <= survey.dimensions:
        return even
    note = Statement("cohorts_mix_labels_up", cohorts=len(survey.sizes), symbols=survey.r, labels=len(survey.group))
    return even._replace(told_apart=np.zeros(size, np.bool_), notes=(*fit.notes, note))
