"""The road of ``deniable tally``: it runs downhill, and a reader who follows it turns to another file few times.

A call counts where it happens, whether the name was imported, passed in or found in an object.
"""

from __future__ import annotations

import inspect
import sys
import threading
from abc import ABC, abstractmethod
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from types import FrameType
from typing import Any, TypeAlias

import pytest
from tests.house.house_tree import ROOMS, SOURCE

import deniable as dn
from deniable.cli.tally import tally

SURVEY = dn.Hadamard(1000, 1.0)
SPEC = "from_spec_bytes"
NAMED = ("<", "__", "check", "_check", "require", "_require", "unheard", "tell", "_tell")
Step: TypeAlias = tuple[str, str]
"""A file and the name of a function in it."""
MOST_STAYS = 25
RESUMED = 0x20
"""The flag of a generator: to go on with one is no call."""


def room_of(frame: FrameType | None) -> int | None:
    """The place of the room whose file a frame runs; None outside the library."""
    path = Path(frame.f_code.co_filename) if frame is not None else None
    if path is None or not path.is_relative_to(SOURCE):
        return None
    name = path.relative_to(SOURCE).parts[0].removesuffix(".py")
    return ROOMS.index(name) if name in ROOMS else None


class Watch(ABC):
    """Is told of each call of Python's."""

    @abstractmethod
    def __call__(self, frame: FrameType, event: str, _argument: Any) -> None:
        """What Python calls at each call."""

    def watch(self, work: Any) -> Any:
        """Do the work, watched in this thread and in those that it starts."""
        threading.setprofile(self)
        sys.setprofile(self)
        try:
            return work()
        finally:
            sys.setprofile(None)
            threading.setprofile(None)


class Climbs(Watch):
    """Notes each function of a higher room that a lower one calls, directly or through other libraries."""

    def __init__(self) -> None:
        self.found = set[str]()

    def __call__(self, frame: FrameType, event: str, _argument: Any) -> None:
        called, caller = room_of(frame), frame.f_back
        if event != "call" or called is None or (frame.f_code.co_flags & RESUMED and frame.f_lasti > 0):
            return
        while caller is not None and (room := room_of(caller)) is None:
            caller = caller.f_back
        if caller is not None and room is not None and room < called:
            self.found.add(f"{caller.f_code.co_name} -> {frame.f_code.co_name}")


class Stays(Watch):
    """Notes the functions of the road, in the order of their first calls, and what each calls in other files.

    Left out are checks, properties, special methods and progress, which one reads by their names, and the road from a
    spec to its mechanism, which is one of its own.
    """

    def __init__(self) -> None:
        self.calls, self.thread = dict[Step, set[Step]](), dict[Step, int]()

    def __call__(self, frame: FrameType, event: str, _argument: Any) -> None:
        if event != "call" or (called := step_of(frame)) is None:
            return
        self.thread.setdefault(called, threading.get_ident())
        self.calls.setdefault(called, set())
        caller = frame.f_back
        while caller is not None and (calling := step_of(caller)) is None:
            caller = caller.f_back
        if caller is not None and calling is not None:
            self.calls.setdefault(calling, set()).add(called)

    @property
    def road(self) -> list[Step]:
        """The functions that call one of another file: those in between, and no leaves; thread by thread."""
        threads = list(dict.fromkeys(self.thread.values()))
        found = [
            step for step, called in self.calls.items()
            if step not in self._below(SPEC) and any(other[0] != step[0] for other in called)
        ]  # fmt: skip
        return sorted(found, key=lambda step: threads.index(self.thread.get(step, threads[0])))

    def __len__(self) -> int:
        """How often the road goes on in another file."""
        return sum(1 for _ in groupby(self.road, key=itemgetter(0)))

    def _below(self, name: str) -> set[Step]:
        new = {step for step in self.calls if step[1] == name}
        found = set(new)
        while new:
            new = {called for step in new for called in self.calls[step]} - found
            found |= new
        return found


def step_of(frame: FrameType) -> Step | None:
    """The file and the name of a function that a reader follows."""
    if room_of(frame) is None or frame.f_code.co_name.startswith(NAMED):
        return None
    found: Any = None
    for name in frame.f_code.co_qualname.split("."):
        found = frame.f_globals.get(name) if found is None else inspect.getattr_static(found, name, None)
        if found is None:
            break
    is_property = isinstance(found, property | cached_property)
    return None if is_property else (frame.f_code.co_filename, frame.f_code.co_qualname)


@pytest.fixture(autouse=True)
def _week(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with dn.files.write_reports("week.parquet", SURVEY.spec(), SURVEY.layout) as writer:
        writer.write(SURVEY.privatize_many([1, 2, 3] * 1000))


def test_the_tally_never_climbs() -> None:
    climbs = Climbs()
    climbs.watch(lambda: tally(["week.parquet"], Path("week.tally")))
    assert Path("week.tally").exists()
    assert climbs.found == set()


def test_the_tally_stays_in_few_files() -> None:
    tally(["week.parquet"], Path("first.tally"))  # what is loaded late is loaded
    stays = Stays()
    stays.watch(lambda: tally(["week.parquet"], Path("week.tally")))
    shown = [f"{Path(file).relative_to(SOURCE)} {name}" for file, name in stays.road]
    assert 10 < len(stays) <= MOST_STAYS, shown


def test_a_climb_is_seen() -> None:
    from deniable.values.columns import unquoted

    climbs = Climbs()
    climbs.watch(lambda: unquoted(SURVEY.spec, dn.LabelError("it cannot be read")))
    assert "unquoted -> spec" in climbs.found
