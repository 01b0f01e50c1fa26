"""Surveys with a crowd: what is checked before one is served, what becomes of its key, what is told of its crowds."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.collector.conftest import OpenStore
from tests.collector.crowds import APART, LEAST, a_crowd, a_survey, many, parcel, sent, served
from tests.collector.worlds import DAY, Clock, Service

from deniable.collector.keys import KeyFolder
from deniable.intake.refusals import Refused
from deniable.intake.storage.arrivals import Arrivals
from deniable.intake.storage.transaction import Transaction
from deniable.protocol.errors import ParameterError

ANSWERS = [0, 1, 1, 2, 3, 3, 3, 0]
WEEKS = {"period": "week", "repeat": "fresh", "opens": "2026-07-27T00:00:00Z"}


@pytest.fixture
def service(open_store: OpenStore, tmp_path: Path) -> Iterator[Service]:
    """A collector in this process, with keys."""
    clock = Clock()
    with Service(clock, lambda: open_store(clock), keys=KeyFolder(tmp_path / "keys")) as found:
        yield found


def kept(service: Service) -> int:
    """How many private keys there are."""
    return len(list(service.keys.folder.glob("*.pem")))


def test_a_survey_without_a_key_is_not_served(service: Service) -> None:
    with pytest.raises(ParameterError, match="deniable collector put writes them"):
        service.desk.put(a_survey(None), "ann")
    assert service.desk.surveys() == []


def test_a_key_is_one_survey_s_and_of_this_collector(service: Service, tmp_path: Path) -> None:
    survey = served(service)
    assert survey.crowd is not None
    assert service.desk.put(survey, "ann") is False
    with pytest.raises(Refused, match="must be its own"):
        service.desk.put(a_survey(survey.crowd.key, name="another"), "ann")
    with pytest.raises(ParameterError, match="made for the survey"):
        service.desk.put(a_survey(KeyFolder(tmp_path / "elsewhere").make()), "ann")


@pytest.mark.parametrize(("field", "less"), [("level", 0.9), ("belief", 0.8)])
def test_levels_that_are_not_proven_are_refused(service: Service, field: str, less: float) -> None:
    crowd = a_crowd(service.keys.make())
    stated: dict[str, Any] = {"level": crowd.level, "belief": crowd.belief or 0.0}
    stated[field] = max(float(f"{stated[field] * less:.3g}"), crowd.level if field == "belief" else 0.0)
    with pytest.raises(ParameterError, match=f"the {field} of a crowd must be at least .* proven of {LEAST} people"):
        service.desk.put(a_survey(None, crowd=a_crowd(crowd.key, **stated)), "ann")


def test_codes_and_closing_are_the_mixer_s(service: Service) -> None:
    row = service.collector.survey(served(service).digest)
    for ask in (lambda: service.desk.invite(row, 5, "ann"), lambda: service.desk.end(row, "ann")):
        with pytest.raises(Refused, match="at its mixer"):
            ask()


def test_a_key_is_destroyed_when_the_last_period_has_its_result(service: Service) -> None:
    survey = served(service)
    sent(service, survey, parcel(many(survey, ANSWERS)))
    service.crowds.look()
    assert kept(service) == 1
    service.keeper.keep()
    service.crowds.look()
    assert kept(service) == 0
    row = service.collector.survey(survey.digest)
    assert (service.crowds.status(row) or {})["key"] == "destroyed"
    assert service.desk.put(survey, "ann") is False


def test_a_key_is_kept_while_a_parcel_of_another_period_may_come(service: Service) -> None:
    survey = served(service, **WEEKS)
    sent(service, survey, parcel(many(survey, ANSWERS, "2026-W32")), "2026-W32")
    service.pass_time(20 * DAY)
    service.crowds.look()
    assert kept(service) == 1
    sent(service, survey, parcel(many(survey, ANSWERS, "2026-W31", 20)), "2026-W31")
    service.keeper.keep()
    service.crowds.look()
    assert kept(service) == 0
    assert service.collector.run(lambda t: Arrivals(t.run).ids((survey.digest, "2026-W31"))) == b""


def test_a_key_is_destroyed_once_no_parcel_comes_any_more(service: Service) -> None:
    survey = served(service, keep=86400)
    service.pass_time(35 * DAY)
    service.crowds.look()
    assert kept(service) == 1
    service.pass_time(3 * DAY)
    service.crowds.look()
    assert kept(service) == 0
    with pytest.raises(Refused) as late:
        sent(service, survey, parcel(many(survey, ANSWERS)))
    assert late.value.refusal.status == 410


def test_a_key_that_was_away_when_its_survey_ended_is_destroyed_when_it_is_back(
    service: Service, caplog: pytest.LogCaptureFixture
) -> None:
    survey = served(service, keep=86400)
    away = service.keys.folder.rename(service.keys.folder.with_name("away"))
    service.pass_time(38 * DAY)
    for _ in range(2):
        service.crowds.look()
    assert [each.getMessage() for each in caplog.records if "not there" in each.getMessage()] == [
        f"a key was not there to be destroyed: survey {survey.name}, it will be if it is put back"
    ]
    away.rename(service.keys.folder)
    assert kept(service) == 1
    service.crowds.look()
    assert kept(service) == 0


def test_a_key_goes_with_its_survey(service: Service) -> None:
    survey = served(service)
    service.desk.delete(service.collector.survey(survey.digest), "commute", "ann")
    assert kept(service) == 0


def test_the_key_of_a_survey_that_cannot_be_read_is_kept(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    survey, sound = served(service), served(service, name="sound")
    service.desk.delete(service.collector.survey(sound.digest), "sound", "ann")
    service.collector.run(lambda t: t.run("UPDATE survey SET document = ?", b"{}"))
    service.collector.forget(survey.digest)
    service.clock.advance(400 * DAY)
    service.crowds.look()
    assert kept(service) == 1
    monkeypatch.setattr(Transaction, "surveys", lambda *_: [])  # as where its row cannot be read
    service.crowds.look()
    assert kept(service) == 1


def test_a_lost_key_is_told_once_and_shown(service: Service, caplog: pytest.LogCaptureFixture) -> None:
    survey = served(service)
    [path] = service.keys.folder.glob("*.pem")
    path.unlink()
    for _ in range(2):
        service.crowds.look()
    assert [each.getMessage() for each in caplog.records if each.levelno == logging.WARNING] == [
        "a survey's key is lost: survey commute, no parcel of it can be opened until it is put back"
    ]
    assert (service.crowds.status(service.collector.survey(survey.digest)) or {})["key"] == "lost"
    assert "deniable_lost_keys 1.0" in service.collector.metrics.text()


def test_counts_are_told_once_there_is_a_result(service: Service) -> None:
    survey = served(service, parties=APART)
    row = service.collector.survey(survey.digest)
    sent(service, survey, parcel(many(survey, ANSWERS)))
    [before] = service.crowds.standings(row)
    assert {"answers", "repeated", "unreadable"} & before.to_dict().keys() == set()
    service.keeper.keep()
    [after] = service.crowds.standings(row)
    assert survey.crowd is not None
    assert after.to_dict() == {
        "period": "once", "lost": False, "withheld": 0, "codes": 100, "again": 0, "answers": 8, "repeated": 0,
        "unreadable": 0, "level": survey.crowd.level, "together": 2.0, "lowered": False,
    }  # fmt: skip


def lowered(service: Service, **terms: Any) -> Any:
    """How the crowd of a period stands of which one answer cannot be read, and the note on its result."""
    survey = served(service, **terms)
    bodies = many(survey, [0, 1, 1, 2, 3])
    sent(service, survey, parcel([*bodies, bytes(len(bodies[0]))]))
    service.keeper.keep()
    service.crowds.look()
    row = service.collector.survey(survey.digest)
    [told] = service.crowds.standings(row)
    return survey, told.to_dict(), service.desk.tally(row, "once").note


def test_a_crowd_that_is_smaller_than_promised_says_its_level_on_every_face(service: Service) -> None:
    survey, told, note = lowered(service, parties=APART)
    assert survey.crowd.level < told["level"] <= told["together"] == 2.0
    assert told["lowered"]
    assert f"only 5 answers could be read and not 6, so the mixed ones have the level {told['level']:g}" in note
    assert "2 for whoever also sees whose each is" in note
    assert "deniable_lowered_crowds 1.0" in service.collector.metrics.text()


def test_on_one_machine_no_level_of_a_crowd_is_told(service: Service) -> None:
    _, told, note = lowered(service)
    assert (told["level"], told["together"], told["lowered"]) == (None, 2.0, True)
    assert note == "only 5 answers could be read and not 6"


def test_a_survey_without_a_crowd_has_none_to_tell_of(service: Service) -> None:
    from tests.collector.worlds import a_survey as plain

    survey = plain()
    service.desk.put(survey, "ann")
    row = service.collector.survey(survey.digest)
    assert (service.crowds.status(row), service.crowds.standings(row)) == (None, [])
