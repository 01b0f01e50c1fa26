"""A device: nothing before consent, each answer drawn and charged once, and kept whatever happens."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.clients.python.device.test_device import DURING, ENDPOINT, WEEK, weekly
from tests.clients.typescript.device.devices import BUS, Device, Devices, in_node
from tests.wire.generate.documents import PEOPLE, samples
from tests.wire.generate.labels import labelled

from deniable.protocol import BudgetError, ConsentError, LabelError, ParameterError, StoreError

ONE = samples()["one question"]
Make = Callable[..., Device]


@pytest.fixture(scope="module")
def devices(built: Path) -> Iterator[Devices]:
    with in_node(built) as running:
        yield running


@pytest.fixture(params=["", "device"], ids=["memory", "file"])
def make(request: pytest.FixtureRequest, devices: Devices, tmp_path: Path) -> Make:
    """Opens clients of one store."""
    store = str(tmp_path / request.param) if request.param else f"memory of {tmp_path.name}"

    def opened(survey: Any = ONE, agree: bool = True, **options: Any) -> Device:
        how = devices.agreed if agree else devices.open
        return how(ENDPOINT, survey, store=store, **options)

    return opened


def test_nothing_is_drawn_before_consent(make: Make) -> None:
    client = make(agree=False)
    assert not client.granted
    assert len(client.outcomes()["payloads"]) == 3
    assert client.facts()["level"] == 1
    with pytest.raises(ConsentError, match=r"^an answer must follow consent, got one before"):
        client.answer()
    assert (client.flush(), client.spent(), client.texts()) == ([], {"topics": {}, "total": 0}, {})


def test_what_is_agreed_to_is_what_was_shown(make: Make) -> None:
    client = make(agree=False)
    with pytest.raises(ConsentError, match=r"what was shown must be the survey's sentences"):
        client.grant(["We value your privacy."])
    assert not client.granted


@pytest.mark.parametrize("name", samples())
def test_an_answer_is_drawn_and_charged_once(name: str, make: Make) -> None:
    survey = samples()[name]
    client = make(survey).at(DURING)
    receipt = client.answer(PEOPLE[name])
    assert (receipt.state, receipt.bytes, receipt.period) == ("waiting", "", None)
    assert client.answer(PEOPLE[name]) == receipt
    assert client.receipts() == [receipt]
    assert client.spent()["total"] == survey.promise.charge == receipt.charge
    (record,) = client.records()
    head = b"" if len(survey.arms) > 1 else b"\0\0"
    upload = bytes.fromhex(record["upload"])
    assert survey.check(upload[16 + len(head) : 18] + upload[22:]) is None


def test_reloading_does_not_draw_another_arm(make: Make) -> None:
    name = "a pair and a part of each kind"
    uploads = set()
    for _ in range(20):
        again = make(samples()[name]).at(DURING)
        again.answer(PEOPLE[name])
        uploads.add(again.records()[0]["upload"])
    assert len(uploads) == 1


def test_a_bad_answer_changes_nothing(make: Make) -> None:
    client = make()
    before = client.texts()
    with pytest.raises(LabelError, match=r"^(?!.*secret)"):
        client.answer({"way": "a secret"})
    assert client.texts() == before


def test_the_cap_of_a_topic_ends_answers(make: Make) -> None:
    """Two weeks at a level of 1 each, under a cap of 2.5; the third is refused, and nothing of it is kept."""
    client = make(weekly(2.5)).at(0)
    for week in range(2):
        client.at(week * WEEK).answer()
        client.change(state="sent")
    with pytest.raises(BudgetError, match=r"^answers on 'travel' must stay within their cap"):
        client.at(2 * WEEK).answer()
    assert client.spent() == {"topics": {"travel": {"spent": 2, "cap": 2.5}}, "total": 2}
    assert len(client.receipts()) == 2


def test_a_second_survey_cannot_raise_the_cap_of_its_topic(make: Make) -> None:
    make(weekly(1.0)).answer()
    with pytest.raises(BudgetError):
        make(weekly(9.0, "another")).answer()


@pytest.mark.parametrize("caps", [{"caps": {"travel": 0.5}}, {"totalCap": 0.5}])
def test_an_app_may_have_lower_caps_of_its_own(caps: dict[str, Any], make: Make) -> None:
    client = make(weekly(9.0), **caps)
    with pytest.raises(BudgetError):
        client.answer()
    assert client.receipts() == []


def test_one_cap_stands_above_all_topics(make: Make) -> None:
    make(weekly(9.0), totalCap=1.5).answer()
    with pytest.raises(BudgetError, match=r"^all answers together must stay"):
        make(weekly(9.0, "other", topic="other"), totalCap=1.5).answer()


def test_a_survey_that_changed_is_another_one(make: Make) -> None:
    """Who agreed to the first and answered it has not agreed to the second; the topic's ledger is one."""
    make(weekly(1.0)).answer()
    changed = make(json.dumps({**json.loads(weekly(1.0).to_json()), "purpose": "Another one."}), agree=False)
    assert (changed.granted, changed.receipts()) == (False, [])
    changed.grant()
    with pytest.raises(BudgetError):
        changed.answer()


def test_a_topic_may_be_named_as_whatever_objects_have(make: Make) -> None:
    client = make(weekly(9.0, topic="constructor"), caps={"travel": 0.5})
    client.answer()
    assert client.spent()["topics"] == {"constructor": {"spent": 1, "cap": 9}}


def test_asked_again_in_the_same_period_the_same_receipt(make: Make) -> None:
    client = make(weekly()).at(0)
    client.answer()
    client.change(state="sent")
    again = client.answer({"way": "car"})
    assert (again.state, len(client.receipts())) == ("sent", 1)
    client.at(WEEK).answer({"way": "car"})
    assert len(client.receipts()) == 2
    client.at(2 * WEEK).answer({"way": "car"})  # the second still waits, and stands for it
    assert len(client.receipts()) == 2


def test_withdrawing_drops_what_waits_and_keeps_what_was_spent(make: Make) -> None:
    client = make()
    client.answer()
    client.withdraw()
    (receipt,) = client.receipts()
    assert (receipt.state, receipt.bytes) == ("withdrawn", "")
    assert client.spent()["total"] == 1
    with pytest.raises(ConsentError):
        client.answer()
    client.grant()
    assert client.answer() == receipt  # never drawn again
    assert client.records()[0]["upload"] == ""


def test_remembered_reports_are_charged_and_drawn_when_somebody_agrees(make: Make) -> None:
    """All that will ever be sent: three labels at 2 each. Rounds cost nothing more."""
    survey = labelled()["remembered"]
    client = make(survey).at(0)
    assert client.spent()["topics"] == {"kept": {"spent": 6, "cap": 9}}
    enrolled = client.texts()[f"enrolled/{survey.digest}"]
    for month in range(12):
        client.at(31 * 86400.0 * month).answer({"way": ("bus", "car")[month % 2]})
        client.change(state="sent")
    client.withdraw()
    client.grant()
    assert client.spent()["total"] == 6
    assert client.texts()[f"enrolled/{survey.digest}"] == enrolled
    uploads = [bytes.fromhex(record["upload"])[22:] for record in client.records()]
    assert len(uploads) == 12
    assert all(survey.check(upload) is None for upload in uploads)


@pytest.mark.parametrize("track", ["1", "true"])
def test_background_mode_respects_do_not_track(track: str, built: Path) -> None:
    with in_node(built, {**os.environ, "DO_NOT_TRACK": track}) as devices:
        client = devices.open(ENDPOINT, samples()["labels of several kinds"])
        with pytest.raises(ConsentError, match=r"^nothing may be answered in the background.*DO_NOT_TRACK"):
            client.grant()
        assert client.flush() == []
        assert devices.open(ENDPOINT, ONE, mode="background").mode == "background"
        assert devices.open(ENDPOINT, ONE).mode == "asked"


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://collector.example", "ftp://localhost", "https://", "https://me@collector.example", "https://a.example/?q",
        3, "https://a.example:99999", "https://a.example:0", "https://a.example:x", "https://a..example",
        f"https://{'a' * 64}.example", "https://a.example/a b", "https://a.example/\u00fc", "https://a.exa\nmple",
        "https://[a.example", " https://a.example", "https:a.example", "https://a.example#x", "https://a.example\\@b",
    ],
)  # fmt: skip
def test_answers_travel_encrypted_or_not_at_all(endpoint: Any, devices: Devices) -> None:
    with pytest.raises(ParameterError, match=r"^endpoint must be"):
        devices.open(endpoint, ONE)


@pytest.mark.parametrize(
    "endpoint", ["https://a.example/b/", "http://127.0.0.1:8", "http://[::1]:8", "http://localhost"]
)
def test_addresses_of_collectors(endpoint: str, devices: Devices) -> None:
    assert devices.open(endpoint, ONE).digest == ONE.digest


def test_a_survey_that_promises_too_little_is_refused(devices: Devices) -> None:
    with pytest.raises(ParameterError, match=r"must promise a level of at most 0.5, got 1$"):
        devices.open(ENDPOINT, ONE, limit=0.5)
    with pytest.raises(ParameterError, match=r"got inf"):
        devices.open(ENDPOINT, samples()["blocks"], limit=30)
    assert devices.open(ENDPOINT, ONE, limit=1).facts()["level"] == 1


@pytest.mark.parametrize(
    "options",
    [
        {"code": "a b"}, {"code": "a\nb"}, {"caps": {"a": -1}}, {"totalCap": 0}, {"totalCap": "1"},
        {"mode": "spy"}, {"limit": 0},
    ],
)  # fmt: skip
def test_bad_options_are_refused(options: dict[str, Any], devices: Devices) -> None:
    with pytest.raises(ParameterError):
        devices.open(ENDPOINT, ONE, **options)


def test_answers_at_once_are_one_answer(make: Make) -> None:
    client = make()
    receipts = client.answers([BUS] * 50)
    assert receipts == client.receipts() * 50
    assert client.spent()["total"] == 1


def test_a_store_that_is_wiped_is_a_first_visit(devices: Devices, tmp_path: Path) -> None:
    """Under the client's feet, too: consent is asked for again, and nothing of before is sent."""
    folder = tmp_path / "device"
    client = devices.agreed(ENDPOINT, ONE, store=str(folder))
    client.answer()
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()
    assert (client.granted, client.flush(), client.spent()["total"]) == (False, [], 0)
    with pytest.raises(ConsentError):
        client.answer()
    assert not folder.exists()


@pytest.mark.parametrize("text", ['{"state": "sent"}', "{}", "[]", "no JSON"])
def test_a_store_that_was_altered_is_seen(text: str, make: Make) -> None:
    client = make()
    client.answer()
    (key,) = [key for key in client.texts() if key.startswith("answer/")]
    client.put(key, text)
    with pytest.raises(StoreError, match=r"^the store must hold answers as this client writes them"):
        client.receipts()


@pytest.mark.parametrize(("late", "drawn"), [(0.0, True), (1.0, False)])
def test_nothing_is_drawn_long_after_the_end(late: float, drawn: bool, make: Make) -> None:
    """The survey closes in the middle of the week, with a grace of two days; a week more is the clock's."""
    text = json.dumps({**json.loads(weekly(9.0).to_json()), "closes": "2026-08-05T12:00:00Z", "grace": 172800})
    client = make(text).at(DURING + 9 * 86400.0 + late)
    if drawn:
        client.answer()
    else:
        with pytest.raises(ParameterError, match=r"^the survey must be open"):
            client.answer()
    assert client.spent()["total"] == (1 if drawn else 0)


def test_nobody_enrols_long_after_the_end(make: Make) -> None:
    text = json.dumps({**json.loads(labelled()["remembered"].to_json()), "closes": "2020-01-01T00:00:00Z"})
    client = make(text, agree=False)
    with pytest.raises(ParameterError, match=r"^the survey must be open"):
        client.grant()
    assert (client.spent()["total"], client.granted) == (0, False)
