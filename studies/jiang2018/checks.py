"""jiang2018: its sentences, its formulas and values from elsewhere beside ours. None of its curves has a number."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from studies.jiang2018.contour import LEVEL, OPTIMUM, PAPER, asymmetry, mapped, rises
from studies.sources import Source, formula, independent, sentence
from studies.study import Table, Tables, rows_with
from studies.verdicts import Check, at_most, near, same

FIG5: Mapping[float, Mapping[str, float]] = {
    0.1: {"context_free": 0.9595, "ldp": 0.2863, "paper": 0.2325, "lip": 0.2813},
    0.5: {"context_free": 0.9595, "ldp": 0.4434, "paper": 0.3874, "lip": 0.3874},
}
"""Errors at epsilon = 1, computed independently of this code."""
FIG8 = {"ldp": 0.3715, "lip": 0.3320}
EXACT = {
    "histogram of 0.5 0.3 0.2": 0.41323418,
    "sum of 0.5 0.3 0.2": 0.38674417,
    "histogram of 0.7 0.2 0.1": 0.32876117,
    "sum of 0.7 0.2 0.1": 0.29046954,
    "histogram of 0.1 0.2 0.3 0.4": 0.63498105,
    "sum of 0.1 0.2 0.3 0.4": 0.87953511,
    "central sum, N = 10, p = 0.3": 0.46963722,
}
"""Optima by linear programs."""
NAMES = {
    "context_free": "response without a prior",
    "ldp": "LDP",
    "paper": "LIP, the paper's formula",
    "lip": "LIP, optimum",
}
SOURCES = {
    "context_free": formula("eq. 42, evaluated apart from the library"),
    "ldp": formula("Prop. 4, evaluated apart from the library"),
    "paper": formula("Thm 2, evaluated apart from the library"),
    "lip": independent("the two-sided optimum, derived and searched for apart from the library"),
}
PROGRAM = independent("a linear program over all channels, apart from the library")
SAID, SENTENCES = "sect. V-A1, last paragraph", "Cases in which a sentence on the figures holds"
LABELS = "labels"


def at(rows: Table, epsilon: float, **where: float) -> dict[str, Any]:
    """The row of a level."""
    return rows_with(rows, epsilon=epsilon, **where)[0]


def checks(tables: Tables) -> list[Check]:
    """What the text says of its figures, formulas at epsilon = 1, App. A, and optima that are known to eight digits."""
    exact = {str(row["what"]): float(row["ours"] or 0) for row in tables["exact"]}
    found = [same("Optima, squared error", what, PROGRAM, value, exact[what], 8) for what, value in EXACT.items()]
    most, rule = "most labels of a feasible uniform prior", formula("Thm 3 in Definition 3, worked out by us")
    feasible = same(
        "Where Thm 3 keeps Definition 3, eps = 1", "most labels of a uniform prior", rule, 3, exact[most], 0
    )
    parts = (_survey_checks, _personal_checks, _sentence_checks, _level_checks, _contour_checks)
    return [*(check for part in parts for check in part(tables)), *found, feasible]


def _survey_checks(tables: Tables) -> Iterator[Check]:
    group = "Fig. 5 at eps = 1, a curve without numbers: error of a person"
    for p, known in FIG5.items():
        row = at(tables["survey"], 1.0, p=p)
        for name, value in known.items():
            leaks = name == "paper" and not row["feasible"]
            note = f"the formula by itself; its channel leaks {row['leak']:.2f}, not 1" if leaks else ""
            yield same(group, f"{NAMES[name]}, P1 = {p:g}", SOURCES[name], value, row[name], 4, note)


def _personal_checks(tables: Tables) -> Iterator[Check]:
    row, drawn = at(tables["even_priors"], 1.0), at(tables["personal"], 1.0, users=1000)
    source = independent("a mean over priors, worked out apart from the library")
    for name, value in FIG8.items():
        note = f"ours is exact, over all priors in [0, 1]; 1,000 drawn priors have {drawn[name]:.4f}"
        what = f"{NAMES[name]}, priors uniform in [0, 1]"
        group = "Fig. 8 at eps = 1, a curve without numbers: error of a person"
        yield near(group, what, source, value, row[name], relative=0.02, note=note)


def _sentence_checks(tables: Tables) -> Iterator[Check]:
    """What the text says of the curves, counted over the cases that we ran."""
    survey, thousand = tables["survey"], rows_with(tables["personal"], users=1000)
    below = "LIP errs less than LDP"
    yield _holds(
        "LDP errs less than response without a prior, Fig. 5", sentence(SAID), _less(survey, "ldp", "context_free")
    )
    yield _holds(f"{below}, Fig. 5", sentence(f"{SAID}; Prop. 4"), _less(survey, "lip", "ldp"))
    yield _enhanced(survey)
    yield _crossing(tables["uniform_sums"])
    yield _unary(tables)
    yield _holds(f"{below}, Fig. 8 with 1,000 people", sentence("sect. V-A4"), _less(thousand, "lip", "ldp"))
    yield _holds(
        "LDP at eps lies between LIP at eps and at eps/2, Fig. 8 with 1,000 people ('almost')",
        sentence("sect. V-A4, with the levels that Thm 1 suggests, as the text lost them"),
        _between(thousand),
    )
    yield _holds(
        "a trusted curator errs less than LIP, Fig. 8 (by our bound on it)",
        sentence("sect. V-A4, last sentence"),
        _less(tables["personal"], "central_bound", "lip"),
    )
    yield less_error(f"{below}, Fig. 9a on the stand-in", sentence("sect. V-B1, last paragraph"), tables["pages"])
    yield _rare(tables["pages"])


def _holds(what: str, source: Source, cases: Sequence[bool], note: str = "") -> Check:
    return same(SENTENCES, what, source, len(cases), sum(cases), 0, note)


def less_error(what: str, source: Source, rows: Table) -> Check:
    """That LIP errs less than LDP at every level."""
    return _holds(what, source, _less(rows, "lip", "ldp"))


def _less(rows: Table, name: str, other: str) -> list[bool]:
    return [row[name] < row[other] for row in rows_with(rows)]


def _between(rows: Table) -> list[bool]:
    """Whether LDP lies between LIP at its level and at half of it, where the table has both."""
    return [row["lip"] < row["ldp"] <= half["lip"] for row, half in _halves(rows)]


def _halves(rows: Table) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """The rows whose half level is in the table too, each with that row."""
    levels = {row["epsilon"]: row for row in rows_with(rows)}
    return [(row, levels[epsilon / 2]) for epsilon, row in levels.items() if epsilon / 2 in levels]


def _enhanced(survey: Table) -> Check:
    """The abstract, too, says that a skewed prior makes the advantage larger."""
    rare, even = (rows_with(survey, p=p) for p in FIG5)

    def compared(name: str) -> list[bool]:
        return [a[name] / a["ldp"] < b[name] / b["ldp"] for a, b in zip(rare, even, strict=True)]

    first = min((a["epsilon"] for a, larger in zip(rare, compared("lip"), strict=True) if larger), default=math.inf)
    note = f"from eps = {first:g} on; by the paper's formula in {sum(compared('paper'))} cases"
    what = "LIP saves a larger share of LDP's error at P1 = 0.1 than at 0.5, Fig. 5"
    return _holds(what, sentence(f"{SAID}; abstract, last sentence"), compared("lip"), note)


def _crossing(rows: Table) -> Check:
    few, many = (rows_with(rows, labels=pick(row[LABELS] for row in rows_with(rows)))[0] for pick in (min, max))
    both = [few["ldp_twice"] < few["lip"], many["lip"] < many["ldp_twice"]]
    what = f"LDP of 2 eps errs less with {few[LABELS]} labels, LIP of eps with {many[LABELS]}, Fig. 6b"
    return _holds(what, sentence("sect. V-A2, second paragraph, with the levels of Fig. 6a"), both)


def _unary(tables: Tables) -> Check:
    """The curves of Fig. 7 cross; summed over the labels they do not."""
    own = [row["total"] < at(tables["histograms"], row["epsilon"])["ldp"] for row in rows_with(tables["unary"])]
    source = sentence("sect. V-A3: 'when epsilon increases, it achieves increased utility'")
    what = "unary encoding errs less than LDP with the prior at some level, Fig. 7"
    return same(SENTENCES, what, source, 1, float(any(own)), 0, "the figure mixes two errors: see the errata")


def _rare(rows: Table) -> Check:
    """The conclusion says it too; Thm 1 rules it out for a bit."""
    what = "LIP of eps/2 errs less than LDP of eps at some level, Fig. 9a on the stand-in"
    source = sentence("sect. V-B1, last paragraph; sect. VI, 'for small values'")
    seen = any(half["lip"] < row["ldp"] for row, half in _halves(rows))
    return same(SENTENCES, what, source, 1, float(seen), 0, "Thm 1 rules it out")


def _level_checks(tables: Tables) -> Iterator[Check]:
    for row in rows_with(tables["corners"], rule=PAPER):
        pair = f"q0 = {row['q0']:.4f}, q1 = {row['q1']:.4f}, P1 = {row['p']:g}"
        yield same(
            "Level of Thm 2's channels, which are to keep eps = 1", pair, formula("Thm 2"), LEVEL, row["level"], 6
        )


def _contour_checks(tables: Tables) -> Iterator[Check]:
    """App. A, step by step, on the map and at its corners."""
    for p in dict.fromkeys(row["p"] for row in rows_with(tables["contour"])):
        squares = {name: mapped(tables["contour"], name, p)[1] for name in ("variance", "level")}
        yield from _map_checks(p, **squares)
        here, mirrored = rows_with(tables["corners"], p=p, rule=OPTIMUM)
        what, source = f"variance at the optimum, P1 = {p:g}", sentence("App. A, step 4: the optimum is a corner")
        inside = float(squares["variance"][squares["level"] <= LEVEL].max())
        yield at_most("Largest variance on the map that keeps the level", what, source, here["variance"], inside)
        what = f"the mirrored optimum's variance, P1 = {p:g}"
        yield same(
            "The same at the mirrored corner", what, formula("Thm 2, 'or'"), here["variance"], mirrored["variance"], 7
        )


def _map_checks(p: float, variance: Any, level: Any) -> Iterator[Check]:
    group = "The contour figure, eq. 43 over q0 and q1"
    what = f"steps on which the variance does not fall below q0 + q1 = 1, P1 = {p:g}"
    yield same(group, what, sentence("App. A, step 1"), 0, rises(variance), 0)
    for name, square in (("variance", variance), ("level", level)):
        what = f"largest difference of the {name} from its mirror image, P1 = {p:g}"
        yield same(group, what, sentence("App. A, step 2"), 0, asymmetry(square), 6)
