"""A mechanism from outside the package is registered with one row, and is then like any other everywhere."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.mechanisms.toy import FAMILY

import deniable as dn
from deniable import extend
from deniable.mechanisms import registry
from deniable.mechanisms.mechanism import Mechanism

PRELUDE = "from tests.mechanisms import toy; from deniable import extend; extend.register(toy.FAMILY)"
ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def registered() -> Iterator[extend.Family]:
    """The toy's row, which the registry forgets after the test."""
    yield extend.register(FAMILY)
    del registry._families[FAMILY.name]


def wheel(domain: Any, epsilon: float) -> Mechanism:
    return FAMILY.example(dn.Domain.of(domain), epsilon)


def run(code: str, given: str = "") -> str:
    """A process of its own: the command line reads the registry when it is loaded."""
    done = subprocess.run(
        [sys.executable, "-c", f"{PRELUDE}\n{code}"], input=given, cwd=ROOT, capture_output=True, text=True, check=True
    )
    return done.stdout


def test_it_conforms(registered: extend.Family) -> None:
    found = extend.conform(registered)
    assert found.holds, found


def test_its_spec_is_read() -> None:
    m = wheel(["a", "b"], 1.0)
    assert dn.from_spec(json.loads(m.spec_bytes)) == m
    assert m.spec()["mechanism"] == "Wheel"


def test_it_is_planned_beside_the_others() -> None:
    names = {row.name: row.error for row in dn.plan(4, epsilon=1.0, users=1000).rows}
    assert names["Wheel"] == pytest.approx(names["RandomizedResponse"], rel=0.01)
    assert [row.name for row in dn.plan(4, epsilon=1.0, users=1000, mechanisms=["wheel"]).rows] == ["Wheel"]


def test_it_is_audited() -> None:
    m = wheel(5, 1.0)
    assert dn.audit(m).holds
    assert dn.audit_sampling(m, 20_000, seed=1).holds


def test_the_command_line_offers_it(tmp_path: Path) -> None:
    answers = tmp_path / "answers.csv"
    answers.write_text("answer\n" + "yes\nno\nno\n" * 200, encoding="utf-8")
    out, tally = tmp_path / "reports.parquet", tmp_path / "reports.tally"
    given = ["--mechanism", "wheel", "--epsilon", "1", "--tilt", "3", "--domain", "yes,no"]
    commands = [
        ["privatize", str(answers), "--column", "answer", "--out", str(out), *given],
        ["tally", str(out), "--out", str(tally)],
        ["estimate", str(tally)],
        ["audit", *given],
        ["audit", "--help"],
    ]
    said = json.loads(run("from tests.cli.every_command import main; main()", json.dumps(commands)))
    words = ("Wheel", "600 reports of Wheel", "yes", "holds", "--tilt")
    for (code, printed, complaint), word in zip(said, words, strict=True):
        assert (code, word in printed) == (0, True), printed + complaint


def test_no_vectors_are_made_of_what_no_device_draws() -> None:
    """It is registered, and its row says that it stays in the library."""
    code = (
        "import json; from tests.wire.make import FILES; "
        "print(json.dumps([json.loads(v['spec'])['mechanism'] for v in FILES['draws.json']()['good']]))"
    )
    drawn = set(json.loads(run(code)))
    assert "Wheel" not in drawn
    assert len(drawn) > 20


def test_a_name_is_taken_once(registered: extend.Family) -> None:
    assert extend.register(registered) is registered
    again = extend.plain_family(registered.make, "another row")
    with pytest.raises(dn.ParameterError, match="name of its own"):
        extend.register(again)
    no_row: Any = registered.make
    with pytest.raises(dn.ParameterError, match="must be a Family"):
        extend.register(no_row)


def test_its_samples_follow_the_wheel() -> None:
    """Shares of ten thousand turns within 6 standard errors of the exact ones."""
    m = wheel(3, 1.0)
    reports = m.privatize_many(np.zeros(10_000, np.int64), seed=3)
    exact = np.array(m.channel().exact[0], float)
    z = (np.bincount(reports, minlength=3) / 10_000 - exact) / np.sqrt(exact * (1 - exact) / 10_000)
    assert np.abs(z).max() < 6
