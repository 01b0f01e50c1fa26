"""One parcel of a period for ever: opened, counted once, and stored as answers are that came directly."""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.collector.conftest import OpenStore
from tests.collector.crowds import (
    LEAST,
    a_crowd,
    a_survey,
    an_id,
    as_sent,
    counts,
    many,
    parcel,
    sealed,
    sent,
    served,
)
from tests.collector.worlds import Clock, Service, body_of

import deniable as dn
from deniable.collector import parcels
from deniable.collector.keys import KeyFolder
from deniable.collector.opening import OpeningProcess
from deniable.collector.parcels import SentParcel
from deniable.intake.refusals import Refused
from deniable.intake.storage.arrivals import ArrivalRow, Arrivals
from deniable.intake.storage.rows import CLOSING, RELEASED, WITHHELD, Batch
from deniable.protocol.privacy.levels import rounded_up
from deniable.protocol.surveys.sealed_answer import SealedForm
from deniable.surveys.tally import SurveyTally

ANSWERS = [0, 1, 1, 2, 3, 3, 3, 0]
WEEKS = {"period": "week", "repeat": "fresh", "opens": "2026-07-06T00:00:00Z"}
EMPTY = hashlib.sha256(b"").hexdigest()


@pytest.fixture
def service(open_store: OpenStore, tmp_path: Path) -> Iterator[Service]:
    """A collector in this process, with keys."""
    clock = Clock()
    with Service(clock, lambda: open_store(clock), keys=KeyFolder(tmp_path / "keys")) as found:
        yield found


def batch_of(service: Service, survey: dn.Survey, period: str = "once") -> Batch:
    """A period."""
    [found] = [b for b in service.collector.run(lambda t: t.batches(survey.digest)) if b.period == period]
    return found


def result(service: Service, survey: dn.Survey, period: str = "once") -> list[int]:
    """How often each report was counted, as readers see it."""
    service.keeper.keep()
    tally = service.desk.tally(service.collector.survey(survey.digest), period).tally
    [arm] = SurveyTally.from_bytes(tally, survey).arms
    return [int(count) for count in arm[0].counts]


def refused(service: Service, survey: dn.Survey, given: SentParcel, period: str = "once") -> str:
    """Why a parcel is not taken."""
    with pytest.raises(Refused) as found:
        sent(service, survey, given, period)
    return found.value.refusal.kind


def test_what_a_parcel_holds_is_counted_and_released(service: Service) -> None:
    survey = served(service)
    found = sent(service, survey, parcel(many(survey, ANSWERS)))
    assert counts(found) == (len(ANSWERS), 0, 0)
    assert batch_of(service, survey).state == CLOSING
    assert result(service, survey) == [2, 2, 1, 3]
    assert batch_of(service, survey).state == RELEASED
    row = service.collector.survey(survey.digest)
    assert (row.invited, service.desk.recount(row, "once")) == (True, (len(ANSWERS), True, True))
    assert service.desk.check() == {"periods": [], "beside": []}


def test_the_same_bytes_get_the_same_reply_and_others_none(service: Service) -> None:
    survey = served(service)
    bodies = many(survey, ANSWERS)
    first = sent(service, survey, parcel(bodies))
    assert sent(service, survey, parcel(bodies, codes=7)) == first
    assert refused(service, survey, parcel(bodies[1:])) == "conflict"
    assert refused(service, survey, as_sent(b"", 3)) == "conflict"
    result(service, survey)
    assert sent(service, survey, parcel(bodies)) == first
    assert refused(service, survey, parcel(many(survey, ANSWERS, first=50))) == "conflict"
    assert result(service, survey) == [2, 2, 1, 3]


def test_which_parcel_came_is_told(service: Service) -> None:
    survey = served(service)
    row, whole = service.parcels.survey(survey.digest), parcel(many(survey, ANSWERS))
    with pytest.raises(Refused) as none:
        service.parcels.came(row, "once")
    assert none.value.refusal.status == 404
    sent(service, survey, whole)
    assert service.parcels.came(row, "once") == whole.digest


def test_of_one_id_the_least_bytes_count_and_what_cannot_be_read_is_counted(service: Service) -> None:
    survey = served(service)
    bodies = many(survey, ANSWERS)
    twice = [sealed(survey, an_id(0), bytes([answer])) for answer in (3, 0, 2)]
    width = SealedForm.of(survey).sealed
    strange = [
        sealed(survey, an_id(90), b"\1", period="2026-W31"),
        sealed(a_survey(service.keys.make()), an_id(91), b"\1"),
        bytes(width),
        os.urandom(width),
        bodies[0][:-1] + bytes([bodies[0][-1] ^ 1]),
        sealed(survey, an_id(92), b"\4"),
    ]
    found = sent(service, survey, parcel([*bodies, *twice, bodies[3], *strange]))
    assert counts(found) == (len(ANSWERS), 4, len(strange))
    assert result(service, survey) == [2, 2, 1, 3]


@pytest.mark.parametrize("answers", [(3, 1), (1, 3)])
def test_which_of_two_answers_counts_does_not_depend_on_their_order(service: Service, answers: tuple[int, int]) -> None:
    survey = served(service)
    twice = [sealed(survey, an_id(0), bytes([answer])) for answer in answers]
    sent(service, survey, parcel([*twice, *many(survey, [0] * LEAST, first=1)]))
    assert result(service, survey) == [LEAST, 1, 0, 0]


def test_too_few_are_withheld_and_said_to_be(service: Service) -> None:
    survey = served(service)
    found = sent(service, survey, as_sent(b"", 3, 40))
    assert (counts(found), found.withheld, found.codes, found.digest) == ((0, 0, 0), 3, 40, EMPTY)
    assert sent(service, survey, as_sent(b"", 3, 40)) == found
    service.keeper.keep()
    assert batch_of(service, survey).state == WITHHELD
    [told] = service.crowds.standings(service.collector.survey(survey.digest))
    assert told.to_dict() == {
        "period": "once", "lost": False, "withheld": 3, "codes": 40, "again": 0, "level": None, "together": 2.0,
        "lowered": False,
    }  # fmt: skip
    assert refused(service, survey, parcel(many(survey, ANSWERS))) == "conflict"


def test_what_is_no_parcel_is_refused_and_changes_nothing(service: Service) -> None:
    survey = served(service)
    bodies = sorted(many(survey, ANSWERS))
    whole = b"".join(bodies)
    for wrong in (
        parcel(bodies[: LEAST - 1]), as_sent(whole[:-1]), as_sent(whole + b"\0"), as_sent(whole, 1), as_sent(b""),
        as_sent(b"", LEAST), as_sent(b"".join(reversed(bodies))),
    ):  # fmt: skip
        assert refused(service, survey, wrong) == "no-answer"
    assert refused(service, survey, parcel(bodies), period="2026-W31") == "unknown"
    assert service.collector.run(lambda t: t.batches(survey.digest)) == []
    assert service.keys.came(survey.digest) == {}
    assert counts(sent(service, survey, parcel(bodies))) == (len(ANSWERS), 0, 0)


def test_a_parcel_is_of_a_survey_that_is_there_and_has_a_crowd(service: Service) -> None:
    with pytest.raises(Refused, match="must be known"):
        service.parcels.survey("0" * 64)
    fields = a_survey(service.keys.make()).to_dict()
    plain = dn.Survey.from_json({name: value for name, value in fields.items() if name != "crowd"})
    service.desk.put(plain, "ann")
    assert refused(service, plain, as_sent(bytes(500))) == "no-answer"


def test_an_id_in_two_periods_is_counted_once_and_shouted(service: Service, caplog: pytest.LogCaptureFixture) -> None:
    survey = served(service, **WEEKS)
    first, second = "2026-W30", "2026-W31"
    sent(service, survey, parcel(many(survey, ANSWERS, first)), first)
    assert caplog.records == [each for each in caplog.records if each.levelno < logging.WARNING]
    found = sent(service, survey, parcel(many(survey, [1] * 8, second, first=6)), second)
    assert (counts(found), found.again) == ((6, 2, 0), 2)
    [shout] = [each.getMessage() for each in caplog.records if each.levelno == logging.WARNING]
    assert "two periods" in shout
    assert (result(service, survey, first), result(service, survey, second)) == ([2, 2, 1, 3], [0, 6, 0, 0])
    told = {each.period: each.to_dict() for each in service.crowds.standings(service.collector.survey(survey.digest))}
    assert (told[first]["again"], told[second]["again"], told[second]["repeated"]) == (0, 2, 2)


def test_a_deleted_survey_still_knows_its_parcels(service: Service) -> None:
    survey = served(service)
    bodies = many(survey, ANSWERS)
    first = sent(service, survey, parcel(bodies))
    result(service, survey)
    row = service.collector.survey(survey.digest)
    service.clock.advance(40 * 86400.0)
    service.desk.delete(row, "commute", "ann")
    assert sent(service, survey, parcel(bodies)) == first
    assert service.parcels.came(service.parcels.survey(survey.digest), "once") == first.digest
    assert refused(service, survey, parcel(many(survey, ANSWERS, first=50))) == "conflict"
    assert service.collector.run(lambda t: t.run("SELECT COUNT(*) FROM chunk")) == [(0,)]


def test_of_a_survey_that_was_deleted_before_its_parcel_came_none_comes(service: Service) -> None:
    survey = served(service)
    service.desk.delete(service.collector.survey(survey.digest), "commute", "ann")
    assert refused(service, survey, parcel(many(survey, ANSWERS))) == "closed"
    with pytest.raises(Refused) as none:
        service.parcels.came(service.parcels.survey(survey.digest), "once")
    assert none.value.refusal.status == 410


def test_a_storage_that_lost_a_parcel_takes_no_other_in_its_place(service: Service) -> None:
    """As after a backup was put back that is older than the parcel."""
    survey = served(service)
    bodies = many(survey, ANSWERS)
    whole = parcel(bodies)
    service.keys.note(survey.digest, "once", whole.digest)
    [told] = service.crowds.standings(service.collector.survey(survey.digest))
    assert told.to_dict()["lost"]
    assert service.parcels.came(service.parcels.survey(survey.digest), "once") == whole.digest
    assert refused(service, survey, parcel(bodies[1:])) == "conflict"
    assert counts(sent(service, survey, whole)) == (len(ANSWERS), 0, 0)
    assert result(service, survey) == [2, 2, 1, 3]


def test_without_its_key_a_parcel_waits(service: Service) -> None:
    survey = served(service)
    [path] = service.keys.folder.glob("*.pem")
    kept = path.rename(path.with_suffix(".elsewhere"))
    with pytest.raises(Refused) as waits:
        sent(service, survey, parcel(many(survey, ANSWERS)))
    assert (waits.value.refusal.status, waits.value.refusal.retry_after) == (503, 3600)
    kept.rename(path)
    assert counts(sent(service, survey, parcel(many(survey, ANSWERS)))) == (len(ANSWERS), 0, 0)


def test_what_is_cut_off_before_it_is_stored_is_taken_later_and_no_other(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    survey = served(service)
    bodies = many(survey, ANSWERS)
    with monkeypatch.context() as patch:
        patch.setattr(parcels, "_store", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            sent(service, survey, parcel(bodies))
    assert refused(service, survey, parcel(bodies[1:])) == "conflict"
    assert counts(sent(service, survey, parcel(bodies))) == (len(ANSWERS), 0, 0)
    assert result(service, survey) == [2, 2, 1, 3]


@pytest.mark.parametrize("step", ["add_chunks", "set_state", "forget_ids"])
def test_what_is_cut_off_leaves_nothing_and_is_counted_once_later(
    service: Service, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    survey = served(service)
    whole = parcel(many(survey, ANSWERS))
    kind = type(service.collector.run(lambda t: t))
    with monkeypatch.context() as patch:
        patch.setattr(kind, step, lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            sent(service, survey, whole)
    assert service.collector.run(lambda t: (t.batches(), Arrivals(t.run).all())) == ([], [])
    assert counts(sent(service, survey, whole)) == (len(ANSWERS), 0, 0)
    assert result(service, survey) == [2, 2, 1, 3]


def test_a_large_parcel_is_opened_in_parts_by_several_processes_and_stored_in_chunks(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parcels, "AT_ONCE", 1000)
    monkeypatch.setattr(parcels, "CHUNK", 7)
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    survey = served(service)
    answers = [k % 4 for k in range(50)]
    assert counts(sent(service, survey, parcel(many(survey, answers)))) == (50, 0, 0)
    number = batch_of(service, survey).number
    assert [size.n for size in service.collector.run(lambda t: t.chunk_sizes(number))].count(7) == 7
    assert result(service, survey) == [13, 13, 12, 12]


def test_arms_of_several_lengths_are_told_apart(service: Service) -> None:
    late, way = dn.OneOf("late", ["yes", "no"]), dn.OneOf("way", ["car", "bus", "bike"])
    responses = dn.RandomizedResponse(list(late.labels), 2.0), dn.Rappor(list(way.labels), 2.0)
    arms = [dn.Arm([dn.Part([each], m)]) for each, m in zip((late, way), responses, strict=True)]
    arms.append(dn.Arm([dn.Part([late], responses[0]), dn.Part([way], dn.RandomizedResponse(list(way.labels), 1.0))]))
    plain = dn.Survey("three", [late, way], arms)
    levels = {"level": dn.crowd.level(plain, 20, 0.1), "belief": dn.crowd.belief(plain, 20, 0.05)}
    stated: dict[str, Any] = {name: rounded_up(level * 1.001) for name, level in levels.items()}
    crowd = a_crowd(service.keys.make(), least=20, **stated)
    terms: dict[str, Any] = {"owner": "Company", "closes": "2026-08-10T00:00:00Z", "minimum": 2, "crowd": crowd}
    survey = dn.Survey("three", [late, way], arms, **terms)
    assert service.desk.put(survey, "ann")
    people = [{"late": "yes" if k % 3 else "no", "way": ("car", "bus", "bike")[k % 3]} for k in range(60)]
    answers = [survey.answer(each, dn.SeededEntropy(k)) for k, each in enumerate(people)]
    assert len({len(answer) for answer in answers}) > 1
    bodies = [sealed(survey, an_id(k), answer) for k, answer in enumerate(answers)]
    assert counts(sent(service, survey, parcel(bodies))) == (60, 0, 0)
    service.keeper.keep()
    tally = service.desk.tally(service.collector.survey(survey.digest), "once").tally
    assert tally == survey.tally(answers).to_bytes()


def test_a_collector_that_stops_leaves_what_it_opens(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parcels, "AT_ONCE", 200)
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    survey, opened = served(service), OpeningProcess.read

    def stop(process: OpeningProcess, rows: bytes) -> Any:
        service.parcels.stop()
        return opened(process, rows)

    monkeypatch.setattr(OpeningProcess, "read", stop)
    assert refused(service, survey, parcel(many(survey, ANSWERS))) == "busy"
    assert service.collector.run(lambda t: t.batches()) == []


def test_two_at_once_are_not_opened_both(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    survey = served(service)
    whole, inner = parcel(many(survey, ANSWERS)), list[str]()
    opened = OpeningProcess.read

    def again(process: OpeningProcess, rows: bytes) -> Any:
        inner.append(refused(service, survey, whole))
        return opened(process, rows)

    monkeypatch.setattr(OpeningProcess, "read", again)
    assert counts(sent(service, survey, whole)) == (len(ANSWERS), 0, 0)
    assert inner == ["busy"]


def test_another_process_may_be_faster(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    survey = served(service)
    bodies = many(survey, ANSWERS)
    whole, other = parcel(bodies), parcel(bodies[1:])
    faster = service.parcels._read

    def read(*given: Any) -> Any:
        monkeypatch.setattr(service.parcels, "_read", faster)
        service.parcels._under_way.clear()
        sent(service, survey, whole)
        service.keys.note(survey.digest, "once", other.digest)
        return faster(*given)

    monkeypatch.setattr(service.parcels, "_read", read)
    assert refused(service, survey, other) == "conflict"
    assert result(service, survey) == [2, 2, 1, 3]


def test_nothing_is_kept_of_who_and_when(service: Service) -> None:
    survey = served(service)
    bodies = many(survey, ANSWERS)
    sent(service, survey, parcel(bodies))
    rows = service.collector.run(lambda t: t.run("SELECT * FROM arrival"))
    assert len(rows) == 1
    assert set(ArrivalRow._fields) == {
        "survey", "period", "digest", "withheld", "codes", "answers", "repeated", "unreadable", "again",
    }  # fmt: skip
    assert not any(an_id(k) in bytes(value) for k in range(8) for value in rows[0] if not isinstance(value, str | int))
    assert service.collector.run(lambda t: t.notes()) == [("2026-08-03", "ann", "put", survey.digest)]


def test_a_direct_answer_is_sent_to_the_mixer(service: Service) -> None:
    survey = served(service)
    assert service.send(survey, body_of([1])) == ["elsewhere"]
    with pytest.raises(Refused, match=r"http://127\.0\.0\.1:8090"):
        service.collector.open_periods(service.collector.survey(survey.digest))
