"""``survey.regress``: every answer beside its person's row, whichever arm, carrier and part it came by."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.cases import each

import deniable as dn
from deniable.protocol.errors import DenialError, ParameterError
from deniable.protocol.surveys.field_value import write_field

N = 3000
RNG = np.random.default_rng(7)
FEMALE = RNG.integers(0, 2, N)
AGE = RNG.integers(20, 70, N)
CHANCE = 1 / (1 + np.exp(1.2 - 0.9 * FEMALE - 0.03 * (AGE - 45)))
HIT = np.where(RNG.random(N) < CHANCE, "yes", "no").tolist()
FRAME: dict[str, Any] = {"female": FEMALE, "age": (AGE - 45) / 10}
QUESTION = dn.OneOf("hit", ["yes", "no"])


def answered(survey: dn.Survey, table: dict[str, Any]) -> list[bytes]:
    """An answer for each row, in its order."""
    rows = [{name: column[row] for name, column in table.items()} for row in range(len(next(iter(table.values()))))]
    return [survey.answer(row, dn.SeededEntropy(seed)) for seed, row in enumerate(rows)]


@pytest.fixture(scope="module")
def survey() -> dn.Survey:
    return dn.Survey.plan("hit", [QUESTION], 2.0, N, carrier="field", owner="Staff council")


@pytest.fixture(scope="module")
def answers(survey: dn.Survey) -> list[bytes]:
    return answered(survey, {"hit": HIT})


def test_bytes_field_values_and_an_export_are_one_fit(survey: dn.Survey, answers: list[bytes]) -> None:
    """It is that of the mechanism and its reports, and the event is "yes", though it is the first label."""
    direct = survey.regress(answers, "hit ~ female + age", FRAME)
    part = survey.arms[0].parts[0]
    reports = np.array([answer[survey.head_bytes] for answer in answers])
    by_hand = dn.regress(("hit", ["female", "age"]), FRAME, {"hit": (part.mechanism, reports)})
    assert direct.coefficients.tolist() == by_hand.coefficients.tolist()
    assert direct.setting.event == "yes"
    assert direct.coefficients == pytest.approx([-1.2, 0.9, 0.3], abs=0.4)
    column = [write_field(survey.digest, seed.to_bytes(8, "big"), each) for seed, each in enumerate(answers)]
    export = pd.DataFrame({**FRAME, "private": column})
    for found in (survey.regress(column, "hit ~ female + age", FRAME), survey.regress(export, "hit ~ female + age"),
                  survey.regress(survey.read_column(column), "hit ~ female + age", FRAME),
                  survey.regress(export, "hit ~ female + age", column="private")):  # fmt: skip
        assert found.coefficients.tolist() == direct.coefficients.tolist()


def test_rows_without_a_report_are_left_out_and_counted(survey: dn.Survey, answers: list[bytes]) -> None:
    gaps: list[bytes | None] = [None if row % 10 == 0 else answer for row, answer in enumerate(answers)]
    found = survey.regress(gaps, "hit ~ female", FRAME)
    assert found.n == N - N // 10
    assert "300 rows with something missing were left out." in found.table().notes


def test_answers_sorted_by_arm_are_refused_with_what_would_do(survey: dn.Survey) -> None:
    with pytest.raises(ParameterError, match=r"must stand in the order of the rows.*sorted by arm"):
        survey.regress(survey.answer_many({"hit": HIT}, seed=1), "hit ~ female", FRAME)


REFUSED: dict[str, tuple[Any, str]] = {
    "no frame": (lambda s, a: s.regress(a, "hit ~ female"), "frame must be given"),
    "no column of reports": (lambda s, a: s.regress(FRAME, "hit ~ female"), "has not one column of reports, got 0"),
    "another name": (lambda s, a: s.regress(FRAME, "hit ~ female", column="x"), "must name the column of reports"),
    "fewer rows": (lambda s, a: s.regress(a[:-1], "hit ~ female", FRAME), "one for each of 3000 rows of the frame"),
    "altered bytes": (lambda s, a: s.regress([b"x", *a[1:]], "hit ~ female", FRAME), "got 1 of 3000 that are not"),
}  # fmt: skip


@each("why", REFUSED)
def test_bad_input_gets_one_error(survey: dn.Survey, answers: list[bytes], why: str) -> None:
    attempt, told = REFUSED[why]
    with pytest.raises(DenialError, match=told):
        attempt(survey, answers)


def test_arms_of_one_question_of_several_enter_one_likelihood() -> None:
    """Each device answers one of two questions: rows of the other arm tell nothing of this one, and are left out."""
    asked = [QUESTION, dn.OneOf("way", ["car", "bus", "foot"])]
    survey = dn.Survey.plan("two", asked, 2.0, N)
    way = np.where(RNG.random(N) < 0.3 + 0.4 * FEMALE, "bus", "car").tolist()
    given = answered(survey, {"hit": HIT, "way": way})
    found: Any = survey.regress(given, "hit ~ female + age", FRAME)
    assert 0 < found.n < N
    assert found.coefficients == pytest.approx([-1.2, 0.9, 0.3], abs=0.7)
    many: Any = survey.regress(given, "way ~ female", FRAME, model="multinomial")
    assert many.names[0] == "bus: (constant)"
    assert many.coefficients[1] == pytest.approx(math.log(7 / 3) - math.log(3 / 7), abs=0.8)


def test_items_that_were_crossed_are_regressed_on_each_other() -> None:
    """Reports of both as one label, and of each alone, in one likelihood (regression.md 7)."""
    late = np.where(RNG.random(N) < np.where(np.array(HIT) == "yes", 0.7, 0.3), "yes", "no").tolist()
    asked = [QUESTION, dn.OneOf("late", ["no", "yes"])]
    survey = dn.Survey.plan("crossed", asked, 4.0, N, cross=[("hit", "late")])
    assert any(len(part.names) == 2 for arm in survey.arms for part in arm.parts)
    found: Any = survey.regress(answered(survey, {"hit": HIT, "late": late}), "late ~ hit + female", FRAME)
    told = dict(zip(found.names, found.coefficients.tolist(), strict=True))
    assert told["hit[yes]"] == pytest.approx(2 * math.log(7 / 3), abs=0.6)
    assert told["yes: female"] == pytest.approx(0.9, abs=0.5)


def test_questions_of_other_kinds_are_refused() -> None:
    asked = [dn.AnyOf("ills", ["flu", "cold"]), dn.Number("minutes", 0, 60, want=("quantiles",))]
    survey = dn.Survey.plan("others", asked, 4.0, N)
    given = answered(survey, {"ills": [["flu"]] * 300, "minutes": [7] * 300})
    frame = {"female": FEMALE[:300]}
    for name in ("ills", "minutes"):
        with pytest.raises(ParameterError, match='must have one answer, or be a number with want "mean"'):
            survey.regress(given, f"{name} ~ female", frame)


def test_the_mean_of_a_number_and_of_a_scale() -> None:
    minutes = np.clip(np.round(20 + 15 * FEMALE + RNG.normal(0, 8, N)), 0, 60).astype(int)
    survey = dn.Survey.plan("minutes", [dn.Number("minutes", 0, 60, want=("mean",))], 2.0, N)
    given = answered(survey, {"minutes": minutes.tolist()})
    found: Any = survey.regress(given, "minutes ~ female", FRAME, model="mean")
    assert found.coefficients == pytest.approx([20, 15], abs=5 * found.stderr.max())
    assert found.stderr.max() < 3
    assert "the mean of “minutes” is higher by" in found.sentences[0]
    bounded: Any = survey.regress(given, "minutes ~ female", FRAME, model="fractional")
    assert bounded.coefficients == pytest.approx([math.log(1 / 2), math.log(35 / 25) - math.log(1 / 2)], abs=0.3)
    with pytest.raises(ParameterError, match='model must be "mean" or "fractional" of the number'):
        survey.regress(given, "minutes ~ female", FRAME)
    pay = dn.Survey.plan("pay", [dn.Scale("pay", ["low", "fair", "high"])], 3.0, N)
    told = np.where(FEMALE == 1, "low", "high").tolist()
    scale: Any = pay.regress(answered(pay, {"pay": told}), "pay ~ female", FRAME, model="mean")
    assert scale.coefficients == pytest.approx([3, -2], abs=0.25)


def test_points_of_a_number_are_unbiased_and_their_thresholds_are_no_noise() -> None:
    """The variance of one report at the middle is that of the mathematics (regression.md 6), and less without it."""
    survey = dn.Survey.plan("x", [dn.Number("x", 0, 100, want=("mean",))], 1.0, N)
    given = answered(survey, {"x": [50] * N})
    found: Any = survey.regress(given, ("x", []), {"none": np.zeros(N)}, model="mean")
    assert found.coefficients[0] == pytest.approx(50, abs=4 * found.stderr[0])
    e = math.exp(1.0)
    c = (e + 1) / (e - 1)
    assert found.stderr[0] * math.sqrt(N) / 50 == pytest.approx(math.sqrt(c**2 - 2 / 3), rel=0.05)
