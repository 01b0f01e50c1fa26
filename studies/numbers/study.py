"""Our own comparison: the error of means, of shares up to a number, and of whole distributions."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction

import numpy as np
import scipy

from deniable.arrays import Vector
from deniable.estimation.numbers.distribution import Distribution
from deniable.mechanisms.plain.randomized_response import RandomizedResponse
from deniable.protocol.questions.number import Number
from deniable.surveys.survey import Survey
from deniable.theory.numbers.points import Points, best_points, levels_for, points_for
from deniable.theory.numbers.staggered import Risks, best_parts, prefix_bound, risks
from studies.numbers import baselines
from studies.numbers.pictures import PICTURES
from studies.numbers.square_wave import smoothed, square_wave
from studies.study import Row, Study, Tables, Task, column, grid, rows_with

EPSILONS = (0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0)
LEAST_POINTS = 17
"""So many points come within a thousandth of the least variance that any report can have."""
CELLS, RANGED = (16, 64, 256, 1024), (0.5, 1.0, 2.0, 4.0)
ARITIES = range(2, 17)
STEPS, PEOPLE, REPEATS = 1000, 100_000, 2000
FEW_CELLS = 64
"""Of more cells errors are only predicted."""
FINE = 256
SHAPES: Mapping[str, Callable[[Vector], Vector]] = {
    "Beta(5, 2)": lambda x: np.asarray(scipy.stats.beta.cdf(x, 5, 2), np.float64),
    "two humps": lambda x: np.asarray(
        0.5 * scipy.stats.beta.cdf(x, 20, 60) + 0.5 * scipy.stats.beta.cdf(x, 60, 25), np.float64
    ),
    "uniform": lambda x: x,
    "half at one number": lambda x: 0.5 * x + 0.5 * (x >= 0.3),
}
"""Distributions on 0 to 1 by the share up to each number."""


def _points(epsilon: float, count: int) -> Points:
    odds = RandomizedResponse(2, epsilon).odds
    return best_points(Fraction(odds.above, odds.below), count)


def mean(seed: int, epsilon: float, repeats: int) -> list[Row]:
    """The variance of one report about a mean where it is worst, on a scale from -1 to 1, over the least there is.

    Ours is simulated too: surveys in which everybody has the same number, a third of the way up.
    """
    count, odds = points_for(epsilon), RandomizedResponse(2, epsilon).odds
    report = _points(epsilon, count).report(levels_for(Fraction(odds.above, odds.below), count))
    least = _points(epsilon, LEAST_POINTS).report(STEPS).limit
    found = {**{name: formula(epsilon) for name, formula in baselines.MEANS.items()}, "ours": report.worst}
    survey = Survey.plan("mean", [Number("x", 0, STEPS, want=("mean",))], epsilon, PEOPLE)
    bits = {**baselines.MEAN_BITS, "ours": _bits(survey)}
    rows: list[Row] = [
        {
            "mechanism": name,
            "epsilon": epsilon,
            "variance": variance,
            "over_least": variance / least,
            "bits": bits[name],
        }
        for name, variance in found.items()
    ]
    shares = np.zeros(STEPS + 1)
    shares[STEPS // 3] = 1
    errors = [
        (2 * (_told(survey, shares, seed + k).mean.value - STEPS // 3) / STEPS) ** 2 * PEOPLE for k in range(repeats)
    ]
    rows[-1] |= {"predicted": report.population(shares), **_seen(errors)}
    return rows


def _bits(survey: Survey) -> int:
    """The most bits that somebody's answer takes: which arm it is for, and its reports."""
    reports = (sum(part.mechanism.report_bits for part in arm.parts) for arm in survey.arms)
    return (len(survey.arms) - 1).bit_length() + max(reports)


def _seen(errors: list[float]) -> Row:
    """The mean of squared errors, and how sure it is."""
    repeats = len(errors)
    spread = float(np.std(errors, ddof=1) / math.sqrt(repeats))
    return {"simulated": float(np.mean(errors)), "standard_error": spread, "repeats": repeats}


def _told(survey: Survey, shares: Vector, seed: int) -> Distribution:
    """What a survey tells if people hold the places of the scale in these shares."""
    generator = np.random.default_rng(seed)
    held = generator.multinomial(PEOPLE, shares)
    found = survey.estimate(survey.draw_tally({"x": np.arange(len(shares))}, held, generator))["x"]
    assert isinstance(found, Distribution)
    return found


def ranges(seed: int, cells: int, epsilon: float, repeats: int) -> list[Row]:
    """Mean variances of the shares up to each cell and of all ranges, per person, where all cells are alike."""
    survey = Survey.plan("ranges", [Number("x", 0, cells - 1, want=("quantiles",))], epsilon, 10**9)
    trees = {arity: baselines.tree(cells, arity, epsilon, subsets=True) for arity in ARITIES}
    best = min(trees, key=lambda arity: trees[arity].prefix)
    found: dict[str, tuple[Risks, int]] = {
        "staggered": (risks(cells, best_parts(cells, epsilon), epsilon), _bits(survey)),
        "best tree": (trees[best], baselines.tree_bits(cells, best, epsilon)),
        "tree of 2": (trees[2], baselines.tree_bits(cells, 2, epsilon)),
        "Haar": (baselines.haar(cells, epsilon), baselines.haar_bits(cells)),
    }
    bound = prefix_bound(cells, epsilon)
    rows: list[Row] = [
        {"design": name, "cells": cells, "epsilon": epsilon, "prefix": each.prefix, "range": each.range,
         "worst_prefix": each.worst_prefix, "over_bound": each.prefix / bound, "bits": bits}
        for name, (each, bits) in found.items()
    ]  # fmt: skip
    if cells <= FEW_CELLS:
        shares, truth = np.full(cells, 1 / cells), np.arange(cells + 1) / cells
        errors = [_prefix_error(_told(survey, shares, seed + k), truth) for k in range(repeats)]
        rows[0] |= {"predicted": rows[0]["prefix"], **_seen(errors)}
    return rows


def _prefix_error(found: Distribution, truth: Vector) -> float:
    return float(np.mean((found.reports.known.shares - truth)[1:-1] ** 2)) * PEOPLE


def density(seed: int, shape: str, epsilon: float, repeats: int) -> list[Row]:
    """How far the estimated distribution is from the truth (Wasserstein's distance, as a part of the scale)."""
    edges = np.arange(FINE + 1) / FINE
    truth = SHAPES[shape](edges)
    shares = np.diff(truth)
    shares /= shares.sum()
    survey = Survey.plan("density", [Number("x", 0, FINE - 1, want=("quantiles",))], epsilon, PEOPLE)
    bits = {"staggered, smooth": _bits(survey), "Square Wave + EMS": baselines.REAL_NUMBER}
    chances = square_wave(FINE, FINE, epsilon)
    ours, waves = [], []
    for k in range(repeats):
        told = _told(survey, shares, seed + k).reports
        ours.append(_distance(told.density.cdf(np.arange(FINE + 1.0)), truth))
        counts = np.random.default_rng(seed + k).multinomial(PEOPLE, shares @ chances)
        waves.append(_distance(np.append(0, np.cumsum(smoothed(counts, chances))), truth))
    found = {"staggered, smooth": ours, "Square Wave + EMS": waves}
    return [
        {"shape": shape, "epsilon": epsilon, "decoder": name, "distance": float(np.mean(each)),
         "standard_error": float(np.std(each, ddof=1) / math.sqrt(repeats)), "repeats": repeats, "bits": bits[name]}
        for name, each in found.items()
    ]  # fmt: skip


def _distance(found: Vector, truth: Vector) -> float:
    return float(np.mean(np.abs(found - truth)))


def tasks(quick: bool) -> list[Task]:
    """Every comparison."""
    repeats = REPEATS // 20 if quick else REPEATS
    some, few = repeats // 2, max(4, repeats // 20)
    return [
        *grid("means", mean, [{"epsilon": epsilon, "repeats": repeats} for epsilon in EPSILONS]),
        *grid("ranges", ranges, [{"cells": d, "epsilon": e, "repeats": some} for d in CELLS for e in RANGED]),
        *grid("densities", density, [{"shape": s, "epsilon": e, "repeats": few} for s in SHAPES for e in (1.0, 2.0)]),
    ]


# --- what the numbers say --------------------------------------------------------------------------------------------


def remarks(tables: Tables) -> list[str]:
    """Sentences with numbers from the tables."""
    return [_of_means(tables), _of_ranges(tables), _of_simulated(tables), _of_densities(tables), _of_bits(tables)]


def _of_means(tables: Tables) -> str:
    said = []
    for epsilon in (1.0, 2.0, 4.0):
        times = {row["mechanism"]: row["over_least"] for row in rows_with(tables["means"], epsilon=epsilon)}
        best, name = min((times[each], each) for each in times if each != "ours")
        said.append(f"at epsilon {epsilon:g} ours errs {times['ours']:.3f} times the least, {name} {best:.2f}")
    return f"Variance of a mean: {'; '.join(said)} times."


def _of_ranges(tables: Tables) -> str:
    said = []
    for cells in CELLS:
        own, tree = (
            rows_with(tables["ranges"], cells=cells, epsilon=1.0, design=name)[0]["prefix"]
            for name in ("staggered", "best tree")
        )
        said.append(f"{own / tree:.2f} at {cells:,}")
    what = "Mean variance of shares up to a number, staggered blocks over the best tree, epsilon 1"
    return f"{what}: {', '.join(said)} cells."


def _of_simulated(tables: Tables) -> str:
    rows = [row for name in ("means", "ranges") for row in tables[name] if row.get("simulated") is not None]
    seen, predicted, spread = (np.array(column(rows, name)) for name in ("simulated", "predicted", "standard_error"))
    ratio, sure = float(np.mean(seen / predicted)), float(np.linalg.norm(spread / predicted)) / len(rows)
    return (
        f"{len(rows)} errors of means and of shares were seen in simulated surveys: in the mean {ratio:.3f} times what "
        f"formulas say (standard error {sure:.3f}), none further than {np.max(np.abs(seen - predicted) / spread):.1f} "
        "standard errors."
    )


def _of_densities(tables: Tables) -> str:
    said = []
    for shape in SHAPES:
        ours, wave = (
            rows_with(tables["densities"], shape=shape, epsilon=1.0, decoder=name)[0]["distance"]
            for name in ("staggered, smooth", "Square Wave + EMS")
        )
        said.append(f"{shape} {ours:.4f} and {wave:.4f}")
    return f"Distance of the distribution at epsilon 1, ours and Square Wave with EMS: {', '.join(said)}."


def _of_bits(tables: Tables) -> str:
    means = {row["mechanism"]: row["bits"] for row in rows_with(tables["means"], epsilon=1.0)}
    ranges = {row["design"]: row["bits"] for row in rows_with(tables["ranges"], epsilon=1.0, cells=CELLS[-1])}
    return (
        f"Bits of an answer at epsilon 1: about a mean {means['ours']} (which threshold, and one coin), Laplace "
        f"{means['Laplace']}; about ranges of {CELLS[-1]:,} cells at most {ranges['staggered']:,}, the best tree "
        f"{ranges['best tree']:,}, Haar {ranges['Haar']}."
    )


STUDY = Study(
    name="numbers",
    title="Means, ranges and distributions of numbers",
    source="A comparison of our own, with reports by Duchi, Jordan and Wainwright (2018), Wang and others (2019, "
    "piecewise and hybrid), Zhao and others (2020, three outputs), Cormode, Kulkarni and Srivastava (2019, trees and "
    "Haar) and Li and others (2020, Square Wave).",
    about="A variance is that of one report. Of means it is the worst over all numbers, on a scale from -1 to 1. Of "
    "ranges it is the mean over the shares up to each cell, where all cells are alike; the bound holds for any "
    "reports. Trees share people evenly among levels and use the best subsets at each; the best of two to sixteen "
    "branches is shown. Bits are the most that one answer takes.",
    tasks=tasks,
    checks=lambda _tables: (),
    pictures=PICTURES,
    remarks=remarks,
)
