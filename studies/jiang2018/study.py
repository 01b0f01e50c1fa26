"""jiang2018: localized information privacy, its formula and the optimum under its own definition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from studies.jiang2018 import contour
from studies.jiang2018 import tables as work
from studies.jiang2018.checks import FIG5, checks
from studies.jiang2018.errata import ERRATA, LEFT_OUT
from studies.jiang2018.losses import rooted
from studies.jiang2018.pictures import PICTURES
from studies.jiang2018.remarks import remarks
from studies.study import Row, Study, Table, Tables, Task, grid, rows_with

EPSILONS = tuple(step / 4 for step in range(1, 17))
QUICK = (0.25, 0.5, 1.0, 2.0, 4.0)
DRAWN = (1.0, 2.0)
"""Levels at which reports of people with their own priors are simulated."""
MOST = 20
"""Labels of Fig. 6b."""


def tasks(quick: bool) -> list[Task]:
    """All tasks: what is computed, and what is simulated."""
    levels, people = QUICK if quick else EPSILONS, 50_000 if quick else 200_000
    persons = range(4 if quick else 20)
    own = {"epsilons": levels, "drawn": DRAWN, "people": people}
    return [
        *grid("example", work.example, [{"p": 0.1, "epsilons": levels}]),
        *grid("survey", work.survey, [{"p": p, "epsilons": levels, "people": people} for p in FIG5]),
        *grid("sum_priors", work.own_prior, [_own(n, "sum", work.SUM_LABELS, own) for n in persons]),
        *grid("uniform_sums", work.uniform_sums, [{"labels": d, "epsilon": 1.0} for d in range(2, MOST + 1)]),
        *grid("histogram_priors", work.own_prior, [_own(n, "histogram", work.HISTOGRAM_LABELS, own) for n in persons]),
        *grid("unary", work.unary_histogram, [{"labels": work.HISTOGRAM_LABELS, "epsilons": levels}]),
        *[task for users in (10, 100, 1000) for task in _personal(users, levels, quick)],
        *grid("even_priors", work.even_priors, [{"epsilon": epsilon} for epsilon in levels]),
        *[task for data, each in (("pages", 100), ("districts", 3)) for task in _standins(data, levels, quick, each)],
        *grid("exact", work.exact, [{}]),
        *_appendix(),
    ]


def _appendix() -> list[Task]:
    """App. A's figure."""
    cases = [{"p": p, "epsilon": contour.LEVEL} for p in contour.PRIORS]
    maps = [{**case, "steps": contour.STEPS} for case in cases]
    return [*grid("contour", contour.contour, maps), *grid("corners", contour.corners, cases)]


def _own(number: int, goal: str, labels: int, rest: Mapping[str, Any]) -> dict[str, Any]:
    return {"person": number, "goal": goal, "labels": labels, **rest}


def _personal(users: int, levels: Sequence[float], quick: bool) -> list[Task]:
    runs = 1000 if quick else 10_000
    return grid("personal", work.personal, [{"users": users, "epsilon": each, "runs": runs} for each in levels])


def _standins(data: str, levels: Sequence[float], quick: bool, repeats: int) -> list[Task]:
    """Fig. 9, with the many districts only at every other level."""
    cases = [{"data": data, "epsilon": each, "repeats": 1 if quick else repeats} for each in levels if each % 0.5 == 0]
    return grid(data, work.standin, cases)


def summaries(tables: Tables) -> dict[str, Table]:
    """Means over the people whose priors were drawn at random."""
    return {"sums": _over_people(tables["sum_priors"]), "histograms": _over_people(tables["histogram_priors"])}


def _over_people(rows: Table) -> list[Row]:
    levels = dict.fromkeys(row["epsilon"] for row in rows)
    return [{"epsilon": epsilon, **rooted(rows_with(rows, epsilon=epsilon))} for epsilon in levels]


STUDY = Study(
    name="jiang2018",
    title="Localized information privacy: the formula and the optimum",
    source='Bo Jiang, Ming Li and Ravi Tandon, "Context-aware Data Aggregation with Localized Information Privacy" '
    "(2018): Example 1, Figs. 5 to 9, and the contours of App. A.",
    about="An error is the root mean squared error of one person's posterior mean: the least there is for a curator "
    "who knows the prior. LDP is k-ary randomized response read with the prior. LIP is shown twice: by the paper's "
    "formula, with a cross where its channel leaks more than epsilon by the paper's own definition, and as the true "
    "optimum under that definition, or a channel near the bound that the tables give. The datasets of Fig. 9 are "
    "stand-ins. The paper prints no number of a result, and we read none off its curves: its sentences are counted "
    "over our cases, its formulas evaluated at epsilon = 1, and our optima held against ones found apart from this "
    "code.",
    tasks=tasks,
    checks=checks,
    pictures=PICTURES,
    summaries=summaries,
    remarks=remarks,
    errata=ERRATA,
    left_out=LEFT_OUT,
)
