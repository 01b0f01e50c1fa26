"""A period is shut and frozen at once, and sent until the collector has spoken; too few are deleted and counted."""

from __future__ import annotations

import hashlib
import json
import random
from pathlib import Path

import pytest
from tests.collector.worlds import DAY, HOUR
from tests.mixer.worlds import (
    ANSWERS,
    END,
    TOKEN,
    Collected,
    Mixing,
    a_survey,
    answered,
    opened,
    parcel,
    sealed,
    upload_of,
)

import deniable as dn
from deniable.intake.refusals import Refused
from deniable.intake.storage.parcels import Parcels
from deniable.mixer import courier
from deniable.protocol.surveys.sealed_answer import SealedForm


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """A parcel is sent again at once."""
    monkeypatch.setattr(courier, "FIRST", 0.0)


def body_of(mixing: Mixing) -> bytes:
    """Its bytes."""
    number = parcel(mixing).batch
    return mixing.intake.run(lambda t: Parcels(t.run).body(number))


def test_a_period_with_enough_is_handed_over_once_it_is_shut(mixing: Mixing, collected: Collected) -> None:
    survey = a_survey(collected.url)
    bodies = [sealed(survey, answer) for answer in ANSWERS]
    answered(mixing, survey, bodies)
    mixing.keep()
    assert collected.puts == []
    mixing.pass_time(END)
    [put] = collected.puts
    assert put.body == b"".join(sorted(bodies))
    assert opened(survey, put.body) == sorted(ANSWERS)
    assert put.path == f"/v1/surveys/{survey.digest}/periods/once/parcel"
    assert (put.token, put.told) == (TOKEN, {"withheld": 0, "codes": len(ANSWERS) + 1})
    assert parcel(mixing).digest == hashlib.sha256(put.body).hexdigest()
    [told] = mixing.desk.status()
    assert told["periods"][0]["state"] == "released"
    assert told["periods"][0]["reply"]["is"] == "taken"


def test_the_order_of_arrival_is_in_no_parcel(mixing: Mixing, collected: Collected) -> None:
    survey = a_survey(collected.url)
    bodies = [sealed(survey, answer) for answer in ANSWERS * 20]
    random.Random(61).shuffle(bodies)
    codes = mixing.allowed(survey, len(bodies))
    for start in range(0, len(bodies), 7):  # in many transactions
        some = slice(start, start + 7)
        mixing.send(survey, [upload_of(body) for body in bodies[some]], codes[some])
    mixing.pass_time(END)
    assert collected.puts[0].body == b"".join(sorted(bodies))


def test_a_retry_to_the_mixer_is_acknowledged_and_counts_once(mixing: Mixing, collected: Collected) -> None:
    survey = a_survey(collected.url)
    bodies = [sealed(survey, answer) for answer in ANSWERS]
    codes = mixing.allowed(survey, len(bodies))
    uploads = [upload_of(body) for body in bodies]
    assert mixing.send(survey, uploads, codes) == [1] * len(bodies)
    assert mixing.send(survey, uploads, codes) == [1] * len(bodies)
    other = uploads[0][:16] + upload_of(bodies[1])[16:]
    assert mixing.send(survey, [other, upload_of(bodies[0])], [codes[0], codes[0]]) == ["other-bytes", "invitation"]
    mixing.pass_time(END)
    assert collected.puts[0].body == b"".join(sorted(bodies))


def test_bytes_of_another_length_are_no_sealed_answer(mixing: Mixing, collected: Collected) -> None:
    survey = a_survey(collected.url)
    codes, good = mixing.allowed(survey, 3), sealed(survey, 1)
    wrong = [upload_of(good[:-1]), upload_of(good + b"\0"), upload_of(b"\1")]
    assert mixing.send(survey, wrong, codes) == ["malformed"] * 3


def test_too_few_are_deleted_and_only_their_number_is_told(mixing: Mixing, collected: Collected) -> None:
    survey = a_survey(collected.url, least=len(ANSWERS) + 1)
    answered(mixing, survey, [sealed(survey, answer) for answer in ANSWERS])
    mixing.pass_time(END)
    [put] = collected.puts
    assert (put.body, put.told["withheld"]) == (b"", len(ANSWERS))
    assert body_of(mixing) == b""
    number = parcel(mixing).batch
    assert mixing.intake.run(lambda t: t.chunk_sizes(number)) == []
    [told] = mixing.desk.status()
    assert (told["periods"][0]["state"], told["periods"][0]["answers"]) == ("withheld", len(ANSWERS))


def test_a_shut_period_takes_nothing_more_whatever_the_clock_says(mixing: Mixing, collected: Collected) -> None:
    survey = a_survey(collected.url)
    codes = answered(mixing, survey, [sealed(survey, answer) for answer in ANSWERS])
    mixing.pass_time(END)
    before = body_of(mixing)
    mixing.clock.moment -= HOUR / 2
    late = mixing.send(survey, [upload_of(sealed(survey, 1))], [codes[-1]])
    mixing.keep()
    assert late == ["closed"]
    assert body_of(mixing) == before


def test_what_is_not_final_is_sent_again_in_the_same_bytes(mixing: Mixing, collected: Collected) -> None:
    statuses = dict(enumerate([500, 503, 404, 401, 403, 302, 204, 429], 1))
    collected.failing = statuses.get
    survey = a_survey(collected.url)
    answered(mixing, survey, [sealed(survey, answer) for answer in ANSWERS])
    mixing.pass_time(END)
    for _ in statuses:
        mixing.keep()
    assert len(collected.puts) == len(statuses) + 1
    assert len({put.body for put in collected.puts}) == 1
    assert json.loads(parcel(mixing).reply)["is"] == "taken"


def test_a_collector_with_another_parcel_stops_the_period(mixing: Mixing, collected: Collected) -> None:
    """This folder is an older copy of one that has sent it."""
    survey = a_survey(collected.url)
    answered(mixing, survey, [sealed(survey, answer) for answer in ANSWERS])
    collected.taken[f"/v1/surveys/{survey.digest}/periods/once/parcel"] = b"another"
    mixing.pass_time(END + 3 * DAY)
    assert collected.heads == list(collected.taken)
    assert collected.puts == []
    assert parcel(mixing).reply == "another"


def test_a_parcel_that_was_altered_is_not_sent(mixing: Mixing, collected: Collected) -> None:
    survey = a_survey(collected.url)
    collected.failing = lambda _: 503
    answered(mixing, survey, [sealed(survey, answer) for answer in ANSWERS])
    mixing.pass_time(END)
    sent = len(collected.puts)
    mixing.intake.run(lambda t: t.run("UPDATE parcel SET body = ?", body_of_nobody(survey)))
    mixing.keep()
    assert len(collected.puts) == sent > 0


def body_of_nobody(survey: dn.Survey) -> bytes:
    """Bytes of the length of a parcel."""
    return bytes(len(ANSWERS) * SealedForm.of(survey).sealed)


def test_a_parcel_is_deleted_14_days_after_its_reply(mixing: Mixing, collected: Collected) -> None:
    survey = a_survey(collected.url)
    collected.failing = lambda number: 503 if number < 8 else None
    answered(mixing, survey, [sealed(survey, answer) for answer in ANSWERS])
    mixing.pass_time(END + 4 * DAY)
    assert parcel(mixing).reply
    replied = parcel(mixing).day
    mixing.pass_time(10 * DAY)
    assert len(body_of(mixing)) == len(ANSWERS) * SealedForm.of(survey).sealed
    mixing.pass_time(5 * DAY)
    assert body_of(mixing) == b""
    assert (parcel(mixing).day, parcel(mixing).n) == (replied, len(ANSWERS))
    assert parcel(mixing).digest == hashlib.sha256(collected.puts[0].body).hexdigest()


def test_whether_there_are_enough_is_known_as_of_midnight(mixing: Mixing, collected: Collected) -> None:
    survey = a_survey(collected.url)
    mixing.keep()
    answered(mixing, survey, [sealed(survey, answer) for answer in ANSWERS])
    mixing.keep()
    assert not mixing.mixer.has_enough(survey.digest, "once")
    assert mixing.desk.status()[0]["periods"] == [{"period": "once", "state": "open", "gaps": False, "enough": False}]
    mixing.pass_time(DAY)
    assert mixing.mixer.has_enough(survey.digest, "once")


def test_nothing_of_who_answered_is_left_in_the_folder(mixing: Mixing, collected: Collected, tmp_path: Path) -> None:
    survey = a_survey(collected.url)
    bodies = [sealed(survey, answer) for answer in ANSWERS]
    uploads, codes = [upload_of(body) for body in bodies], mixing.allowed(survey, len(bodies))
    mixing.send(survey, uploads, codes)
    mixing.pass_time(END)
    mixing.intake.stop()
    held = held_in(tmp_path)
    assert [upload[:16] in held for upload in uploads] == [False] * len(uploads)
    assert not any(code.encode() in held for code in codes)
    for put in collected.puts:
        assert not any(upload[:16] in put.body for upload in uploads)
        assert set(put.headers) <= {"Host", "Connection", "Accept-Encoding", "User-Agent", "Content-Length"} | {
            "Authorization",
            "Content-Type",
        }


def test_nor_in_the_log_of_a_mixer_that_runs(mixing: Mixing, collected: Collected, tmp_path: Path) -> None:
    """The storage's log has whatever was written, in the order of arrival, until it is emptied."""
    survey = a_survey(collected.url)
    bodies = [sealed(survey, answer) for answer in ANSWERS]
    uploads, codes = [upload_of(body) for body in bodies], mixing.allowed(survey, len(bodies))
    mixing.send(survey, uploads, codes)
    assert all(upload[:16] in held_in(tmp_path) for upload in uploads)
    mixing.pass_time(END)
    assert not any(upload[:16] in held_in(tmp_path) for upload in uploads)
    assert all(body in held_in(tmp_path) for body in bodies)
    mixing.pass_time(16 * DAY)
    assert not any(body in held_in(tmp_path) for body in bodies)


def held_in(folder: Path) -> bytes:
    """All that a mixer's folder holds now."""
    return b"".join(path.read_bytes() for path in (folder / "data").iterdir() if path.is_file())


def test_two_surveys_that_ask_the_same_have_to_be_confirmed(mixing: Mixing, collected: Collected) -> None:
    assert mixing.desk.allow(a_survey(collected.url), TOKEN, confirmed=False)
    assert not mixing.desk.allow(a_survey(collected.url), TOKEN, confirmed=False)
    twin = a_survey(collected.url, name="again")
    with pytest.raises(Refused, match="the same wording"):
        mixing.desk.allow(twin, TOKEN, confirmed=False)
    assert mixing.desk.allow(twin, TOKEN, confirmed=True)
