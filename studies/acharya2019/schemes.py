"""acharya2019, sects. 3 to 5, without experiments there: binary tests, the binary optimum, high-low schemes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from deniable.arrays import Vector
from deniable.engines.repeat import surveys
from deniable.mechanisms.context.binary_response import BinaryResponse
from deniable.mechanisms.context.block_hadamard import BlockHadamard
from deniable.mechanisms.context.high_low_hadamard import HighLowHadamard
from deniable.mechanisms.context.high_low_rappor import HighLowRappor
from deniable.mechanisms.context.high_low_response import HighLowResponse
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.plain.hadamard import Hadamard
from deniable.mechanisms.plain.subset import Subset
from deniable.theory import truths
from deniable.theory.best_channel import binary
from deniable.theory.risk import hadamard
from deniable.theory.risk.context import reach
from deniable.values.values import closed_domain
from studies.study import Row
from studies.survey_errors import averaged, seed_from, survey_errors

LABELS, EPSILON, USERS = 1000, 1.0, 100_000
SENSITIVE = (3, 10, 30, 100, 300)
HIGH_LOW: Mapping[str, type[HighLowHadamard | HighLowResponse | HighLowRappor]] = {
    "HighLowHadamard": HighLowHadamard,
    "HighLowResponse": HighLowResponse,
    "HighLowRappor": HighLowRappor,
}
PLAIN: Mapping[str, type[Hadamard | Subset]] = {"Hadamard": Hadamard, "Subset": Subset}
EPSILONS = np.arange(0.25, 6.01, 0.25).tolist()
PAIRS = ((0.7, 0.7), (0.7, 1.4), (0.7, 2.8), (0.7, math.inf), (math.inf, 0.7), (1.0, 1.0))
"""Pairs of levels: of the first label against the second, and of the second against the first."""
MET = (0.1, 0.3, 0.5, 0.7, 0.9)
"""The shares at which surveys are simulated too."""
SMALL = (*HIGH_LOW, "BlockHadamard", "Hadamard", "BinaryResponse")
"""Schemes whose variances are known to many digits."""
SIX = np.array([0.3, 0.2, 0.1, 0.2, 0.15, 0.05])


def high_low(seed: int, mechanism: str, sensitive: int, repeats: int) -> list[Row]:
    """Errors at Zipf(1), with the sensitive labels spread evenly over the ranks; none are for plain LDP."""
    m, generator = _protecting(mechanism, sensitive, EPSILON), np.random.default_rng(seed)
    found = survey_errors(m, [truths.zipf(LABELS)] * repeats, USERS, generator)
    bound = high_low_bound(m.odds.ratio, sensitive, LABELS, USERS) if isinstance(m, HighLowHadamard) else None
    shape: Row = {"mechanism": mechanism, "sensitive": sensitive, "users": USERS, "repeats": repeats}
    return [{**shape, "bits": m.report_bits, **found, "bound": bound}]


def high_low_bound(t: Fraction, sensitive: int, labels: int, n: int) -> float:
    """An upper bound on E[dTV] of high-low Hadamard reports at any truth: half of acharya2019's (17), which is for l1.

    >>> round(high_low_bound(Fraction(3), 10, 100, 10_000), 4)
    0.2439
    """
    r = reach(t)
    return (sensitive * r * math.sqrt(3 / n) + math.sqrt(r * labels / n)) / 2


def _protecting(mechanism: str, sensitive: int, epsilon: float) -> Mechanism:
    if not sensitive:
        return PLAIN[mechanism](LABELS, epsilon)
    return HIGH_LOW[mechanism](LABELS, [i * LABELS // sensitive for i in range(sensitive)], epsilon)


def high_low_levels(seed: int) -> list[Row]:
    """What one person's squared error is expected to be, at any level."""
    del seed  # nothing is drawn
    p = truths.zipf(LABELS)
    cases = [(name, s) for name in HIGH_LOW for s in SENSITIVE] + [(name, 0) for name in PLAIN]
    return [
        {"mechanism": name, "sensitive": s, "epsilon": epsilon}
        | {"squared": _protecting(name, s, epsilon).risk(1, truth=p)}
        for name, s in cases
        for epsilon in EPSILONS
    ]


def variances(seed: int, mechanism: str, repeats: int) -> list[Row]:
    """Each label's squared error, times people: predicted and observed."""
    m, users = _small(mechanism), 1000
    p = SIX if len(closed_domain(m.domain)) == len(SIX) else np.array([0.2, 0.8])
    found = [m.estimate(survey.tally).unbiased for survey in surveys(m, p, users, seed, repeats)]
    squared = users * (np.array(found) - p) ** 2
    return [
        {"mechanism": mechanism, "symbol": i, "share": share, "repeats": repeats, "predicted": predicted}
        | averaged(("measured",), squared[:, [i]].tolist())
        for i, (share, predicted) in enumerate(zip(p.tolist(), _predicted(m, p).tolist(), strict=True))
    ]


def _small(mechanism: str) -> Mechanism:
    """Six labels, three of them sensitive, or in two blocks of three; two labels for the binary scheme."""
    if mechanism in HIGH_LOW:
        return HIGH_LOW[mechanism](6, [0, 1, 2], EPSILON)
    if mechanism == "BlockHadamard":
        return BlockHadamard([[0, 1, 2], [3, 4, 5]], EPSILON)
    return Hadamard(6, EPSILON, parts=1) if mechanism == "Hadamard" else BinaryResponse(2, 0.7, 1.4)


def _predicted(m: Mechanism, p: Vector) -> Vector:
    """Of one person, for each label."""
    if isinstance(m, Hadamard):
        return hadamard.variance_population(m.odds.ratio, m.parts, m.size, 1, p)
    if isinstance(m, HighLowHadamard | HighLowResponse | HighLowRappor | BlockHadamard):
        return m.law.variances.variances(p)
    return np.full(2, m.risk(1, truth=p) / 2)


def two_labels(seed: int, pair: int, repeats: int) -> list[Row]:
    """Sect. 4: a share's variance times people under a pair of levels: predicted for all shares, measured for some."""
    generator, (first, second) = np.random.default_rng(seed), PAIRS[pair]
    m, rows = BinaryResponse(2, first, second), []
    for share in np.linspace(0, 1, 21).round(2).tolist():
        p = np.array([share, 1 - share])
        # both labels have the same error, so each has half of the risk
        row: Row = {"first": first, "second": second, "share": share, "variance": m.risk(1, truth=p) / 2}
        rows.append({**row, **(_met(m, p, repeats, generator) if share in MET else {})})
    return rows


def _met(m: Mechanism, p: Vector, repeats: int, generator: np.random.Generator) -> Row:
    """The observed squared error of surveys, times people."""
    users = 10_000
    found = [m.estimate(survey.tally).unbiased[0] for survey in surveys(m, p, users, seed_from(generator), repeats)]
    return averaged(("measured",), [(users * (each - p[0]) ** 2,) for each in found])


def corners(seed: int) -> list[Row]:
    """Fig. 1: the least errors of tests between two labels, by the formula, and of the channel that is drawn from."""
    del seed  # nothing is drawn
    rows: list[Row] = []
    for first, second in PAIRS:
        miss, alarm = binary.errors(first, second)
        channel = BinaryResponse(2, first, second).probabilities
        drawn = {"channel_false_alarm": channel[1, 0].item(), "channel_miss": channel[0, 1].item()}
        rows.append({"first": first, "second": second, "false_alarm": alarm, "miss": miss, **drawn})
    return rows
