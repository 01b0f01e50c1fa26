"""``deniable explain``: the label of whatever a file is of, for people and for machines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.surveys.commute import LATE, single
from typer.testing import CliRunner

import deniable as dn
from deniable.cli import app

COIN = dn.RandomizedResponse(["yes", "no"], 1.0)


@pytest.mark.parametrize("of", [COIN, single(LATE, COIN)], ids=["mechanism", "survey"])
def test_the_label_is_that_of_python(of: dn.Mechanism | dn.Survey, tmp_path: Path) -> None:
    path = tmp_path / "counted.tally"
    path.write_bytes(of.tally([]).to_bytes())
    shown = CliRunner().invoke(app, ["explain", str(path)])
    assert shown.stdout == f"{dn.label(of)}\n"
    found = CliRunner().invoke(app, ["explain", str(path), "--json"])
    assert json.loads(found.stdout) == json.loads(json.dumps(dn.label(of).to_dict()))


def test_a_file_of_nothing_known_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("Zaphod", encoding="utf-8")
    result = CliRunner().invoke(app, ["explain", str(path)])
    assert result.exit_code == 2
    assert result.stderr == (
        f"deniable: {path} must be a survey, a spec, a file or folder of reports, or a tally, got a file that deniable "
        "did not write; deniable survey new makes a survey of a plan, and deniable privatize makes reports of a column "
        "of answers\n"
    )


def test_a_mechanism_is_named_in_place_of_a_file(tmp_path: Path) -> None:
    words = ["explain", "--mechanism", "subset", "--domain", "8", "--epsilon", "1", "--size", "2"]
    assert CliRunner().invoke(app, words).stdout == f"{dn.label(dn.Subset(8, 1.0, size=2))}\n"
    for wrong in (["explain"], [*words, str(tmp_path)]):
        refused = CliRunner().invoke(app, wrong)
        assert "either a file or --mechanism with its options must be given" in refused.stderr


@pytest.mark.parametrize("command", ["explain", "audit"])
def test_a_name_that_nobody_knows_is_told_where_others_come_from(command: str) -> None:
    words = [command, "--domain", "3", "--epsilon", "1", "--mechanism"]
    unknown = CliRunner().invoke(app, [*words, "Roulette"]).stderr
    assert unknown.endswith("got mechanism='Roulette'; for another mechanism install the package that offers it\n")
    assert CliRunner().invoke(app, [*words, "Suset"]).stderr.endswith("got mechanism='Suset'; did you mean Subset?\n")


def test_no_name_is_told_as_none(tmp_path: Path) -> None:
    words = ["privatize", "x.csv", "--column", "a", "--domain", "3", "--epsilon", "1", "--out", str(tmp_path / "r")]
    refused = CliRunner().invoke(app, words).stderr
    assert refused.startswith("deniable: mechanism must be one of RandomizedResponse, ")
    assert refused.endswith(", got none\n")
