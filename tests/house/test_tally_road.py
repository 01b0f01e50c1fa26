"""The road of ``deniable tally`` runs downhill: a lower room calls a higher one only to tell of progress.

A call counts where it happens, whether the name was imported, passed in or found in an object.
"""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from tests.house.house_tree import ROOMS, SOURCE

import deniable as dn
from deniable.cli.tally import tally

SURVEY = dn.Hadamard(1000, 1.0)
RESUMED = 0x20
"""The flag of a generator: to go on with one is no call."""


def room_of(frame: FrameType | None) -> int | None:
    """The place of the room whose file a frame runs; None outside the library."""
    path = Path(frame.f_code.co_filename) if frame is not None else None
    if path is None or not path.is_relative_to(SOURCE):
        return None
    name = path.relative_to(SOURCE).parts[0].removesuffix(".py")
    return ROOMS.index(name) if name in ROOMS else None


class Climbs:
    """Notes each function of a higher room that a lower one calls, directly or through other libraries."""

    def __init__(self) -> None:
        self.found = set[str]()

    def __call__(self, frame: FrameType, event: str, _argument: Any) -> None:
        """What Python calls at each call."""
        called, caller = room_of(frame), frame.f_back
        if event != "call" or called is None or (frame.f_code.co_flags & RESUMED and frame.f_lasti > 0):
            return
        while caller is not None and (room := room_of(caller)) is None:
            caller = caller.f_back
        if caller is not None and room is not None and room < called:
            self.found.add(f"{caller.f_code.co_name} -> {frame.f_code.co_name}")

    def watch(self, work: Any) -> Any:
        """Do the work, watched in this thread and in those that it starts."""
        threading.setprofile(self)
        sys.setprofile(self)
        try:
            return work()
        finally:
            sys.setprofile(None)
            threading.setprofile(None)


def test_the_tally_climbs_only_to_tell_of_progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with dn.files.write_reports("week.parquet", SURVEY.spec(), SURVEY.layout) as writer:
        writer.write(SURVEY.privatize_many([1, 2, 3] * 1000))
    climbs = Climbs()
    climbs.watch(lambda: tally(["week.parquet"], Path("week.tally")))
    assert Path("week.tally").exists()
    assert climbs.found == {"_counted -> advance", "told -> advance"}


def test_a_climb_is_seen() -> None:
    from deniable.values.columns import unquoted

    climbs = Climbs()
    climbs.watch(lambda: unquoted(SURVEY.spec, dn.LabelError("it cannot be read")))
    assert "unquoted -> spec" in climbs.found
