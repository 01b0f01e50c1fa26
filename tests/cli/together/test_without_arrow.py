"""Every command where PyArrow is not installed: those for files of reports say what to install, all others work."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.collector.servers import released, started, stopped
from tests.collector.worlds import a_survey, body_of
from tests.house.house_tree import ROOT

import deniable as dn
from deniable.cli.commands import COLLECTOR_COMMANDS, COMMANDS, SURVEY_COMMANDS
from deniable.protocol.surveys.field_value import write_field

LINE = re.compile(r"pip install 'deniable\[files[],]")
PLAN = """
name = "lunch"
epsilon = 1.0
people = 300

[[question]]
kind = "one_of"
name = "late"
labels = ["yes", "no"]
"""
SUBSET = ["--mechanism", "Subset", "--epsilon", "1", "--domain", "yes,no,maybe"]
WORKS = [
    ["plan", "--domain", "5", "--epsilon", "1", "--users", "1000"],
    ["audit", "survey.json"],
    ["audit", *SUBSET, "--reports", "trials.csv"],
    ["explain", "survey.json"],
    ["explain", "survey.tally"],
    ["show", "survey.tally"],
    ["show", "survey.json"],
    ["estimate", "spec.tally"],
    ["discover", "--help"],
    ["simulate", *SUBSET, "--users", "500", "--truth", "zipf"],
    ["reproduce", "--list"],
    ["token", "ann", "--scope", "author", "--data", "data"],
    ["survey", "new", "plan.toml", "--out", "survey.json"],
    ["survey", "advise", "plan.toml"],
    ["survey", "show", "survey.json"],
    ["survey", "dossier", "survey.json"],
    ["regress", "private.csv", "late ~ age", "--survey", "private.json", "--column", "private"],
    ["survey", "embed", "private.json", "--for", "limesurvey", "--out", "embedded"],
    ["survey", "estimate", "survey.tally"],
    ["survey", "change", "survey.tally", "later.tally"],
    ["serve", "--help"],
    ["collector", "put", "survey.json", "--data", "data"],
    ["collector", "invite", "quiet", "--people", "2", "--data", "data"],
    [
        *("collector", "invite", "quiet", "--people", "2", "--data", "data", "--address", "https://ask.example.org"),
        *("--letters", "letters.html", "--list", "links.csv"),
    ],
    ["collector", "status", "--data", "data"],
    ["collector", "close", "busy", "--data", "data"],
    ["collector", "recount", "closed", "--data", "data"],
    ["collector", "backup", "monday.sqlite", "--data", "data"],
    ["collector", "link", "--data", "data"],
    ["collector", "sign-out", "--data", "data"],
    ["collector", "clock", "--data", "data"],
    ["collector", "check", "--data", "data"],
    ["collector", "delete", "lunch", "--title", "lunch", "--data", "data"],
    ["collector", "restore", "--help"],
]
"""Commands in an order in which each finds what it reads."""
REFUSED = [
    ["demo", "--out", "demo"],
    ["privatize", "answers.csv", "--column", "late", *SUBSET, "--out", "new.parquet"],
    ["tally", "reports.parquet", "--out", "new.tally"],
    ["show", "reports.parquet"],
    ["survey", "answer", "survey.json", "answers.csv", "--out", "new"],
    ["survey", "tally", "answers", "--out", "new.tally"],
    ["collector", "export", "closed", "--data", "data", "--out", "exported"],
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the commands read."""
    made = tmp_path_factory.mktemp("light")
    (made / "plan.toml").write_text(PLAN, encoding="utf-8")
    (made / "answers.csv").write_text("late\n" + "yes\nno\n" * 50, encoding="utf-8")
    survey = dn.Survey.plan("lunch", [dn.OneOf("late", ["yes", "no"])], epsilon=1.0, people=300)
    tally = survey.tally(survey.answer_many({"late": ["yes", "no"] * 150}, seed=1))
    for name in ("survey.tally", "later.tally"):
        (made / name).write_bytes(tally.to_bytes())
    (made / "survey.json").write_bytes(survey.document)
    private = dn.Survey.plan("private", [dn.OneOf("late", ["yes", "no"])], epsilon=1.0, people=300, carrier="field")
    (made / "private.json").write_bytes(private.document)
    drawn = [private.answer({"late": "yes" if n % 3 else "no"}, dn.SeededEntropy(n)) for n in range(300)]
    lines = [f"{n % 7},{write_field(private.digest, n.to_bytes(8, 'big'), each)}" for n, each in enumerate(drawn)]
    (made / "private.csv").write_text("\n".join(["age,private", *lines]), encoding="utf-8")
    dn.files.write_answers(survey, [survey.answer_many({"late": ["yes", "no"]}, seed=2)], made / "answers")
    mechanism = dn.Subset(["yes", "no", "maybe"], 1.0)
    reports = mechanism.privatize_many(["yes", "no", "maybe"] * 1000, seed=1)
    (made / "spec.tally").write_bytes(mechanism.tally(reports).to_bytes())
    rows = zip(["yes", "no", "maybe"] * 1000, np.asarray(reports).tolist(), strict=True)
    (made / "trials.csv").write_text("\n".join(["value,report", *(f"{v},{bytes(r).hex()}" for v, r in rows)]))
    with dn.files.write_reports(made / "reports.parquet", mechanism.spec(), mechanism.layout) as writer:
        writer.write(reports)
    return made


@pytest.fixture(scope="module")
def said(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, str]]:
    """What each command ended with, in a Python that finds no PyArrow; a collector of the same runs beside it."""
    light = tmp_path_factory.mktemp("without")
    (light / "sitecustomize.py").write_text('import sys\nsys.modules["pyarrow"] = None\n', encoding="utf-8")
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PYTHONPATH", f"{light}{os.pathsep}{ROOT}")
        server = started(folder / "data", "--rate", "0", anew=True)
        surveys = [a_survey(name, grace=0, minimum=1) for name in ("quiet", "busy", "closed")]
        for survey in surveys:
            assert server.ask("PUT", "/v1/surveys", survey.document, server.operator).status == 201
        for survey in surveys[1:]:
            assert server.send(survey, body_of([0, 1, 1])).status == 200
        released(server, surveys[2], server.operator)
        done = subprocess.run(
            [sys.executable, "-m", "tests.cli.every_command"], input=json.dumps([*WORKS, *REFUSED]),
            cwd=folder, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert stopped(server) == 0
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    return {" ".join(words): (code, told) for words, (code, _, told) in zip([*WORKS, *REFUSED], found, strict=True)}


@pytest.mark.parametrize("words", WORKS, ids=" ".join)
def test_a_command_works(words: list[str], said: dict[str, tuple[int, str]]) -> None:
    code, complaint = said[" ".join(words)]
    assert code == 0, complaint


@pytest.mark.parametrize("words", REFUSED, ids=" ".join)
def test_a_command_says_what_to_install_and_leaves_nothing(
    words: list[str], said: dict[str, tuple[int, str]], folder: Path
) -> None:
    code, complaint = said[" ".join(words)]
    assert (code, bool(LINE.search(" ".join(complaint.split())))) == (2, True), complaint
    if "--out" in words:
        assert not (folder / words[words.index("--out") + 1]).exists()


def test_every_command_is_tried() -> None:
    names = {each.name for each in COMMANDS}
    names |= {f"survey {each.name}" for each in SURVEY_COMMANDS}
    names |= {f"collector {each.name}" for each in COLLECTOR_COMMANDS}
    groups = ("survey", "collector")
    tried = {" ".join(words[: 2 if words[0] in groups else 1]) for words in [*WORKS, *REFUSED]}
    assert tried == names
