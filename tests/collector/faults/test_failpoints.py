"""Every statement of a collector's life fails once, in each of six ways: no answer is lost, none is counted twice."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.collector.faults.failpoints import LYING, MODES
from tests.house.house_tree import ROOT
from tests.lengths import by_length


def lives(folder: Path, stride: int, *modes: str) -> Any:
    """What came of lives in which a statement failed."""
    command = [sys.executable, "-m", "tests.collector.faults.failpoints", str(folder), str(stride), *modes]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=1800, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.soak
def test_whatever_fails_every_answer_is_counted_once(tmp_path: Path) -> None:
    for mode, told in lives(tmp_path, by_length(10, 1), *MODES).items():
        assert told["wrong"] == {}, mode
        assert told["tried"] >= by_length(15, 150), mode


def test_a_storage_that_lies_about_a_commit_is_found_out(tmp_path: Path) -> None:
    assert len(lives(tmp_path, 3, LYING)[LYING]["wrong"]) >= 1
