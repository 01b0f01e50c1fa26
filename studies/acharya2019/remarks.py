"""acharya2019: where we and the paper differ, in sentences whose numbers come from the tables of a run."""

from __future__ import annotations

import math
from collections.abc import Sequence

from studies.acharya2019.tables import LONG_LIST, MOST, SHORT_LIST, elsewhere, line_of, one, printed
from studies.acharya2019.uneven import NUMBERS, PLAIN
from studies.study import Row, Tables, column, rows_with

REPEATED = 10
"""Surveys behind each point of the paper's, and of the other program's."""


def summaries(tables: Tables) -> Tables:
    """The level from which on another high-low scheme has less squared error than the Hadamard one."""
    levels = tables["high_low_levels"]
    found: list[Row] = []
    for sensitive in dict.fromkeys(row["sensitive"] for row in rows_with(levels, mechanism="HighLowHadamard")):
        own = column(levels, "squared", mechanism="HighLowHadamard", sensitive=sensitive)
        for name in ("HighLowResponse", "HighLowRappor"):
            others = rows_with(levels, mechanism=name, sensitive=sensitive)
            better = [row["epsilon"] for row, ours in zip(others, own, strict=True) if row["squared"] < ours]
            found.append({"sensitive": sensitive, "mechanism": name, "from_epsilon": min(better, default=None)})
    return {"high_low_crossings": found}


def remarks(tables: Tables) -> Sequence[str]:
    """One remark for each difference from the paper."""
    return [
        _fig2(tables),
        _projecting(tables),
        _table1(tables),
        _baseline(tables),
        _high_low(tables),
        _uneven(tables),
    ]


def _fig2(tables: Tables) -> str:
    """The comparison with the other program, whose means have larger errors because it ran fewer surveys."""
    scores, shares = {}, {}
    for row in elsewhere("fig2"):
        ours = one(tables["fig2"], truth=row["truth"], blocks=row["blocks"], users=MOST)
        error = ours["dtv_error"] * math.sqrt(1 + ours["repeats"] / REPEATED)
        shares[line_of(row)] = ours["dtv"] / row["dtv"] - 1
        scores[line_of(row)] = abs(ours["dtv"] - row["dtv"]) / error
    widest = max(shares, key=lambda line: abs(shares[line]))
    return (
        "Fig. 2 has no numbers. Those beside ours come from another program, the mean of "
        f"{REPEATED} surveys each. The farthest of ours is {100 * shares[widest]:+.1f}% off "
        f"({widest}); counting the errors of both, none is more than {max(scores.values()):.1f} standard errors off."
    )


def _projecting(tables: Tables) -> str:
    plain, many = (one(tables["fig2"], truth="uniform", blocks=blocks, users=MOST) for blocks in (1, 100))
    return (
        "That m blocks are worth m times the people holds for the unbiased decoder. A projected error cannot exceed 1, "
        f"which helps plain LDP most: at n = {MOST:,} and the uniform truth its error is "
        f"{plain['dtv'] / many['dtv']:.1f} times that of 100 blocks, not 10 times."
    )


def _table1(tables: Tables) -> str:
    ours = {
        least: ", ".join(f"{dtv:.3f}" for dtv in column(tables["table1"], "dtv", smallest=least))
        for least in (LONG_LIST, SHORT_LIST)
    }
    long, short = (one(tables["places"], smallest=least) for least in ours)
    return (
        "Table 1 is made on other data: the people of US cities stand in for the paper's Gowalla check-ins "
        f"(GeoNames, CC BY 4.0, by {long['source']}). {100 * long['share_inside']:.1f}% of the "
        f"people of {long['cities']:,} places are in the paper's box. Printed dTV for plain LDP and 35, 875 and 1,750 "
        f"blocks: {', '.join(format(row['dtv'], 'g') for row in printed())}. Ours: {ours[LONG_LIST]}. From only the "
        f"{short['cities']:,} places of {SHORT_LIST:,} people or more: {ours[SHORT_LIST]}."
    )


def _baseline(tables: Tables) -> str:
    names = "Hadamard", "Subset"
    paper, best = (one(tables["high_low_levels"], mechanism=name, sensitive=0, epsilon=1.0) for name in names)
    return (
        "Plain LDP is Hadamard response here, as in the paper. At k = 1,000 and eps = 1 its squared error is "
        f"{paper['squared'] / best['squared']:.2f} times that of Subset, the best we have: so much of the gain is not "
        "due to blocks."
    )


def _high_low(tables: Tables) -> str:
    found = {
        name: ", ".join(
            f"{row['from_epsilon'] or 'never'} for {row['sensitive']}"
            for row in rows_with(tables["high_low_crossings"], mechanism=name)
        )
        for name in ("HighLowResponse", "HighLowRappor")
    }
    return (
        "The paper tries out no high-low scheme. In ours (k = 1,000, Zipf(1)) Hadamard reports do not win everywhere: "
        "utility-optimized randomized response has the smaller squared error from these eps on, by the number of "
        f"sensitive symbols: {found['HighLowResponse']}; utility-optimized RAPPOR from {found['HighLowRappor']}."
    )


def _uneven(tables: Tables) -> str:
    large = one(tables["uneven"], partition="one large", users=MOST)
    plain, even = (one(tables["uneven"], partition=name, users=MOST) for name in (PLAIN, "even"))
    few, many = (one(tables["uneven_map"], blocks=number) for number in NUMBERS)
    grids = [one(tables["table1"], smallest=LONG_LIST, blocks=number)["dtv"] for number in NUMBERS]
    worth = [(plain["unbiased_dtv"] / row["unbiased_dtv"]) ** 2 for row in (even, large)]
    return (
        "Non-uniform partitions cost in the worst case what Thm 4 says: one report in 20 equal blocks is worth "
        f"{worth[0]:.1f} of plain LDP, one in 20 blocks of which one holds 525 of the 1,000 labels {worth[1]:.1f}. On "
        f"the map they pay: rectangles that are cut where people are, down to {few['least']} cells, err "
        f"{few['dtv']:.3f} with {NUMBERS[0]} blocks and {many['dtv']:.3f} with {NUMBERS[1]}, equal ones {grids[0]:.3f} "
        f"and {grids[1]:.3f}."
    )
