"""The results in docs/studies: the pages say what the tables hold, the tables hold what their tasks make.

Nothing here is drawn at random but by seeded tasks, so nothing can fail by chance. Two machines' arithmetic may differ
in a last digit: rows are compared to 1e-6.
"""

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.lengths import by_length

from studies.catalogue import STUDIES
from studies.pages import gallery, page
from studies.run import Setting, checks_text, results
from studies.sources import Origin
from studies.store import csv_rows, csv_text
from studies.study import MEASURED, Measured, Results, Row, Study, Task
from studies.verdicts import Check

SETTING = Setting(Path(__file__).parents[3] / "docs" / "studies")
REPEATED: Mapping[str, Mapping[str, int]] = {
    "wang2016": {"information": -1, "linear_program": 0, "hybrids": 0, "regression": 0},
    "ye2017": {"risks": 0, "sizes": 0, "ratios": 0, "tightness": 0, "limits": 0, "minimax": 0},
    "kairouz2016": {"crossings": 0, "figure_3": -1, "baselines": 0},
    "acharya2019": {"corners": 0, "places": 0, "fig3": 0, "high_low": 0, "high_low_levels": 0},
    "jiang2018": {
        "example": 0, "survey": 0, "uniform_sums": 0, "unary": 0, "personal": 0, "even_priors": 0, "pages": 0,
        "exact": 0, "contour": 0, "corners": 0,
    },
    "beyond": {"trade": 0},
    "numbers": {"ranges": -1},
}  # fmt: skip
"""Which task of which table is run again: those that take a second or less, and the maps, which take five."""
REPEATED_LATER: Mapping[str, Mapping[str, int]] = {
    "wang2016": {"surveys": 0},
    "ye2017": {"simulated": -3, "largest": 0, "outside": 0},
    "kairouz2016": {"decoders": -1, "whole_reports": 3, "one_cohort": 0, "other_sizes": 2},
    "acharya2019": {"variances": -1, "two_labels": 0, "fig2": 0, "table1": 3, "uneven": 0, "uneven_map": 1},
    "jiang2018": {"sum_priors": 0, "histogram_priors": 0, "districts": 0},
    "numbers": {"means": -1, "densities": 0},
}
"""The same of tables whose cheapest task takes longer, for ``make soak``. ``make studies`` runs all tasks."""


def committed(study: Study) -> Results:
    """What the study makes of the committed rows."""
    folder = SETTING.out / study.name
    tables = {
        name: csv_rows(text_of(folder / f"{name}.csv")) for name in dict.fromkeys(t.table for t in study.tasks(False))
    }
    measured = folder / f"{MEASURED}.json"
    known = json.loads(text_of(measured)) if measured.exists() else {"machine": "", "rows": []}
    return results(study, tables, Measured(**known))


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def found() -> dict[str, Results]:
    return {name: committed(study) for name, study in STUDIES.items()}


@pytest.mark.parametrize("name", STUDIES)
def test_the_page_is_made_of_the_tables(found: dict[str, Results], name: str) -> None:
    """Every number of a page, and every verdict, comes from the CSV files beside it."""
    folder, whole = SETTING.out / name, found[name]
    assert text_of(folder / "index.md") == page(whole, SETTING.command(name), quick=False)
    assert text_of(folder / "checks.csv") == checks_text(whole.checks) if whole.checks else True
    assert {path.stem for path in folder.glob("*.csv")} - {"checks"} == whole.tables.keys()
    for table, rows in whole.tables.items():
        assert text_of(folder / f"{table}.csv") == csv_text(rows), table


def test_the_gallery_shows_all_studies(found: dict[str, Results]) -> None:
    assert text_of(SETTING.out / "index.md") == gallery(list(found.values()))


@pytest.mark.parametrize("name", STUDIES)
def test_every_picture_is_there(name: str) -> None:
    drawn = {f"{picture.name}.svg" for picture in STUDIES[name].pictures}
    there = {path.name for path in (SETTING.out / name).iterdir() if path.suffix in (".png", ".svg")}
    assert there == drawn


def repeated() -> list[Any]:
    """Tasks that are run again."""
    chosen = []
    for name, tables in [*REPEATED.items(), *by_length([], list(REPEATED_LATER.items()))]:
        tasks = STUDIES[name].tasks(False)
        for table, place in tables.items():
            named = [task for task in tasks if task.table == table]
            chosen.append(pytest.param(name, named[place], id=f"{name}-{table}"))
    return chosen


@pytest.mark.parametrize("name", STUDIES)
def test_a_task_of_every_table_is_run_again(name: str) -> None:
    listed = [*REPEATED[name], *REPEATED_LATER.get(name, {})]
    assert sorted(listed) == sorted({task.table for task in STUDIES[name].tasks(False)})


@pytest.mark.parametrize(("name", "task"), repeated())
def test_a_task_makes_the_rows_again(name: str, task: Task) -> None:
    """The seed of the run, another machine, the same rows."""
    rows = csv_rows(csv_text(task.run(task.seed(SETTING.seed), **task.arguments)))
    kept = csv_rows(text_of(SETTING.out / name / f"{task.table}.csv"))
    same = {tuple(row.items()) for row in kept}  # nearly all are, to the last digit
    assert rows
    assert all(any(alike(row, other) for other in kept) for row in rows if tuple(row.items()) not in same)


def alike(row: Row, other: Row) -> bool:
    """Equal, but for the last digits of numbers; a column that one lacks is empty in the other."""
    return all(_equal(row.get(name), other.get(name)) for name in {*row, *other})


def _equal(one: object, other: object) -> bool:
    if isinstance(one, float) and isinstance(other, float | int):
        return math.isclose(one, other, rel_tol=1e-6, abs_tol=1e-12)
    return one == other


def test_rows_that_differ_are_told_apart() -> None:
    assert alike({"d": 2, "l1": 0.1}, {"d": 2, "l1": 0.1 + 1e-12})
    assert not alike({"d": 2, "l1": 0.1}, {"d": 2, "l1": 0.1001})
    assert not alike({"d": 2, "l1": 0.1}, {"d": 3, "l1": 0.1})


def of_group(whole: Results, begins: str, ends: str = "") -> list[Check]:
    """Checks whose group's name begins and ends so."""
    return [check for check in whole.checks if check.group.startswith(begins) and check.group.endswith(ends)]


def test_wang2016_finds_every_size_and_all_but_two_cells(found: dict[str, Results]) -> None:
    """At 3.5 standard errors 328 right cells lie outside .15 times on average; more than two of them once in 2,000."""
    sizes = [*of_group(found["wang2016"], "k* of"), *of_group(found["wang2016"], "k# of")]
    cells = of_group(found["wang2016"], "", "independent counts")
    assert (len(sizes), sum(check.agrees for check in sizes)) == (82, 82)
    assert len(cells) == 328
    assert sum(abs(check.ours - check.reference) > 3.5 * check.error for check in cells) <= 2


def test_acharya2019_meets_figure_2(found: dict[str, Results]) -> None:
    """All 20 lines at 512,000 people, within 5% and three standard errors."""
    lines = of_group(found["acharya2019"], "Fig. 2, a picture without numbers")
    assert len(lines) == 20
    assert all(abs(c.ours - c.reference) <= 0.05 * c.reference + 3 * c.error for c in lines)


def test_kairouz2016_meets_figure_3(found: dict[str, Results]) -> None:
    """Five columns at four levels, within 5% and three standard errors; the baselines to their digits."""
    medians, exact = (of_group(found["kairouz2016"], f"Fig. 3, {kind}") for kind in ("median", "exact"))
    assert (len(medians), len(exact)) == (20, 2)
    assert all(abs(c.ours - c.reference) <= 0.05 * c.reference + 3 * c.error for c in medians)
    assert all(check.agrees for check in exact)


def test_kairouz2016_finds_what_the_paper_says_of_k_rr(found: dict[str, Results]) -> None:
    """From the sample k-RR is better in all cells where k < e^epsilon; one cohort is worse from epsilon 3 on."""
    better = [check for check in found["kairouz2016"].checks if check.what.endswith("k-RR is better where k < e^eps")]
    assert [check.note for check in better] == [f"holds in {n} of {n} cells" for n in (201, 201, 220)]
    alone = of_group(found["kairouz2016"], "How much larger the mean distance is with one cohort")
    assert len(alone) == 8
    assert all(check.agrees == (not check.what.endswith("epsilon 1")) for check in alone)


def test_jiang2018_is_exact_and_meets_figure_8(found: dict[str, Results]) -> None:
    figure_8 = of_group(found["jiang2018"], "Fig. 8")
    exact = [c for group in ("Fig. 5", "Optima", "Where Thm 3") for c in of_group(found["jiang2018"], group)]
    assert (len(figure_8), len(exact)) == (2, 16)
    assert all(abs(c.ours - c.reference) <= 0.02 * c.reference for c in figure_8)
    assert all(math.isclose(c.ours, c.reference, rel_tol=5e-4, abs_tol=5e-5) for c in exact)


def test_a_quick_run_says_its_own_repeats(found: dict[str, Results]) -> None:
    """The surveys that a quick run makes, and no number of the full one's."""
    whole = found["kairouz2016"]
    full, quick = (page(whole, "", quick=quick) for quick in (False, True))
    assert "means of 200 surveys" in full
    assert "means of 30 surveys" in quick
    assert "medians of 12 surveys" in quick
    assert "200 surveys" not in quick.partition("## ")[0]


def test_acharya2019_prints_no_number_that_ours_is_set_beside(found: dict[str, Results]) -> None:
    """Table 1 is on other data: its numbers are compared with those of the published file alone."""
    assert not [check for check in found["acharya2019"].checks if check.source.origin is Origin.PRINTED]
