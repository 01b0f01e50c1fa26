"""What goes wrong at a mixer, its collector or between them: nothing is lost or left over, and it is told once."""

from __future__ import annotations

import logging
import threading
from pathlib import Path
from typing import Any

import pytest
from tests.collector.worlds import DAY
from tests.mixer.worlds import ANSWERS, END, TOKEN, Collected, Mixing, a_survey, answered, collecting, parcel, sealed
from tests.waiting import until

import deniable as dn
from deniable.intake.refusals import Refused
from deniable.intake.storage.sqlite import SqliteStore
from deniable.mixer import courier, upkeep
from deniable.protocol.errors import ParameterError


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """A parcel is sent again at once."""
    monkeypatch.setattr(courier, "FIRST", 0.0)


def full(mixing: Mixing, collected: Collected, **terms: Any) -> dn.Survey:
    """A survey that everybody has answered."""
    survey = a_survey(collected.url, **terms)
    answered(mixing, survey, [sealed(survey, answer) for answer in ANSWERS])
    return survey


def period_of(mixing: Mixing) -> dict[str, Any]:
    """The one period, as its operator sees it."""
    [survey] = mixing.desk.status()
    [period] = survey["periods"]
    return dict(period)


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What was warned of."""
    return [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]


@pytest.mark.parametrize("least", [len(ANSWERS), len(ANSWERS) + 1])
def test_who_answered_is_forgotten_after_a_freezing_that_was_cut_off(
    least: int, mixing: Mixing, collected: Collected, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full(mixing, collected, least=least)
    with monkeypatch.context() as patch:
        patch.setattr(upkeep, "forget_people", lambda *_: 1 / 0)
        mixing.pass_time(END)
    mixing.intake.stop()
    with Mixing(mixing.clock, lambda: SqliteStore(tmp_path / "data", mixing.clock)) as again:
        assert again.intake.run(lambda t: t.run("SELECT COUNT(*) FROM spent")) == [(len(ANSWERS),)]
        again.keep()
        number = parcel(again).batch
        assert again.intake.run(lambda t: t.run("SELECT COUNT(*) FROM spent")) == [(0,)]
        assert again.intake.run(lambda t: t.forget_ids(number, 1)) == 0


def test_an_older_folder_sends_no_bytes(mixing: Mixing, collected: Collected, caplog: pytest.LogCaptureFixture) -> None:
    full(mixing, collected)
    collected.asking = (200, f'"{"0" * 64}"')
    mixing.pass_time(END + DAY)
    assert (collected.puts, len(collected.heads)) == ([], 1)
    assert [period_of(mixing)[name] for name in ("state", "reply")] == ["refused", {"is": "another"}]
    assert len(warnings(caplog)) == 1


def test_the_same_parcel_is_sent_for_its_reply(mixing: Mixing, collected: Collected) -> None:
    full(mixing, collected)
    collected.replying = b"cut off"
    mixing.pass_time(END)
    collected.replying = None
    mixing.keep()
    assert len({put.body for put in collected.puts}) == 1
    assert period_of(mixing)["state"] == "released"


def test_a_period_with_gaps_is_never_sent(mixing: Mixing, collected: Collected) -> None:
    full(mixing, collected)
    mixing.intake.run(lambda t: t.mark_gaps(mixing.clock()))
    mixing.pass_time(END + DAY)
    assert (collected.heads, collected.puts) == ([], [])
    assert period_of(mixing)["state"] == "refused"


@pytest.mark.parametrize("status", [401, 403, 404, 413])
def test_what_somebody_has_to_mend_is_told_once_and_shown(
    status: int, mixing: Mixing, collected: Collected, caplog: pytest.LogCaptureFixture
) -> None:
    collected.failing = lambda _: status
    full(mixing, collected)
    mixing.pass_time(END + DAY)
    assert len(collected.puts) > 1
    [told] = warnings(caplog)
    assert f"status {status}" in told
    assert f"status {status}" in period_of(mixing)["trouble"]
    collected.failing = lambda _: None
    mixing.keep()
    assert "trouble" not in period_of(mixing)


@pytest.mark.parametrize("status", [410, 422])
def test_a_parcel_that_was_not_taken_is_not_shown_as_released(
    status: int, mixing: Mixing, collected: Collected, caplog: pytest.LogCaptureFixture
) -> None:
    collected.failing = lambda _: status
    full(mixing, collected)
    mixing.pass_time(END + DAY)
    assert (len(collected.puts), len(warnings(caplog)), period_of(mixing)["state"]) == (1, 1, "refused")


@pytest.mark.parametrize(
    "reply",
    [
        b'{"answers": Infinity, "repeated": 0, "unreadable": 0}',
        b'{"answers": 7, "repeated": 0, "unreadable": 0}',
        b'{"answers": -1, "repeated": 0, "unreadable": 0}',
        b'{"answers": true, "repeated": 0, "unreadable": 0}',
        b'{"answers": 1.0, "repeated": 0, "unreadable": 0}',
        b"[" * 4000,
        b"\xff\xfe",
        b"null",
    ],
)
def test_a_reply_that_cannot_be_read_is_asked_for_later(
    reply: bytes, mixing: Mixing, collected: Collected, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(courier, "FIRST", 60.0)
    collected.replying = reply
    full(mixing, collected)
    mixing.pass_time(END + DAY)
    assert len(collected.puts) == 1
    assert "cannot be read" in period_of(mixing)["trouble"]


def test_a_damaged_chunk_sets_its_period_aside_and_is_told_once(
    mixing: Mixing, collected: Collected, caplog: pytest.LogCaptureFixture
) -> None:
    full(mixing, collected)
    mixing.intake.run(lambda t: t.run("UPDATE chunk SET body = ?", b"other bytes"))
    mixing.pass_time(END + DAY)
    assert (len(warnings(caplog)), collected.puts, period_of(mixing)["damaged"]) == (1, [], "answers")


def test_a_damaged_document_holds_up_no_other_survey(
    mixing: Mixing, collected: Collected, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    mixing.keep()
    broken, sound = full(mixing, collected), a_survey(collected.url, name="sound")
    mixing.desk.allow(sound, TOKEN, confirmed=True)
    answered(mixing, sound, [sealed(sound, answer) for answer in ANSWERS])
    mixing.intake.run(lambda t: t.run("UPDATE survey SET document = ? WHERE digest = ?", b"{}", broken.digest))
    mixing.intake.forget(broken.digest)
    mixing.pass_time(DAY)
    assert mixing.mixer.has_enough(sound.digest, "once")
    mixing.pass_time(END)
    assert [put.path.split("/")[3] for put in collected.puts] == [sound.digest]
    assert [row.get("damaged", False) for row in mixing.desk.status()] == [True, False]
    assert len(warnings(caplog)) == 2


def test_a_slow_collector_holds_up_no_other(mixing: Mixing, collected: Collected) -> None:
    with collecting() as slow:
        goes_on = threading.Event()
        slow.failing = lambda _: None if goes_on.wait(60) else 503
        full(mixing, slow)
        quick = a_survey(collected.url, name="quick")
        mixing.desk.allow(quick, TOKEN, confirmed=True)
        answered(mixing, quick, [sealed(quick, answer) for answer in ANSWERS])
        mixing.clock.advance(END)
        mixing.mixer.keep()
        mixing.mixer.courier.look()
        until(lambda: bool(collected.taken), 0.05)
        assert slow.taken == {}
        goes_on.set()
        mixing.mixer.courier.wait()
        assert len(slow.taken) == 1


def test_nothing_is_counted_by_a_clock_that_is_doubted(
    mixing: Mixing, collected: Collected, caplog: pytest.LogCaptureFixture
) -> None:
    mixing.keep()
    survey = full(mixing, collected)
    mixing.clock.jump(2 * DAY)
    mixing.keep()
    assert not mixing.mixer.has_enough(survey.digest, "once")
    assert "deniable mixer clock" in warnings(caplog)[0]
    mixing.desk.believe_the_clock()
    mixing.keep()
    assert mixing.mixer.has_enough(survey.digest, "once")


def test_only_a_token_that_is_one_is_taken_and_none_replaced_unasked(mixing: Mixing, collected: Collected) -> None:
    survey = a_survey(collected.url)
    for token in ("", "schlüssel", "two\nlines"):
        with pytest.raises(ParameterError, match="ASCII"):
            mixing.desk.allow(survey, token, confirmed=True)
    mixing.desk.allow(survey, TOKEN, confirmed=False)
    with pytest.raises(Refused, match="--confirm"):
        mixing.desk.allow(survey, "another", confirmed=False)
    mixing.desk.allow(survey, TOKEN, confirmed=False)
    mixing.desk.allow(survey, "another", confirmed=True)


def test_a_survey_that_has_closed_is_not_allowed(mixing: Mixing, collected: Collected) -> None:
    mixing.pass_time(END)
    with pytest.raises(Refused, match="has closed"):
        mixing.desk.allow(a_survey(collected.url), TOKEN, confirmed=False)


@pytest.mark.parametrize(
    ("status", "words"),
    [(401, "one that its collector knows"), (403, "for the parcels of this survey"), (404, None), (200, None)],
)
def test_a_token_is_tried_when_it_is_given(
    mixing: Mixing, collected: Collected, status: int, words: str | None
) -> None:
    collected.asking = (status, "")
    if words is None:
        assert mixing.desk.try_token(a_survey(collected.url), TOKEN)
    else:
        with pytest.raises(ParameterError, match=words):
            mixing.desk.try_token(a_survey(collected.url), TOKEN)
    assert collected.puts == []


@pytest.mark.parametrize("status", [500, 503, 302])
def test_a_collector_that_cannot_say_it_leaves_a_token_untried(
    mixing: Mixing, collected: Collected, status: int
) -> None:
    collected.asking = (status, "")
    assert not mixing.desk.try_token(a_survey(collected.url), TOKEN)
    assert not mixing.desk.try_token(a_survey("http://127.0.0.1:9"), TOKEN)


def test_a_parcel_that_its_collector_lost_is_sent_again_in_the_same_bytes(mixing: Mixing, collected: Collected) -> None:
    survey = full(mixing, collected)
    row = mixing.intake.survey(survey.digest)
    assert mixing.desk.send_again(row) == 0, "nothing was sent yet"
    mixing.pass_time(END)
    collected.taken.clear()  # it was put back from a backup
    assert mixing.desk.send_again(row) == 1
    assert period_of(mixing)["state"] == "closing"
    mixing.keep()
    first, second = collected.puts
    assert first.body == second.body
    assert (period_of(mixing)["state"], period_of(mixing)["reply"]["is"]) == ("released", "taken")
    mixing.pass_time((upkeep.KEPT + 1) * DAY)
    assert mixing.desk.send_again(row) == 0, "its bytes are deleted"


def test_that_there_were_too_few_is_said_again(mixing: Mixing, collected: Collected) -> None:
    survey = full(mixing, collected, least=len(ANSWERS) + 1)
    mixing.pass_time(END)
    assert mixing.desk.send_again(mixing.intake.survey(survey.digest)) == 1
    mixing.keep()
    assert [put.told["withheld"] for put in collected.puts] == [len(ANSWERS)] * 2
    assert period_of(mixing)["state"] == "withheld"


def test_a_parcel_that_was_not_taken_is_not_sent_again(mixing: Mixing, collected: Collected) -> None:
    survey = full(mixing, collected)
    collected.taken[f"/v1/surveys/{survey.digest}/periods/once/parcel"] = b"another"
    mixing.pass_time(END)
    assert mixing.desk.send_again(mixing.intake.survey(survey.digest)) == 0
