"""acharya2019: printed values beside ours."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from deniable.studies import sources
from deniable.studies.acharya2019.tables import LONG_LIST, MOST, Read, line_of, one, printed, ratio
from deniable.studies.study import Tables, column, rows_with
from deniable.studies.verdicts import Check, at_most, near, same, scored

OTHER_DATA = 0.25
"""How far another heatmap may be from the paper's, relatively."""


def checks(tables: Tables) -> Sequence[Check]:
    """All comparisons."""
    parts = (_fig2, _worth, _table1, _predicted, _met, _corners, _squared, bounds)
    return [check for part in parts for check in part(tables)]


def _fig2(tables: Tables) -> Iterator[Check]:
    group = f"Fig. 2, mean dTV of {MOST:,} people, projected"
    for row in printed("fig2"):
        ours = one(tables["fig2"], truth=row["truth"], blocks=row["blocks"], users=MOST)
        yield near(
            group,
            line_of(row),
            sources.independent("another program's run of Fig. 2"),
            row["dtv"],
            ours["dtv"],
            ours["dtv_error"],
        )


def _worth(tables: Tables) -> Iterator[Check]:
    """With equal blocks fewer people are enough, by a factor of their number. Errors fall as 1/sqrt(n)."""
    group = "Thm 4, how many reports of plain LDP one in blocks is worth (uniform truth, unbiased)"
    plain = one(tables["fig2"], truth="uniform", blocks=1, users=MOST)
    for found in rows_with(tables["fig2"], truth="uniform", users=MOST):
        if found["blocks"] > 1:
            errors, error = ratio(plain, found, "unbiased_dtv")
            yield near(group, line_of(found), sources.formula("Thm 4"), found["blocks"], errors**2, 2 * errors * error)


def _table1(tables: Tables) -> Iterator[Check]:
    """The data are not the paper's: what can be held against it is how much blocks help."""
    group = "Table 1, the error of plain LDP over that of blocks, on other data"
    plain, *rows = printed("table1")
    ours = one(tables["table1"], smallest=LONG_LIST, blocks=1)
    for row in rows:
        what = f"({row['high']}, {row['wide']}), {row['blocks']} blocks"
        found = ratio(ours, one(tables["table1"], smallest=LONG_LIST, blocks=row["blocks"]), "dtv")
        yield near(group, what, sources.printed("Table 1"), plain["dtv"] / row["dtv"], *found, relative=OTHER_DATA)


def _small(tables: Tables) -> Iterator[tuple[str, float, Read]]:
    for row in printed("variances"):
        found = one(tables["variances"], mechanism=row["mechanism"], symbol=row["symbol"])
        yield f"{row['mechanism']}, symbol {row['symbol']}", row["variance"], found


def _predicted(tables: Tables) -> Iterator[Check]:
    group = "n times variance, by our formulas"
    for what, expected, ours in _small(tables):
        yield same(group, what, sources.independent("derived apart from the library"), expected, ours["predicted"], 6)


def _met(tables: Tables) -> Iterator[Check]:
    group = "n times variance, in surveys of 1,000 people"
    for what, expected, ours in _small(tables):
        yield scored(
            group,
            what,
            sources.independent("derived apart from the library"),
            expected,
            ours["measured"],
            ours["measured_error"],
            limit=4,
        )


def _corners(tables: Tables) -> Iterator[Check]:
    group = "Fig. 1 and (9), the least errors of a test, and those of the channel that is drawn from"
    for row in rows_with(tables["corners"]):
        for name in ("false_alarm", "miss"):
            what = f"levels {row['first']:g} and {row['second']:g}, {name.replace('_', ' ')}"
            yield same(group, what, sources.formula("eq. 9"), row[name], row[f"channel_{name}"], 7)


def _squared(tables: Tables) -> Iterator[Check]:
    """The variance formulas at full size."""
    group = "Squared error of the unbiased decoder over its prediction"
    for what, where in {line_of(row): _only(row, "truth", "blocks") for row in rows_with(tables["fig2"])}.items():
        yield scored(
            group,
            what,
            sources.formula("the variances of props 1 to 3, derived again"),
            1.0,
            *_pooled(rows_with(tables["fig2"], **where)),
            limit=4,
        )
    for name in dict.fromkeys(column(tables["high_low"], "mechanism")):
        yield scored(
            group,
            name,
            sources.formula("the variances of props 1 to 3, derived again"),
            1.0,
            *_pooled(rows_with(tables["high_low"], mechanism=name)),
            limit=4,
        )
    met = [row for row in rows_with(tables["two_labels"]) if row.get("measured") is not None]
    for first, second in dict.fromkeys((row["first"], row["second"]) for row in met):
        rows = [_in_units(row) for row in rows_with(met, first=first, second=second)]
        yield scored(
            group,
            f"two labels, levels {first:g} and {second:g}",
            sources.formula("Thm 2"),
            1.0,
            *_pooled(rows),
            limit=4,
        )


def _in_units(row: Read) -> Read:
    """A measured variance over the predicted one."""
    values = (row[name] / row["variance"] for name in ("measured", "measured_error"))
    return dict(zip(("squared_ratio", "squared_ratio_error"), values, strict=True))


def _only(row: Read, *names: str) -> dict[str, Any]:
    return {name: row[name] for name in names}


def _pooled(rows: Sequence[Read]) -> tuple[float, float]:
    ratios, errors = ([row[name] for row in rows] for name in ("squared_ratio", "squared_ratio_error"))
    return sum(ratios) / len(rows), math.hypot(*errors) / len(rows)


def bounds(tables: Tables) -> Iterator[Check]:
    """What errors may not exceed, and what they are."""
    group = "Mean dTV, unbiased, against half of the upper bounds (17) and (20)"
    cases = {line_of(row): row for row in rows_with(tables["fig2"], users=MOST)}
    cases |= {
        f"{row['sensitive']} sensitive": row for row in rows_with(tables["high_low"], mechanism="HighLowHadamard")
    }
    for what, row in cases.items():
        bound, ours, error = row["bound"], row["unbiased_dtv"], row["unbiased_dtv_error"]
        yield at_most(group, what, sources.formula("eqs. 17 and 20"), bound, ours, error)
