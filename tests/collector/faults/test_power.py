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

from deniable.collector.writer import EXIT_BROKEN


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The folder whose disk loses power."""
    (tmp_path / "life").mkdir()
    (tmp_path / "left").mkdir()
    return tmp_path / "life"


def lived(root: Path, disk: Path, care: str = "FULL", at_sync: str = "") -> int:
    """A life whose operations are written down after those of the life before; its exit status."""
    shim = {"LD_PRELOAD": str(disk), "DISK_ROOT": str(root), "DISK_LOG": str(root.with_name("log"))}
    command = [sys.executable, "-m", "tests.collector.faults.life", str(root), care]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **shim, "DISK_AT_SYNC": at_sync}, timeout=120, check=False
    )
    return done.returncode


def failed(root: Path, stride: int) -> Any:
    """What came of losing power again and again."""
    places = [root.with_name("log"), root, root.with_name("left")]
    command = [sys.executable, "-m", "tests.collector.faults.power", *map(str, places), str(stride)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=1800, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.soak
def test_nothing_acknowledged_is_lost_when_the_power_fails(root: Path, disk: Path) -> None:
    assert lived(root, disk) == 0
    told = failed(root, by_length(10, 1))
    assert told["wrong"] == {}
    assert told["failed"] >= by_length(30, 300)


def test_a_storage_that_does_not_wait_for_the_disk_is_found_out(root: Path, disk: Path) -> None:
    assert lived(root, disk, "NORMAL") == 0
    assert len(failed(root, 9)["wrong"]) >= 3


@pytest.mark.soak
@pytest.mark.parametrize("sync", by_length([7], range(1, 20)))
@pytest.mark.parametrize(("how", "status"), [("die", -9), ("fail", EXIT_BROKEN)])
def test_what_was_written_but_not_synced_before_a_restart_is_not_relied_on(
    root: Path, disk: Path, how: str, status: int, sync: int
) -> None:
    assert lived(root, disk, at_sync=f"{how} {sync}") == status
    assert lived(root, disk) == 0
    told = failed(root, by_length(20, 2))
    assert told["wrong"] == {}
    assert told["failed"] >= by_length(20, 200)
