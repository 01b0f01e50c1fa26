"""Surveys are counted on Spark to the same integers as on one machine, and an altered file is refused there too."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.engines.spark_cluster import require_spark
from tests.surveys.commute import crossed, people

import deniable as dn
from deniable.cli.tally import tally
from deniable.engines.spark import spark_session
from deniable.engines.spark_workers import SparkWorkers


def test_a_survey_is_counted_on_spark_as_on_one_machine(tmp_path: Path) -> None:
    require_spark()
    survey, out = crossed(), tmp_path / "weeks.tally"
    for week in range(2):
        answers = [survey.answer_many(people(400, seed), seed=seed) for seed in range(2 * week, 2 * week + 2)]
        assert dn.files.write_answers(survey, answers, tmp_path / f"week-{week}") == 800
    folders = [str(tmp_path / f"week-{week}") for week in range(2)]
    tally(folders, out, master="local[1]")
    found = dn.SurveyTally.from_bytes(out.read_bytes())
    assert found == dn.files.tally_survey_files(folders)
    assert found.n == 1600
    altered = tmp_path / "week-1" / "arm-0.parquet"
    altered.write_bytes(altered.read_bytes()[:-200] + bytes(200))
    session = spark_session("local[1]")
    try:
        with pytest.raises(dn.FormatError):
            dn.files.tally_survey_files(folders, workers=SparkWorkers(session))
    finally:
        session.stop()
