"""The playground of the documentation: what it shows has the digits of Python."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.clients.typescript.package import PACKAGE, run
from tests.house.house_tree import ROOT

import deniable as dn

TRIALS = [
    {"epsilon": epsilon, "people": people, "yes": yes * people // 100, "seed": seed}
    for epsilon, people, yes, seed in (
        (1, 100, 30, 3), (2, 1000, 30, 3), (3, 10_000, 29, 7), (1, 100, 0, 1), (1, 100, 100, 2),
        (2, 10_000, 1, 999_999), (3, 100, 50, 0), (2, 100, 97, 11),
    )
]  # fmt: skip
SCRIPT = """
import { ask, coinAt } from "./build/playground/survey.js";
import { printed, pythonOf } from "./build/playground/lines.js";
const found = TRIALS.map((trial) => {
  const asked = ask(coinAt(trial.epsilon), trial);
  return { count: asked.count, lines: pythonOf(trial), printed: printed(trial, asked.reading) };
});
console.log(JSON.stringify(found));
"""
THEME = ROOT / "docs" / "theme"
MOST_BYTES = 40_000


def test_what_it_shows_has_the_digits_of_the_lines_beside_it(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert built.is_dir()
    ran = run("node", "--input-type=module", "-e", SCRIPT.replace("TRIALS", json.dumps(TRIALS)))
    assert ran.returncode == 0, ran.stderr
    for trial, found in zip(TRIALS, json.loads(ran.stdout), strict=True):
        coin = dn.RandomizedResponse(["yes", "no"], epsilon=float(trial["epsilon"]))
        people = ["yes"] * trial["yes"] + ["no"] * (trial["people"] - trial["yes"])
        assert coin.tally(coin.privatize_many(people, seed=trial["seed"])).counts[0] == found["count"]
        exec(found["lines"], {})
        assert capsys.readouterr().out.strip() == found["printed"].strip(), trial


def test_the_documentation_has_the_script_that_is_built(built: Path) -> None:
    assert built.is_dir()
    for name in ("playground.js", "playground.css"):
        made = (PACKAGE / "build" / "playground" / name).read_bytes()
        assert (THEME / name).read_bytes() == made, f"{name}: run `npm run page` in clients/typescript"
    assert len((THEME / "playground.js").read_bytes()) < MOST_BYTES
