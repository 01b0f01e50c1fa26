"""The power fails at any moment: what a collector acknowledged was on the disk, whatever else was not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.house.house_tree import ROOT
from tests.lengths import by_length

from deniable.intake.writer import EXIT_BROKEN

OPENING, LAST = 3, 17
"""Of the syncs of a life the last one that opens the storage, and the last one of all."""
ENDS = [
    *(("die", -9, sync) for sync in by_length([7], range(1, LAST + 1))),
    *(("fail", 1, sync) for sync in by_length([2], range(1, OPENING + 1))),
    *(("fail", EXIT_BROKEN, sync) for sync in by_length([7], range(OPENING + 1, LAST + 1))),
]
"""How a life is ended at which sync, and its status then: a storage that cannot be opened never was in use."""


def failed(folder: Path, disk: Path, stride: int, *lives: str) -> Any:
    """What came of losing power again and again in the course of some lives."""
    command = [sys.executable, "-m", "tests.collector.faults.power", str(folder), str(stride), *lives]
    environment = {**os.environ, "LD_PRELOAD": str(disk)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=1800, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.soak
def test_nothing_acknowledged_is_lost_when_the_power_fails(tmp_path: Path, disk: Path) -> None:
    told = failed(tmp_path, disk, by_length(10, 1), "FULL")
    assert (told["ended"], told["wrong"]) == ([0], {})
    assert told["failed"] >= by_length(30, 300)


def test_a_storage_that_does_not_wait_for_the_disk_is_found_out(tmp_path: Path, disk: Path) -> None:
    told = failed(tmp_path, disk, 10, "NORMAL")
    assert told["ended"] == [0]
    assert len(told["wrong"]) >= 3


@pytest.mark.soak
@pytest.mark.parametrize(("how", "status", "sync"), ENDS)
def test_what_was_written_but_not_synced_before_a_restart_is_not_relied_on(
    tmp_path: Path, disk: Path, how: str, status: int, sync: int
) -> None:
    told = failed(tmp_path, disk, by_length(15, 2), f"FULL {how} {sync}", "FULL")
    assert (told["ended"], told["wrong"]) == ([status, 0], {})
    assert told["failed"] >= by_length(20, 150)
