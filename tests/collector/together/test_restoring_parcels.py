"""A backup that is put back: with its keys a collector opens what comes, and takes no second parcel of a period."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.collector.crowds import counts, many, parcel, sent, served
from tests.collector.worlds import Clock, Service

from deniable.collector.http.operator import restored, surveys_without_keys
from deniable.collector.keys import KEYS, KeyFolder
from deniable.intake.refusals import Refused
from deniable.intake.storage.sqlite import SqliteStore

ANSWERS = [0, 1, 1, 2, 3, 3, 3, 0]
WEEKS = {"period": "week", "repeat": "fresh", "opens": "2026-07-27T00:00:00Z"}
Opening = Callable[[], Service]


@pytest.fixture
def opening(tmp_path: Path) -> Opening:
    """Opens a collector on a folder, again and again."""
    clock, data = Clock(), tmp_path / "data"
    return lambda: Service(clock, lambda: SqliteStore(data, clock), keys=KeyFolder(data / KEYS))


def test_what_came_since_the_backup_is_lost_and_said_to_be_and_no_other_takes_its_place(
    opening: Opening, tmp_path: Path
) -> None:
    with opening() as service:
        survey = served(service, **WEEKS)
        first = parcel(many(survey, ANSWERS, "2026-W31"))
        service.desk.backup(tmp_path / "backup")
        sent(service, survey, first, "2026-W31")
        service.keeper.keep()
    restored(tmp_path / "backup", tmp_path / "data")
    assert surveys_without_keys(tmp_path / "data") == []
    with opening() as service:
        [told] = service.crowds.standings(service.collector.survey(survey.digest))
        assert (told.period, told.arrival) == ("2026-W31", None)
        with pytest.raises(Refused, match="one that came first"):
            sent(service, survey, parcel(many(survey, ANSWERS[:-1], "2026-W31")), "2026-W31")
        assert counts(sent(service, survey, first, "2026-W31")) == (len(ANSWERS), 0, 0)
        service.keeper.keep()
        [standing] = service.desk.standings(service.collector.survey(survey.digest))
        assert (standing.state, standing.answers, standing.gaps) == ("released", len(ANSWERS), False)


def test_a_backup_without_its_keys_names_what_is_lost_until_they_are_put_back(opening: Opening, tmp_path: Path) -> None:
    with opening() as service:
        survey = served(service)
        service.keys.export(tmp_path / "copy")
        service.desk.backup(tmp_path / "backup")
    shutil.rmtree(tmp_path / "data")
    restored(tmp_path / "backup", tmp_path / "data")
    assert surveys_without_keys(tmp_path / "data") == ["commute"]
    with opening() as service:
        with pytest.raises(Refused, match="key of a survey must be there"):
            sent(service, survey, parcel(many(survey, ANSWERS)))
        shutil.copytree(tmp_path / "copy", tmp_path / "data" / KEYS)
        assert counts(sent(service, survey, parcel(many(survey, ANSWERS)))) == (len(ANSWERS), 0, 0)
    assert surveys_without_keys(tmp_path / "data") == []
