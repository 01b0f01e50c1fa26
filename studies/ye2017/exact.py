"""ye2017: exact risks, best sizes, bounds above and below, and surveys beside them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from itertools import product

import numpy as np

from deniable.engines.repeat import surveys
from deniable.estimation.laws.support_law import support_of
from deniable.mechanisms.mechanism import Mechanism, evidence_of
from deniable.mechanisms.plain.randomized_response import RandomizedResponse
from deniable.mechanisms.plain.subset import Subset
from deniable.mechanisms.plain.unary import Rappor
from deniable.theory import bounds
from deniable.theory.best_channel.optimal import optimal_matrix
from deniable.theory.risk.support import Support, l1_asymptotic, l2_worst
from deniable.theory.sizes import best_information_size, best_l2_size, convenient_size
from studies.study import Row

PEOPLE = 10_000
SIZES = (10, 100, 1000)
LEVELS = tuple(round(0.1 * i, 1) for i in range(1, 81))
SURVEYED = (0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0)
REPEATS = {10: 2000, 100: 1000, 1000: 200}
CONVENIENT = "subsets, convenient"
LOSSES = {"l2": "squared error", "l1": "absolute error"}
MECHANISMS: Mapping[str, Callable[[int, float], Mechanism]] = {
    "k-RR": RandomizedResponse,
    "RAPPOR": Rappor,
    "subsets": Subset,
    CONVENIENT: lambda d, epsilon: Subset(d, epsilon, convenient_size(d, epsilon)),
}
UPPER = {"l2": "eq. 10", "l1": "eq. 11"}
WIDE = (100, 1000, 10_000)
SHOWN = (410, 1000, 10_000, 100_000, 1_000_000)
RANGES = ((410, 1000), (1000, 10_000), (10_000, 100_000), (100_000, 1_000_000))
HUGE = (10**4, 10**6, 10**8, 10**10, 10**12)
LISTED = (2, 3, 4, 5, 6, 7, 8)


def risks(_seed: int, d: int) -> list[Row]:
    """The risk of every mechanism at the worst truth, by eqs. 7 to 9 and 19."""
    rows: list[Row] = []
    for epsilon, (name, make) in product(LEVELS, MECHANISMS.items()):
        m = make(d, epsilon)
        size = m.size if isinstance(m, Subset) else None
        row: Row = {"d": d, "epsilon": epsilon, "mechanism": name, "size": size}
        rows.append({**row, **worst(support_of(m.law), d), "l1 exact": m.risk(PEOPLE, "l1")})
    return rows


def worst(s: Support, d: int) -> dict[str, float]:
    """The squared error, and the limit of the absolute error, at the uniform truth."""
    return {"l2": l2_worst(s, PEOPLE, d), "l1": d * l1_asymptotic(s, PEOPLE, np.array([1 / d]))}


def simulated(seed: int, d: int, epsilon: float, repeats: int) -> list[Row]:
    """The mean errors of unbiased estimates over surveys of people drawn from the uniform truth."""
    truth, rows = np.full(d, 1 / d), []
    for index, (name, make) in enumerate(MECHANISMS.items()):
        m = make(d, epsilon)
        run = surveys(m, truth, PEOPLE, seed + index, repeats)
        errors = np.array([evidence_of(m, survey.tally).unbiased() for survey in run]) - truth
        row: Row = {"d": d, "epsilon": epsilon, "mechanism": name, "repeats": repeats}
        for loss, each in (("l2", (errors**2).sum(axis=1)), ("l1", np.abs(errors).sum(axis=1))):
            row |= {loss: float(each.mean()), f"{loss}: error": float(each.std(ddof=1) / math.sqrt(repeats))}
            if name == CONVENIENT:
                row[f"{loss}: bound over it"] = upper(d, epsilon)[loss][UPPER[loss]] / float(each.mean())
        rows.append(row)
    return rows


def sizes(_seed: int, d: int) -> list[Row]:
    """The best size over all sizes, beside the formula's, the convenient one and that of most information."""
    rows: list[Row] = []
    for epsilon in LEVELS:
        risk = [worst(Support.subset(d, k, epsilon), d) for k in range(1, d)]
        best = {loss: 1 + int(np.argmin([each[loss] for each in risk])) for loss in LOSSES}
        rows.append({
            "d": d, "epsilon": epsilon, "d/(1+E)": d / (1 + math.exp(epsilon)), **best,
            "formula": best_l2_size(d, epsilon), "convenient": convenient_size(d, epsilon),
            "information": best_information_size(d, epsilon),
        })  # fmt: skip
    return rows


def ratios(_seed: int, d: int) -> list[Row]:
    """Prop. III.5 for one domain, over epsilon: the risk over that of the better of k-RR and RAPPOR."""
    levels = [*(0.1 * i for i in range(1, math.floor(10 * math.log(d)) + 11)), *_inside(d, 3)]
    rows = ((epsilon, bounds.improvement(d, epsilon)) for epsilon in sorted(levels))
    return [{"d": d, "epsilon": epsilon, "l2": l2, "l1": l1} for epsilon, (l2, l1) in rows]


def _inside(d: int, count: int) -> list[float]:
    """Epsilons from one end of Prop. III.5's range to the other."""
    return [float(epsilon) for epsilon in np.linspace(3.8, math.log(d / 9), count)]


def largest(_seed: int, lowest: int, highest: int) -> list[Row]:
    """The largest ratios of Prop. III.5 over a range of domains and all its epsilons, ends included."""
    found = [
        (bounds.improvement(int(d), epsilon), int(d), epsilon)
        for d in np.unique(np.geomspace(lowest, highest, 600).astype(int))
        for epsilon in _inside(int(d), 24)
    ]
    top = {loss: max((pair[at], d, epsilon) for pair, d, epsilon in found) for at, loss in enumerate(LOSSES)}
    return [{"loss": loss, "ratio": ratio, "d": d, "epsilon": epsilon} for loss, (ratio, d, epsilon) in top.items()]


def tightness(_seed: int, d: int) -> list[Row]:
    """Eqs. 10 to 13 over the risk that they bound, and the risks over the order of Theorem IV.1."""
    rows: list[Row] = []
    for epsilon in LEVELS:
        convenient = worst(Support.subset(d, convenient_size(d, epsilon), epsilon), d)
        row: Row = {"d": d, "epsilon": epsilon}
        for loss in LOSSES:
            row |= {f"{loss}: {name}": bound / convenient[loss] for name, bound in upper(d, epsilon)[loss].items()}
        order = {"l2": bounds.order_l2(d, epsilon, PEOPLE), "l1": bounds.order_l1(d, epsilon, PEOPLE)}
        for name, s in rivals(d, epsilon).items():
            row |= {f"{loss}: {name}": risk / order[loss] for loss, risk in worst(s, d).items()}
        rows.append(row)
    return rows


def upper(d: int, epsilon: float) -> dict[str, dict[str, float]]:
    """The paper's bounds for subsets of the convenient size."""
    at = (d, epsilon, PEOPLE)
    return {
        "l2": {
            "eq. 10": bounds.convenient_l2(*at),
            "eq. 12": bounds.small_epsilon_l2(*at),
            "eq. 13": bounds.large_epsilon_l2(*at),
        },
        "l1": {
            "eq. 11": bounds.convenient_l1(*at),
            "eq. 12": bounds.small_epsilon_l1(*at),
            "eq. 13": bounds.large_epsilon_l1(*at),
        },
    }


def rivals(d: int, epsilon: float) -> dict[str, Support]:
    """The laws of the three mechanisms, for any d."""
    return {
        "k-RR": Support.response(d, epsilon),
        "RAPPOR": Support.rappor(epsilon),
        "subsets": Support.subset(d, best_l2_size(d, epsilon), epsilon),
    }


def limits(_seed: int, d: int) -> list[Row]:
    """Prop. III.4 and eq. 13 in the middle of the range, E = sqrt(d): the risks over their limits."""
    epsilon = math.log(d) / 2
    at = (d, epsilon, PEOPLE)
    limit = {
        "k-RR": {"l2": bounds.response_limit_l2(*at), "l1": bounds.response_limit_l1(*at)},
        "RAPPOR": {"l2": bounds.rappor_limit_l2(*at), "l1": bounds.rappor_limit_l1(*at)},
        "subsets": {"l2": bounds.large_epsilon_l2(*at), "l1": bounds.large_epsilon_l1(*at)},
    }
    return [
        {"d": d, "epsilon": epsilon, "mechanism": name, "loss": loss, "limit": limit[name][loss], "risk": found}
        for name, s in rivals(d, epsilon).items()
        for loss, found in worst(s, d).items()
    ]


def minimax(_seed: int, d: int) -> list[Row]:
    """The least squared error of any epsilon-LDP channel with any unbiased estimate, beside that of subsets."""
    rows: list[Row] = []
    for epsilon in (0.1, 1.0, 2.0, 3.0):
        best = optimal_matrix(np.full((d, d), epsilon), goal="minimax")
        rows.append({"d": d, "epsilon": epsilon, "subsets": bounds.least_l2(d, epsilon, 1), "any channel": best.bound})
    return rows
