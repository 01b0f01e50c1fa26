"""``deniable tally``: folders, bad files, files without a spec, and a count that is taken up again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.csv as csv
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner, Result

import deniable as dn
from deniable.cli import app
from deniable.engines.checkpoint import Checkpoint, records_of
from deniable.engines.dataset import open_dataset
from deniable.engines.tally_folder import TallyFolder
from deniable.reports.arrow_columns import to_arrow
from deniable.reports.report_file import write_reports

SURVEY = dn.Subset(21, 1.0)


def tally(*words: str) -> Result:
    """Run the command."""
    return CliRunner().invoke(app, ["tally", *words, "--out", "week.tally"])


def counted() -> dn.Tally:
    """What the command wrote."""
    return dn.Tally.from_bytes(Path("week.tally").read_bytes())


@pytest.fixture(autouse=True)
def reports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A week of three files, and their reports."""
    monkeypatch.chdir(tmp_path)
    Path("week").mkdir()
    drawn = SURVEY.privatize_many([i % 21 for i in range(300)], seed=1)
    for day in range(3):
        with write_reports(f"week/{day}.parquet", SURVEY.spec(), SURVEY.layout) as writer:
            writer.write(drawn[day * 100 : day * 100 + 100])
    return drawn


def test_a_folder_is_counted(reports: Any) -> None:
    result = tally("week")
    assert result.exit_code == 0
    assert result.stdout == "300 reports of Subset(21 labels, epsilon=1.0, size=6) counted into week.tally\n"
    assert counted() == SURVEY.tally(reports)
    assert sorted(path.name for path in Path().iterdir()) == ["week", "week.tally"]


def test_a_bad_file_is_named_and_nothing_is_written() -> None:
    Path("week/1.parquet").write_bytes(Path("week/1.parquet").read_bytes()[:-1])
    result = tally("week")
    assert result.exit_code == 2
    assert result.stderr.startswith("deniable: week/1.parquet must be a whole file of reports")
    assert result.stderr.count("\n") == 1
    assert [path.name for path in Path().iterdir()] == ["week"]


def test_bad_files_are_skipped_counted_and_named(reports: Any) -> None:
    Path("week/1.parquet").write_bytes(b"PAR1")
    result = tally("week", "--skip-bad")
    assert result.exit_code == 0
    assert "200 reports" in result.stdout
    assert result.stdout.endswith("counted into week.tally; 1 bad file left out\n")
    assert result.stderr.startswith("deniable: left out week/1.parquet: week/1.parquet must be a whole file")
    assert counted() == SURVEY.tally([*reports[:100], *reports[200:]])
    document = json.loads(tally("week", "--skip-bad", "--json").stdout)
    assert [left["file"] for left in document["skipped"]] == ["week/1.parquet"]
    assert (document["reports"], document["spec"]) == (200, SURVEY.spec())


def test_a_count_is_taken_up_where_it_was(reports: Any) -> None:
    dataset = open_dataset(["week"])
    checkpoint = Checkpoint.beside("week.tally")
    checkpoint.save(SURVEY.tally(reports[:100]), records_of(dataset.files[:1]))
    result = tally("week")
    assert result.stdout.endswith("; 1 file was counted before\n")
    assert counted() == SURVEY.tally(reports)
    assert not checkpoint.path.exists()
    assert not tally("week").stdout.endswith("before\n")


def test_a_checkpoint_of_other_files_is_refused() -> None:
    path = Checkpoint.beside("week.tally").path
    path.write_text("{}")
    result = tally("week")
    assert result.exit_code == 2
    assert result.stderr.startswith("deniable: week.tally.counted must be of this count")
    assert path.read_text() == "{}"
    assert not Path("week.tally").exists()


def test_files_without_a_spec_are_counted_with_one(reports: Any) -> None:
    pq.write_table(pa.table({"noisy": to_arrow(reports).cast(pa.binary())}), "bare.parquet")
    assert tally("bare.parquet").stderr.startswith("deniable: bare.parquet must be a file of reports, got")
    Path("survey.json").write_text(json.dumps(SURVEY.spec(), indent=2))
    assert tally("bare.parquet", "--spec", "survey.json", "--column", "noisy").exit_code == 0
    assert counted() == SURVEY.tally(reports)
    Path("survey.json").write_text("version 1")
    assert (
        "survey.json must be the spec of a mechanism, got a file that"
        in tally("bare.parquet", "--spec", "survey.json").stderr
    )


@pytest.mark.parametrize("out", ["week/1.parquet", "week/../week/1.parquet"])
def test_the_tally_never_replaces_what_is_counted(out: str) -> None:
    before = Path("week/1.parquet").read_bytes()
    result = CliRunner().invoke(app, ["tally", "week", "--out", out])
    assert result.exit_code == 2
    assert "--out must not replace a Parquet file, such as one of reports" in result.stderr
    assert Path("week/1.parquet").read_bytes() == before


def test_a_tally_for_each_group(reports: Any) -> None:
    table = pa.table({"week": ["first", "second", "first"] * 100, "noisy": to_arrow(reports)})
    pq.write_table(table, "foreign.parquet")
    Path("spec.json").write_text(json.dumps(SURVEY.spec()), encoding="utf-8")
    words = ["tally", "foreign.parquet", "--spec", "spec.json", "--column", "noisy", "--by", "week", "--out", "weeks"]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0
    assert [line.split() for line in result.stdout.splitlines()[3:]] == [
        ["first", "200", "first.tally"], ["second", "100", "second.tally"]
    ]  # fmt: skip
    first = dn.Tally.from_bytes(Path("weeks/first.tally").read_bytes())
    assert first == SURVEY.tally(reports[np.arange(300) % 3 != 1])
    assert CliRunner().invoke(app, words).exit_code == 2  # the folder is full
    told = CliRunner().invoke(app, [*words[:-1], "anew", "--json"])
    assert json.loads(told.stdout)[1] == {"group": {"week": "second"}, "reports": 100, "out": "anew/second.tally"}
    same = CliRunner().invoke(app, [*words[:-4], "--by", "noisy", "--out", "same"])
    assert "by must name other columns than that of the reports" in same.stderr
    assert (
        "must have one column 'x' of groups"
        in CliRunner().invoke(app, ["tally", "week", "--by", "x", "--out", "y"]).stderr
    )


def test_a_nightly_run_adds_what_is_new(reports: Any) -> None:
    words = ["tally", "week/0.parquet", "--into", "all.tally"]
    assert CliRunner().invoke(app, words).exit_code == 0
    words[1] = "week"
    assert CliRunner().invoke(app, words).stdout.endswith("; 1 file was counted before\n")
    assert dn.Tally.from_bytes(Path("all.tally").read_bytes()) == SURVEY.tally(reports)
    assert CliRunner().invoke(app, [*words[:1], "week/2.parquet", *words[2:]]).exit_code == 0
    assert dn.Tally.from_bytes(Path("all.tally").read_bytes()) == SURVEY.tally(reports)
    with write_reports("week/0.parquet", SURVEY.spec(), SURVEY.layout) as writer:
        writer.write(reports[:50])
    assert "has changed since it was counted" in CliRunner().invoke(app, words).stderr
    assert CliRunner().invoke(app, [*words, "--anew"]).exit_code == 0
    assert dn.Tally.from_bytes(Path("all.tally").read_bytes()).n == 250


def test_a_tally_that_says_nothing_of_its_files_is_not_added_to() -> None:
    assert tally("week").exit_code == 0
    refused = CliRunner().invoke(app, ["tally", "week", "--into", "week.tally"])
    assert "week.tally must be new or a tally that an earlier --into left, got one without" in refused.stderr
    both = CliRunner().invoke(app, ["tally", "week", "--out", "a", "--into", "b"])
    assert "--out or --into must name the tally to write, got both" in both.stderr
    neither = CliRunner().invoke(app, ["tally", "week"])
    assert "--out or --into must name the tally to write, got neither" in neither.stderr
    anew = CliRunner().invoke(app, ["tally", "week", "--out", "a", "--anew"])
    assert "--anew must be left out without --into or --by" in anew.stderr


def test_a_folder_of_groups_is_replaced_night_after_night(reports: Any) -> None:
    table = pa.table({"country": ["DK", "SE"] * 150, "day": [1] * 300, "noisy": to_arrow(reports)})
    Path("spec.json").write_text(json.dumps(SURVEY.spec()), encoding="utf-8")
    words = ["tally", "all.parquet", "--spec", "spec.json", "--column", "noisy", "--by", "country,day"]
    for night in (table, table.slice(0, 100)):
        pq.write_table(night, "all.parquet")
        assert CliRunner().invoke(app, [*words, "--out", "groups", "--anew"]).exit_code == 0
        found = TallyFolder.read(Path("groups"))
        assert (found.by, found.n) == (("country", "day"), len(night))
    full = CliRunner().invoke(app, [*words, "--out", "groups"])
    assert "--into adds to one of an earlier run, --anew replaces it" in full.stderr
    assert CliRunner().invoke(app, [*words, "--out", "week", "--anew"]).exit_code == 2  # these are no tallies
    assert len(list(Path("week").iterdir())) == 3


def test_groups_are_added_to_and_estimated_as_one_table(reports: Any) -> None:
    Path("spec.json").write_text(json.dumps(SURVEY.spec()), encoding="utf-8")
    words = ["--spec", "spec.json", "--column", "noisy", "--by", "country", "--by", "day", "--into", "groups"]
    for day in (1, 2):
        table = pa.table({"country": ["DK", "SE"] * 150, "day": [day] * 300, "noisy": to_arrow(reports)})
        pq.write_table(table, f"{day}.parquet")
        assert CliRunner().invoke(app, ["tally", f"{day}.parquet", *words]).exit_code == 0
    shown = CliRunner().invoke(app, ["show", "groups"]).stdout
    assert "tallies of 600 reports in 4 groups by country, day" in shown
    found = json.loads(CliRunner().invoke(app, ["estimate", "groups", "--json"]).stdout)
    assert found["country"] == ["DK"] * 42 + ["SE"] * 42
    assert found["day"] == (["1"] * 21 + ["2"] * 21) * 2
    assert (set(found["n"]), len(found["frequency"])) == ({150}, 84)
    printed = CliRunner().invoke(app, ["estimate", "groups"]).stdout.splitlines()
    assert printed[0].startswith("Subset(21 labels, epsilon=1.0, size=6): 600 people in 4 groups")
    assert printed[1].split()[:4] == ["country", "day", "label", "share"]
    assert CliRunner().invoke(app, ["explain", "groups"]).exit_code == 0
    assert CliRunner().invoke(app, ["estimate", "groups", "--plot", "a.svg"]).exit_code == 0
    assert "DK, 1" in Path("a.svg").read_text(encoding="utf-8")
    refused = CliRunner().invoke(app, ["estimate", "groups", "--ranks"]).stderr
    assert "--ranks must be left out for a folder" in refused


@pytest.mark.parametrize("end", ["csv", "parquet"])
def test_public_columns_are_kept_beside_reports_and_count_by_themselves(end: str) -> None:
    columns = {"answer": ["yes", "no", "", "yes"] * 50, "day": ["1", "2", "1", "2"] * 50, "country": ["DK"] * 200}
    table = pa.table(columns)
    if end == "csv":
        csv.write_csv(table, "people.csv")
    else:
        pq.write_table(table, "people.parquet")
    words = ["privatize", f"people.{end}", "--column", "answer", "--mechanism", "Subset", "--epsilon", "1"]
    words += ["--domain", "yes,no", "--out", "kept.parquet", "--skip-blank"]
    shown = CliRunner().invoke(app, [*words, "--keep", "country, day", "--seed", "1"])
    assert "; not protected: country, day\n" in shown.stdout
    assert pq.read_table("kept.parquet").column_names == ["report", "country", "day"]
    result = CliRunner().invoke(app, ["tally", "kept.parquet", "--by", "day", "--by", "country", "--out", "groups"])
    assert [line.split() for line in result.stdout.splitlines()[3:]] == [
        ["1", "DK", "50", "1,DK.tally"], ["2", "DK", "100", "2,DK.tally"]
    ]  # fmt: skip
    assert CliRunner().invoke(app, ["tally", "kept.parquet", "--out", "all.tally"]).exit_code == 0
    whole, groups = dn.Tally.from_bytes(Path("all.tally").read_bytes()), TallyFolder.read(Path("groups"))
    assert sum(groups.tallies.values()) == whole
    Path("kept.parquet").unlink()  # which no command replaces
    for keep in ("answer", "day,day", "report"):
        assert "keep must name public columns" in CliRunner().invoke(app, [*words, "--keep", keep]).stderr


def test_public_columns_take_next_to_nothing_and_are_read_elsewhere() -> None:
    days = [f"2026-11-{1 + row // 1000:02}" for row in range(20_000)]
    pq.write_table(pa.table({"answer": [0, 1] * 10_000, "day": days}), "people.parquet")
    words = ["privatize", "people.parquet", "--column", "answer", "--mechanism", "RandomizedResponse", "--epsilon", "1"]
    for name, keep in (("bare", []), ("kept", ["--keep", "day"])):
        done = CliRunner().invoke(app, [*words, "--domain", "2", "--out", f"{name}.parquet", *keep])
        assert done.exit_code == 0
    assert Path("kept.parquet").stat().st_size - Path("bare.parquet").stat().st_size < 2000
    assert pl.read_parquet("kept.parquet")["day"].to_list() == days
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed: make .venv/.dev-ready installs it")
    counted = duckdb.sql("SELECT day, count(*) FROM 'kept.parquet' GROUP BY day ORDER BY day").fetchall()
    assert counted == [(day, 1000) for day in dict.fromkeys(days)]


def test_a_column_that_nobody_kept_is_refused(reports: Any) -> None:
    table = pq.read_table("week/0.parquet")
    strange = table.append_column("name", pa.array(["Zaphod"] * len(table)))
    strange = strange.replace_schema_metadata(pq.read_metadata("week/0.parquet").metadata)
    pq.write_table(strange, "week/0.parquet", compression="none", use_dictionary=False)
    assert "must be a whole file of reports" in tally("week").stderr
