"""Rows of public columns and a report: counted from files and from tallies by group they regress as people do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import deniable as dn
from deniable.engines.tally_folder import TallyFolder
from deniable.protocol.errors import FormatError, ParameterError, StoreError
from deniable.reports.report_file import ReportFile

N = 3000
RNG = np.random.default_rng(7)
FRAME: dict[str, Any] = {
    "ward": RNG.choice(["a", "b"], N),
    "age": RNG.integers(2, 7, N),
    "w": RNG.choice([1.0, 2.5], N),
}
LATE: Any = np.where(RNG.random(N) < 0.1 + 0.3 * (FRAME["ward"] == "b"), "yes", "no")
COIN = dn.RandomizedResponse(["no", "yes"], 2.0)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two report files with columns beside the reports."""
    folder = tmp_path_factory.mktemp("files")
    for number, rows in enumerate(np.split(np.arange(N), 2)):
        table = pa.table({"late": LATE[rows], **{name: column[rows] for name, column in FRAME.items()}})
        pq.write_table(table, folder / f"{number}.parquet")
        with dn.files.open_labels(folder / f"{number}.parquet", "late", ["ward", "age", "w"]) as labels:
            dn.files.privatize_file(COIN, labels, folder / f"reports-{number}.parquet", seed=number)
        (folder / f"{number}.parquet").unlink()
    return folder


@pytest.fixture(scope="module")
def people(files: Path) -> Any:
    """The rows of the same files, one by one."""
    tables = [pq.read_table(file) for file in sorted(files.glob("reports-*.parquet"))]
    return pa.concat_tables(tables).to_pandas()


def regressed(frame: Any, reports: Any, **more: Any) -> Any:
    return dn.regress("late ~ ward + age", frame, {"late": (COIN, reports)}, **more)


def test_a_fit_of_counted_rows_is_that_of_the_people(files: Path, people: Any) -> None:
    rows = dn.files.counted_rows(files, ["ward", "age"])
    assert len(rows) == 2 * 5 * 2
    assert rows.people.sum() == N
    counted = regressed(rows.frame, rows.reports, counts=rows.people)
    one_by_one = regressed(people, people["report"].to_numpy())
    assert counted.n == one_by_one.n == N
    assert counted.coefficients == pytest.approx(one_by_one.coefficients, abs=1e-9)
    assert counted.interval(method="score") == pytest.approx(one_by_one.interval(method="score"), abs=1e-7)
    assert counted.log_likelihood == pytest.approx(one_by_one.log_likelihood)
    assert counted.notes == one_by_one.notes
    squares = regressed(rows.frame, rows.reports, counts=rows.people, model="identity")
    wanted = regressed(people, people["report"].to_numpy(), model="identity")
    assert squares.stderr == pytest.approx(wanted.stderr, rel=1e-9)


def test_weights_beside_reports_are_of_single_people(files: Path, people: Any) -> None:
    rows = dn.files.counted_rows(files, ["ward", "age", "w"])
    counted = regressed(rows.frame, rows.reports, counts=rows.people, weights="w")
    one_by_one = regressed(people, people["report"].to_numpy(), weights="w")
    assert counted.coefficients == pytest.approx(one_by_one.coefficients, abs=1e-9)
    assert counted.stderr == pytest.approx(one_by_one.stderr, rel=1e-6)
    found = rows.estimate("w")
    wanted = COIN.estimate(people["report"].to_numpy(), weights=people["w"].to_numpy())
    assert found.unbiased == pytest.approx(wanted.unbiased)
    assert found.stderr == pytest.approx(wanted.stderr)


def test_tallies_by_group_do_where_they_count_whole_reports(files: Path, tmp_path: Path) -> None:
    rows = dn.files.counted_rows(files, ["ward", "age"])
    groups: dict[tuple[str, ...], dn.Tally] = {}
    for ward, age, report, count in zip(*rows.frame.values(), rows.reports, rows.people, strict=True):
        own = COIN.tally(np.full(count, report))
        groups[ward, str(age)] = groups[ward, str(age)] + own if (ward, str(age)) in groups else own
    TallyFolder(("ward", "age"), groups).write(tmp_path)
    again = dn.files.counted_rows(tmp_path, ["ward", "age"])
    fits = [regressed(each.frame, each.reports, counts=each.people) for each in (rows, again)]
    assert fits[0].coefficients == pytest.approx(fits[1].coefficients, abs=1e-9)
    with pytest.raises(ParameterError, match="columns must be among ward, age"):
        dn.files.counted_rows(tmp_path, ["sex"])


def test_tallies_that_count_bits_are_refused(tmp_path: Path) -> None:
    subset = dn.Subset(5, 1.0, 2)
    TallyFolder(("ward",), {("a",): subset.tally(subset.privatize_many([1, 2], seed=1))}).write(tmp_path)
    with pytest.raises(ParameterError, match=r"must count whole reports.*take the report files"):
        dn.files.counted_rows(tmp_path, ["ward"])
    unary = dn.OptimizedUnary(2, 1.0)  # two bits, four reports, and two counts
    TallyFolder(("ward",), {("a",): unary.tally(unary.privatize_many([1, 0], seed=1))}).write(tmp_path)
    with pytest.raises(ParameterError, match="must count whole reports"):
        dn.files.counted_rows(tmp_path, ["ward"])


def test_what_is_missing_or_altered_is_refused(files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(FormatError, match="sxe"):
        dn.files.counted_rows(files, ["sxe"])
    tally = tmp_path / "a.tally"
    tally.write_bytes(COIN.tally([0, 1]).to_bytes())
    with pytest.raises(FormatError, match="must be report files or a folder of tallies"):
        dn.files.counted_rows(tally, ["ward"])
    rows = dn.files.counted_rows(files, ["ward", "age"])
    with pytest.raises(ParameterError, match="counts must be whole numbers of people"):
        regressed(rows.frame, rows.reports, counts=rows.people + 0.5)
    with pytest.raises(ParameterError, match="holds something else"):
        rows.estimate("ward")

    def altered(self: ReportFile, n: int, counts: Any) -> None:
        raise StoreError("altered")

    monkeypatch.setattr(ReportFile, "check", altered)
    with pytest.raises(StoreError, match="altered"):
        dn.files.counted_rows(files, ["ward"])
