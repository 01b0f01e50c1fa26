"""A backup that lacks answers which the collector took, and what the collector says of periods."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.collector.worlds import DAY, Clock, Service, a_survey, body_of

import deniable as dn
from deniable.intake.storage.sqlite import FILE, SqliteStore

DAILY = a_survey("daily", period="day", repeat="once", grace=0, minimum=3)


def opened(folder: Path, clock: Clock) -> Service:
    """A collector on a folder."""
    return Service(clock, lambda: SqliteStore(folder, clock))


def backed_up(folder: Path, clock: Clock) -> Path:
    """A backup of a collector that took an answer on Monday, and more on Monday and Tuesday that the backup lacks."""
    path = folder.with_name("backup")
    with opened(folder, clock) as service:
        service.desk.put(DAILY, "ann")
        assert service.send(DAILY, body_of([1]), period="2026-08-03") == [1]
        service.desk.backup(path)
        assert service.send(DAILY, body_of([1]), period="2026-08-03") == [1]
        service.pass_time(DAY)
        assert service.send(DAILY, body_of([1]), period="2026-08-04") == [1]
    return path


def gaps(service: Service, survey: dn.Survey) -> dict[str, bool]:
    """Which periods say that answers may be missing."""
    row = service.collector.survey(survey.digest)
    return {standing.period: standing.gaps for standing in service.desk.standings(row)}


def put_back(backup: Path, folder: Path) -> None:
    """Put a backup in the place of what is there, as the docs say."""
    for path in folder.glob(FILE + "*"):
        path.unlink()
    shutil.copy(backup, folder / FILE)
