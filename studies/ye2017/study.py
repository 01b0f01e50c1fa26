"""ye2017: the risk of subsets beside k-RR and RAPPOR, the best size, the bounds above and below."""

from __future__ import annotations

from itertools import product

from studies.study import Study, Task, grid
from studies.ye2017 import simplex
from studies.ye2017.checks import checks
from studies.ye2017.errata import ERRATA, LEFT_OUT
from studies.ye2017.exact import (
    HUGE,
    LISTED,
    RANGES,
    REPEATS,
    SHOWN,
    SIZES,
    SURVEYED,
    WIDE,
    largest,
    limits,
    minimax,
    ratios,
    risks,
    simulated,
    sizes,
    tightness,
)
from studies.ye2017.pictures import PICTURES
from studies.ye2017.remarks import remarks

QUICK = 20
"""A quick run has this many times fewer surveys."""
SURVEYS = 4000
"""Surveys for each point of Remark III.2."""


def tasks(quick: bool) -> list[Task]:
    """Surveys for each domain and epsilon; all else is exact."""
    cases = [
        {"d": d, "epsilon": epsilon, "repeats": repeats // (QUICK if quick else 1)}
        for (d, repeats), epsilon in product(REPEATS.items(), SURVEYED)
    ]
    ranges = [{"lowest": lowest, "highest": highest} for lowest, highest in RANGES]
    exact = (
        ("risks", risks, SIZES), ("sizes", sizes, SIZES), ("ratios", ratios, SHOWN), ("tightness", tightness, WIDE),
        ("limits", limits, HUGE), ("minimax", minimax, LISTED),
    )  # fmt: skip
    found = [task for name, run, domains in exact for task in grid(name, run, [{"d": d} for d in domains])]
    left = [
        {"mechanism": name, "users": users, "repeats": SURVEYS // (QUICK if quick else 1)}
        for name, users in product(simplex.MECHANISMS, simplex.USERS)
    ]
    found += grid("outside", simplex.outside, left)
    return [*grid("simulated", simulated, cases), *grid("largest", largest, ranges), *found]


STUDY = Study(
    name="ye2017",
    title="Optimal schemes for distribution estimation (ye2017)",
    source=(
        "M. Ye and A. Barg, *Optimal Schemes for Discrete Distribution Estimation under Locally Differential Privacy*, "
        "2017."
    ),
    about=(
        "The paper has no tables: its propositions are held against exact risks and against surveys of 10,000 people "
        "from the uniform truth, which is the worst one. Its formulas are lost in the text that we work from, and "
        "derived again. Risks are of unbiased estimates, against the distribution "
        "that people are drawn from. Here **d** is the number of labels and **E** = e^epsilon; the paper writes k for "
        "our d, and d for the size of a subset."
    ),
    tasks=tasks,
    checks=checks,
    remarks=remarks,
    errata=ERRATA,
    left_out=LEFT_OUT,
    pictures=PICTURES,
)
