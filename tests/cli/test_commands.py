"""Every command does what it says: tables for people, one JSON document for programs, files that fit together."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner, Result

import deniable as dn
from deniable.cli import app

LABELS = ["jamais", "peut-être, une fois", "souvent"]
SUBSET = ["--mechanism", "Subset", "--epsilon", "1", "--labels-file", "labels.txt"]


@pytest.fixture(autouse=True)
def _survey(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with a column of answers and its labels."""
    monkeypatch.chdir(tmp_path)
    Path("labels.txt").write_text("\n".join(LABELS) + "\n", encoding="utf-8")
    rows: list[list[object]] = [["person", "answer"], *([i, LABELS[0 if i < 600 else i % 3]] for i in range(1000))]
    with Path("answers.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)


def run(*words: str, code: int = 0, **options: Any) -> Result:
    """The result of a command that must end with this exit code."""
    result = CliRunner().invoke(app, list(words), **options)
    assert result.exit_code == code, result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def read_json(*words: str, code: int = 0) -> dict[str, Any]:
    """The one JSON document on standard output."""
    document: dict[str, Any] = json.loads(run(*words, "--json", code=code).stdout)
    return document


def tallied(*extra: str) -> dn.Tally:
    """The tally of the answers, through the commands."""
    run("privatize", "answers.csv", "--column", "answer", *SUBSET, "--out", "reports.parquet", *extra)
    run("tally", "reports.parquet", "--out", "survey.tally")
    return dn.Tally.from_bytes(Path("survey.tally").read_bytes())


def test_the_road_from_answers_to_an_estimate() -> None:
    tally = tallied()
    mechanism = dn.Subset(LABELS, 1.0)
    assert (tally.n, dn.from_spec(tally.spec)) == (1000, mechanism)
    estimate = mechanism.estimate(tally)
    found = read_json("estimate", "survey.tally", "--level", "0.9")
    assert found["label"] == LABELS
    assert found["frequency"] == estimate.frequencies.tolist()
    assert [found["low"], found["high"]] == estimate.interval(level=0.9).T.tolist()
    assert (found["n"], found["level"], found["decoder"], found["target"]) == (1000, 0.9, "projected", "population")
    shown = run("estimate", "survey.tally").stdout
    assert all(label in shown for label in LABELS)
    assert shown == f"{estimate}\n"


@pytest.mark.parametrize("decoder", ["unbiased", "normalized", "projected", "likelihood"])
def test_estimate_takes_every_decoder_of_a_tally(decoder: str) -> None:
    tally = tallied("--seed", "1")
    found = read_json("estimate", "survey.tally", "--decoder", decoder)
    assert found["frequency"] == dn.Subset(LABELS, 1.0).estimate(tally, decoder).frequencies.tolist()


def test_estimate_takes_simultaneous_intervals_for_the_people_asked() -> None:
    tally = tallied()
    found = read_json("estimate", "survey.tally", "--simultaneous", "--target", "sample")
    bounds = dn.Subset(LABELS, 1.0).estimate(tally).interval(simultaneous=True, target="sample")
    assert [found["low"], found["high"]] == bounds.T.tolist()
    assert found["simultaneous"] is True


def test_estimate_writes_csv_and_pictures() -> None:
    tallied()
    Path("truth.csv").write_text('label,share\n"peut-être, une fois",0.13\njamais,0.74\nsouvent,0.13\n', "utf-8")
    run("estimate", "survey.tally", "--truth", "truth.csv", "--csv", "--out", "e.csv", "--plot", "e.svg")
    with Path("e.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["label"], row["truth"]) for row in rows] == list(zip(LABELS, ["0.74", "0.13", "0.13"], strict=True))
    assert sum(float(row["frequency"]) for row in rows) == pytest.approx(1)
    assert Path("e.svg").read_text(encoding="utf-8").lstrip().startswith("<?xml")
    run("estimate", "survey.tally", "--plot", "e.png")
    assert Path("e.png").read_bytes().startswith(b"\x89PNG")
    run("estimate", "survey.tally", "--json", "--out", "e.json")
    assert json.loads(Path("e.json").read_text(encoding="utf-8"))["n"] == 1000


def test_a_second_run_replaces_tallies_and_no_reports() -> None:
    """What was drawn once is no more if it is written over, and may be all that is left of the answers."""
    first = tallied("--seed", "1")
    run("tally", "reports.parquet", "--out", "survey.tally")
    words = ["privatize", "answers.csv", "--column", "answer", *SUBSET, "--out", "reports.parquet"]
    refused = "--out must not replace a Parquet file, such as one of reports, got reports.parquet; name another"
    assert refused in run(*words, code=2).stderr
    Path("reports.parquet").unlink()
    assert tallied("--seed", "2") != first
    assert sorted(path.name for path in Path().iterdir()) == [
        "answers.csv",
        "labels.txt",
        "reports.parquet",
        "survey.tally",
    ]


def test_a_seed_is_warned_of_and_none_is_not() -> None:
    words = ["privatize", "answers.csv", "--column", "answer", *SUBSET, "--out", "reports.parquet"]
    assert "simulations only" in run(*words, "--seed", "1").stderr
    assert run(*words[:-1], "unseeded.parquet").stderr == ""


def test_standard_input_is_read_and_blanks_are_counted() -> None:
    words = ["privatize", "-", "--column", "a", "--mechanism", "hadamard", "--epsilon", "2", "--domain", "yes,no"]
    result = run(*words, "--out", "r", "--skip-blank", input='a,b\nyes,1\n"",2\nno,3\n')
    assert "2 reports" in result.stdout
    assert "1 blank value left out" in result.stdout


def test_labels_for_training_stand_beside_what_is_kept() -> None:
    words = ["privatize", "answers.csv", "--column", "answer", "--epsilon", "20", "--labels-file", "labels.txt"]
    train = [*words, "--keep", "person", "--labels", "--out", "train.csv"]
    assert "not protected: person" in run(*train, "--mechanism", "RandomizedResponse").stdout
    with Path("train.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["person", "answer"]
    told = [LABELS[0 if i < 600 else i % 3] == label for i, (_, label) in enumerate(rows[1:])]
    assert [int(person) for person, _ in rows[1:]] == list(range(1000))
    assert sum(told) >= 998  # more than two told wrongly: once in 10^16 runs
    assert "names one label" in run(*train, "--mechanism", "Subset", code=2).stderr


def test_parquet_is_read_and_many_files_merge() -> None:
    for i in range(3):
        pq.write_table(pa.table({"v": pa.array(np.arange(40))}), f"{i}.parquet")
        words = ["--column", "v", "--mechanism", "Cyclic", "--epsilon", "1", "--domain", "40", "--max-bits", "6"]
        run("privatize", f"{i}.parquet", *words, "--out", f"r{i}")
    run("tally", "r0", "r1", "r2", "--out", "t")
    tally = dn.Tally.from_bytes(Path("t").read_bytes())
    assert tally.n == 120
    assert dn.from_spec(tally.spec) == dn.Cyclic(40, 1.0, max_bits=6)


@pytest.mark.parametrize(
    ("words", "mechanism"),
    [
        (["--mechanism", "Subset", "--size", "5"], dn.Subset(16, 1.0, size=5)),
        (["--mechanism", "Subset", "--size", "information"], dn.Subset(16, 1.0, size="information")),
        (["--mechanism", "Hadamard", "--parts", "2"], dn.Hadamard(16, 1.0, parts=2)),
        (["--mechanism", "OPTIMIZEDUNARY"], dn.OptimizedUnary(16, 1.0)),
    ],
)
def test_mechanisms_take_their_own_options(words: list[str], mechanism: Any) -> None:
    found = read_json("audit", *words, "--domain", "16", "--epsilon", "1")
    assert found["subject"] == repr(mechanism)


def test_plan_agrees_with_the_library() -> None:
    found = read_json("plan", "--domain", "16", "--epsilon", "1", "--users", "1000")
    assert found == json.loads(json.dumps(dn.plan(16, 1.0, 1000).to_dict()))
    assert read_json("plan", "--domain", "16", "--epsilon", "1", "--accuracy", "0.01")["solved"] == "users"
    assert read_json("plan", "--domain", "16", "--users", "20000", "--accuracy", "0.02")["solved"] == "epsilon"
    few = read_json("plan", "--labels-file", "labels.txt", "--epsilon", "1", "--users", "9", "--max-bits", "2")
    assert {row["report_bits"] for row in few["rows"]} == {2}
    assert "Subset" in run("plan", "--domain", '"a, b",c', "--epsilon", "1", "--users", "9").stdout
    two = ["plan", "--domain", "no,yes", "--epsilon", "1", "--users", "5000", "--odds-ratio", "2"]
    assert read_json(*two, "--share", "0.1")["rows"][0]["people_a_group"] == 2442
    assert "--share" in run(*two, code=2).stderr


def test_audit_proves_and_samples() -> None:
    words = ["audit", "--mechanism", "Rappor", "--domain", "6", "--epsilon", "1"]
    plain = read_json(*words)
    proof = dn.audit(dn.Rappor(6, 1.0))
    assert (plain["holds"], plain["sampling"]) == (True, [])
    assert plain["claims"][0]["exact_ratio"] == str(proof.exact_ratio)
    [sampled] = read_json(*words, "--trials", "2000", "--seed", "3")["sampling"]
    assert sampled == dn.audit_sampling(dn.Rappor(6, 1.0), 2000, 3).to_dict()
    assert "holds" in run(*words, "--trials", "1500").stdout


def test_an_audit_that_fails_ends_with_1(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dn.Subset, "guarantee", property(lambda self: dn.LDP(self.epsilon / 2)), raising=False)
    words = ["audit", "--mechanism", "Subset", "--domain", "6", "--epsilon", "1"]
    assert read_json(*words, code=1)["holds"] is False
    assert "DOES NOT HOLD" in run(*words, code=1).stdout


@pytest.mark.parametrize("truth", ["uniform", "zipf", "geometric", "truth.csv"])
@pytest.mark.parametrize("decoder", ["projected", "likelihood"])
def test_simulate_finds_the_truth(truth: str, decoder: str) -> None:
    Path("truth.csv").write_text("label,share\n2,0.75\n0,0.25\n", encoding="utf-8")
    words = ["--mechanism", "Subset", "--domain", "5", "--epsilon", "4", "--users", "4000", "--seed", "1"]
    found = read_json("simulate", *words, "--truth", truth, "--decoder", decoder, "--plot", "s.png")
    assert sum(found["truth"]) == pytest.approx(1)
    assert np.abs(np.array(found["frequency"]) - found["truth"]).max() < 0.05
    assert Path("s.png").exists()
    assert found["squared_error"] < 20 * found["predicted_squared_error"]


def test_simulate_says_the_seed_that_repeats_it() -> None:
    words = ["simulate", "--mechanism", "Rappor", "--domain", "100", "--epsilon", "1", "--users", "500"]
    first = read_json(*words)
    assert read_json(*words, "--seed", str(first["seed"])) == first
    shown = run(*words, "--seed", "7").stdout
    assert "80 more labels" in shown
    assert "outside" not in shown
    assert "--seed 7 repeats this run" in shown


def test_simulate_in_aggregate_says_so() -> None:
    words = ["simulate", "--mechanism", "Subset", "--domain", "9", "--epsilon", "1", "--seed", "3", "--users"]
    assert not read_json(*words, "500")["aggregate"]
    assert read_json(*words, "500", "--reports") == read_json(*words, "500")
    assert read_json(*words, "500", "--aggregate")["frequency"] != read_json(*words, "500")["frequency"]
    crowd = read_json(*words, "1000000000")
    assert crowd["aggregate"]
    assert np.abs(np.array(crowd["frequency"]) - crowd["truth"]).max() < 1e-3
    assert "this run; the tally was drawn in aggregate" in run(*words, "500", "--aggregate").stdout
    assert read_json(*words, "500", "--aggregate", "--decoder", "likelihood")["decoder"] == "composite likelihood"


def test_a_share_that_its_decoder_moved_is_pointed_out() -> None:
    words = ["simulate", "--mechanism", "Cyclic", "--domain", "20000", "--epsilon", "1", "--users", "20000"]
    moved = "outside their own intervals, which belong to the unbiased shares: the projected decoder moved them."
    shown = run(*words, "--seed", "1").stdout.splitlines()
    starred = [line for line in shown[3:23] if re.match(r" \d+ +\* ", line)]
    assert f"* {len(starred)} shares lie {moved}" in shown
    assert "outside" not in run(*words, "--seed", "1", "--decoder", "unbiased").stdout


@pytest.mark.parametrize("name", ["", "demo", "plan", "audit", "privatize", "tally", "estimate", "simulate"])
def test_help_shows_an_example_of_the_command(name: str) -> None:
    shown = run(*name.split(), "--help").stdout
    assert f"deniable {name or 'demo'}" in shown
    assert "Usage" in shown


def test_version() -> None:
    assert run("--version").stdout.split()[0] == "deniable"


def test_machines_are_told_what_was_written() -> None:
    reports = ["--column", "answer", *SUBSET, "--out", "reports.parquet"]
    found = read_json("privatize", "answers.csv", *reports)
    mechanism = dn.Subset(LABELS, 1.0)
    assert (found["reports"], found["skipped"], found["spec"]) == (1000, 0, mechanism.spec())
    found = read_json("tally", "reports.parquet", "--out", "survey.tally")
    assert (found["reports"], found["digest"]) == (1000, mechanism.tally([]).digest)


def test_a_tally_does_not_replace_its_reports() -> None:
    tallied()
    before = Path("reports.parquet").read_bytes()
    refused = run("tally", "reports.parquet", "--out", "reports.parquet", code=2)
    assert "out must be another file" in refused.stderr
    assert Path("reports.parquet").read_bytes() == before


GUARANTEES = {
    "sensitive": 'domain = ["ill", "away", "late", "well"]\nsensitive = ["ill", "away"]\nepsilon = 1.0\n',
    "blocks": 'blocks = [["Rome", "Milan"], ["Lyon", "Paris", "Nice"]]\nepsilon = 1\n',
    "matrix": 'domain = ["yes", "no"]\nmatrix = [[0, 1.0], [inf, 0]]\n',
    "prior": 'domain = ["a", "b", "c"]\nprior = [0.7, 0.2, 0.1]\nepsilon = 1.0\n',
    "plain": 'domain = ["a", "b", "c"]\nepsilon = 1.0\n',
}


@pytest.mark.parametrize("kind", GUARANTEES)
def test_plans_of_guarantee_files(kind: str) -> None:
    Path("promise.toml").write_text(GUARANTEES[kind], encoding="utf-8")
    plot = [] if kind == "sensitive" else ["--plot", "promise.svg"]
    found = read_json("plan", "--guarantee", "promise.toml", "--users", "1000", *plot)
    first = {"sensitive": "HighLowResponse", "blocks": "BlockCyclic", "matrix": "BinaryResponse"}
    assert found["rows"][0]["name"] == first.get(kind, found["rows"][0]["name"])
    assert found["users"] == 1000
    if plot:
        assert "<svg" in Path("promise.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("epsilon = [", "must be TOML"),
        ("epsilon = 1,0", "; write a decimal with a point"),
        ("epsilon = 1.0\nsensitive = ['x']\n", "must name its domain"),
        ("domain = ['a', 'b']\nepsilon = 1.0\nsensitive = ['x']\n", "labels of the domain"),
        ("domain = ['a', 'b']\nepsilon = -1\nsensitive = ['a']\n", "epsilon must be"),
        ("blocks = [['a', 'b'], ['b']]\nepsilon = 1.0\n", "must not share a label"),
        ("domain = ['a', 'b']\nmatrix = [[0, -1.0], [1.0, 0]]\n", "each level must be"),
        ("domain = ['a', 'b']\nmatrix = [[0, 1.0]]\n", "matrix must be"),
        ("domain = ['a', 'b']\nprior = [1.5, -0.5]\nepsilon = 1.0\n", "prior must be"),
        ("epsilom = 1.0\n", "must have epsilon"),
        ("", "must have epsilon"),
    ],
)
def test_bad_guarantee_files(text: str, reason: str) -> None:
    Path("promise.toml").write_text(text, encoding="utf-8")
    refused = run("plan", "--guarantee", "promise.toml", "--users", "10", code=2)
    assert reason in refused.stderr
    assert "promise.toml" in refused.stderr
    assert "missing.toml" in run("plan", "--guarantee", "missing.toml", "--users", "10", code=2).stderr


def test_a_mechanism_that_does_not_keep_the_guarantee_is_told_from_an_unknown_one() -> None:
    Path("promise.toml").write_text(GUARANTEES["sensitive"], encoding="utf-8")
    words = ("audit", "--guarantee", "promise.toml", "--mechanism")
    assert "got BlockSubset, which does not keep this guarantee" in run(*words, "blocksubset", code=2).stderr
    assert "got mechanism='BlokSubset'" in run(*words, "BlokSubset", code=2).stderr
