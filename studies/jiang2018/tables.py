"""The tasks of jiang2018: one function per table. An error is the root mean squared error of one person."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy

from deniable.arrays import Indices, Vector
from deniable.mechanisms.plain.randomized_response import RandomizedResponse
from deniable.mechanisms.prior.informed_crowd import InformedCrowd
from deniable.privacy.entropy import SeededEntropy
from deniable.theory import truths
from deniable.theory.informed.baselines import ldp_loss, paper_feasible, paper_level, paper_loss
from deniable.theory.informed.optimum import optimal
from studies.jiang2018.central import central_bound, central_loss
from studies.jiang2018.losses import (
    Reader,
    histogram_unary_loss,
    losses,
    makers,
    optimized_unary_loss,
    response_loss,
    root_mean,
    rooted,
    symmetric_unary_loss,
)
from studies.study import Row

BITS = np.array([0.0, 1.0])
DATASETS = 2018
"""The seed of the datasets, which are the same in every run; a run's own seed draws values and reports."""
PAGES, CLICKS, POPULAR = 41_270, 8_000_000, 15_000
"""sect. V-B1: pages, clicks in all, and the clicks above which a page is popular."""
CHECK_INS, DISTRICTS, VISITED = 6_442_892, 400, 100
"""sect. V-B2, which calls the check-ins users; the districts, and how many of them anybody visits, are ours."""

SUM_LABELS, HISTOGRAM_LABELS = 10, 20


def bits(p: float) -> Vector:
    """The prior of a bit that is 1 with probability p."""
    return np.array([1 - p, p])


# --- Example 1, Figs. 5 to 7: formulas, and reports drawn from them -------------------------------------------------


def example(_seed: int, p: float, epsilons: Sequence[float]) -> list[Row]:
    """Example 1: one bit, by unary encodings and by randomized response without a prior, and with one."""
    rows: list[Row] = []
    for epsilon in epsilons:
        without = {
            "symmetric_unary": math.sqrt(symmetric_unary_loss(epsilon)),
            "optimized_unary": math.sqrt(optimized_unary_loss(p, epsilon)),
            "response": math.sqrt(response_loss(epsilon)),
        }
        rows.append({"p": p, "epsilon": epsilon, **without, **rooted([losses(bits(p), epsilon, BITS)])})
    return rows


def survey(seed: int, p: float, epsilons: Sequence[float], people: int) -> list[Row]:
    """Fig. 5: one bit of a prior that all share."""
    rows: list[Row] = []
    for index, epsilon in enumerate(epsilons):
        free = math.sqrt(response_loss(epsilon))
        known: Row = {"p": p, "epsilon": epsilon, "context_free": free, **rooted([losses(bits(p), epsilon, BITS)])}
        rows.append(known | _seen(bits(p), epsilon, "sum", people, SeededEntropy(seed).part(index)))
    return rows


def own_prior(
    seed: int, person: int, goal: str, labels: int, epsilons: Sequence[float], drawn: Sequence[float], people: int
) -> list[Row]:
    """Figs. 6a and 7: squared errors for one prior out of all, for the mean of 0 to d - 1 or for the histogram."""
    prior = truths.dirichlet(labels, np.random.default_rng([DATASETS, labels, person]))
    values = np.arange(float(labels)) if goal == "sum" else None
    rows: list[Row] = []
    for index, epsilon in enumerate(epsilons):
        row: Row = {"person": person, "epsilon": epsilon, **losses(prior, epsilon, values)}
        if epsilon in drawn:
            row |= _seen(prior, epsilon, goal, people, SeededEntropy(seed).part(index))
        rows.append(row)
    return rows


def _seen(prior: Vector, epsilon: float, goal: str, people: int, entropy: SeededEntropy) -> Row:
    """The errors of people drawn from the prior, from their reports."""
    d = len(prior)
    held = np.random.default_rng(entropy.words(1)).choice(d, people, p=prior)
    goals = np.arange(float(d))[:, None] if goal == "sum" else np.eye(d)
    row: Row = {}
    for index, (name, mechanism) in enumerate(makers(prior, epsilon, goal).items()):
        reader = Reader(mechanism, prior, goals)
        row[f"{name}_drawn"], row[f"{name}_error"] = reader.person(reader.joint(held, entropy.part(index)))
    return row


def uniform_sums(_seed: int, labels: int, epsilon: float) -> list[Row]:
    """Fig. 6b: the mean of 0 to d - 1, all alike; and what keeps LDP at the level though made for LIP at half of it."""
    prior, values = truths.uniform(labels), np.arange(float(labels))
    half = math.sqrt(optimal(prior, epsilon / 2, values).loss)
    return [{"labels": labels, "epsilon": epsilon, **rooted([losses(prior, epsilon, values)]), "lip_half": half}]


def unary_histogram(_seed: int, labels: int, epsilons: Sequence[float]) -> list[Row]:
    """Fig. 7: optimized unary encoding, summed over the labels and of one of them."""
    totals = {epsilon: histogram_unary_loss(labels, epsilon) for epsilon in epsilons}
    return [
        {"labels": labels, "epsilon": epsilon, "total": math.sqrt(total), "label": math.sqrt(total / labels)}
        for epsilon, total in totals.items()
    ]


# --- Fig. 8: people with priors of their own ------------------------------------------------------------------------


def personal(seed: int, users: int, epsilon: float, runs: int) -> list[Row]:
    """Fig. 8: the sum of bits whose priors are uniform in [0, 1], run after run; people keep their priors."""
    priors = np.random.default_rng([DATASETS, users]).random(users)
    crowd = InformedCrowd([0, 1], np.array([bits(p) for p in priors]), epsilon, "sum")
    response, generator = RandomizedResponse(2, epsilon), np.random.default_rng(seed)
    missed = np.zeros((2, runs))
    for index, p in enumerate(priors):
        held = (generator.random(runs) < p).astype(np.int64)
        for place, mechanism in enumerate((response, crowd.channels[crowd.kinds[index]])):
            reader = Reader(mechanism, bits(p), BITS[:, None])
            missed[place] += held - reader.guesses[reader.draw(held, SeededEntropy(seed, (index, place))), 0]
    known = rooted([losses(bits(p), epsilon, BITS) for p in priors])
    row: Row = {"users": users, "epsilon": epsilon, **known}
    for name, errors in zip(("ldp", "lip"), missed, strict=True):
        row[f"{name}_drawn"], row[f"{name}_error"] = root_mean(errors**2 / users)
    return [row | {"central_bound": math.sqrt(central_bound(priors.tolist(), epsilon) / users)}]


def even_priors(_seed: int, epsilon: float) -> list[Row]:
    """Fig. 8 for infinitely many people: means over priors uniform in [0, 1]; half of them, by symmetry."""
    means = {
        "ldp": lambda p: ldp_loss(bits(p), epsilon, BITS),
        "lip": lambda p: optimal(bits(p), epsilon, BITS).loss,
        "paper": lambda p: paper_loss(bits(p), epsilon, BITS),
    }
    threshold = 1 / (1 + math.exp(epsilon))
    found: Row = {
        name: math.sqrt(2 * scipy.integrate.quad(loss, 0, 0.5, points=[threshold])[0]) for name, loss in means.items()
    }
    return [{"epsilon": epsilon, **found, "feasible": 1 - 2 * threshold}]


# --- Fig. 9: stand-ins for the datasets ------------------------------------------------------------------------------


def standin(seed: int, data: str, epsilon: float, repeats: int) -> list[Row]:
    """Fig. 9: errors of a person and of the sums, with real reports of people who hold what the stand-in says."""
    return [drawn_errors(seed, *(popular_pages() if data == "pages" else check_ins()), epsilon, repeats)]


def drawn_errors(seed: int, held: Indices, prior: Vector, goals: Any, epsilon: float, repeats: int) -> Row:
    """The errors for people who hold these labels: by formula, and in reports drawn so many times."""
    goal, values = ("sum", goals[:, 0]) if goals.shape[1] == 1 else ("histogram", None)
    row: Row = {"people": len(held), "epsilon": epsilon, **rooted([losses(prior, epsilon, values)])}
    for place, (name, mechanism) in enumerate(makers(prior, epsilon, goal).items()):
        reader = Reader(mechanism, prior, goals)
        joints = [reader.joint(held, SeededEntropy(seed, (place, index))) for index in range(repeats)]
        row[f"{name}_drawn"], row[f"{name}_error"] = reader.person(np.sum(joints, axis=0))
        row[f"{name}_sum_drawn"] = math.sqrt(np.mean([reader.total_miss(joint) for joint in joints]))
    return row


def popular_pages() -> tuple[Indices, Vector, Any]:
    """Kosarak's shape: 8 million clicks on 41,270 pages, by Zipf's law; the prior is the share of popular pages."""
    clicks = np.random.default_rng([DATASETS, PAGES]).multinomial(CLICKS, truths.zipf(PAGES))
    held = (clicks > POPULAR).astype(np.int64)
    return held, bits(held.mean()), BITS[:, None]


def check_ins() -> tuple[Indices, Vector, Any]:
    """Gowalla's number of check-ins, by Zipf's law in the districts that are visited; the prior is of earlier ones."""
    generator = np.random.default_rng([DATASETS, CHECK_INS])
    earlier, last = generator.multinomial(CHECK_INS, truths.zipf(VISITED), size=2)
    prior = np.zeros(DISTRICTS)
    prior[:VISITED] = earlier / CHECK_INS
    return np.repeat(np.arange(VISITED), last), prior, np.eye(DISTRICTS)


# --- values that are known to eight digits --------------------------------------------------------------------------


def exact(_seed: int) -> list[Row]:
    """Optima of small cases, the central release, and where the paper's formula stops being feasible."""
    rows: list[Row] = []
    for prior, epsilon in (([0.5, 0.3, 0.2], 1.0), ([0.7, 0.2, 0.1], 1.0), ([0.1, 0.2, 0.3, 0.4], 0.5)):
        shown = " ".join(f"{p:g}" for p in prior)
        for goal, values in (("histogram", None), ("sum", np.arange(float(len(prior))))):
            rows.append(
                {"what": f"{goal} of {shown}", "epsilon": epsilon, "ours": optimal(prior, epsilon, values).loss}
            )
    rows.append({"what": "central sum, N = 10, p = 0.3", "epsilon": 0.5, "ours": central_loss(10, 0.3, 0.5)})
    most = max(d for d in range(2, 12) if paper_feasible(truths.uniform(d), 1.0))
    rows.append({"what": "most labels of a feasible uniform prior", "epsilon": 1.0, "ours": most})
    rows.append({"what": "leak of the formula, P1 = 0.1", "epsilon": 1.0, "ours": paper_level(bits(0.1), 1.0)})
    return rows
