"""kairouz2016, Figs. 1 and 2: decoders of k-RR and k-RAPPOR over labels and epsilon, for several truths.

The paper compares an estimate with "the ground truth sample drawn from the true distribution" (sect. 4.4): the target
is the sample. The distance from the distribution itself, from which the sample differs too, is given beside it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import scipy

from deniable.arrays import Matrix, Vector
from deniable.engines.repeat import surveys
from deniable.engines.simulate import draw_people
from deniable.mechanisms.mechanism import Mechanism, draw_column
from deniable.mechanisms.plain.randomized_response import RandomizedResponse
from deniable.mechanisms.plain.unary import Rappor
from deniable.privacy.entropy import SeededEntropy
from deniable.theory import truths
from deniable.theory.risk import support
from deniable.theory.risk.support import Support
from deniable.values.values import closed_domain
from studies.study import Row

Truth: TypeAlias = Callable[[int, np.random.Generator], Vector]

DECODERS = ("unbiased", "normalized", "projected", "likelihood")
PAPERS = {"k-RR": ("normalized", "projected", "likelihood"), "k-RAPPOR": ("unbiased", "normalized", "projected")}
"""The decoders that the paper compares; k-RAPPOR's "standard" decoder is the unbiased one."""
PAPER = {"target": "sample", "loss": "l1"}
"""The distance of Figs. 1 and 2."""
SQUARED = {"target": "sample", "loss": "l2"}
"""That of the supplement, squared as in all risks."""
POPULATION = {"target": "population", "loss": "l1"}
"""From the distribution."""
DISTANCES = (PAPER, SQUARED, POPULATION)
FAMILIES: Mapping[str, type[RandomizedResponse | Rappor]] = {"k-RR": RandomizedResponse, "k-RAPPOR": Rappor}

GEOMETRIC, DIRICHLET = "geometric", "Dirichlet"
CHANCES, EXPONENTS = (0.1, 0.2, 0.3, 0.4, 0.5), (1, 2, 3, 4, 5)


def _fixed(law: Callable[[int], Vector]) -> Truth:
    return lambda d, _: law(d)


TRUTHS: Mapping[str, Truth] = {
    GEOMETRIC: lambda d, _: truths.geometric_of_mean(d, d / 5),
    DIRICHLET: truths.dirichlet,
    **{f"binomial {chance:g}": _fixed(partial(truths.binomial, chance=chance)) for chance in CHANCES},
    **{f"Zipf {power}": _fixed(partial(truths.zipf, exponent=power)) for power in EXPONENTS},
}


def decoding(seed: int, truth: str, people: int, labels: int, epsilons: Sequence[float], repeats: int) -> list[Row]:
    """Mean losses of every decoder, for both mechanisms; one row per level and distance.

    Both mechanisms ask the same people.
    """
    rows: list[Row] = []
    for epsilon in epsilons:
        for name, family in FAMILIES.items():
            losses = losses_of(family(labels, epsilon), TRUTHS[truth], people, seed, repeats)
            case: Row = {"truth": truth, "people": people, "labels": labels, "epsilon": epsilon, "mechanism": name}
            rows += [
                {**case, **distance, **_summed(losses[:, :, place], PAPERS[name])}
                for place, distance in enumerate(DISTANCES)
            ]
    return rows


def losses_of(m: Mechanism, truth: Truth, people: int, seed: int, repeats: int) -> Matrix:
    """Losses [repeats, decoders, distances]; all decoders see the same reports."""
    generator, losses = np.random.default_rng(seed), np.empty((repeats, len(DECODERS), len(DISTANCES)))
    for turn, found in enumerate(losses):
        p = truth(len(closed_domain(m.domain)), generator)
        [survey] = surveys(m, p, people, seed + turn, 1)
        estimates = np.array([m.estimate(survey.tally, decoder).frequencies for decoder in DECODERS])
        apart = estimates - survey.people / people
        found[:, 0], found[:, 1] = np.abs(apart).sum(axis=1), (apart**2).sum(axis=1)
        found[:, 2] = np.abs(estimates - p).sum(axis=1)
    return losses


def _summed(losses: Matrix, papers: tuple[str, ...]) -> Row:
    """Mean loss of each decoder, and what the projected and the normalized one gain over the paper's next best one.

    Negative is better, as in the paper's figures.
    """
    means = dict(zip(DECODERS, losses.mean(axis=0).tolist(), strict=True))
    best = min(papers, key=lambda decoder: means[decoder])
    row: Row = {**means, "best": best, "error": standard_error(losses[:, DECODERS.index(best)])}
    for decoder in ("projected", "normalized"):
        row[f"{decoder}_gain"], row[f"{decoder}_gain_error"] = _gain(losses, decoder, papers)
    return row


def _gain(losses: Matrix, decoder: str, papers: tuple[str, ...]) -> tuple[float, float]:
    """A decoder's mean loss minus that of the next best alternative, and the standard error over paired surveys."""
    others = [DECODERS.index(other) for other in papers if other != decoder]
    second = others[int(np.argmin(losses[:, others].mean(axis=0)))]
    gains = losses[:, DECODERS.index(decoder)] - losses[:, second]
    return float(gains.mean()), standard_error(gains)


def whole_reports(seed: int, labels: int, epsilon: float, people: int, repeats: int) -> list[Row]:
    """Mean l1 of k-RAPPOR's likelihood of whole reports and of two decoders of bit counts, on the geometric truth.

    The gain is the likelihood's l1 minus that of the projected decoder; negative is better.
    """
    m, p, found = Rappor(labels, epsilon), truths.geometric_of_mean(labels, labels / 5), np.empty((repeats, 3))
    for turn, losses in enumerate(found):
        asked = draw_people(labels, p, people, seed + turn)
        reports = draw_column(m, np.repeat(np.arange(labels), asked), SeededEntropy(seed + turn))
        tally = m.tally(reports)
        estimates = (m.estimate(tally), m.estimate(tally, "likelihood"), m.estimate(reports, "likelihood"))
        losses[:] = [np.abs(estimate.frequencies - asked / people).sum() for estimate in estimates]
    projected, composite, whole = found.mean(axis=0).tolist()
    means: Row = {"projected": projected, "composite": composite, "likelihood": whole}
    gain, error = float((found[:, 2] - found[:, 0]).mean()), standard_error(found[:, 2] - found[:, 0])
    return [{"people": people, "labels": labels, "epsilon": epsilon, **means, "gain": gain, "gain_error": error}]


def crossings(_seed: int, most: int) -> list[Row]:
    """Exact: the level from which k-RR's l2 risk is below k-RAPPOR's, whatever the truth (Proposition 5).

    Against the sample it is the same level: both risks lack the same (1 - sum p^2)/n.
    """
    rows: list[Row] = []
    for d in (1 << power for power in range(3, most.bit_length())):  # up to 5 labels k-RR always wins
        log, beyond = math.log(d), np.linspace(0, 10, 101)
        level = float(scipy.optimize.brentq(lambda epsilon, d=d: math.log(_ratio(d, epsilon)), 1e-3, 2 * log))
        largest = max(_ratio(d, log + more) for more in beyond.tolist())
        sample = max(_ratio(d, log + more, support.l2_sample) for more in beyond.tolist())
        row: Row = {"labels": d, "log_labels": log, "epsilon": level}
        rows.append({**row, "largest_ratio_beyond_log": largest, "largest_sample_ratio_beyond_log": sample})
    return rows


def _ratio(d: int, epsilon: float, risk: Callable[[Support, int, int], float] = support.l2_worst) -> float:
    """The unbiased l2 risk of k-RR over that of k-RAPPOR, at the uniform truth or against the sample."""
    return risk(Support.response(d, epsilon), 1, d) / risk(Support.rappor(epsilon), 1, d)


def standard_error(values: npt.NDArray[np.float64]) -> float:
    """The standard error of the mean of these values."""
    return float(np.std(values, ddof=1)) / math.sqrt(len(values))
