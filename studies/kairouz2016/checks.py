"""kairouz2016: an earlier run's values of Fig. 3 beside ours, and what the paper says in words, over our cells."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from studies.kairouz2016.cohorts import NOTHING, PLAIN
from studies.kairouz2016.decoders import DIRICHLET, DISTANCES, FAMILIES, GEOMETRIC, PAPER, POPULATION, TRUTHS
from studies.sources import formula, independent, sentence
from studies.study import Row, Table, Tables, Value, rows_with
from studies.verdicts import Cell, Check, Verdict, in_every_cell, more, near, no_more, same

LEVELS = (1, 3, 5, 8)
MEDIANS = {
    ("open", "O-RR"): (0.942, 0.413, 0.187, 0.085),
    ("open", "O-RAPPOR"): (0.923, 0.463, 0.285, 0.157),
    ("closed", "O-RR"): (0.931, 0.401, 0.167, 0.065),
    ("closed", "k-RR"): (1.694, 0.682, 0.178, 0.069),
    ("closed", "k-RAPPOR"): (1.089, 0.485, 0.293, 0.162),
}
"""Median l1 of Fig. 3 at these levels. The paper prints a picture; the values are of an earlier run of its setting."""
SUBSET = {("closed", "k-subset"): (1.036, 0.407, 0.173, 0.069)}
"""The same for a mechanism that is not in the paper."""
EARLIER = independent("an earlier, separate run of the paper's setting, not by this code")
SYMBOLS = {"open": (4, 16, 128, 1024), "closed": (8, 16, 128, 256)}
"""The symbols of O-RR there."""
BASELINES = {"non-private": (0.0603, 4), "uniform guess": (0.973, 3)}
"""Exact l1 distances, and their number of decimals."""
NOISY = {"normalized": 1.256, "projected": 1.706}
"""Mean l1 of k-RR's decoders from the distribution, with 30,000 people, 256 labels and epsilon 1."""
LARGE = 30_000

SAID = "The paper's sentences, as the share of cells in which they hold"
ALONE = "How much larger the mean distance is with one cohort than with several"
ERRORS, SLIGHT = 4, 0.01
"""A decoder is worse in a cell if it is by more than so many standard errors and by more than this share."""
ALIKE = 0.05
"""The share within which two errors are nearly indistinguishable, and beyond which they noticeably differ."""
MATTERS = 0.1
"""The share by which an error must not be worse without being detected."""
CELL = ("truth", "people", "labels", "epsilon", "target", "loss")
"""The columns that tell the cells of Fig. 2 apart."""
OTHERS = tuple(name for name in TRUTHS if name not in (GEOMETRIC, DIRICHLET))


def over(table: Table, truths: Sequence[str], **where: Value) -> list[dict[str, Any]]:
    """The rows of several truths."""
    return [row for truth in truths for row in rows_with(table, truth=truth, **where)]


def one(table: Table, **where: Value) -> dict[str, Any]:
    """The only row with these values."""
    [row] = rows_with(table, **where)
    return row


def point(table: Table, alphabet: str, mechanism: str, epsilon: float) -> dict[str, Any]:
    """A point of Fig. 3."""
    return one(table, alphabet=alphabet, mechanism=mechanism, epsilon=epsilon, given=NOTHING)


def duels(table: Table) -> list[Row]:
    """Fig. 2: in each cell the best decoder of k-RR and of k-RAPPOR; below 0 k-RR is better.

    Both ask the same people, so the error, as of surveys that have nothing in common, is if anything too large.
    """
    return [duel for distance in DISTANCES for duel in _duels(rows_with(table, **distance))]


def _duels(table: Table) -> list[Row]:
    rappors: dict[tuple[Value, ...], list[dict[str, Any]]] = {}
    for row in rows_with(table, mechanism="k-RAPPOR"):
        rappors.setdefault(tuple(row[name] for name in CELL), []).append(row)
    found: list[Row] = []
    for first in rows_with(table, mechanism="k-RR"):
        cell = {name: first[name] for name in CELL}
        [second] = rappors[tuple(cell.values())]
        ours, theirs = first[first["best"]], second[second["best"]]
        error = math.hypot(first["error"], second["error"])
        found.append({**cell, "response": ours, "rappor": theirs, "apart": ours - theirs, "apart_error": error})
    return found


def checks(tables: Tables) -> list[Check]:
    """Fig. 3's medians, best points and baselines, an example of Fig. 1, and the paper's sentences."""
    found = [_median(tables["figure_3"], *key, epsilon) for key in {**MEDIANS, **SUBSET} for epsilon in LEVELS]
    found += [_best(tables["figure_3"], alphabet, epsilon) for alphabet in SYMBOLS for epsilon in LEVELS]
    for row in tables["baselines"]:
        expected, digits = BASELINES[str(row["what"])]
        found.append(
            same("Fig. 3, exact baselines", str(row["what"]), EARLIER, expected, float(str(row["l1"])), digits)
        )
    cell = one(tables["decoders"], truth=GEOMETRIC, people=LARGE, labels=256, epsilon=1, mechanism="k-RR", **POPULATION)
    group = "k-RR with 256 labels at epsilon 1, mean l1 from the distribution"
    found += [near(group, what, EARLIER, expected, cell[what], cell["error"]) for what, expected in NOISY.items()]
    decoders, contest = (rows_with(tables[name], **PAPER) for name in ("decoders", "figure_2"))
    found += [*_of_decoders(decoders), *_of_contest(contest), _of_risks(tables["crossings"])]
    return [*found, *_of_cohorts(tables["figure_3"]), *map(_alone, tables["one_cohort"])]


def _median(table: Table, alphabet: str, mechanism: str, epsilon: float) -> Check:
    key = alphabet, mechanism
    row, expected = point(table, *key, epsilon), {**MEDIANS, **SUBSET}[key][LEVELS.index(epsilon)]
    name = mechanism if mechanism in PLAIN else f"{alphabet} {mechanism}"
    group = (
        "Fig. 3, median l1"
        if key in MEDIANS
        else "k-subset, which the paper lacks, in the setting of Fig. 3, median l1"
    )
    return near(group, f"{name}, epsilon {epsilon:g}", EARLIER, expected, row["l1"], row["error"])


def _best(table: Table, alphabet: str, epsilon: float) -> Check:
    ours, expected = point(table, alphabet, "O-RR", epsilon)["symbols"], SYMBOLS[alphabet][LEVELS.index(epsilon)]
    verdict = Verdict.AGREES if expected / 2 <= ours <= 2 * expected else Verdict.DIFFERS
    group, what = "Fig. 3, symbols at the best point", f"{alphabet} O-RR, epsilon {epsilon:g}"
    return Check(group, what, EARLIER, expected, ours, 0.0, "a factor of 2: the optimum is flat", verdict)


def _of_decoders(table: Table) -> list[Check]:
    found, decoding = [], "sect. 4.4.1"
    for mechanism in FAMILIES:
        for names, name in (((GEOMETRIC,), "geometric"), (OTHERS, "binomial and Zipf")):
            cells = [decoded(row) for row in over(table, names, mechanism=mechanism)]
            found.append(_said(f"{mechanism}, {name}: projected is best", decoding, cells))
        cells = [decoded(row, "normalized") for row in rows_with(table, mechanism=mechanism, truth=DIRICHLET)]
        found.append(_said(f"{mechanism}, Dirichlet: normalized is best", decoding, cells))
    return found


def _of_contest(table: Table) -> list[Check]:
    found, place = [], "sect. 4.4.2"
    for name, truths in {GEOMETRIC: (GEOMETRIC,), DIRICHLET: (DIRICHLET,), "binomial and Zipf": OTHERS}.items():
        rows = below_exponential(over(table, truths))
        found.append(_said(f"{name}: k-RR is better where k < e^eps", place, list(map(dueled, rows))))
        found.append(_said(f"{name}: its advantage there shrinks as people are more", place, _shrinking(rows)))
    return found


def _of_risks(table: Table) -> Check:
    beyond = [_exactly(row["largest_ratio_beyond_log"] < 1) for row in rows_with(table)]
    return in_every_cell(SAID, "k-RR has the smaller l2 risk where eps >= ln k", formula("Prop. 5"), beyond)


def _of_cohorts(table: Table) -> list[Check]:
    levels = sorted({row["epsilon"] for row in rows_with(table)})
    hashes = [_exactly(point(table, "open", "O-RAPPOR", epsilon)["hashes"] == 1) for epsilon in levels]
    rivals = [("closed", m) for m in ("k-RR", "k-RAPPOR", "O-RAPPOR")]
    opened = _as_good(table, ("open", "O-RR"), [("open", "O-RAPPOR")], levels)
    closed = _as_good(table, ("closed", "O-RR"), rivals, levels)
    alike = [_alike(table, epsilon) for epsilon in levels]
    return [
        _said("open: O-RR is as good as O-RAPPOR", "sect. 5.3", opened),
        _said("open O-RAPPOR: one hash is best", "sect. 5.3", hashes),
        _said("closed: O-RR is as good as k-RR and both RAPPORs", "sect. 5.4", closed),
        _said("closed: O-RAPPOR and k-RAPPOR are alike", "caption of Fig. 3", alike),
    ]


def _said(what: str, place: str, cells: Sequence[Cell]) -> Check:
    return in_every_cell(SAID, what, sentence(place), cells)


def _exactly(holds: bool) -> Cell:
    """A cell whose value is exact, without sampling error."""
    return Cell(Verdict.AGREES if holds else Verdict.DIFFERS)


def decoded(row: dict[str, Any], decoder: str = "projected") -> Cell:
    """Whether a decoder is no worse than the next best one."""
    other = row[decoder] - row[f"{decoder}_gain"]
    return no_more(row[f"{decoder}_gain"], row[f"{decoder}_gain_error"], SLIGHT * other, MATTERS * other, ERRORS)


def dueled(row: dict[str, Any]) -> Cell:
    """Whether k-RR is better than k-RAPPOR, by however little."""
    return more(-row["apart"], row["apart_error"], 0.0, MATTERS * row["rappor"], ERRORS)


def _shrinking(rows: Sequence[dict[str, Any]]) -> list[Cell]:
    """Whether k-RR's advantage is less with the next larger number of people, in the same cell."""
    found = []
    for row in rows:
        larger = [other for other in rows if other["people"] > row["people"] and _cell(other) == _cell(row)]
        if larger:
            after = min(larger, key=lambda other: int(other["people"]))
            error = math.hypot(row["apart_error"], after["apart_error"])
            found.append(more(after["apart"] - row["apart"], error, 0.0, MATTERS * -row["apart"], ERRORS))
    return found


def _cell(row: dict[str, Any]) -> tuple[str, int, float]:
    return row["truth"], row["labels"], row["epsilon"]


def worse(row: dict[str, Any], decoder: str = "projected") -> bool:
    """Whether a decoder is worse than the next best one."""
    other = row[decoder] - row[f"{decoder}_gain"]
    return bool(row[f"{decoder}_gain"] > max(ERRORS * row[f"{decoder}_gain_error"], SLIGHT * other))


def better(row: dict[str, Any], decoder: str = "projected") -> bool:
    """Whether it is better, by the same measure."""
    other = row[decoder] - row[f"{decoder}_gain"]
    return bool(-row[f"{decoder}_gain"] > max(ERRORS * row[f"{decoder}_gain_error"], SLIGHT * other))


def loses(row: dict[str, Any]) -> bool:
    """Whether k-RR is worse than k-RAPPOR."""
    return bool(row["apart"] > max(ERRORS * row["apart_error"], SLIGHT * row["rappor"]))


def wins(row: dict[str, Any]) -> bool:
    """Whether it is better, by the same measure."""
    return bool(-row["apart"] > max(ERRORS * row["apart_error"], SLIGHT * row["rappor"]))


def below_exponential(cells: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The cells with fewer labels than e^epsilon."""
    return [row for row in cells if row["labels"] < math.exp(row["epsilon"])]


def _as_good(
    table: Table, ours: tuple[str, str], others: Sequence[tuple[str, str]], levels: Sequence[float]
) -> list[Cell]:
    pairs = [(point(table, *ours, epsilon), point(table, *other, epsilon)) for epsilon in levels for other in others]
    return [
        no_more(a["l1"] - b["l1"], math.hypot(a["error"], b["error"]), SLIGHT * b["l1"], MATTERS * b["l1"], ERRORS)
        for a, b in pairs
    ]


def _alone(row: Row) -> Check:
    """Whether one cohort is worse than the best number of several."""
    excess, error = float(str(row["excess"])), float(str(row["excess_error"]))
    cell = more(excess, error, SLIGHT, ALIKE, ERRORS)
    what, source = f"open {row['mechanism']}, epsilon {row['epsilon']:g}", sentence("sect. 5.3")
    source = replace(source, item=f"one cohort is worse for {row['mechanism']}")
    rule = f"above it by {ERRORS} standard errors and by {SLIGHT:g}"
    note = f"z = {excess / error:.1f}" if error else ""
    return Check(ALONE, what, source, 0.0, excess, error, rule, cell.verdict, cell.power, note)


def _alike(table: Table, epsilon: float) -> Cell:
    a, b = point(table, "closed", "O-RAPPOR", epsilon), point(table, "closed", "k-RAPPOR", epsilon)
    error = math.hypot(a["error"], b["error"])
    return no_more(abs(a["l1"] - b["l1"]), error, ALIKE * b["l1"], 2 * ALIKE * b["l1"], ERRORS)
