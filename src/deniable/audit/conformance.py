"""What every mechanism must keep, checked by enumeration: one suite for all families, those of other packages too.

A check takes a small mechanism and returns what is wrong with it, or None. Sampling is tested at a false-alarm rate of
one in a million per mechanism.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import scipy

from deniable.arrays import Matrix, Vector
from deniable.audit.exact import audit
from deniable.audit.sampling import FALSE_ALARM, audit_sampling
from deniable.estimation.table import Table
from deniable.mechanisms.family import Family
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.registry import FAMILIES, from_spec
from deniable.privacy.matrix import row_sums
from deniable.protocol.checks import shown
from deniable.protocol.errors import DenialError, LabelError, ParameterError, ReportError
from deniable.reports.tally import Tally
from deniable.theory.risk.variance import Target
from deniable.values.domain import Domain

CLOSE = 1e-9
"""How far floats may be from what is enumerated, relatively."""
TRIALS = 20_000
"""Reports per label that sampling is tested with."""
CROWDS = 400
"""Tallies drawn in aggregate, whose mean is tested."""
SHAPES = ((2, 0.5), (3, 1.0), (5, 2.0))
"""Labels and epsilons of the examples that are checked; a family of few sizes has its smallest ones instead."""


@dataclass(frozen=True, slots=True)
class Conformance:
    """What a suite found: how many checks were run, and the problems."""

    family: str
    checks: int
    problems: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether there is no problem."""
        return not self.problems

    def __str__(self) -> str:
        return "\n".join([f"{self.family} {self.verdict}: {self.checks} checks", *self.problems])

    def _repr_html_(self) -> str:
        row = (self.family, self.verdict, f"{self.checks}")
        return Table("Conformance", ("family", "verdict", "checks"), [row], self.problems)._repr_html_()

    @property
    def verdict(self) -> str:
        """Whether there is no problem, in words."""
        return "conforms" if self.holds else "DOES NOT CONFORM"


def conform(family: Family) -> Conformance:
    """Run every check on small examples of a registered family.

    >>> print(conform(FAMILIES["RandomizedResponse"]))
    RandomizedResponse conforms: 27 checks
    """
    if FAMILIES.get(getattr(family, "name", "")) is not family:
        raise ParameterError(f"family must be a registered one, got {shown(family)}; register it first")
    sizes = (family.only_sizes or tuple(labels for labels, _ in SHAPES)) * len(SHAPES)
    shapes = [(labels, epsilon) for labels, (_, epsilon) in zip(sizes, SHAPES, strict=False)]
    problems = tuple(problem for shape in shapes for problem in _problems(family, *shape))
    return Conformance(family.name, len(SHAPES) * len(CHECKS), problems)


def _problems(family: Family, labels: int, epsilon: float) -> list[str]:
    """What is wrong with one member; where it or its law cannot be made, that alone."""
    try:
        m = family.example(Domain.of(labels), epsilon)
        _ = m.law
    except Exception as error:
        hint = (
            "" if family.only_sizes else "; if it is for some numbers of labels only, name them (sizes of plain_family)"
        )
        reason = f"{type(error).__name__}: {error}"
        return [f"{family.name} of {labels} labels at epsilon {epsilon:g} cannot be made, {reason}{hint}"]
    problems = ((name, _problem(check, m)) for name, check in CHECKS.items())
    return [f"{m!r}: {name}: {problem}" for name, problem in problems if problem is not None]


def _problem(check: Callable[[Mechanism], str | None], m: Mechanism) -> str | None:
    """What a check finds wrong with a mechanism; an error that the mechanism raises is a problem too."""
    try:
        return check(m)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def exact_channel(m: Mechanism) -> str | None:
    """Rows add up to 1, the closed form admits to the listed ratio, and the claim holds."""
    rows, certificate = m.channel().rows, audit(m)
    if any(row_sum != rows.total for row_sum in row_sums(rows.weights)):
        return "the probabilities of all reports must add up to 1 from every label, got sums that differ"
    listed, closed_form = m.guarantee.judge(rows).ratio, m.law.exact_ratio()
    if listed != closed_form:
        return (
            f"the law must tell the largest ratio of its own channel, {float(listed):.9g}, got "
            f"{float(closed_form):.9g}; see largest_ratio of SupportLaw"
        )
    if certificate.epsilon == math.inf and not certificate.holds:
        return f"the channel must keep {m.guarantee}, got a report that some values never send and others do"
    if not certificate.holds:
        return (
            f"the channel must keep {m.guarantee}, got probabilities that keep {certificate.epsilon:.9g}; "
            "take odds that are proven to be at most e^epsilon, by weighted_odds or exp_lower"
        )
    return None


def unbiased_estimator(m: Mechanism) -> str | None:
    """Over all reports, weighted by their exact probability, the unbiased estimate is what the value holds."""
    if not m.law.averages:
        return None
    mean = m.channel().probabilities @ single_estimates(m)
    bias = float(np.abs(mean - m.domain.holding).max())
    if bias < CLOSE:
        return None
    return (
        f"the estimate must be right on average, got one that is off by {bias:.2g} of the people; the law's g and h, "
        "or what it makes of a tally (count of SupportLaw), are not those of the channel"
    )


def single_estimates(m: Mechanism) -> Matrix:
    """The unbiased estimate from each report alone."""
    reports = m.layout.every_report()
    return np.array([m.estimate(reports[y : y + 1], "unbiased").unbiased for y in range(m.layout.outputs)])


def rising(d: int) -> Vector:
    """A truth in which no two labels are alike."""
    return np.arange(1, d + 1) / (d * (d + 1) / 2)


def enumerated_risk(m: Mechanism) -> str | None:
    """The predicted squared error is the enumerated one, for both targets, and no truth exceeds the worst case."""
    if not m.law.averages:
        return None
    rows, single = m.channel().probabilities, single_estimates(m)
    people = rising(len(rows))
    squares, p = (people @ rows) @ single**2, people @ m.domain.holding
    expected = {"population": (squares - p**2).sum() / 10, "sample": (squares - p).sum() / 10}
    targets: tuple[Target, ...] = ("population", "sample")
    for target in targets:
        value, predicted = expected[target], m.risk(10, "l2", p, target)
        if not np.isclose(predicted, value, rtol=CLOSE, atol=1e-12):
            return (
                f"risk must be {value:.9g} against the {target}, by all reports of 10 people, "
                f"got {predicted:.9g}; see error of the law"
            )
        if m.risk(10, target=target) < value * (1 - 1e-12):
            return f"risk without a truth must be the worst against the {target}, got less than at a known one"
    return None


def enumerated_information(m: Mechanism) -> str | None:
    """The mutual information is that of the exact channel."""
    closed_form, listed = m.mutual_information(), m.channel().mutual_information()
    if np.isclose(closed_form, listed, rtol=1e-7, atol=1e-12):
        return None
    got = f"got {closed_form:.9g}; see information of the law"
    return f"mutual information must be {listed:.9g} nats by the channel, {got}"


def sampled_channel(m: Mechanism) -> str | None:
    """What is drawn follows the exact channel."""
    audited = audit_sampling(m, TRIALS, seed=5)
    return None if audited.holds else f"draw must follow the channel of the law, got reports that do not: {audited}"


def aggregate_means(m: Mechanism) -> str | None:
    """Tallies drawn in aggregate have the mean that the exact channel gives them."""
    reports, rows = m.layout.every_report(), m.channel().probabilities
    counts = np.array([m.tally(reports[y : y + 1]).counts for y in range(m.layout.outputs)])  # of each single report
    people, generator = 20 * np.arange(1, 1 + len(rows)) ** 2, np.random.default_rng(7)
    drawn = np.array([m.draw_tally(people, generator).counts for _ in range(CROWDS)])
    mean = people @ rows @ counts
    variance = people @ (rows @ counts**2 - (rows @ counts) ** 2)
    z = np.abs(drawn.mean(axis=0) - mean) / np.sqrt(np.maximum(variance, 1e-9) / CROWDS)
    if z.max() < -float(scipy.special.ndtri(FALSE_ALARM / (2 * len(z)))):
        return None
    return (
        f"draw_counts must have the mean of the channel, got {z.max():.1f} standard errors off; it draws by other "
        "probabilities than the law has, or counts otherwise than the layout"
    )


def spec_and_back(m: Mechanism) -> str | None:
    """A spec describes its mechanism, and the same reports come of both."""
    restored, labels = from_spec(m.spec()), list(m.domain.every()) * 10
    if restored != m or hash(restored) != hash(m) or restored.spec() != m.spec():
        return (
            "from_spec must give the mechanism back, got one unlike it; what the constructor takes besides the domain "
            "must go to super().__init__ by its name"
        )
    same = np.array_equal(restored.privatize_many(labels, seed=4), m.privatize_many(labels, seed=4))
    return None if same else "from_spec must give the mechanism back, got one that draws otherwise"


def adding_tallies(m: Mechanism) -> str | None:
    """Tallies of parts add up to that of the whole, none at all changes nothing, and bytes give one back."""
    reports = m.privatize_many(list(m.domain.every()) * 20, seed=2)
    whole, parts = m.tally(reports), [m.tally(part) for part in (reports[:0], reports[:1], reports[1:])]
    if not sum(parts) == sum(reversed(parts)) == m.tally([]) + whole == whole:
        return "tallies must add up to that of all reports, got a sum that differs"
    return None if Tally.from_bytes(whole.to_bytes()) == whole else "a tally must come back from its bytes"


def refusals(m: Mechanism) -> str | None:
    """Values that are no labels, reports that are none, and decoders that do not exist are refused by their errors."""
    label = m.domain.every()[0]
    attempts: Mapping[type[DenialError], Callable[[], object]] = {
        LabelError: lambda: m.privatize_many([label, "no label at all"]),
        ReportError: lambda: m.tally([None]),
        ParameterError: lambda: m.estimate(m.tally(m.privatize_many([label], seed=1)), "no decoder"),
    }
    for error, attempt in attempts.items():
        try:
            attempt()
        except error:
            continue
        return f"bad input must be refused by a {error.__name__}, got none"
    return None


CHECKS: Mapping[str, Callable[[Mechanism], str | None]] = {
    check.__name__.replace("_", " "): check
    for check in (
        exact_channel, unbiased_estimator, enumerated_risk, enumerated_information, sampled_channel, aggregate_means,
        spec_and_back, adding_tallies, refusals,
    )
}  # fmt: skip
"""The suite."""
