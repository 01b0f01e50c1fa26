"""jiang2018 again: formulas against drawn reports, the stand-ins, and checks that notice a wrong value.

Seeds are fixed. A drawn error may lie 5.5 standard errors off, which an honest one does with a chance of 4e-8.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from deniable.mechanisms.plain.randomized_response import RandomizedResponse
from deniable.mechanisms.prior.informed_response import InformedResponse
from deniable.privacy.entropy import SeededEntropy
from deniable.theory.informed.baselines import channel_loss
from studies.jiang2018 import checks as compared
from studies.jiang2018 import contour
from studies.jiang2018 import study as jiang2018
from studies.jiang2018 import tables as work
from studies.jiang2018.central import central_bound
from studies.jiang2018.checks import checks
from studies.jiang2018.errata import ERRATA
from studies.jiang2018.losses import Reader, losses, rooted
from studies.jiang2018.remarks import remarks
from studies.study import Table

FAR = 5.5
LEVELS = (0.5, 1.0, 2.0)
OWN: dict[str, Any] = {"epsilons": LEVELS, "drawn": (1.0,), "people": 4000}


@pytest.fixture(scope="module")
def tables() -> dict[str, Table]:
    """All tables, of few people and levels."""
    found: dict[str, Table] = {
        "example": work.example(1, 0.1, LEVELS),
        "survey": [row for p in (0.1, 0.5) for row in work.survey(2, p, LEVELS, 4000)],
        "sum_priors": [row for n in (0, 1) for row in work.own_prior(3, n, "sum", 10, **OWN)],
        "histogram_priors": [row for n in (0, 1) for row in work.own_prior(4, n, "histogram", 20, **OWN)],
        "uniform_sums": [row for d in (2, 3, 4, 10) for row in work.uniform_sums(5, d, 1.0)],
        "unary": work.unary_histogram(6, 20, LEVELS),
        "personal": [row for n in (10, 100, 1000) for row in work.personal(7, n, 1.0, 100)],
        "even_priors": work.even_priors(8, 1.0),
        "pages": work.standin(9, "pages", 1.0, 2),
        "districts": work.standin(10, "districts", 1.0, 1),
        "exact": work.exact(11),
        "contour": [row for p in contour.PRIORS for row in contour.contour(12, p, 1.0, 20)],
        "corners": [row for p in contour.PRIORS for row in contour.corners(13, p, 1.0)],
    }
    return {**found, **jiang2018.summaries(found)}


def changed(rows: Table, name: str, factor: float) -> Table:
    """The rows with one column wrong."""
    return [{**row, name: float(row[name] or 0) * factor} for row in rows]


DIFFER = {
    "LIP saves a larger share of LDP's error at P1 = 0.1 than at 0.5, Fig. 5",
    "unary encoding errs less than LDP with the prior at some level, Fig. 7",
    "LIP of eps/2 errs less than LDP of eps at some level, Fig. 9a on the stand-in",
    "q0 = 0.0368, q1 = 0.3311, P1 = 0.1",
    "q0 = 0.9632, q1 = 0.6689, P1 = 0.1",
}
"""What the paper says, and what its own definition does not bear out."""


def differing(tables: dict[str, Table]) -> set[str]:
    return {check.what for check in checks(tables) if not check.agrees}


def test_every_known_value_is_met_and_the_paper_is_contradicted_where_it_must_be(tables: dict[str, Table]) -> None:
    assert len(checks(tables)) == 42
    assert differing(tables) == DIFFER


@pytest.mark.parametrize(
    ("table", "name", "factor", "wrong"),
    [
        ("survey", "lip", 1.3, 3),
        ("even_priors", "ldp", 1.3, 1),
        ("exact", "ours", 1.3, 8),
        ("uniform_sums", "lip", 2.0, 1),
        ("personal", "central_bound", 9.0, 1),
        ("contour", "variance", 9.0, 2),
        ("corners", "level", 1.1, 2),
    ],
)
def test_a_wrong_value_is_seen(tables: dict[str, Table], table: str, name: str, factor: float, wrong: int) -> None:
    planted = {**tables, table: changed(tables[table], name, factor)}
    assert len(differing(planted) - DIFFER) == wrong


def test_no_value_is_called_printed(tables: dict[str, Table]) -> None:
    """The paper prints none; every sentence and formula says where it stands."""
    sources = [check.source for check in checks(tables)]
    assert {source.origin.value for source in sources} == {"sentence", "formula", "independent value"}
    for source in sources:
        assert source.origin.value == "independent value" or source.place.startswith(
            ("sect.", "eq.", "Prop", "Thm", "App")
        )


def test_the_known_values_are_those_of_the_sheet() -> None:
    assert [compared.FIG5[0.1][name] for name in ("context_free", "ldp", "paper", "lip")] == [
        0.9595, 0.2863, 0.2325, 0.2813,
    ]  # fmt: skip
    assert list(compared.FIG5[0.5].values()) == [0.9595, 0.4434, 0.3874, 0.3874]
    assert compared.FIG8 == {"ldp": 0.3715, "lip": 0.3320}
    assert len(compared.EXACT) == 7
    assert compared.EXACT["central sum, N = 10, p = 0.3"] == 0.46963722


# --- App. A


@pytest.mark.parametrize("p", contour.PRIORS)
def test_the_map_has_the_variance_of_eq_43(p: float) -> None:
    for row in contour.contour(1, p, 1.0, 10):
        q0, q1 = float(str(row["q0"])), float(str(row["q1"]))
        one = (1 - p) * q0 + p * (1 - q1)
        expected = (p * (1 - p) * (1 - q0 - q1)) ** 2 / (one * (1 - one)) if 0 < one < 1 else 0.0
        assert row["variance"] == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("p", contour.PRIORS)
def test_the_grey_region_is_where_the_level_is_kept(p: float) -> None:
    """Every channel of the map lies inside all four lines just where it keeps the level."""
    ring = contour.region(contour.corners(1, p, 1.0), p)
    for row in contour.contour(1, p, 1.0, 40):
        x, y = float(str(row["q0"])), float(str(row["q1"]))
        sides = [
            (bx - ax) * (y - ay) - (by - ay) * (x - ax)
            for (ax, ay), (bx, by) in zip(ring, [*ring[1:], ring[0]], strict=True)
        ]
        assert (min(sides) >= -1e-12) is (float(str(row["level"])) <= 1 + 1e-12)


def test_the_optimum_is_the_closed_form() -> None:
    """Closed form of a rare value: it is flipped with 1/(1+t), the other with (1-pt)/((1-p)(1+t))."""
    t = math.e
    assert contour.best(0.1, 1.0) == pytest.approx(((1 - 0.1 * t) / (0.9 * (1 + t)), 1 / (1 + t)), rel=1e-12)
    assert contour.best(0.3, 1.0) == pytest.approx((0.3 / t, 0.7 / t), rel=1e-12)


def test_a_map_that_is_uneven_or_rises_is_seen() -> None:
    falls = np.array([[3.0, 2.0, 0.0], [2.0, 0.0, 2.0], [0.0, 2.0, 3.0]])
    assert (contour.asymmetry(falls), contour.rises(falls)) == (0.0, 0)
    bent = falls.copy()
    bent[0, 1] = 3.5
    assert (contour.asymmetry(bent), contour.rises(bent)) == (1.5, 1)


# --- errata


def test_the_errata_hold() -> None:
    """The first: the ratio of a rare value's own report exceeds e^eps just below a prior of 1/(1+e^eps)."""
    t = math.e
    limit = 1 / (1 + t)
    for p, kept in ((limit * (1 + 1e-9), True), (limit * (1 - 1e-9), False)):
        assert ((1 - (1 - p) / t) / p <= t) is kept
    assert "1/(1+e^eps)" in ERRATA[0]
    assert sum("6,442,892" in each for each in ERRATA) == 1


def test_the_remarks_have_the_numbers_of_the_tables(tables: dict[str, Table]) -> None:
    said = remarks(tables)
    assert len(said) == 9
    assert "leaks 1.90 " in said[0]
    assert "1.8% below LDP's 0.2863, not 18.8%" in said[0]
    assert "gives 0.2758, below LDP's 0.2863" in said[2]
    assert "1.93 in place of 8.64" in said[4]
    assert not any("nan" in each or "None" in each for each in said)


def test_every_picture_is_drawn_with_its_axes_named(tables: dict[str, Table]) -> None:
    for picture in jiang2018.STUDY.pictures:
        figure = picture.draw(tables)
        drawn = 2 if picture.name == "contour" else 4
        assert all(axes.get_xlabel() and len(axes.lines) >= drawn for axes in figure.axes)
        assert figure.axes[0].get_ylabel()
        assert figure.legends


def test_ldp_can_be_seen_around_the_optimum(tables: dict[str, Table]) -> None:
    """Its squares are hollow and larger than the dots, which may fall on them."""
    axes = next(p for p in jiang2018.STUDY.pictures if p.name == "standins").draw(tables).axes[0]
    lines = {str(line.get_label()): line for line in axes.lines}
    assert lines["LDP"].get_markerfacecolor() == "none"
    assert lines["LDP"].get_markersize() > 1.5 * lines["LIP, optimum"].get_markersize()


def test_crosses_stand_where_the_formula_leaks(tables: dict[str, Table]) -> None:
    rare, even = next(p for p in jiang2018.STUDY.pictures if p.name == "survey").draw(tables).axes
    crosses = [{line.get_label(): line for line in axes.lines}["where it leaks more"] for axes in (rare, even)]
    assert [np.asarray(line.get_xdata()).tolist() for line in crosses] == [[0.5, 1.0, 2.0], []]


@pytest.mark.parametrize("table", ["survey", "personal", "sum_priors", "histogram_priors"])
def test_drawn_reports_err_as_the_formulas_say(tables: dict[str, Table], table: str) -> None:
    power = 2 if table.endswith("priors") else 1
    seen = [row for row in tables[table] if "lip_error" in row]
    assert len(seen) >= 2
    for row in seen:
        values: dict[str, Any] = dict(row)
        for name in ("ldp", "lip"):
            miss = values[f"{name}_drawn"] - values[name] ** (1 / power)
            assert abs(miss) < FAR * values[f"{name}_error"]


def test_a_curator_with_the_wrong_prior_is_noticed() -> None:
    """Power: reading with 0.3 what was made for 0.1 errs a fifth more, some 30 standard errors."""
    prior, goals = np.array([0.9, 0.1]), work.BITS[:, None]
    mechanism = InformedResponse(2, prior, 2.0, "sum")
    held = (np.random.default_rng(1).random(50_000) < 0.1).astype(np.int64)
    expected = math.sqrt(channel_loss(prior, mechanism.channel().probabilities, work.BITS))
    for told, fits in ((prior, True), (np.array([0.7, 0.3]), False)):
        reader = Reader(mechanism, told, goals)
        seen, error = reader.person(reader.joint(held, SeededEntropy(2)))
        assert (abs(seen - expected) < FAR * error) is fits


def test_the_errors_of_a_joint_count_by_hand() -> None:
    """Three people, one of whom holds 1; both other reports say 0."""
    reader = Reader(RandomizedResponse(2, math.log(3)), np.array([0.5, 0.5]), work.BITS[:, None])
    joint = np.array([[2.0, 0.0], [1.0, 0.0]])
    assert reader.guesses[:, 0] == pytest.approx([0.25, 0.75], abs=1e-12)
    squares = np.array([0.0625, 0.0625, 0.5625])
    assert reader.person(joint)[0] == pytest.approx(math.sqrt(squares.mean()), rel=1e-12)
    assert reader.person(joint)[1] == pytest.approx(squares.std() / math.sqrt(3) / 2 / math.sqrt(squares.mean()))
    assert reader.total_miss(joint) == pytest.approx((1 - 0.75) ** 2 / 3, rel=1e-12)


def test_losses_of_people_are_averaged_before_the_root() -> None:
    people = [losses(work.bits(p), 1.0, work.BITS) for p in (0.1, 0.5)]
    both = rooted(people)
    assert both["lip"] == pytest.approx(math.sqrt((0.2813154587**2 + people[1]["lip"]) / 2), rel=1e-9)
    assert both["feasible"] == 0.5
    assert both["leak"] == pytest.approx(math.log((1 - 0.9 / math.e) / 0.1), rel=1e-12)
    assert people[0]["no_report"] == pytest.approx(0.09, rel=1e-12)


def test_tasks_repeat_themselves_and_a_seed_changes_what_is_drawn() -> None:
    first, again, other = (work.personal(seed, 10, 1.0, 50) for seed in (5, 5, 6))
    assert first == again
    assert first[0]["lip"] == other[0]["lip"]
    assert first[0]["lip_drawn"] != other[0]["lip_drawn"]
    assert work.standin(5, "pages", 2.0, 1) == work.standin(5, "pages", 2.0, 1)


def test_the_bound_of_the_curator_is_of_the_same_people(tables: dict[str, Table]) -> None:
    priors = np.random.default_rng([work.DATASETS, 10]).random(10)
    row = next(row for row in tables["personal"] if row["users"] == 10)
    assert row["central_bound"] == pytest.approx(math.sqrt(central_bound(priors.tolist(), 1.0) / 10), rel=1e-12)


def test_the_stand_ins_have_the_published_shape() -> None:
    held, prior, _ = work.popular_pages()
    assert len(held) == 41_270
    assert 0 < held.sum() < 100
    assert prior[1] == held.mean()
    held, prior, goals = work.check_ins()
    assert len(held) == 6_442_892
    assert len(prior) == len(goals) == 400
    assert np.count_nonzero(prior) == 100
    assert prior.sum() == pytest.approx(1, abs=1e-12)


def test_a_quick_run_does_the_same_in_less() -> None:
    full, quick = jiang2018.tasks(False), jiang2018.tasks(True)
    assert {task.table for task in full} == {task.table for task in quick}
    assert {task.run for task in full} == {task.run for task in quick}
    assert len({task.key for task in full}) == len(full) > len(quick)
