"""The black-box audit: do drawn reports follow the exact channel, and what epsilon is spent at least?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import scipy

from deniable.arrays import Column, Counts, Vector
from deniable.estimation.binomial import clopper_pearson
from deniable.estimation.laws.supports import Supporting
from deniable.estimation.table import Table
from deniable.mechanisms.mechanism import Mechanism, draw_column
from deniable.privacy.entropy import Entropy, SeededEntropy
from deniable.protocol.checks import check_int
from deniable.protocol.errors import CapacityError, ParameterError, ReportError
from deniable.protocol.privacy.guarantees import Guarantee

FALSE_ALARM = 1e-6
"""The probability that a correct mechanism fails the audit."""
CONFIDENCE = 1 - 1e-6
"""How surely all lower bounds on epsilon hold together."""
LEAST_EXPECTED = 10.0
"""Cells that expect fewer reports are pooled before the chi-square."""
FEWEST = 1000
"""The least number of trials per label; with fewer, nearly any sampler would pass."""
CHUNK = 1 << 26
HalvedReports: TypeAlias = Iterator[tuple[int, Column]]
"""Reports of one input, some at a time, and of which half of the trials they are."""


@dataclass(frozen=True, slots=True)
class SamplingAudit:
    """The result of a black-box audit: the p-value of the distribution, and an epsilon that is provably spent.

    ``claimed`` is the level of the pair of labels behind ``epsilon_lower``, the pair that comes nearest to its level.
    ``trials`` are the reports of each label at least, ``reason`` says how they were tested, or why they are malformed.

    >>> import deniable as dn
    >>> dn.audit_sampling(dn.RandomizedResponse(4, 1.0), trials=20_000, seed=1).holds
    True
    """

    mechanism: str
    trials: int
    claimed: float
    p_value: float
    epsilon_lower: float
    reason: str

    @property
    def holds(self) -> bool:
        """Whether neither distribution nor claim is refuted; a correct mechanism fails once in a million audits."""
        return self.p_value >= FALSE_ALARM and self.epsilon_lower <= self.claimed

    def to_dict(self) -> dict[str, Any]:
        """The audit as plain values for JSON."""
        return {
            "mechanism": self.mechanism,
            "trials": self.trials,
            "claimed": self.claimed,
            "p_value": self.p_value,
            "epsilon_lower": self.epsilon_lower,
            "holds": self.holds,
            "reason": self.reason,
        }

    @property
    def verdict(self) -> str:
        """Whether nothing is refuted, in words."""
        return "passes" if self.holds else "FAILS"

    def __str__(self) -> str:
        return (
            f"{self.mechanism} {self.verdict} over {self.trials} trials per label: {self.reason}, "
            f"p = {self.p_value:.3g}, epsilon at least {self.epsilon_lower:.4g} of {self.claimed:.4g} claimed"
        )

    def _repr_html_(self) -> str:
        headings = ("trials per label", "the audit", "p", "epsilon, at least", "claimed")
        levels = (f"{self.p_value:.3g}", f"{self.epsilon_lower:.4g}", f"{self.claimed:.4g}")
        return Table(
            self.mechanism, headings, [(f"{self.trials:,}", self.verdict, *levels)], [self.reason]
        )._repr_html_()


def audit_sampling(mechanism: Mechanism, trials: int, seed: int) -> SamplingAudit:
    """Draw ``trials`` reports for each of a few labels and compare them with the exact channel.

    For small channels by chi-square over all reports; otherwise by exact binomial tests of how often each label is
    supported. The lower bound on epsilon is Clopper-Pearson's, from the half of the trials that did not choose the
    event.

    >>> import deniable as dn
    >>> dn.audit_sampling(dn.Subset(4, epsilon=1.0), trials=1000, seed=1).holds
    True
    """
    check_int("trials", trials, FEWEST)
    _check_kind(mechanism)
    entropy, inputs = SeededEntropy(seed), _inputs(len(mechanism.domain.every()))
    reports = [_drawn_reports(mechanism, x, trials, entropy.part(i)) for i, x in enumerate(inputs)]
    return _judged(mechanism, trials, inputs, reports)


def audit_reports(mechanism: Mechanism, values: Any, reports: Any) -> SamplingAudit:
    """The audit of reports that another program drew, each for the value beside it: trials, not people's answers.

    There must be at least a thousand of each value that occurs, and of two values at least.

    >>> import deniable as dn
    >>> m, values = dn.RandomizedResponse(["no", "yes"], 1.0), ["no", "yes"] * 5000
    >>> audit_reports(m, values, m.privatize_many(values, seed=1)).holds
    True
    >>> audit_reports(m, values, [0, 1] * 5000).holds  # a program that does not randomize
    False
    """
    _check_kind(mechanism)
    indices = mechanism.domain.every().indices(values)
    column = mechanism.layout.check(reports)
    if len(indices) != len(column):
        raise ParameterError(f"values and reports must be equally many, got {len(indices)} and {len(column)}")
    inputs, counts = np.unique(indices, return_counts=True)
    if len(inputs) < 2 or counts.min() < FEWEST:
        got = f"got {len(inputs)}, the rarest of them with {counts.min():,}"
        raise ParameterError(f"values must be at least two, each with at least {FEWEST:,} reports, {got}")
    by_input = [column[indices == x] for x in inputs]
    halves = [iter([(0, each[: len(each) // 2]), (1, each[len(each) // 2 :])]) for each in by_input]
    return _judged(mechanism, int(counts.min()), inputs.tolist(), halves)


def _check_kind(mechanism: Mechanism) -> None:
    if not isinstance(mechanism, Mechanism):
        raise ParameterError(f"mechanism must be one of deniable's, got {type(mechanism).__name__}")
    if not _is_listed(mechanism) and not isinstance(mechanism.law, Supporting):
        raise ParameterError("a channel must be small enough to be listed to be audited by sampling, got a larger one")


def _judged(mechanism: Mechanism, trials: int, inputs: list[int], reports: Sequence[HalvedReports]) -> SamplingAudit:
    """What the reports of each of the ``inputs``, which are labels' indices, say; each has ``trials`` at least."""
    name, claimed, listed = repr(mechanism), mechanism.guarantee.claimed, _is_listed(mechanism)
    try:
        counts = [_counts(mechanism, listed, inputs, i, each) for i, each in enumerate(reports)]
    except (ReportError, IndexError) as error:
        reason = f"malformed reports: {error}"
        return SamplingAudit(name, trials, claimed, p_value=0.0, epsilon_lower=0.0, reason=reason)
    p_values = _p_values(mechanism, listed, inputs, counts)
    p_value = min(1.0, len(p_values) * min(p_values))
    lower, claimed = _nearest(mechanism.guarantee, inputs, counts)
    reason = (
        "chi-square over every report and binomial tests of the supports"
        if listed
        else "binomial tests of every label's support"
    )
    return SamplingAudit(name, trials, claimed, p_value, lower, reason)


@dataclass(frozen=True, slots=True)
class CategoryCounts:
    """Counts [2, categories] of one input's reports in each half of the trials, to compare with its two neighbours.

    A category is the report itself if there are few reports, otherwise which of two inputs it supports: ``before``
    counts for the input before and this one, ``after`` for this one and the next. ``supports`` is of each label.
    """

    before: Counts
    after: Counts
    supports: Counts

    @property
    def trials(self) -> int:
        """How many reports there were."""
        return int(self.after.sum())


def _is_listed(mechanism: Mechanism) -> bool:
    """Whether the channel is small enough to be written out."""
    try:
        mechanism.channel()
    except CapacityError:
        return False
    return True


def _inputs(d: int) -> list[int]:
    """The labels that reports are drawn for: all of a few, and of many the first two, the middle and the last."""
    return sorted({0, 1, d // 2, d - 1}) if d > 8 else list(range(d))


def _drawn_reports(mechanism: Mechanism, x: int, trials: int, entropy: Entropy) -> HalvedReports:
    """Reports of one input, drawn chunk by chunk, the two halves of the trials separately."""
    value = mechanism.domain.one(mechanism.domain.every()[x])
    step = max(1, CHUNK // max(64, mechanism.domain.every().size))
    for half, size in enumerate((trials // 2, trials - trials // 2)):
        for start in range(0, size, step):
            values = np.repeat(value, min(step, size - start), axis=0)
            yield half, mechanism.layout.check(draw_column(mechanism, values, entropy.part(half).part(start)))


def _counts(mechanism: Mechanism, listed: bool, inputs: list[int], i: int, halves: HalvedReports) -> CategoryCounts:
    """Count the i-th input's reports: one by one if ``listed``, else by which of it and a neighbour they support."""
    pairs = [(inputs[max(i - 1, 0)], inputs[i]), (inputs[i], inputs[min(i + 1, len(inputs) - 1)])]
    categories = mechanism.layout.outputs if listed else 4
    counts = np.zeros((2, 2, categories), np.int64)
    supports = np.zeros(mechanism.domain.every().size, np.int64)
    for half, reports in halves:
        if listed:
            counts[:, half] += np.bincount(mechanism.layout.report_index(reports), minlength=categories)
        if not isinstance(mechanism.law, Supporting):
            continue
        supported = mechanism.law.supports(reports)
        supports += supported.sum(axis=0)
        if listed:
            continue
        for side, pair in enumerate(pairs):
            counts[side, half] += np.bincount(supported[:, list(pair)] @ [1, 2], minlength=categories)
    return CategoryCounts(counts[0], counts[1], supports)


def _p_values(mechanism: Mechanism, listed: bool, inputs: list[int], counts: list[CategoryCounts]) -> list[float]:
    """The p-values of each input: chi-square if reports are listed, and binomial if labels have supports."""
    p_values = []
    if isinstance(mechanism.law, Supporting):
        chances = [mechanism.law.support_chances(x) for x in inputs]
        p_values += [_binomial(each.supports, each.trials, p) for each, p in zip(counts, chances, strict=True)]
    if listed:
        rows = mechanism.channel().probabilities
        p_values += [_chi_square(each.after.sum(axis=0), rows[x]) for x, each in zip(inputs, counts, strict=True)]
    return p_values


def _chi_square(observed: npt.NDArray[np.int64], chances: Vector) -> float:
    """Pearson's chi-square p-value; rare cells are pooled, and an impossible report gives 0."""
    if observed[chances == 0].any():
        return 0.0
    expected = chances * observed.sum()
    large = expected >= LEAST_EXPECTED
    observed_cells, expected_cells = list(observed[large]), list(expected[large])
    pooled = expected[~large].sum()
    if pooled >= LEAST_EXPECTED:
        observed_cells, expected_cells = [*observed_cells, observed[~large].sum()], [*expected_cells, pooled]
    if len(observed_cells) < 2 and len(chances) > 1:
        return 1.0  # too few trials for single reports; the labels' supports are still tested
    o, e = np.array(observed_cells, np.float64), np.array(expected_cells)
    return float(scipy.special.chdtrc(len(o) - 1, (o - e) ** 2 @ (1 / e)))


def _binomial(supports: Counts, n: int, chances: Vector) -> float:
    """The least of the labels' exact two-sided binomial p-values, times their number."""
    tails = np.minimum(scipy.special.bdtr(supports, n, chances), scipy.special.bdtrc(supports - 1, n, chances))
    return float(2 * len(chances) * tails.min())


def _nearest(guarantee: Guarantee, inputs: list[int], counts: list[CategoryCounts]) -> tuple[float, float]:
    """The proven lower bound nearest to its level, over all neighbours in both directions, and that level."""
    error = (1 - CONFIDENCE) / (2 * max(1, len(inputs) - 1))
    bounds = [(0.0, guarantee.claimed)]
    for (x, of_x), (z, of_z) in pairwise(zip(inputs, counts, strict=True)):
        bounds += [
            (_epsilon_lower(of_x.after, of_z.before, error), guarantee.pair_level(x, z)),
            (_epsilon_lower(of_z.before, of_x.after, error), guarantee.pair_level(z, x)),
        ]
    return max(bounds, key=lambda bound: bound[0] - bound[1])


def _epsilon_lower(first: Counts, second: Counts, error: float) -> float:
    """A proven lower bound on two inputs' log ratio from counts [halves, categories]; the first chooses the event."""
    event = _likely_event(first[0], second[0])
    of_first, of_second = int(first[1][event].sum()), int(second[1][event].sum())
    n, m = int(first[1].sum()), int(second[1].sum())
    low = clopper_pearson(np.array([of_first]), n, error)[0, 0]  # each end takes half of the error
    high = clopper_pearson(np.array([of_second]), m, error)[0, 1]
    return float(max(0.0, np.log(low / high))) if low > 0 else 0.0


def _likely_event(first: Counts, second: Counts) -> npt.NDArray[np.bool_]:
    """The event to test: the categories of highest ratio, as many as give the strongest evidence."""
    order = np.argsort(-(first + 0.5) / (second + 0.5), kind="stable")
    hits, misses = np.cumsum(first[order]) + 0.5, np.cumsum(second[order]) + 0.5
    score = np.log(hits / misses) - 5 * np.sqrt(1 / hits + 1 / misses)
    event = np.zeros(len(first), bool)
    event[order[: int(np.argmax(score)) + 1]] = True
    return event
