"""kairouz2016 again: decoders against exact risks, the search of Fig. 3, and verdicts that can say no.

Comparisons with exact values are z-scores with a false-alarm rate of 1e-8; there are fewer than twenty.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import stats

from deniable.estimation.shown_figure import picture_bytes
from deniable.mechanisms.hashed.hashed_response import HashedResponse
from deniable.mechanisms.plain.randomized_response import RandomizedResponse
from deniable.mechanisms.plain.unary import Rappor
from deniable.theory import truths
from deniable.theory.risk import support
from studies.kairouz2016 import cohorts
from studies.kairouz2016.checks import (
    BASELINES,
    LEVELS,
    MEDIANS,
    NOISY,
    SAID,
    SUBSET,
    SYMBOLS,
    checks,
    decoded,
    dueled,
    duels,
)
from studies.kairouz2016.decoders import (
    DECODERS,
    DIRICHLET,
    DISTANCES,
    GEOMETRIC,
    PAPER,
    POPULATION,
    TRUTHS,
    crossings,
    decoding,
    losses_of,
    whole_reports,
)
from studies.kairouz2016.remarks import remarks
from studies.kairouz2016.study import STUDY
from studies.study import Row, Tables
from studies.verdicts import Verdict

LIMIT = float(stats.norm.isf(0.5e-8))
PANELS = {"gains": 2, "contest": 4, "metric": 4, "distributions": 8, "alphabets": 2, "sizes": 2, "sweeps": 2}
"""What each picture has, of tables where only cohorts are swept."""
GRID = {"symbols": [2, 16], "cohorts": [1, 64]}


def scores(family: Callable[[int, float], RandomizedResponse | Rappor], epsilon: float) -> list[float]:
    """How many standard errors the unbiased decoder is from the exact risks at epsilon 1, in each distance."""
    p = truths.geometric_of_mean(16, 16 / 5)
    seen = losses_of(family(16, epsilon), TRUTHS[GEOMETRIC], 1000, 1, 400)[:, DECODERS.index("unbiased")]
    m = family(16, 1.0)
    exact = [m.risk(1000, "l1", p, "sample"), m.risk(1000, "l2", p, "sample"), m.risk(1000, "l1", p)]
    return [float(z) for z in (seen.mean(axis=0) - exact) / (seen.std(axis=0, ddof=1) / 20)]


@pytest.mark.parametrize("family", [RandomizedResponse, Rappor])
def test_surveys_err_as_theory_says_and_another_level_is_told_apart(family: Any) -> None:
    assert np.abs(scores(family, 1.0)).max() < LIMIT
    assert np.abs(scores(family, 1.2)).min() > LIMIT


def test_distances_are_from_the_sample_and_beside_it_from_the_distribution() -> None:
    """Told almost openly, the sample is known, and the distribution as well as a sample tells it."""
    seen = losses_of(RandomizedResponse(64, 30.0), TRUTHS[GEOMETRIC], 100, 1, 50).mean(axis=0)
    told = support.Support(1.0, 0.0, 1.0, 0.0)
    exact = support.l1_population(told, 100, truths.geometric_of_mean(64, 64 / 5))
    sample, squared, population = (DISTANCES.index(d) for d in (PAPER, {**PAPER, "loss": "l2"}, POPULATION))
    assert np.abs(seen[:, [sample, squared]]).max() < 1e-9
    assert seen[:, population] == pytest.approx(np.full(len(DECODERS), exact), rel=0.1)


def test_rows_of_decoders_hold_paired_gains() -> None:
    first = decoding(3, "Zipf 3", 1000, 32, [1.0], 30)[0]
    losses = losses_of(RandomizedResponse(32, 1.0), TRUTHS["Zipf 3"], 1000, 3, 30)[:, :, 0]
    normalized, projected, likelihood = (losses[:, DECODERS.index(name)] for name in DECODERS[1:])
    second = min((normalized, likelihood), key=lambda values: float(values.mean()))
    assert first["projected_gain"] == pytest.approx((projected - second).mean())
    assert first["projected_gain_error"] == pytest.approx((projected - second).std(ddof=1) / math.sqrt(30))
    assert first["best"] == "projected"


def test_a_dirichlet_truth_is_drawn_for_every_survey_and_a_seed_repeats_it() -> None:
    rows = [decoding(seed, DIRICHLET, 100, 8, [1.0, 3.0], 5) for seed in (1, 1, 2)]
    assert rows[0] == rows[1]
    assert rows[0] != rows[2]
    assert [(row["epsilon"], row["mechanism"]) for row in rows[0]] == [
        (epsilon, name) for epsilon in (1.0, 3.0) for name in ("k-RR", "k-RAPPOR") for _ in DISTANCES
    ]


def test_k_rr_overtakes_where_the_risks_are_equal() -> None:
    for row in crossings(0, 64):
        d, level = int(str(row["labels"])), float(str(row["epsilon"]))
        risks = [family(d, level).risk(1000) for family in (RandomizedResponse, Rappor)]
        assert risks[0] == pytest.approx(risks[1], rel=1e-9)
        assert level < math.log(d / 2)
        sample = [family(d, level).risk(1000, target="sample") for family in (RandomizedResponse, Rappor)]
        assert sample[0] == pytest.approx(sample[1], rel=1e-9)
        assert 0 < float(str(row["largest_sample_ratio_beyond_log"])) < float(str(row["largest_ratio_beyond_log"]))


def test_whole_reports_say_more_than_counts() -> None:
    [row] = whole_reports(1, 16, 5.0, 3000, 80)
    assert float(str(row["gain"])) < -LIMIT * float(str(row["gain_error"]))


def test_the_exact_baselines() -> None:
    assert [round(float(str(row["l1"])), 4) for row in cohorts.baselines(0)] == [0.0603, 0.9729]


class Staged:
    """Surveys whose distances tell their stage: the first flatters one point, the next ones another."""

    def distance(self, mechanism: HashedResponse, seed: int) -> float:
        """A low first survey at 16 symbols, low trials at 64 cohorts, and 5 in all fresh ones."""
        if seed == 0:
            return 1.0 if mechanism.symbols == 16 else 2.0
        return 5.0 if seed >= cohorts.FRESH else 1.0 / mechanism.cohorts


def test_only_fresh_surveys_of_the_point_that_was_chosen_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cohorts, "assumed", lambda _labels, _people: Staged())
    [row, *swept] = cohorts.searched(0, "O-RR", "open", 1.0, GRID, ((3, 8),), 4, 3)
    assert (row["symbols"], row["cohorts"], row["l1"], row["error"], row["repeats"]) == (16, 64, 5.0, 0.0, 4)
    assert row["chosen_by"] == 1 / 64
    assert [(each["given"], each["symbols"], each["cohorts"]) for each in swept] == [
        ("symbols", 2, 64), ("symbols", 16, 64), ("cohorts", 16, 1), ("cohorts", 16, 64),
    ]  # fmt: skip


class Crowded:
    """Fresh surveys that are worse by a twentieth with one cohort, and luckier or not for both."""

    def distance(self, mechanism: HashedResponse, seed: int) -> float:
        """As many symbols as there are is best."""
        return (1.05 if mechanism.cohorts == 1 else 1.0) * (1 + (seed % 5) / 10) / mechanism.symbols


def test_one_cohort_is_held_against_several_over_the_same_people(monkeypatch: pytest.MonkeyPatch) -> None:
    """What both surveys of a pair share is no error of the difference."""
    monkeypatch.setattr(cohorts, "assumed", lambda _labels, _people: Crowded())
    [row] = cohorts.alone(0, "O-RR", 1.0, GRID, ((3, 8),), 20)
    assert (row["symbols"], row["cohorts"], row["other_symbols"], row["other_cohorts"]) == (16, 1, 16, 64)
    assert row["excess"] == pytest.approx(0.05)
    assert float(str(row["excess_error"])) < 0.1 * float(str(row["error"])) / float(str(row["l1"]))
    assert row["repeats"] == 20


def test_other_sizes_have_all_mechanisms_and_their_own_baselines() -> None:
    rows = cohorts.resized(1, 5000, 16, 3.0, {"symbols": [4, 16], "cohorts": [1, 16]}, ((2, 2),), 4)
    assert {(row["people"], row["labels"]) for row in rows} == {(5000, 16)}
    found = {(row.get("alphabet"), row["mechanism"]): float(str(row["l1"])) for row in rows}
    assert len(found) == len(rows) == 3 + 3 + 2
    told, guess = found[None, "non-private"], found[None, "uniform guess"]
    assert all(told < l1 < guess for key, l1 in found.items() if key[0])


def test_a_search_repeats_and_finds_the_cohorts_that_it_needs() -> None:
    first, again = (cohorts.searched(5, "O-RR", "closed", 3.0, GRID, ((3, 8),), 4, 0) for _ in range(2))
    assert first == again
    assert (first[0]["symbols"], first[0]["cohorts"]) == (16, 64)


def test_mechanisms_without_cohorts_are_where_fig_3_has_them() -> None:
    found = {str(row["mechanism"]): row for row in cohorts.plain(1, 8.0, 60)}
    for name, row in found.items():
        assert row["l1"] == pytest.approx((MEDIANS | SUBSET)["closed", name][3], rel=0.05)


def test_what_an_earlier_run_found() -> None:
    assert [len(values) for values in (MEDIANS | SUBSET).values()] == [len(LEVELS)] * 6
    assert MEDIANS["open", "O-RR"] == (0.942, 0.413, 0.187, 0.085)
    assert SUBSET["closed", "k-subset"][1] == 0.407
    assert SYMBOLS["closed"] == (8, 16, 128, 256)
    assert NOISY == {"normalized": 1.256, "projected": 1.706}


def decoders() -> list[Row]:
    """Projected and normalized as good as each other; k-RR better, and the less so the more people there are."""
    return [
        {
            "truth": truth, "people": people, "labels": labels, "epsilon": epsilon, "mechanism": mechanism, **distance,
            **dict.fromkeys(DECODERS, 1.0), **NOISY, "error": 0.001,
            "best": "normalized" if mechanism == "k-RR" else "likelihood",
            "likelihood": 1.356 + 100 / people,
            **{f"{name}_gain{end}": 0.0 for name in ("projected", "normalized") for end in ("", "_error")},
        }
        for truth in TRUTHS for people in (100, 30_000) for labels in (4, 256) for epsilon in LEVELS
        for mechanism in ("k-RR", "k-RAPPOR") for distance in DISTANCES
    ]  # fmt: skip


def points() -> list[Row]:
    """Fig. 3 as an earlier run had it."""
    medians = {
        **MEDIANS,
        **SUBSET,
        ("open", "O-RAPPOR"): (0.942, 0.463, 0.285, 0.157),
        ("closed", "O-RAPPOR"): MEDIANS["closed", "k-RAPPOR"],
    }
    found: list[Row] = []
    for (alphabet, mechanism), values in medians.items():
        for place, (epsilon, l1) in enumerate(zip(LEVELS, values, strict=True)):
            case: Row = {"alphabet": alphabet, "mechanism": mechanism, "epsilon": epsilon, "l1": l1, "error": 0.001}
            case |= {"given": cohorts.NOTHING, "symbols": SYMBOLS[alphabet][place], "cohorts": 64, "hashes": 1}
            found += [case, {**case, "given": "cohorts"}, {**case, "given": "cohorts", "cohorts": 1, "l1": 1.2 * l1}]
    return found


def agreeing() -> dict[str, list[Row]]:
    """Tables in which all is as in an earlier run and every sentence holds."""
    sizes: list[Row] = [
        {"people": 1000, "labels": 64, "alphabet": alphabet, "mechanism": m, "epsilon": e, "l1": l1, "error": 0.01}
        for alphabet, m, l1 in (
            ("open", "O-RR", 0.5), ("open", "O-RAPPOR", 0.6), ("closed", "O-RR", 0.5), ("closed", "k-RR", 0.51),
            ("closed", "k-RAPPOR", 0.8), ("", "non-private", 0.1), ("", "uniform guess", 1.0),
        )
        for e in LEVELS
    ]  # fmt: skip
    tables: dict[str, list[Row]] = {
        "decoders": decoders(),
        "figure_3": points(),
        "baselines": [{"what": what, "l1": value} for what, (value, _) in BASELINES.items()],
        "crossings": [{"labels": 8, "largest_ratio_beyond_log": 0.9}],
        "whole_reports": [{"labels": 16, "epsilon": 5, "projected": 0.03, "likelihood": 0.02, "gain": -0.01}],
        "one_cohort": [
            {"mechanism": m, "epsilon": e, "excess": 0.05, "excess_error": 0.01} for m in cohorts.HASHED for e in LEVELS
        ],
        "other_sizes": sizes,
    }
    return {**tables, "figure_2": duels(tables["decoders"])}


def differing(tables: Tables) -> set[str]:
    """What differs."""
    return {check.what for check in checks(tables) if check.verdict is Verdict.DIFFERS}


def test_all_agree_where_everything_is_as_said() -> None:
    found = checks(agreeing())
    assert len(found) == 24 + 8 + 2 + 2 + 17 + 8
    assert {check.what for check in found if check.verdict is not Verdict.AGREES} == set()


@pytest.mark.parametrize(
    ("table", "where", "value", "what"),
    [
        ("figure_3", {"mechanism": "k-RR", "epsilon": 5, "given": cohorts.NOTHING}, {"l1": 0.191}, "k-RR, epsilon 5"),
        ("figure_3", {"mechanism": "O-RR", "alphabet": "open", "epsilon": 3, "given": cohorts.NOTHING}, {"symbols": 64},
         "open O-RR, epsilon 3"),
        ("figure_3", {"mechanism": "O-RAPPOR", "alphabet": "open", "epsilon": 8}, {"hashes": 2},
         "open O-RAPPOR: one hash is best"),
        ("one_cohort", {"mechanism": "O-RR", "epsilon": 1}, {"excess": 0.0, "excess_error": 0.005},
         "open O-RR, epsilon 1"),
        ("figure_3", {"mechanism": "O-RAPPOR", "alphabet": "closed", "epsilon": 1}, {"l1": 1.2},
         "closed: O-RAPPOR and k-RAPPOR are alike"),
        ("baselines", {"what": "non-private"}, {"l1": 0.0604}, "non-private"),
        ("decoders", {"truth": GEOMETRIC, "mechanism": "k-RR", "labels": 4}, {"projected_gain": 0.2},
         "k-RR, geometric: projected is best"),
        ("decoders", {"truth": "Zipf 4", "mechanism": "k-RAPPOR", "people": 100}, {"projected_gain": 0.2},
         "k-RAPPOR, binomial and Zipf: projected is best"),
        ("decoders", {"truth": DIRICHLET, "mechanism": "k-RR"}, {"normalized_gain": 0.2},
         "k-RR, Dirichlet: normalized is best"),
        ("figure_2", {"truth": DIRICHLET, "labels": 4, "epsilon": 3, "people": 30_000}, {"apart": 0.1},
         f"{DIRICHLET}: k-RR is better where k < e^eps"),
        ("figure_2", {"truth": "Zipf 2", "labels": 4, "epsilon": 3, "people": 30_000}, {"apart": 0.0},
         "binomial and Zipf: k-RR is better where k < e^eps"),
        ("figure_2", {"truth": GEOMETRIC, "labels": 256, "epsilon": 8, "people": 30_000}, {"apart": -2.0},
         f"{GEOMETRIC}: its advantage there shrinks as people are more"),
        ("crossings", {}, {"largest_ratio_beyond_log": 1.1}, "k-RR has the smaller l2 risk where eps >= ln k"),
    ],
)  # fmt: skip
def test_a_planted_difference_is_found(table: str, where: Row, value: Row, what: str) -> None:
    tables = agreeing()
    for row in tables[table]:
        if all(row[name] == wanted for name, wanted in where.items()):
            row.update(value)
    assert differing(tables) == {what}


@pytest.mark.parametrize("distance", [d for d in DISTANCES if d != PAPER])
def test_other_distances_decide_nothing(distance: Row) -> None:
    """Figs. 1 and 2 are held against the distance from the sample alone."""
    tables = agreeing()
    for name, value in (("decoders", {"projected_gain": 0.2, "normalized_gain": 0.2}), ("figure_2", {"apart": 0.1})):
        for row in tables[name]:
            row.update(value if all(row[key] == wanted for key, wanted in distance.items()) else {})
    assert differing(tables) == set()


def test_differences_within_errors_cannot_be_told() -> None:
    tables = agreeing()
    for row in tables["decoders"]:
        row.update({"projected_gain": 0.2, "projected_gain_error": 0.051})
    for row in tables["one_cohort"]:
        row.update({"excess": 0.059, "excess_error": 0.03})
    found = checks(tables)
    assert differing(tables) == set()
    assert sum(check.group == SAID for check in found) == 17
    unclear = [check for check in found if check.verdict is Verdict.UNCLEAR]
    assert len(unclear) == 4 + 8
    assert max(check.power for check in unclear) < 0.9


@pytest.mark.parametrize(
    ("apart", "error", "verdict"),
    [(-0.001, 0.0002, "agrees"), (-0.001, 0.0003, "differs"), (-0.05, 0.02, "cannot tell"), (0.05, 0.01, "differs")],
)
def test_better_is_better_by_however_little(apart: float, error: float, verdict: str) -> None:
    """A tie fails where a tenth would have been seen."""
    assert dueled({"apart": apart, "apart_error": error, "rappor": 0.5}).verdict == verdict


@pytest.mark.parametrize(
    ("gain", "error", "verdict"), [(0.0, 0.001, "agrees"), (0.02, 0.001, "differs"), (0.0, 0.2, "cannot tell")]
)
def test_the_best_decoder_may_tie(gain: float, error: float, verdict: str) -> None:
    assert decoded({"projected": 1.0, "projected_gain": gain, "projected_gain_error": error}).verdict == verdict


def test_one_sentence_over_levels_is_one_value() -> None:
    found = [check for check in checks(agreeing()) if check.note.startswith("z = ")]
    assert len(found) == 8
    assert len({check.source for check in found}) == 2


def test_remarks_count_what_the_tables_hold() -> None:
    tables = agreeing()
    for row in tables["decoders"]:
        if row["truth"] == GEOMETRIC and row["mechanism"] == "k-RR" and row["labels"] == 256:
            row.update({"projected_gain": 0.2 if row["target"] == "sample" else 0.0})
    said = " ".join(remarks(tables))
    assert "better in 0 and worse in 4 of 8 cells for k-RR with 30,000 people, better in 0 and worse in 0 of 8" in said
    assert "normalized estimate is 1.256 from the sample and the projected one 1.706" in said
    assert "by 33% at k = 16 and epsilon = 5 (0.0200 against 0.0300)" in said


@pytest.mark.parametrize("picture", STUDY.pictures, ids=lambda picture: picture.name)
def test_pictures_are_drawn(picture: Any) -> None:
    figure = picture.draw(agreeing())
    assert sum(axes.get_visible() for axes in figure.axes) == PANELS[picture.name]
    assert picture_bytes(figure, "png") == picture_bytes(picture.draw(agreeing()), "png")


def test_a_quick_run_does_the_same_work_on_less() -> None:
    whole, quick = STUDY.tasks(False), STUDY.tasks(True)
    assert {task.run for task in whole} == {task.run for task in quick}
    assert {task.table for task in whole} == {task.table for task in quick}
    assert len({task.key for task in whole}) == len(whole) > 2 * len(quick)


@pytest.mark.parametrize("quick", [False, True])
def test_every_sentence_has_cells(quick: bool) -> None:
    """Each truth is surveyed with few people and with many, at labels on both sides of e^epsilon."""
    cases = [task.arguments for task in STUDY.tasks(quick) if task.table == "decoders"]
    for truth in TRUTHS:
        found = [case for case in cases if case["truth"] == truth]
        assert {100, 30_000} <= {case["people"] for case in found}
        beyond = [case["labels"] < math.exp(epsilon) for case in found for epsilon in case["epsilons"]]
        assert set(beyond) == {False, True}
