"""What CSV says of a scale: the mean in a row of its own, as it does of a number, and the shares below it."""

from __future__ import annotations

import csv
import io

import pytest

import deniable as dn
from deniable.estimation.scales.scale_estimate import ScaleEstimate
from deniable.surveys.results import Results

ANSWERS = ["no", "partly", "yes", "yes"] * 750


@pytest.fixture(scope="module")
def results() -> Results:
    survey = dn.Survey.plan("pay", [dn.Scale("fair", ["no", "partly", "yes"])], epsilon=2.0, people=3000)
    return survey.estimate(survey.tally(survey.answer_many({"fair": ANSWERS}, seed=1)))


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_csv_has_the_mean_above_the_shares(results: Results) -> None:
    found = results["fair"]
    assert isinstance(found, ScaleEstimate)
    mean, *shares = rows(found.to_csv(level=0.9))
    assert mean["label"] == "mean"
    assert {name: float(mean[name]) for name in ("value", "stderr", "low", "high")} == found.mean.to_dict(0.9)
    assert (mean["frequency"], mean["outside"]) == ("", "")
    assert [(each["label"], each["value"]) for each in shares] == [("no", ""), ("partly", ""), ("yes", "")]


def test_so_has_the_csv_of_all_questions(results: Results) -> None:
    found = results["fair"]
    assert [dict(each) for each in rows(results.to_csv())] == [
        {"question": "fair", **each} for each in rows(found.to_csv())
    ]
    assert results.to_arrow().column("value").null_count == 3


def test_columns_for_programs_have_a_row_for_each_answer(results: Results) -> None:
    """For these say the mean beside their rows."""
    frame = results["fair"].to_pandas()
    assert list(frame["label"]) == ["no", "partly", "yes"]
    assert set(frame.attrs["mean"]) == {"value", "stderr", "low", "high"}
