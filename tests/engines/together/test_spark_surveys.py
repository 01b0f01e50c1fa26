"""Surveys are counted on Spark to the same integers as on one machine, and regressed on; an altered file is refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.cases import each
from tests.engines.spark_cluster import environment, require_spark
from tests.surveys.commute import crossed, people

import deniable as dn
from deniable.cli.tally import tally
from deniable.engines.spark import privatize_dataframe, spark_session
from deniable.engines.spark_workers import SparkWorkers

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture(autouse=True)
def _brisk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Java as on the clusters of other tests, which live as shortly."""
    monkeypatch.setenv("SPARK_CONF_DIR", environment(tmp_path)["SPARK_CONF_DIR"])


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


@pytest.fixture
def session() -> Iterator[SparkSession]:
    """One machine as a cluster, on the Java of the test before."""
    require_spark()
    started = spark_session("local[1]")
    yield started
    started.stop()


@each("mechanism", [dn.RandomizedResponse(["no", "yes"], 2.0), dn.Subset(["no", "yes"], 2.0, 1)])
def test_rows_that_the_cluster_grouped_regress_as_all_of_them(mechanism: Any, session: SparkSession) -> None:
    """By the lines of docs/regression.md; reports of the second mechanism are packed."""
    rows = [(age, "yes" if person % 7 < 2 + 3 * age else "no") for age in (0, 1) for person in range(1500)]
    people = privatize_dataframe(mechanism, session.createDataFrame(rows, "age int, late string"), "late", seed=3)
    table = people.groupBy("age", "report").count().toArrow()
    found = dn.regress("late ~ age", table, {"late": (mechanism, table["report"])}, counts="count")
    every = people.toArrow()
    whole = dn.regress(("late", ["age"]), every, {"late": (mechanism, every["report"])})
    assert len(table) == 4
    assert found.n == whole.n == 3000
    assert found.coefficients == pytest.approx(whole.coefficients, abs=1e-9)
    assert found.interval() == pytest.approx(whole.interval(), abs=1e-6)
