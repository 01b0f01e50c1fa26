"""``dn.regress`` against the verified values of the mathematics (regression.md 10) and against enumeration.

The values were computed there by two independent programs and, where the packages are right, agree with R's rr, RRreg
and GLMMRR. The two real data sets are under the GPL: these tests are skipped where the files are not there.
"""

from __future__ import annotations

import csv
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from tests.cases import each
from tests.estimation.models.made_up_people import couples, odds, people, voters

import deniable as dn
from deniable.estimation.models.fit import Fit
from deniable.estimation.models.likelihood_fit import LikelihoodFit
from deniable.protocol.errors import DenialError, ParameterError, ReportError
from deniable.protocol.say import language

DATA = next((above / "shared" / "data" for above in Path(__file__).parents if (above / "shared").is_dir()), Path())
FINE: Any = {"rel": 0, "abs": 1e-6}


WARNER = odds(["no", "yes"], 3)
PEOPLE = people()
OPEN = {"female": PEOPLE[:, 1], "age": (PEOPLE[:, 2] - 45) / 10, "joined": PEOPLE[:, 5], "score": PEOPLE[:, 6]}
COLUMNS = ["female", "age"]
LATE = {"late": (WARNER, PEOPLE[:, 4].astype(int))}
VOTERS = voters()
VOTES = {"vote": (odds(["a", "b", "c"], 5), VOTERS[:, 3].astype(int))}
VOTED = {"female": VOTERS[:, 0], "age": (VOTERS[:, 1] - 45) / 10}


def fit(model: str = "logit", outcome: str = "late", names: list[str] = COLUMNS, **more: Any) -> Any:
    """Of the made-up people."""
    return dn.regress((outcome, names), OPEN, LATE, model=model, **more)


@pytest.fixture(scope="module")
def logit() -> LikelihoodFit:
    found = fit()
    assert isinstance(found, LikelihoodFit)
    return found


# --- verified values -------------------------------------------------------------------------------------------------


def test_the_made_up_people_are_those_of_the_mathematics() -> None:
    assert PEOPLE[0].tolist() == [0, 0, 35, 0, 0, 0, 1.748]
    assert PEOPLE[:, 1:].mean(axis=0).round(5).tolist() == [0.485, 44.12583, 0.32667, 0.4225, 0.4925, 2.19773]


def test_a_logit_and_its_errors(logit: LikelihoodFit) -> None:
    assert logit.names == ("(constant)", "female", "age")
    assert logit.coefficients == pytest.approx([-1.0713336418, 0.8307207488, 0.4052831790], **FINE)
    assert logit.log_likelihood == pytest.approx(-803.299340184, abs=1e-8)
    known: dict[Any, Any] = {
        "observed": [0.219157539, 0.284634899, 0.098835072], "expected": [0.215569948, 0.279726004, 0.101028591],
        "scores": [0.214794302, 0.278642780, 0.101463060], "sandwich": [0.223710481, 0.291591997, 0.096899606],
    }  # fmt: skip
    found: dict[Any, Any] = {kind: np.sqrt(np.diag(logit.covariance(kind))) for kind in known}
    assert found == {kind: pytest.approx(errors, **FINE) for kind, errors in known.items()}
    assert logit.stderr.tolist() == found["observed"].tolist()


def test_intervals_are_by_the_score_and_say_so(logit: LikelihoodFit) -> None:
    assert logit.methods == ("score",) * 3
    assert logit.interval()[1] == pytest.approx([0.28732380, 1.44456427], **FINE)
    assert logit.interval(method="profile")[1] == pytest.approx([0.29247065, 1.42468497], **FINE)
    assert logit.interval(method="wald")[1] == pytest.approx(
        0.8307207488 + 1.959963985 * 0.284634899 * np.array([-1, 1])
    )
    assert logit.odds_ratios()[1] == pytest.approx(np.exp([0.8307207488, 0.28732380, 1.44456427]), rel=1e-6)
    assert logit.p_values[1] == pytest.approx(0.0023477, abs=1e-6)  # of a score test of 9.25580331


def test_tests_against_a_smaller_fit(logit: LikelihoodFit) -> None:
    found = logit.compare(fit(names=["age"]))
    assert (found.terms, found.freedom) == (("female",), 1)
    assert found.likelihood_ratio == pytest.approx(9.35674028, **FINE)
    assert found.score == pytest.approx(9.25580331, **FINE)
    assert "score test has 9.26, p = 0.0023" in found.sentence


def test_effects_in_people(logit: LikelihoodFit) -> None:
    """Errors are for people who are drawn, by enumeration of influences in the mathematics."""
    prevalence: Any = logit.prevalence
    assert (prevalence.value, prevalence.stderr) == (
        pytest.approx(0.347214632, **FINE),
        pytest.approx(0.028272511, **FINE),
    )
    found = logit.marginal_effects()
    told = {name: [each.value, each.stderr] for name, each in zip(found.keys["term"], found.quantities, strict=True)}
    assert told["female"] == pytest.approx([0.172851137, 0.057221293], **FINE)
    assert told["age"] == pytest.approx([0.082573318, 0.016882276], **FINE)


def test_the_price_of_protection_is_said(logit: LikelihoodFit) -> None:
    assert logit.design_effects == pytest.approx([5.137593, 4.704275, 4.906456], **FINE)
    assert "These 1,200 protected answers tell as much of female as 255 open ones." in logit.sentences
    german = [language("de")(statement) for statement in logit.statements]
    assert "Diese 1.200 geschützten Antworten sagen über female so viel wie 255 offene." in german
    assert "the odds of “yes” are 1.3 to 4.3 times as high where female is 1 rather than 0" in logit.summary()


def test_other_links() -> None:
    assert fit("probit").coefficients == pytest.approx([-0.6491106141, 0.4953481661, 0.2471631375], **FINE)
    identity = fit("identity")
    assert identity.coefficients == pytest.approx([0.27383407, 0.16261553, 0.08811367], **FINE)
    assert identity.stderr == pytest.approx([0.03913931, 0.05656322, 0.01925834], **FINE)
    assert identity.methods == ("wald, HC3",) * 3
    assert any("points" not in line and "more of 100 people answer “yes”" in line for line in identity.sentences)


def test_weights_strata_and_clusters() -> None:
    village = PEOPLE[:, 0].astype(int)
    found = fit(weights=1 + np.arange(1200) % 3, strata=village % 4, clusters=village)
    assert found.coefficients == pytest.approx([-1.240792212, 0.979928687, 0.456902872], **FINE)
    assert found.stderr == pytest.approx([0.233978528, 0.309742190, 0.148760232], **FINE)
    assert (set(found.methods), found.freedom) == ({"wald, sandwich"}, 36)
    with pytest.raises(ParameterError, match='method must be "wald" with weights'):
        found.interval(method="score")
    with pytest.raises(ParameterError, match="every stratum must have two clusters or more, got 1 with a single one"):
        fit(strata=(village == 3).astype(int), clusters=village)


def test_labels_without_an_order_and_with_one() -> None:
    found = dn.regress(("vote", COLUMNS), VOTED, VOTES, model="multinomial")
    known = [0.281612927, 0.778129431, -0.163286295, -0.435502092, -0.504414782, 0.479922773]
    assert found.coefficients == pytest.approx(known, **FINE)
    assert (found.names[0], set(found.methods)) == ("b: (constant)", {"profile"})
    ordinal = dn.regress(("vote", COLUMNS), VOTED, VOTES, model="ordinal")
    assert dict(zip(ordinal.names, ordinal.coefficients.tolist(), strict=True)) == {
        "female": pytest.approx(0.030705262, **FINE), "age": pytest.approx(0.185528709, **FINE),
        "a | b": pytest.approx(-1.069325192, **FINE), "b | c": pytest.approx(1.481039668, **FINE),
    }  # fmt: skip


def test_a_private_covariate_of_an_open_outcome() -> None:
    """Its own model and the outcome's are fitted together; corrected least squares need no model of it."""
    joined = fit(outcome="joined", names=["female", "age", "late"], event=1)
    known = [-0.642207338, 0.604001995, -0.050384085, 0.918077889, -1.076675925, 0.829638656, 0.411705471]
    assert joined.coefficients == pytest.approx(known, **FINE)
    assert joined.stderr[3] == pytest.approx(0.295143142, **FINE)
    assert joined.names[3:5] == ("late[yes]", "yes: (constant)")
    normal = fit("normal", "score", ["female", "age", "late"])
    assert normal.coefficients[3] == pytest.approx(1.079786209, **FINE)
    corrected = fit("identity", "score", ["female", "age", "late"])
    assert corrected.coefficients[3] == pytest.approx(1.071487409, **FINE)
    assert corrected.stderr[3] == pytest.approx(0.292958018, **FINE)


def test_two_private_items() -> None:
    rows = couples()
    private = {"z": (WARNER, rows[:, 3].astype(int)), "y": (WARNER, rows[:, 4].astype(int))}
    found = dn.regress(("y", ["x", "z"]), {"x": rows[:, 0]}, private)
    known = {"(constant)": -0.928906691, "x": 0.621794254, "z[yes]": 1.689023488, "yes: (constant)": -0.351853051,
             "yes: x": 0.966193875}  # fmt: skip
    assert dict(zip(found.names, found.coefficients.tolist(), strict=True)) == pytest.approx(known, **FINE)


def test_one_survey_of_randomized_and_direct_questions() -> None:
    """GLMMRR's data on plagiarism: crosswise reports and answers to a direct question enter one likelihood."""
    rows = _rows("plagiarism.csv", ("response", "Gender", "RR"))
    crosswise = dn.Channel(["no", "yes"], [[Fraction(1, 4), Fraction(3, 4)], [Fraction(3, 4), Fraction(1, 4)]])
    reports = [int(each["response"]) if each["RR"] == "1" else None for each in rows]
    answers = [("no", "yes")[int(each["response"])] if each["RR"] == "0" else None for each in rows]
    assert len(rows) == 806
    found = dn.regress(
        "did ~ sex", {"sex": [int(each["Gender"]) for each in rows]}, {"did": [(crosswise, reports), (None, answers)]}
    )
    theta = _by_hand(rows)
    assert found.coefficients == pytest.approx(theta, abs=1e-6)


def _by_hand(rows: list[dict[str, str]]) -> Any:
    """The same likelihood, maximized by a general method."""
    from scipy import optimize, special

    x = np.array([[1.0, float(each["Gender"])] for each in rows])
    said, asked = (np.array([float(each[name]) for each in rows]) for name in ("response", "RR"))

    def loss(b: Any) -> float:
        p = special.expit(x @ b)
        m = np.where(asked == 1, 0.75 - 0.5 * p, p)
        return -float(np.log(np.where(said == 1, m, 1 - m)).sum())

    return optimize.minimize(loss, [-1.0, 0.0], method="BFGS", options={"gtol": 1e-9}).x


def test_nigeria_as_rr_has_it() -> None:
    """Rr 1.4.2 and RRreg's RRlog: forced response, odds 5:1, 2,423 people."""
    names = ["cov.asset.index", "cov.married", "cov.age", "cov.education", "cov.female"]
    rows = _rows("nigeria.csv", ("rr.q1", *names))
    values = {name.removeprefix("cov.").replace(".", "_"): [float(each[name]) for each in rows] for name in names}
    values["age"] = [age / 10 for age in values["age"]]
    private = {"q1": (odds(["no", "yes"], 5), [int(each["rr.q1"]) for each in rows])}
    found = dn.regress("q1 ~ asset_index + married + age + I(age**2) + education + female", values, private)
    assert found.n == 2423
    known = [-0.340167, 0.078962, -0.267425, -0.352828, 0.040993, -0.006908, -0.554394]
    assert found.coefficients == pytest.approx(known, abs=1e-5)
    errors = [0.492918, 0.040422, 0.241367, 0.263681, 0.027130, 0.044661, 0.162683]
    assert found.stderr == pytest.approx(errors, abs=1e-5)


def _rows(name: str, complete: tuple[str, ...]) -> list[dict[str, str]]:
    """The rows of a file in which nothing is missing."""
    if not (DATA / name).is_file():
        pytest.skip("this file is under the GPL and not part of the project")
    with (DATA / name).open(encoding="utf-8", newline="") as page:
        return [row for row in csv.DictReader(page) if all(row[each] not in ("NA", "") for each in complete)]


@each("model", ["logit", "probit", "multinomial", "ordinal"])
def test_the_score_is_zero_at_the_maximum_by_differences(model: str) -> None:
    private, frame = (LATE, OPEN) if model in ("logit", "probit") else (VOTES, VOTED)
    found: Any = dn.regress((next(iter(private)), COLUMNS), frame, private, model=model)
    surface, theta, step = found.surface, found.top.theta, 1e-4
    slopes = [
        (surface.slopes(theta + step * d).log_likelihood - surface.slopes(theta - step * d).log_likelihood) / (2 * step)
        for d in np.eye(len(theta))
    ]
    assert np.abs(slopes).max() < 1e-4
    away = theta + 0.1
    by_hand = [
        (surface.slopes(away + step * d).log_likelihood - surface.slopes(away - step * d).log_likelihood) / (2 * step)
        for d in np.eye(len(theta))
    ]
    assert surface.slopes(away).slopes == pytest.approx(by_hand, rel=1e-5, abs=1e-4)


# --- shapes that break -----------------------------------------------------------------------------------------------


def test_an_estimate_at_infinity_is_said_with_its_one_sided_interval() -> None:
    """Yes 20 of 100 and 50 of 100 at odds 3:1: fewer yes than chance alone sends (regression.md 3)."""
    x = np.repeat([0.0, 1.0], 100)
    reports = np.repeat([1, 0, 1, 0], [20, 80, 50, 50])
    found: Any = dn.regress(("late", ["x"]), {"x": x}, {"late": (WARNER, reports)})
    assert np.isposinf(found.coefficients[1])
    assert np.isinf(found.stderr).all()
    low, high = found.interval(method="profile")[1]
    assert (low, high) == (pytest.approx(2.011897411, abs=1e-6), math.inf)
    assert found.interval()[1][1] == math.inf
    assert any("There is no finite estimate of (constant) and x" in str(note) for note in found.table().notes)
    assert any("at least" in line for line in found.sentences)


def test_two_maxima_are_said() -> None:
    """A no at x = 8, two yes and a no at x = 1, without a constant (regression.md 3)."""
    frame = {"x": [8.0, 1.0, 1.0, 1.0]}
    found: Any = dn.regress("late ~ 0 + x", frame, {"late": (WARNER, [0, 1, 1, 0])})
    assert found.coefficients == pytest.approx([-0.346562991], abs=1e-8)
    assert found.log_likelihood == pytest.approx(-2.504206553, abs=1e-8)
    assert any("two maxima" in note for note in found.table().notes)


def test_calibration_finds_a_fit_that_is_bent_otherwise(logit: LikelihoodFit) -> None:
    found = logit.calibration()
    assert sum(found.keys["people"]) == pytest.approx(1200)
    assert found.about["p"] > 1e-3
    rng = np.random.default_rng(4)
    x = rng.uniform(-3, 3, 20_000)
    truth = np.where(rng.random(20_000) < 0.1 + 0.08 * x**2, "yes", "no").tolist()
    bent: Any = dn.regress(("late", ["x"]), {"x": x}, {"late": (WARNER, WARNER.privatize_many(truth, seed=1))})
    assert bent.calibration().about["p"] < 1e-9


def test_predictions_are_made_of_new_people_with_known_levels() -> None:
    frame = {"ward": ["a", "b", "c"] * 400, "age": OPEN["age"]}
    found: Any = dn.regress("late ~ ward + age", frame, LATE)
    told = found.predict({"ward": ["a", "b"], "age": [0.0, 1.0]})
    assert told.keys == {"ward": ["a", "b"], "age": [0.0, 1.0]}
    assert all(0 <= low < each.value < high <= 1 for each in told.quantities for low, high in [each.interval()])
    with pytest.raises(ParameterError, match="'ward' must have the levels of the fit, got 1 rows with others"):
        found.predict({"ward": ["a", "z"], "age": [0.0, 1.0]})
    effects = found.marginal_effects()
    assert effects.keys["change"] == ["b for a", "c for a", "1 more"]
    with pytest.raises(ParameterError, match="got one that does not, or lacks values"):
        found.predict({"ward": ["a"], "age": [np.nan]})


def test_labels_in_an_order_have_shares_and_effects_too() -> None:
    """Without columns the shares are those of the likelihood; effects of all labels add up to nothing."""
    alone: Any = dn.regress(("vote", []), VOTED, VOTES, model="ordinal")
    m, reports = VOTES["vote"]
    known = m.estimate(reports, decoder="likelihood").frequencies
    assert [each.value for each in alone.prevalence.values()] == pytest.approx(known.tolist(), abs=1e-9)
    found: Any = dn.regress("vote ~ female + age", VOTED, VOTES, model="ordinal")
    effects = found.marginal_effects()
    assert effects.keys["label"] == ["a", "b", "c"] * 2
    assert sum(each.value for each in effects.quantities[:3]) == pytest.approx(0, abs=1e-12)
    assert [each.value for each in found.predict({"female": [1.0], "age": [0.0]}).quantities] == pytest.approx(
        found._shares(found._scaled(np.array([[1.0, 1.0, 0.0]])))[0][0].tolist()
    )


def test_what_cannot_be_compared_is_refused(logit: LikelihoodFit) -> None:
    for other in (logit, fit("identity", names=["age"]), fit(names=["age"], weights=1 + np.arange(1200) % 3)):
        with pytest.raises(ParameterError, match=r"smaller must be|fits to compare"):
            (other if isinstance(other, LikelihoodFit) and other is not logit else logit).compare(other)


def test_yes_and_no_are_columns_of_numbers() -> None:
    flags, wanted = PEOPLE[:, 1] == 1, fit(names=["female"]).coefficients.tolist()
    for column in (flags, flags.tolist(), pa.array(flags), pa.chunked_array([PEOPLE[:, 1].astype(np.int32)])):
        assert dn.regress(("late", ["female"]), {"female": column}, LATE).coefficients.tolist() == wanted


# --- what is refused -------------------------------------------------------------------------------------------------

REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "no private item": ({"private": {}}, 'private must be a dict such as .*, got none'),
    "no dict": ({"private": (1, 2)}, "private must be a dict such as .*, got tuple"),
    "an unknown column": ({"formula": ("late", ["agee"])}, "columns of the table, got 'agee'; did you mean age?"),
    "an unknown outcome": ({"formula": ("lat", ["age"])}, "the outcome must be a private item or a column, got 'lat'"),
    "an unknown model": ({"model": "cloglog"}, "model must be one of logit"),
    "an unknown event": ({"event": "maybe"}, "event must be one of the labels, got event='maybe'"),
    "an event in capitals": ({"event": "Yes"}, "got event='Yes'; did you mean yes?"),
    "a pair the wrong way round": ({"private": {"late": LATE["late"][::-1]}}, "got the mechanism second"),
    "a name twice": ({"frame": {**OPEN, "late": OPEN["age"]}}, "got 'late' as both"),
    "too few reports": ({"private": {"late": (WARNER, [0, 1])}}, "a value for each of 1200 rows, got 2 values"),
    "columns that follow": ({"formula": ("late", ["age", "b"]), "frame": {**OPEN, "b": 2 * OPEN["age"] + 1}}, "got b"),
    "a second constant": ({"formula": ("late", ["age", "one"]), "frame": {**OPEN, "one": np.ones(1200)}}, "got one"),
    "something infinite": ({"frame": {**OPEN, "age": np.where(np.arange(1200) < 3, np.inf, 1)}}, "got 3 of 1200 rows"),
    "weights of nothing": ({"weights": np.zeros(1200)}, "weights must be finite numbers above 0"),
    "words for numbers": ({"frame": {**OPEN, "age": ["x"] * 1200}}, "a column must hold numbers"),
    "a mean of words": ({"model": "mean"}, "labels of 'late' must be numbers"),
    "an event of none": ({"model": "multinomial", "event": "yes"}, "event must be left out"),
    "nothing private": ({"formula": ("joined", ["age"])}, "a formula must name a private item"),
}  # fmt: skip


@each("why", REFUSED)
def test_bad_input_gets_one_error(why: str) -> None:
    changed, told = REFUSED[why]
    given: dict[str, Any] = {"formula": ("late", COLUMNS), "frame": OPEN, "private": LATE, **changed}
    with pytest.raises(DenialError, match=told.replace("?", r"\?")):
        dn.regress(**given)


def test_reports_of_nobody_are_counted_and_never_shown() -> None:
    with pytest.raises(ReportError) as refusal:
        dn.regress(("late", COLUMNS), OPEN, {"late": (WARNER, [7] * 3 + [0] * 1197)})
    assert "3 of 1200" in str(refusal.value)
    assert "7" not in str(refusal.value)


def test_missing_rows_are_dropped_with_their_reports_when_asked() -> None:
    """A column of floats with gaps, as pandas makes of whole numbers, is read as whole numbers."""
    gaps = np.where(np.arange(1200) % 100 == 0, np.nan, PEOPLE[:, 4])
    frame = {**OPEN, "age": np.where(np.arange(1200) % 60 == 0, np.nan, OPEN["age"])}
    with pytest.raises(ParameterError, match="got 28 of 1200 rows with something missing"):
        dn.regress(("late", COLUMNS), frame, {"late": (WARNER, gaps)})
    found = dn.regress(("late", COLUMNS), frame, {"late": (WARNER, gaps)}, missing="drop")
    kept = np.isfinite(gaps) & np.isfinite(frame["age"])
    alone = dn.regress(
        ("late", COLUMNS), {name: frame[name][kept] for name in COLUMNS}, {"late": (WARNER, gaps[kept].astype(int))}
    )
    assert found.n == kept.sum() == 1172
    assert found.coefficients == pytest.approx(alone.coefficients, abs=1e-9)
    assert "28 rows with something missing were left out." in found.table().notes


def test_small_patterns_are_noted_by_number_alone() -> None:
    frame = {**OPEN, "age": np.where(np.arange(1200) < 2, 7.25, OPEN["age"].round())}
    found = dn.regress(("late", COLUMNS), frame, LATE)
    assert any("fewer than 5 people" in note for note in found.table().notes)
    assert "7.25" not in str(found)


def test_a_matrix_and_every_format() -> None:
    matrix = np.column_stack([OPEN["female"], OPEN["age"]])
    found: Fit = dn.regress("late", matrix, LATE)
    assert found.names == ("(constant)", "x1", "x2")
    assert found.coefficients == pytest.approx([-1.0713336418, 0.8307207488, 0.4052831790], **FINE)
    rows = list(csv.DictReader(found.to_csv().splitlines()))
    assert list(rows[0]) == [
        "term", "estimate", "stderr", "low", "high", "odds_ratio", "or_low", "or_high", "p", "method", "design_effect",
    ]  # fmt: skip
    assert found.to_pandas()["term"].tolist() == ["(constant)", "x1", "x2"]
    assert '"labels": ["no", "yes"]' in found.to_json()
