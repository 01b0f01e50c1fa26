"""jiang2018: where we differ, in sentences whose numbers come from the tables of a run."""

from __future__ import annotations

import math
from collections.abc import Iterator

from studies.jiang2018 import tables as work
from studies.jiang2018.checks import at
from studies.study import Tables, rows_with


def remarks(tables: Tables) -> list[str]:
    """The remarks, in the order of the figures."""
    return [
        *_infeasible(tables),
        _sandwich(tables),
        _more_labels(tables),
        _mixed(tables),
        _centralized(tables),
        _pages(tables),
        _districts(tables),
        _settings(),
    ]


def _infeasible(tables: Tables) -> Iterator[str]:
    row = at(tables["survey"], 1.0, p=0.1)
    yield (
        f"In Fig. 5 at P1 = 0.1 and eps = 1 the paper's formula leaks {row['leak']:.2f} about the rare value; no "
        f"eps-LIP mechanism reaches the error {row['paper']:.4f} that it promises. The least is {row['lip']:.4f}: "
        f"{_less(row['lip'], row['ldp'])} below LDP's {row['ldp']:.4f}, not {_less(row['paper'], row['ldp'])}."
    )
    even = at(tables["survey"], 1.0, p=0.5)
    yield (
        f"Where the formula is feasible, as for P1 = 0.5, it is the optimum: {even['paper']:.4f} at eps = 1, beside "
        f"LDP's {even['ldp']:.4f}."
    )


def _less(ours: float, theirs: float) -> str:
    return f"{1 - ours / theirs:.1%}"


def _sandwich(tables: Tables) -> str:
    half, whole = at(tables["survey"], 0.5, p=0.1), at(tables["survey"], 1.0, p=0.1)
    return (
        "The paper sees eps/2-LIP err less than eps-LDP for rare values. At P1 = 0.1 the formula for eps = 0.5 "
        f"gives {half['paper']:.4f}, below LDP's {whole['ldp']:.4f} at eps = 1; the true optimum at 0.5 is "
        f"{half['lip']:.4f}, above it, as Thm 1 demands."
    )


def _more_labels(tables: Tables) -> str:
    sums, alike = at(tables["sums"], 1.0), rows_with(tables["uniform_sums"])
    ten, crossing = at(alike, 1.0, labels=10), min(row["labels"] for row in alike if row["lip"] < row["ldp_twice"])
    return (
        f"Fig. 6a, eps = 1: the formula is feasible for {sums['feasible']:.0%} of the drawn priors; LDP errs "
        f"{sums['ldp']:.3f}, the formula would {sums['paper']:.3f}, the optimum does {sums['lip']:.3f}. That eps-LIP "
        f"overtakes 2eps-LDP in Fig. 6b stays true of the optimum, from {crossing} labels on, but only because k-ary "
        "response is not the best LDP mechanism for a sum: at 10 labels our eps/2-LIP channel, an eps-LDP one, errs "
        f"{ten['lip_half']:.3f} where k-ary response errs {ten['ldp']:.3f}."
    )


def _mixed(tables: Tables) -> str:
    unary, ours = {row["epsilon"]: row for row in tables["unary"]}, tables["histograms"]
    row = at(ours, 1.0)
    overtaken = next(
        (each["epsilon"] for each in ours if float(unary[each["epsilon"]]["label"] or 0) < float(each["ldp"] or 0)),
        None,
    )
    return (
        "Fig. 7 has optimized unary encoding fall below LDP read with the prior at some epsilon. It cannot: its "
        "squared error is 4dt/(t-1)^2 + 1, above 1, while the prior alone errs less than 1. Its error of *one* label "
        f"beside the others' error of *all* labels crosses: at eps = 1 that is {unary[1.0]['label']:.2f} in place of "
        f"{unary[1.0]['total']:.2f}, and it is below LDP's {row['ldp']:.3f} by eps = {overtaken:g}."
    )


def _centralized(tables: Tables) -> str:
    ten, hundred = (at(tables["personal"], 1.0, users=users) for users in (10, 100))
    return (
        "The gap to a trusted curator grows with the people (Prop. 5): at eps = 1 the bound on the curator's error "
        f"is {ten['central_bound']:.3f} beside LIP's {ten['lip']:.3f} for 10 people, and "
        f"{hundred['central_bound']:.1e} beside {hundred['lip']:.3f} for 100."
    )


def _pages(tables: Tables) -> str:
    row, share = at(tables["pages"], 1.0), work.popular_pages()[0].mean()
    return (
        f"Fig. 9a is of a stand-in: {work.PAGES:,} pages, {work.CLICKS / 1e6:g} million clicks by Zipf's law, "
        f"{share:.2%} of the pages popular. The formula is feasible from eps = {math.log(1 / share - 1):.1f} on. At "
        f"eps = 1 it leaks {row['leak']:.1f}; LDP errs {row['ldp']:.6f}, the true optimum {row['lip']:.6f} and the "
        f"prior without any report {row['no_report']:.6f}: almost nothing is learnt of a page."
    )


def _districts(tables: Tables) -> str:
    row = at(tables["districts"], 1.0)
    return (
        f"Fig. 9b is of a stand-in: {work.CHECK_INS:,} check-ins by Zipf's law over {work.VISITED} districts, since "
        "the paper does not give the skew, and the prior from as many earlier ones. At eps = 1 LDP errs "
        f"{row['ldp']:.4f}, the optimum {row['lip']:.4f} (no channel below {row['lip_bound']:.4f}), the prior alone "
        f"{row['no_report']:.4f}. The formula's {row['paper']:.4f} would leak {row['leak']:.1f}."
    )


def _settings() -> str:
    return (
        "The text of the paper that we read lacks its settings. Ours are epsilon from 0.25 to 4, "
        f"{work.SUM_LABELS} labels with uniformly drawn priors, 10, 100 and 1,000 users, and {work.VISITED} visited "
        f"districts of {work.DISTRICTS}."
    )
