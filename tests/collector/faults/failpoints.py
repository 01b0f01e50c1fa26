"""A collector's life, told as a script, again and again: each time one statement of its storage fails in one way.

    python -m tests.collector.faults.failpoints FOLDER STRIDE MODE...

Each life is a process of its own, which is forked, since it may be killed; another one then goes on with what it left.
Each STRIDE-th statement is tried, in each mode others. Prints as JSON, for each mode, how many were tried, and after
which of them something was lost or counted twice.
"""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import struct
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from tests.collector.worlds import DAY, Clock, World, a_survey, kinds, release_of

from deniable.collector.closing import close, discard, recount
from deniable.collector.folding import fold
from deniable.intake.storage.rows import RELEASED, SurveyRow
from deniable.intake.storage.sqlite import SqliteStore
from deniable.intake.storage.store import BrokenError
from deniable.intake.storage.transaction import Transaction
from deniable.protocol.errors import StoreError
from deniable.surveys.tally import SurveyTally

SURVEY = a_survey(minimum=1, grace=0, keep=86400)
MODES = ("kill", "kill after", "full", "full after", "broken", "broken after")
"""What happens at a statement, or just after it."""
LYING = "forget"
"""A storage that says it has committed and has not: that must be found out."""
ERRORS = {"full": "SQLITE_FULL", "broken": "SQLITE_IOERR_FSYNC"}
BODIES = [bytes([0] * 15 + [k]) + struct.pack("<HI", 0, 2) + bytes([k % 4, 1]) for k in range(6)]
ANSWERS = [body[place : place + 1] for body in BODIES for place in (22, 23)]


@dataclass
class Plan:
    """Which statement fails, and how."""

    mode: str
    at: int
    done: list[str] = field(default_factory=list)

    def around(self, statement: str, call: Callable[[], sqlite3.Cursor]) -> sqlite3.Cursor:
        """Run a statement, or let it fail if it is its turn."""
        self.done.append(statement)
        if len(self.done) - 1 != self.at:
            return call()
        if self.mode.endswith("after"):
            call()
        if self.mode.startswith("kill"):
            os.kill(os.getpid(), signal.SIGKILL)
        if self.mode == LYING:
            raise Forgotten
        raise _error(ERRORS[self.mode.split()[0]])


def _error(name: str) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("planted")
    error.sqlite_errorname = name
    return error


class Forgotten(Exception):
    """A commit that is none, of which nobody is told."""


class Failing(sqlite3.Connection):
    """A connection on which one statement fails."""

    plan: Plan

    def execute(self, statement: str, *given: Any) -> sqlite3.Cursor:
        """Run a statement."""
        run = super().execute
        try:
            return self.plan.around(statement, lambda: run(statement, *given))
        except Forgotten:
            return run("ROLLBACK")

    def executemany(self, statement: str, *given: Any) -> sqlite3.Cursor:
        """Run a statement many times."""
        run = super().executemany
        return self.plan.around(statement, lambda: run(statement, *given))


@dataclass
class Life:
    """A collector and its devices, which send again until they are told; whatever was done is not done again."""

    folder: Path
    plan: Plan
    clock: Clock = field(default_factory=Clock)

    def live(self) -> World:
        """From the beginning to the end; a storage that breaks is opened again."""
        while True:
            try:
                world = World(SqliteStore(self.folder / "data", self.clock, self._connect), self.clock)
            except StoreError:
                continue
            try:
                self.go_on(world)
                return world
            except BrokenError:
                world.store.close()

    def _connect(self, path: str) -> sqlite3.Connection:
        connection = sqlite3.connect(path, timeout=0, isolation_level=None, factory=Failing)
        connection.plan = self.plan
        return connection

    def go_on(self, world: World) -> None:
        """Do whatever was not done before."""
        _again(lambda: _put(world))
        for group in ([0], [1, 2, 1], [0, 3, 3]):
            self._send(world, group)
        row = _again(lambda: world.row(SURVEY))
        batch = _again(lambda: world.run(lambda t: t.batch(SURVEY.digest, "once")))
        if batch.state == "open":
            _again(lambda: fold(world.run, world.form(row), batch))
        self._send(world, [4, 2, 5])
        _again(lambda: _refused(world))
        _again(lambda: world.run(lambda t: t.end_survey(SURVEY.digest, self.clock())))
        row = _again(lambda: world.row(SURVEY))
        _again(lambda: close(world.run, world.form(row), row, batch))
        if (self.folder / "kept").exists():
            self.clock.moment += 2 * DAY
            _again(lambda: discard(world.run, world.form(row), row, batch._replace(state=RELEASED), self.clock()))

    def _send(self, world: World, places: list[int]) -> None:
        """Send uploads until all are acknowledged; what was is written down at once."""
        waiting = [place for place in places if not self.told(place)]
        while waiting:
            outcomes = kinds(world.send(SURVEY, *[BODIES[place] for place in waiting]))
            assert set(outcomes) <= {2, "busy"}, outcomes
            for place, outcome in zip(waiting, outcomes, strict=True):
                if outcome == 2:
                    (self.folder / f"told-{place}").touch()
            waiting = [place for place in waiting if not self.told(place)]

    def told(self, place: int) -> bool:
        """Whether an upload was acknowledged."""
        return (self.folder / f"told-{place}").exists()


def _again(do: Callable[[], Any]) -> Any:
    """Do something, once more if it fails in a way that leaves the storage sound."""
    while True:
        try:
            return do()
        except BrokenError:
            raise
        except StoreError:
            continue


def _put(world: World) -> None:
    def put(t: Transaction) -> None:
        if not t.lock([SURVEY.digest], alone=True):
            t.add_survey(SurveyRow(SURVEY.digest, SURVEY.name, SURVEY.document, "ann", "2026-08-03", None, False))

    world.run(put)


def _refused(world: World) -> None:
    """Something that is undone although nothing failed."""

    def refuse(t: Transaction) -> None:
        t.note("2026-08-03", "ann", "nothing", "at all")
        raise KeyError

    with suppress(KeyError):
        world.run(refuse)


def check(folder: Path) -> None:
    """Live on without a failure, and find every answer once; then delete the answers, and find the same result."""
    life = Life(folder, Plan("", -1))
    for deleted in (False, True):
        if deleted:
            (folder / "kept").touch()
        world = life.live()
        row = world.row(SURVEY)
        [batch] = world.run(lambda t: t.batches(SURVEY.digest))
        release = release_of(world, batch)
        assert batch.state == RELEASED
        assert release is not None
        assert SurveyTally.from_bytes(release.tally) == SURVEY.tally(ANSWERS)
        n = len(ANSWERS)
        assert recount(world.run, world.form(row), batch) == ((0, False, False) if deleted else (n, True, True))
        assert world.run(lambda t: t.notes()) == []
        world.store.close()


def forked(do: Callable[[], object], log: Path) -> int:
    """Do something in a process of its own; its exit status, or less than 0 if it was killed."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    try:
        do()
    except BaseException:
        log.write_text(traceback.format_exc())
        os._exit(1)
    os._exit(0)


def statements(folder: Path) -> list[str]:
    """The statements of a whole life, in this process: what it loads need not be loaded again."""
    folder.mkdir()
    (folder / "kept").touch()
    life = Life(folder, Plan("", -1))
    life.live().store.close()
    return life.plan.done


def tried(folder: Path, stride: int, mode: str) -> Iterator[tuple[int, str]]:
    """Each statement that was tried, and what was wrong after it."""
    folder.mkdir()
    for at, statement in enumerate(statements(folder / "whole")):
        if (at + len(mode)) % stride or (mode == LYING and statement != "COMMIT"):
            continue
        own = folder / str(at)
        own.mkdir()
        log = own / "log"
        ended = forked(Life(own, Plan(mode, at)).live, log)
        wrong = "" if ended in (0, -signal.SIGKILL) else log.read_text()
        if not wrong and forked(partial(check, own), log):
            wrong = log.read_text()
        yield at, wrong


if __name__ == "__main__":
    told = {}
    for mode in sys.argv[3:]:
        found = list(tried(Path(sys.argv[1]) / mode, int(sys.argv[2]), mode))
        told[mode] = {"tried": len(found), "wrong": {at: wrong for at, wrong in found if wrong}}
    print(json.dumps(told))
