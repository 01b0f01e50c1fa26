"""Storage that was restored from a backup says wherever answers may be missing, and nowhere else."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.collector.faults.backups import DAILY, backed_up, gaps, opened, put_back
from tests.collector.worlds import DAY, MONDAY, Clock, a_survey, body_of

from deniable.intake.storage.sqlite import FILE
from deniable.protocol.errors import StoreError

LATER = a_survey("later", minimum=1)


def test_a_backup_that_is_put_back_at_once_is_noticed_and_only_once(tmp_path: Path) -> None:
    clock = Clock(MONDAY + 3600)
    backup = backed_up(tmp_path / "data", clock)
    put_back(backup, tmp_path / "data")
    with opened(tmp_path / "data", clock) as service:
        assert gaps(service, DAILY) == {"2026-08-03": True}
        assert service.send(DAILY, body_of([1]), period="2026-08-04") == [1]
        assert gaps(service, DAILY) == {"2026-08-03": True, "2026-08-04": True}
    with opened(tmp_path / "data", clock) as service:
        clock.advance(DAY)
        service.desk.put(LATER, "ann")
        for survey, period in ((DAILY, "2026-08-05"), (LATER, "once")):
            assert service.send(survey, body_of([1]), period=period) == [1]
        assert gaps(service, DAILY) == {"2026-08-03": True, "2026-08-04": True, "2026-08-05": False}
        assert gaps(service, LATER) == {"once": False}


def test_a_backup_in_a_new_folder_is_noticed(tmp_path: Path) -> None:
    clock = Clock(MONDAY + 3600)
    backup = backed_up(tmp_path / "data", clock)
    (tmp_path / "new").mkdir()
    put_back(backup, tmp_path / "new")
    with opened(tmp_path / "new", clock) as service:
        assert gaps(service, DAILY) == {"2026-08-03": True}


def test_an_older_file_is_noticed_too(tmp_path: Path) -> None:
    clock = Clock(MONDAY + 3600)
    with opened(tmp_path / "data", clock) as service:
        service.desk.put(DAILY, "ann")
        assert service.send(DAILY, body_of([1]), period="2026-08-03") == [1]
    shutil.copy(tmp_path / "data" / FILE, tmp_path / "older")
    with opened(tmp_path / "data", clock) as service:
        assert gaps(service, DAILY) == {"2026-08-03": False}
        assert service.send(DAILY, body_of([1]), period="2026-08-03") == [1]
    put_back(tmp_path / "older", tmp_path / "data")
    with opened(tmp_path / "data", clock) as service:
        assert gaps(service, DAILY) == {"2026-08-03": True}


def test_what_may_be_missing_goes_with_the_answers_that_join_another_day(tmp_path: Path) -> None:
    clock = Clock(MONDAY + 3600)
    backup = backed_up(tmp_path / "data", clock)
    clock.moment = MONDAY + 3600
    put_back(backup, tmp_path / "data")
    with opened(tmp_path / "data", clock) as service:
        clock.moment = MONDAY + DAY
        service.keeper.look_at_the_clock()
        clock.advance(3600)
        assert service.send(DAILY, body_of([1, 2]), period="2026-08-04") == [2]
        service.keeper.keep()
        service.pass_time(DAY)
        _, note = service.desk.tally(service.collector.survey(DAILY.digest), "2026-08-04")
        assert note == "answers may be missing, since storage was restored"


def test_a_backup_is_whole_or_not_there_and_replaces_nothing(tmp_path: Path) -> None:
    with opened(tmp_path / "data", Clock()) as service:
        service.desk.backup(tmp_path / "backups" / "one")
        assert [path.name for path in (tmp_path / "backups").iterdir()] == ["one"]
        before = (tmp_path / "backups" / "one").read_bytes()
        with pytest.raises(StoreError, match="a backup must go into a new file, got one that is there"):
            service.desk.backup(tmp_path / "backups" / "one")
        assert (tmp_path / "backups" / "one").read_bytes() == before
        (tmp_path / "backups" / ".two.part").write_bytes(b"left behind by a kill")
        service.desk.backup(tmp_path / "backups" / "two")
        assert sorted(path.name for path in (tmp_path / "backups").iterdir()) == ["one", "two"]
