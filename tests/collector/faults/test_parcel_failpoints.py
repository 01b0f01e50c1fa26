"""Whichever statement of a parcel's life the collector is killed at: each answer is counted once, in one parcel."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.collector.faults.parcel_failpoints import MODES
from tests.house.house_tree import ROOT
from tests.lengths import by_length


def test_a_parcel_is_counted_once_wherever_its_collector_is_killed(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.collector.faults.parcel_failpoints", str(tmp_path), str(by_length(4, 1))]
    done = subprocess.run([*command, *MODES], cwd=ROOT, capture_output=True, text=True, timeout=1800, check=False)
    assert done.returncode == 0, done.stderr
    for mode, told in json.loads(done.stdout).items():
        assert told["wrong"] == {}, mode
        assert told["tried"] >= by_length(15, 60), mode
