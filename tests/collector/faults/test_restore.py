"""``deniable collector restore``: the backup or the storage is there, whole, whatever is killed and left behind."""

from __future__ import annotations

import errno
import itertools
import os
import shutil
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.collector.commands import command, in_a_line
from tests.collector.faults.backups import DAILY, backed_up, gaps, opened
from tests.collector.servers import put, started, stopped
from tests.collector.worlds import MONDAY, Clock, a_survey, body_of
from tests.waiting import PATIENCE

from deniable.intake.storage import restore as restoring
from deniable.intake.storage import sqlite
from deniable.intake.storage.restore import LOG, restore
from deniable.intake.storage.sqlite import FILE, SqliteStore, check_sound
from deniable.protocol.errors import StoreError

STEPS = ((os, "link"), (os, "fsync"), (Path, "replace"), (Path, "unlink"), (restoring, "settle"))
"""What changes the folder."""


class KilledError(BaseException):
    """What happens in the place of a SIGKILL."""


def killed_at(until: int) -> Callable[[], None]:
    """Steps, of which one is the last."""
    steps = itertools.count()

    def step() -> None:
        if next(steps) == until:
            raise KilledError

    return step


def stepping(whole: Callable[..., Any], step: Callable[[], None]) -> Callable[..., Any]:
    """The same function, with a step before it and one after it."""

    def stepped(*given: Any, **more: Any) -> Any:
        step()
        found = whole(*given, **more)
        step()
        return found

    return stepped


def failing_with(number: int) -> Callable[..., None]:
    """A call of the system that fails."""

    def fail(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    return fail


class Full(sqlite3.Connection):
    """A connection to a file on a full disk."""

    def execute(self, statement: str, *given: Any) -> sqlite3.Cursor:
        """Fail where the log would go into the file."""
        if "journal_mode" in statement:
            error = sqlite3.OperationalError("database or disk is full")
            error.sqlite_errorname = "SQLITE_FULL"
            raise error
        return super().execute(statement, *given)


def answers(folder: Path, clock: Clock) -> int:
    """How many answers a storage has, over all periods."""
    with opened(folder, clock) as service:
        return sum(each.answers for each in service.desk.standings(service.collector.survey(DAILY.digest)))


def test_a_restored_collector_has_the_backups_answers_and_says_what_may_be_missing(tmp_path: Path) -> None:
    data, survey = tmp_path / "data", a_survey("restored", minimum=1)
    server = started(data)
    put(server, server.operator, survey)
    assert server.send(survey, body_of([1])).status == 200
    assert server.ask("PUT", "/v1/backups/one", token=server.operator).status == 201
    assert server.send(survey, body_of([2])).status == 200
    refused = command("collector", "restore", str(data / "backups" / "one"), "--data", str(data))
    assert refused.returncode == 2
    assert "must be stopped to be restored" in in_a_line(refused.stderr)
    server.process.kill()  # which leaves its log behind
    server.process.wait(PATIENCE)
    assert (data / f"{FILE}{LOG}").stat().st_size > 0
    done = command("collector", "restore", str(data / "backups" / "one"), "--data", str(data))
    assert done.returncode == 0, done.stderr
    [kept] = (data / "backups").glob("before-*")
    assert str(kept) in done.stdout
    assert "tokens that were deleted since the backup are good again" in in_a_line(done.stdout)
    assert "every link to results has ended" in in_a_line(done.stdout)
    server = started(data)
    try:
        [period] = server.ask("GET", f"/v1/surveys/{survey.digest}/periods", token=server.operator).json
        assert period["answers"] == 1
        shown = command("collector", "status", "--data", str(data)).stdout
        assert "some may be missing" in in_a_line(shown)
    finally:
        assert stopped(server) == 0
    with closing(sqlite3.connect(kept)) as before:
        assert before.execute("SELECT sum(n) FROM chunk").fetchall() == [(2,)]


def test_a_log_that_was_left_behind_is_refused_and_nothing_is_changed(tmp_path: Path) -> None:
    clock, data = Clock(MONDAY + 3600), tmp_path / "data"
    backup = backed_up(data, clock)
    with opened(data, clock) as service:
        assert service.send(DAILY, body_of([1]), period="2026-08-04") == [1]
        shutil.copy(data / f"{FILE}{LOG}", tmp_path / "log")
    assert (tmp_path / "log").stat().st_size > 0
    shutil.copy(backup, data / FILE)
    shutil.copy(tmp_path / "log", data / f"{FILE}{LOG}")
    before = {path.name: path.read_bytes() for path in data.iterdir() if path.is_file()}
    with pytest.raises(StoreError, match=r"a backup must stand alone, got .* deniable collector restore FILE"):
        SqliteStore(data, clock)
    assert {path.name: path.read_bytes() for path in data.iterdir() if path.is_file()} == before
    restore(backup, data / FILE, data / "kept", check_sound)
    assert answers(data, clock) == 1
    assert (data / f"kept{LOG}").read_bytes() == (tmp_path / "log").read_bytes()  # of the file that was moved away


@pytest.mark.parametrize("links", [True, False], ids=["", "without links"])
def test_what_was_there_before_can_be_put_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool) -> None:
    """Wherever backups are: another file system has no links to this one."""
    clock, data = Clock(MONDAY + 3600), tmp_path / "data"
    backup, kept = backed_up(data, clock), tmp_path / "elsewhere" / "kept"
    with monkeypatch.context() as patched:
        if not links:
            patched.setattr(os, "link", failing_with(errno.EXDEV))
        restore(backup, data / FILE, kept, check_sound)
    assert answers(data, clock) == 1
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    restore(kept, data / FILE, tmp_path / "again", check_sound)
    assert answers(data, clock) == 3


def test_a_storage_that_cannot_be_set_aside_stays_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock, data = Clock(MONDAY + 3600), tmp_path / "data"
    backup = backed_up(data, clock)
    with monkeypatch.context() as patched:
        patched.setattr(os, "link", failing_with(errno.EXDEV))
        patched.setattr(sqlite3, "connect", Full)
        with pytest.raises(StoreError, match="the storage must be one that can be set aside, got SQLITE_FULL"):
            restore(backup, data / FILE, data / "kept", check_sound)
    assert answers(data, clock) == 3


def test_no_collector_starts_on_a_storage_that_is_being_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, data, refusals = Clock(MONDAY + 3600), tmp_path / "data", list[str]()
    backup = backed_up(data, clock)

    def replace(path: Path, target: Path, whole: Callable[[Path, Path], Path] = Path.replace) -> Path:
        if target == data / FILE:
            refusals.append(command("serve", "--data", str(data), "--port", "0").stderr)
        return whole(path, target)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", replace)
        restore(backup, data / FILE, data / "kept", check_sound)
    assert ["another process has" in in_a_line(refusal) for refusal in refusals] == [True]
    assert answers(data, clock) == 1


@pytest.mark.parametrize("until", range(4))
def test_a_copy_that_was_killed_while_it_was_first_opened_is_opened_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, until: int
) -> None:
    """Its own log is no reason to refuse it, and that answers may be missing is said all the same."""
    clock, data = Clock(MONDAY + 3600), tmp_path / "data"
    backup = backed_up(tmp_path / "before", clock)
    data.mkdir()
    restore(backup, data / FILE, data / "kept", check_sound)
    step = killed_at(until)
    with monkeypatch.context() as patched:
        for name in ("begin_use", "migrate"):
            patched.setattr(sqlite, name, stepping(getattr(sqlite, name), step))
        with pytest.raises(KilledError):
            SqliteStore(data, clock)
    with opened(data, clock) as service:
        assert gaps(service, DAILY) == {"2026-08-03": True}


def test_one_of_the_two_is_there_whenever_it_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock, found = Clock(MONDAY + 3600), set[int]()
    backup = backed_up(tmp_path / "closed", clock)
    with opened(tmp_path / "closed", clock) as service:  # as a killed collector leaves it: much is in the log alone
        assert service.send(DAILY, body_of([1]), period="2026-08-04") == [1]
        shutil.copytree(tmp_path / "closed", tmp_path / "whole")
    for until in itertools.count():
        data, step = tmp_path / f"data-{until}", killed_at(until)
        shutil.copytree(tmp_path / "whole", data)
        with monkeypatch.context() as patched:
            for owner, name in STEPS:
                patched.setattr(owner, name, stepping(getattr(owner, name), step))
            try:
                restore(backup, data / FILE, data / "kept", check_sound)
            except KilledError:
                pass
            else:
                break
        found.add(answers(data, clock))
    assert until > 5
    assert found == {1, 4}


def test_what_is_no_backup_or_a_damaged_one_is_refused(tmp_path: Path) -> None:
    clock, data = Clock(MONDAY + 3600), tmp_path / "data"
    backup = backed_up(data, clock)
    damaged, other = tmp_path / "damaged", tmp_path / "other"
    body = bytearray(backup.read_bytes())
    body[8192:20480] = bytes(12288)
    damaged.write_bytes(body)
    other.write_bytes(b"no backup")
    for path in (damaged, other, data / FILE):
        refused = command("collector", "restore", str(path), "--data", str(data))
        assert refused.returncode == 2
        assert "a backup must be" in in_a_line(refused.stderr)
    assert "a backup must be a file" in in_a_line(command("collector", "restore", "none", "--data", str(data)).stderr)
    assert answers(data, clock) == 3
    assert not list(data.glob(".*part"))


def test_a_backup_of_a_newer_release_is_refused_before_anything_is_put_in_place(tmp_path: Path) -> None:
    backup, data = backed_up(tmp_path / "data", Clock(MONDAY + 3600)), tmp_path / "data"
    with closing(sqlite3.connect(backup, isolation_level=None)) as connection:
        connection.execute("INSERT INTO migration SELECT max(number) + 1, 'of a newer release' FROM migration")
    before = (data / FILE).read_bytes()
    with pytest.raises(StoreError, match=r"must be of schema [0-9]+ or older, got schema [0-9]+; use a newer release"):
        restore(backup, data / FILE, data / "kept", check_sound)
    assert (data / FILE).read_bytes() == before
    assert not (data / "kept").exists()
