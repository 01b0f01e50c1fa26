"""The groups of a prefix survey as files: from texts to report files, to tallies, to what is found."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner, Result

import deniable as dn
from deniable.cli import app
from deniable.engines.group_files import (
    group_paths,
    privatize_groups,
    read_survey,
    tally_groups,
    tally_values,
    write_survey,
)
from deniable.engines.labels import open_labels
from deniable.reports.report_file import ReportFile

SURVEY = dn.PrefixSurvey(4.0, longest=4, key="march")
VALUES = b"page\n" + b"news\n" * 6000 + b"maps\n" * 4000
SECRET = "Zaphod"


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("visits.csv").write_bytes(VALUES)
    write_survey(SURVEY, "survey.json")


def privatized(values: bytes = VALUES, seed: int | None = 1, skip_blank: bool = False) -> list[Path]:
    with open_labels(io.BytesIO(values), "page") as labels:
        privatize_groups(SURVEY, labels, "visits.parquet", skip_blank, seed)
    return group_paths(SURVEY, "visits.parquet")


def run(*words: str, values: str | None = None) -> Result:
    return CliRunner().invoke(app, list(words), input=values)


def refusal(*words: str) -> str:
    """The one line of a command that is refused and leaves no new file."""
    before = set(Path().iterdir())
    result = run(*words)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1), result.output
    assert set(Path().iterdir()) == before
    assert SECRET not in result.stderr
    return result.stderr


def test_files_say_what_the_values_would() -> None:
    tallies = tally_groups(SURVEY, privatized()[::-1])  # in any order: each file knows its group
    assert sum(tally.n for tally in tallies) == 10_000
    with open_labels(io.BytesIO(VALUES), "page") as labels:
        assert tally_values(SURVEY, labels, seed=1) == tallies
    found = dn.discover(SURVEY, tallies, "aemnpsw")
    assert found is not None
    assert set(found.labels) == {"news", "maps"}


def test_tallies_and_report_files_of_one_group_add_up() -> None:
    tallies, paths = tally_groups(SURVEY, privatized()), group_paths(SURVEY, "visits.parquet")
    for number, tally in enumerate(tallies):
        Path(f"{number}.tally").write_bytes(tally.to_bytes())
    names = [f"{number}.tally" for number in range(3)]
    assert tally_groups(SURVEY, names) == tallies
    assert tally_groups(SURVEY, [*paths, *names]) == [tally + tally for tally in tallies]


def test_single_reports_of_devices_make_the_same_files() -> None:
    """What a collector does with (group, report) pairs: the layout and spec of the group, as for any mechanism."""
    from deniable.reports.report_file import write_reports

    pairs = [SURVEY.privatize("news") for _ in range(200)]
    for number, (path, group) in enumerate(zip(group_paths(SURVEY, "d.parquet"), SURVEY.groups, strict=True)):
        with write_reports(path, group.spec(), group.layout, counted=False) as writer:
            writer.write(group.layout.check([report for of, report in pairs if of == number]))
    assert sum(tally.n for tally in tally_groups(SURVEY, group_paths(SURVEY, "d.parquet"))) == 200


def test_a_group_of_nobody_has_a_file_too() -> None:
    paths = privatized(b"page\nnews\n")
    tallies = tally_groups(SURVEY, paths)
    assert sorted(tally.n for tally in tallies) == [0, 0, 1]
    assert all(ReportFile.open(path).counts is not None for path in paths)  # what was counted checks itself
    assert dn.discover(SURVEY, tallies) is None


def test_files_that_do_not_make_a_survey() -> None:
    paths = privatized()
    with pytest.raises(dn.ParameterError, match="each of 3 groups, got none of group 2"):
        tally_groups(SURVEY, [paths[0], paths[2]])
    with pytest.raises(dn.ParameterError, match="counted twice"):
        tally_groups(SURVEY, [*paths, paths[0]])
    with pytest.raises(dn.TallyError, match=r"visits-1\.parquet must be of a group of the survey"):
        tally_groups(dn.PrefixSurvey(4.0, longest=4, key="april"), paths)
    whole = SURVEY.groups[0].tally([]).to_bytes()
    for name, written in (("short.tally", whole[:-1]), ("other", b"PAR1 and no more"), ("empty", b"")):
        Path(name).write_bytes(written)
        with pytest.raises(dn.FormatError, match=name):
            tally_groups(SURVEY, [*paths, name])


def test_a_fault_leaves_no_file() -> None:
    for values in (b"page\nnews\n\n", b"page\n\n\n", f"page\n{SECRET}\uffff\n".encode()):
        with pytest.raises(dn.LabelError) as caught:
            privatized(values)
        assert SECRET not in str(caught.value)
        assert not list(Path().glob("*.parquet*"))
    assert sum(tally.n for tally in tally_groups(SURVEY, privatized(b"page\nnews\n\n", skip_blank=True))) == 1


def test_columns_that_are_no_text() -> None:
    """Refused like by any mechanism over text, in one error that shows no value."""
    kinds = [pa.array([b"\xff" + SECRET.encode()]), pa.array([[SECRET]]), pa.array([1.5]), pa.array([True])]
    for column in kinds:
        pq.write_table(pa.table({"page": column}), "odd.parquet")
        with open_labels("odd.parquet", "page") as labels, pytest.raises(dn.LabelError, match="must be text") as caught:
            tally_values(SURVEY, labels)
        assert SECRET not in str(caught.value)
    pq.write_table(pa.table({"page": pa.array([12, 13])}), "whole.parquet")
    with open_labels("whole.parquet", "page") as labels:
        assert sum(tally.n for tally in tally_values(SURVEY, labels)) == 2


def test_a_survey_file_is_read_back_or_refused() -> None:
    assert read_survey("survey.json") == SURVEY
    good = json.loads(Path("survey.json").read_text(encoding="utf-8"))
    Path("marked.json").write_text("\ufeff" + json.dumps(good), encoding="utf-8")
    assert read_survey("marked.json") == SURVEY
    for written in ("", "[]", "{", json.dumps({**good, "epsilon": 0}), "[" * 100_000, '{"epsilon": NaN}'):
        Path("bad.json").write_text(written, encoding="utf-8")
        with pytest.raises(dn.FormatError, match=r"bad\.json"):
            read_survey("bad.json")


def test_the_commands_from_a_survey_to_what_is_found() -> None:
    made = run("survey", "--epsilon", "4", "--longest", "4", "--key", "march", "--out", "again.json", "--json")
    assert json.loads(made.stdout) == SURVEY.spec()
    assert read_survey("again.json") == SURVEY
    files = [str(path) for path in group_paths(SURVEY, "visits.parquet")]
    words = ["privatize", "visits.csv", "--column", "page", "--survey", "survey.json", "--out", "visits.parquet"]
    assert "10000 reports" in run(*words, "--seed", "1").stdout
    assert run("tally", files[0], "--out", "first.tally").exit_code == 0
    collected = run("discover", "first.tally", *files[1:], "--survey", "survey.json", "--alphabet", "aemnpsw", "--json")
    direct = run(
        "discover",
        "visits.csv",
        "--column",
        "page",
        "--survey",
        "survey.json",
        "--seed",
        "1",
        "--alphabet",
        "aemnpsw",
        "--json",
    )
    assert json.loads(collected.stdout) == json.loads(direct.stdout)
    assert set(json.loads(collected.stdout)["label"]) == {"news", "maps"}
    assert "noise can be undone" in direct.stderr
    assert "noise can be undone" not in collected.stderr


def test_commands_that_are_refused() -> None:
    files = [str(path) for path in privatized()]
    values = ["discover", "visits.csv", "--column", "page"]
    assert "either --survey or --epsilon" in refusal(*values)
    assert "either --survey or --epsilon" in refusal(*values, "--survey", "survey.json", "--epsilon", "4")
    assert "--longest and --step must go with --epsilon" in refusal(*values, "--survey", "survey.json", "--step", "1")
    assert "--column must go with one file" in refusal(*values, "more.csv", "--epsilon", "4")
    assert "must go with --column" in refusal("discover", *files, "--survey", "survey.json", "--seed", "1")
    assert "got none of group 3" in refusal("discover", *files[:2], "--survey", "survey.json")
    assert "visits.csv must be a whole file" in refusal("discover", "visits.csv", "--survey", "survey.json")
    assert "visits.csv must be a survey's spec in JSON" in refusal("discover", *files, "--survey", "visits.csv")
    privatize = ["privatize", "visits.csv", "--column", "page", "--survey", "survey.json", "--out", "r.parquet"]
    for more in (["--mechanism", "Subset"], ["--epsilon", "1"], ["--domain", "3"], ["--cohorts", "8"], ["--key", "k"]):
        assert "--survey must be given without" in refusal(*privatize, *more)
    assert "longest must be at most" in refusal("survey", "--epsilon", "1", "--longest", "10000000000", "--out", "s")
    assert "epsilon must be" in refusal("survey", "--epsilon", "nan", "--out", "s")
    assert "out must be another file" in refusal("privatize", "visits-1.parquet", *privatize[2:-1], "visits.parquet")


def test_without_a_seed_no_two_runs_are_alike() -> None:
    first, again = (tally_groups(SURVEY, privatized(seed=None)) for _ in range(2))
    assert first != again
    one, other = (tally_groups(SURVEY, privatized(seed=5))[0].counts for _ in range(2))
    assert np.array_equal(one, other)
