"""acharya2019: its table, sentences and formulas, and values from elsewhere, beside ours."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from studies import sources
from studies.acharya2019.blocks import LABELS
from studies.acharya2019.tables import MOST, Read, elsewhere, line_of, one, ratio
from studies.acharya2019.uneven import PLAIN
from studies.study import Tables, column, rows_with
from studies.verdicts import Cell, Check, at_most, in_every_cell, more, near, same, scored

APART = sources.independent("worked out apart from the library, to six digits after the point")
"""The tolerance for the small variances."""

ESTIMATORS = {
    "HighLowHadamard": "the estimators of eqs. 15 and 16",
    "HighLowResponse": "utility-optimized randomized response, ref. 13",
    "HighLowRappor": "utility-optimized RAPPOR, ref. 13",
    "Hadamard": "Hadamard response, ref. 23",
}


def checks(tables: Tables) -> Sequence[Check]:
    """All comparisons."""
    parts = (_fig2, _steps, _worth, _uneven, _predicted, _met, _corners, _squared, bounds)
    return [check for part in parts for check in part(tables)]


def _fig2(tables: Tables) -> Iterator[Check]:
    group = f"Fig. 2, a picture without numbers: mean dTV of {MOST:,} people, projected"
    source = sources.independent("another program's run of Fig. 2, the mean of 10 surveys")
    for row in elsewhere("fig2"):
        ours = one(tables["fig2"], truth=row["truth"], blocks=row["blocks"], users=MOST)
        yield near(group, line_of(row), source, row["dtv"], ours["dtv"], ours["dtv_error"])


def _steps(tables: Tables) -> Iterator[Check]:
    """The statement "more blocks, less error", at each step of each line."""
    group, fig2 = "Fig. 2, what the text says of it", tables["fig2"]
    source = sources.sentence("sect. 7, second paragraph: the larger m, the better the accuracy")
    for truth in dict.fromkeys(column(fig2, "truth")):
        rows = rows_with(fig2, truth=truth)
        cells = [
            _fell(one(rows, blocks=few, users=users), one(rows, blocks=many, users=users))
            for users in dict.fromkeys(row["users"] for row in rows)
            for few, many in pairwise(dict.fromkeys(row["blocks"] for row in rows))
        ]
        yield in_every_cell(group, f"{truth}: more blocks, less error, for every number of people", source, cells)


def _fell(few: Read, many: Read) -> Cell:
    """Whether the error is smaller with more blocks; required if a difference of 1% would be detected."""
    share, error = ratio(many, few, "dtv")
    return more(1 - share, error, slack=0.0, matters=0.01)


def _worth(tables: Tables) -> Iterator[Check]:
    """The statement that m equal blocks need m times fewer people; errors fall as 1/sqrt(n)."""
    group = "How many reports of plain LDP one in blocks is worth (uniform truth, unbiased)"
    source = sources.sentence("sect. 6, after Thm 4: equal blocks save a factor of m")
    plain = one(tables["fig2"], truth="uniform", blocks=1, users=MOST)
    for found in rows_with(tables["fig2"], truth="uniform", users=MOST):
        if found["blocks"] > 1:
            errors, error = ratio(plain, found, "unbiased_dtv")
            yield near(group, line_of(found), source, found["blocks"], errors**2, 2 * errors * error)


def _uneven(tables: Tables) -> Iterator[Check]:
    """The general form of Thm 4, at the hardest truth for each partition."""
    group = "The same for uneven blocks, at the truth that is hardest for them (unbiased)"
    source = sources.formula("Thm 4: k^2 over the sum of the squares of block sizes")
    plain = one(tables["uneven"], partition=PLAIN, users=MOST)
    for found in rows_with(tables["uneven"], users=MOST):
        if found["partition"] != PLAIN:
            errors, error = ratio(plain, found, "unbiased_dtv")
            worth = LABELS**2 / found["squares"]
            yield near(group, f"20 blocks, {found['partition']}", source, worth, errors**2, 2 * errors * error)


def _small(tables: Tables) -> Iterator[tuple[str, float, Read]]:
    for row in elsewhere("variances"):
        found = one(tables["variances"], mechanism=row["mechanism"], symbol=row["symbol"])
        yield f"{row['mechanism']}, symbol {row['symbol']}", row["variance"], found


def _predicted(tables: Tables) -> Iterator[Check]:
    group = "n times variance, by our formulas"
    for what, expected, ours in _small(tables):
        yield same(group, what, APART, expected, ours["predicted"], 6)


def _met(tables: Tables) -> Iterator[Check]:
    group = "n times variance, in surveys of 1,000 people"
    for what, expected, ours in _small(tables):
        yield scored(group, what, APART, expected, ours["measured"], ours["measured_error"], limit=4)


def _corners(tables: Tables) -> Iterator[Check]:
    group = "The least errors of a test, Fig. 1, and those of the channel of eq. 9 that is drawn from"
    places = {"false_alarm": "eq. 23 and Fig. 1", "miss": "eq. 23 with its misprint mended, and Fig. 1"}
    for row in rows_with(tables["corners"]):
        for name, place in places.items():
            what = f"levels {row['first']:g} and {row['second']:g}, {name.replace('_', ' ')}"
            yield same(group, what, sources.formula(place), row[name], row[f"channel_{name}"], 7)


def _squared(tables: Tables) -> Iterator[Check]:
    """The variance formulas at full size."""
    group, mine = "Squared error of the unbiased decoder over its prediction", "the variance derived by us"
    for what, where in {line_of(row): _only(row, "truth", "blocks") for row in rows_with(tables["fig2"])}.items():
        found = _pooled(rows_with(tables["fig2"], **where))
        yield scored(group, what, sources.formula(f"the estimator of eq. 19, {mine}"), 1.0, *found, limit=4)
    for name in dict.fromkeys(column(tables["high_low"], "mechanism")):
        source = sources.formula(f"{ESTIMATORS[name]}, {mine}")
        yield scored(group, name, source, 1.0, *_pooled(rows_with(tables["high_low"], mechanism=name)), limit=4)
    met = [row for row in rows_with(tables["two_labels"]) if row.get("measured") is not None]
    for first, second in dict.fromkeys((row["first"], row["second"]) for row in met):
        rows = [_in_units(row) for row in rows_with(met, first=first, second=second)]
        what = f"two labels, levels {first:g} and {second:g}"
        yield scored(group, what, sources.formula(f"the channel of Thm 2, {mine}"), 1.0, *_pooled(rows), limit=4)


def _in_units(row: Read) -> Read:
    """A measured variance divided by the predicted one."""
    values = (row[name] / row["variance"] for name in ("measured", "measured_error"))
    return dict(zip(("squared_ratio", "squared_ratio_error"), values, strict=True))


def _only(row: Read, *names: str) -> dict[str, Any]:
    return {name: row[name] for name in names}


def _pooled(rows: Sequence[Read]) -> tuple[float, float]:
    ratios, errors = ([row[name] for row in rows] for name in ("squared_ratio", "squared_ratio_error"))
    return sum(ratios) / len(rows), math.hypot(*errors) / len(rows)


def bounds(tables: Tables) -> Iterator[Check]:
    """The upper bounds on errors beside the errors."""
    group = "Mean dTV, unbiased, against half of the upper bounds (17) and (20)"
    cases = {line_of(row): row for row in rows_with(tables["fig2"], users=MOST)}
    cases |= {
        f"{row['sensitive']} sensitive": row for row in rows_with(tables["high_low"], mechanism="HighLowHadamard")
    }
    for what, row in cases.items():
        bound, ours, error = row["bound"], row["unbiased_dtv"], row["unbiased_dtv_error"]
        source = sources.formula("half of eq. 17" if "sensitive" in what else "half of eq. 20")
        yield at_most(group, what, source, bound, ours, error)
