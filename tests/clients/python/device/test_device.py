"""A device: nothing before consent, each answer drawn and charged once, and kept whatever happens."""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import deniable_client
import pytest
from deniable_client import (
    BudgetError,
    Client,
    ConsentError,
    LabelError,
    MemoryStore,
    ParameterError,
    SqliteStore,
    StoreError,
)
from deniable_client.device.records import records_of
from deniable_client.device.store import Entries
from tests.wire.generate.documents import PEOPLE, WAY, samples
from tests.wire.generate.labels import labelled

import deniable as dn

ENDPOINT = "https://collector.example"
BUS = {"way": "bus"}
DURING = 1785931200.0
"""Noon of 2026-08-05, when the surveys that open and close are open."""


def weekly(cap: float = 2.0, name: str = "weekly", **terms: Any) -> dn.Survey:
    """A survey that is answered anew every week, each answer at a level of 1."""
    arm = dn.Arm(dn.Part(WAY, dn.RandomizedResponse(WAY.labels, 1.0)))
    return dn.Survey(name, [WAY], [arm], period="week", repeat="fresh", cap=cap, **{"topic": "travel", **terms})


def agreed(survey: dn.Survey, endpoint: str = ENDPOINT, **options: Any) -> Client:
    """A client whose person has agreed."""
    client = deniable_client.open(endpoint, survey.to_json(), **options)
    client.consent().grant(client.survey.sentences)
    return client


def at(client: Client, moment: float) -> Client:
    """The client, at a moment of its clock."""
    client.now = lambda: moment
    return client


WEEK = 7 * 86400.0
STORES: list[Callable[[Path], Any]] = [lambda _: MemoryStore(), lambda folder: SqliteStore(folder / "device.sqlite")]


@pytest.fixture(params=STORES, ids=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    return request.param(tmp_path)


def test_the_name_of_a_file_is_no_store() -> None:
    name: Any = "device.sqlite"
    with pytest.raises(ParameterError, match=r"store must be a store such as SqliteStore\(path\), got str"):
        deniable_client.open(ENDPOINT, weekly().to_json(), store=name)


def test_nothing_is_drawn_before_consent(store: Any) -> None:
    client = deniable_client.open(ENDPOINT, samples()["one question"].to_json(), store=store)
    assert not client.consent().granted
    assert sum(client.outcomes(BUS).payloads.values()) == 1
    with pytest.raises(ConsentError, match=r"must follow consent"):
        client.answer(BUS)
    assert (client.flush(), client.spent()) == ([], {"topics": {}, "total": 0.0})


def test_what_is_agreed_to_is_what_was_shown() -> None:
    client = deniable_client.open(ENDPOINT, samples()["one question"].to_json())
    with pytest.raises(ConsentError, match=r"what was shown"):
        client.consent().grant(["We value your privacy."])
    assert not client.consent().granted


@pytest.mark.parametrize("name", samples())
def test_an_answer_is_drawn_and_charged_once(name: str, store: Any) -> None:
    survey = samples()[name]
    client = at(agreed(survey, store=store), DURING)
    receipt = client.answer(PEOPLE[name])
    assert (receipt.state, receipt.bytes, receipt.period) == ("waiting", b"", None)
    assert client.answer(PEOPLE[name]) == receipt
    assert client.receipts() == [receipt]
    assert client.spent()["total"] == survey.promise.charge == receipt.charge
    with store.transaction() as entries:
        (record,) = records_of(entries, survey.digest)
    head = b"" if len(survey.arms) > 1 else b"\0\0"
    upload = bytes.fromhex(record.upload)
    answer = upload[16 + len(head) : 18] + upload[22:]
    assert survey.check(answer) is None


def test_reloading_does_not_draw_another_arm(tmp_path: Path) -> None:
    """Another client of the same store, as after a reload, finds the same upload."""
    survey, name = samples()["a pair and a part of each kind"], "a pair and a part of each kind"
    uploads = set()
    for _ in range(20):
        again = at(agreed(survey, store=SqliteStore(tmp_path / "device.sqlite")), DURING)
        again.answer(PEOPLE[name])
        with again.store.transaction() as entries:
            uploads.add(records_of(entries, survey.digest)[0].upload)
    assert len(uploads) == 1


def test_a_bad_answer_changes_nothing(store: Any) -> None:
    client = agreed(samples()["one question"], store=store)
    with pytest.raises(LabelError):
        client.answer({"way": "a secret"})
    assert (client.receipts(), client.spent()["total"]) == ([], 0.0)


def test_the_cap_of_a_topic_ends_answers(store: Any) -> None:
    """Two weeks at a level of 1 each, under a cap of 2.5; the third is refused, and nothing of it is kept."""
    client = at(agreed(weekly(2.5), store=store), 0.0)
    finish(client, client.answer(BUS))
    at(client, WEEK)
    finish(client, client.answer(BUS))
    at(client, 2 * WEEK)
    with pytest.raises(BudgetError, match=r"must stay within their cap"):
        client.answer(BUS)
    assert client.spent() == {"topics": {"travel": {"spent": 2.0, "cap": 2.5}}, "total": 2.0}
    assert len(client.receipts()) == 2


def finish(client: Client, _receipt: Any) -> None:
    """Let the last answer be sent, as far as the store knows."""
    with client.store.transaction() as entries:
        key = entries.keys("answer/")[-1]
        entries.put(key, json.dumps({**json.loads(entries.get(key) or ""), "state": "sent"}))


def test_a_second_survey_cannot_raise_the_cap_of_its_topic(store: Any) -> None:
    """The first document says 1; the second is an answer too many, whatever it says."""
    agreed(weekly(1.0), store=store).answer(BUS)
    with pytest.raises(BudgetError):
        agreed(weekly(9.0, "another"), store=store).answer(BUS)


@pytest.mark.parametrize("caps", [{"caps": {"travel": 0.5}}, {"total_cap": 0.5}])
def test_an_app_may_have_lower_caps_of_its_own(caps: dict[str, Any], store: Any) -> None:
    client = agreed(weekly(9.0), store=store, **caps)
    with pytest.raises(BudgetError):
        client.answer(BUS)
    assert client.receipts() == []


def test_one_cap_stands_above_all_topics(store: Any) -> None:
    agreed(weekly(9.0), store=store, total_cap=1.5).answer(BUS)
    with pytest.raises(BudgetError, match=r"all answers together"):
        agreed(weekly(9.0, "other", topic="other"), store=store, total_cap=1.5).answer(BUS)


def test_asked_again_in_the_same_period_the_same_receipt(store: Any) -> None:
    client = at(agreed(weekly(), store=store), 0.0)
    finish(client, client.answer(BUS))
    again = client.answer({"way": "car"})
    assert (again.state, len(client.receipts())) == ("sent", 1)
    at(client, WEEK).answer({"way": "car"})
    assert len(client.receipts()) == 2
    at(client, 2 * WEEK).answer({"way": "car"})  # the second still waits, and stands for it
    assert len(client.receipts()) == 2


def test_withdrawing_drops_what_waits_and_keeps_what_was_spent(store: Any) -> None:
    client = agreed(samples()["one question"], store=store)
    client.answer(BUS)
    client.consent().withdraw()
    (receipt,) = client.receipts()
    assert (receipt.state, receipt.bytes) == ("withdrawn", b"")
    assert client.spent()["total"] == 1.0
    with pytest.raises(ConsentError):
        client.answer(BUS)
    client.consent().grant(client.survey.sentences)
    assert client.answer(BUS) == receipt  # never drawn again
    with store.transaction() as entries:
        assert not records_of(entries, client.survey.digest)[0].upload


def test_remembered_reports_are_charged_and_drawn_when_somebody_agrees(store: Any) -> None:
    """All that will ever be sent: three labels at 2 each. Rounds cost nothing more."""
    survey = labelled()["remembered"]
    client = at(agreed(survey, store=store), 0.0)
    assert client.spent()["topics"] == {"kept": {"spent": 6.0, "cap": 9.0}}
    with store.transaction() as entries:
        enrolled = entries.get(f"enrolled/{survey.digest}")
    for month in range(12):
        finish(client, at(client, 31 * 86400.0 * month).answer({"way": ("bus", "car")[month % 2]}))
    client.consent().withdraw()
    client.consent().grant(client.survey.sentences)
    assert client.spent()["total"] == 6.0
    assert len(client.receipts()) == 12
    with store.transaction() as entries:
        assert entries.get(f"enrolled/{survey.digest}") == enrolled
        uploads = [bytes.fromhex(r.upload)[22:] for r in records_of(entries, survey.digest)]
    assert all(survey.check(upload) is None for upload in uploads)


def test_a_remembered_survey_needs_a_device() -> None:
    survey = deniable_client.read_survey(labelled()["remembered"].to_json())
    with pytest.raises(ParameterError, match=r"keeps its permanent reports"):
        survey.answer(BUS)


@pytest.mark.parametrize("track", ["1", "true"])
def test_background_mode_respects_do_not_track(track: str, monkeypatch: pytest.MonkeyPatch, store: Any) -> None:
    monkeypatch.setenv("DO_NOT_TRACK", track)
    client = deniable_client.open(ENDPOINT, samples()["labels of several kinds"].to_json(), store=store)
    with pytest.raises(ConsentError, match=r"DO_NOT_TRACK"):
        client.consent().grant(client.survey.sentences)
    assert client.flush() == []
    asked = deniable_client.open(ENDPOINT, samples()["one question"].to_json(), mode="background")
    assert asked.mode == "background"
    assert deniable_client.open(ENDPOINT, samples()["one question"].to_json()).mode == "asked"


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://collector.example",
        "ftp://localhost",
        "https://",
        "https://me@collector.example",
        "https://a.example/?q",
        3,
    ],
)
def test_answers_travel_encrypted_or_not_at_all(endpoint: Any) -> None:
    with pytest.raises(ParameterError, match=r"^endpoint must be"):
        deniable_client.open(endpoint, samples()["one question"].to_json())


def test_a_survey_that_promises_too_little_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"must promise a level of at most 0.5"):
        deniable_client.open(ENDPOINT, samples()["one question"].to_json(), limit=0.5)
    with pytest.raises(ParameterError, match=r"got inf"):
        deniable_client.open(ENDPOINT, samples()["blocks"].to_json(), limit=30.0)
    assert deniable_client.open(ENDPOINT, samples()["one question"].to_json(), limit=1.0).survey.promise.level == 1.0


@pytest.mark.parametrize(
    "options", [{"code": "a b"}, {"code": "a\nb"}, {"caps": {"a": -1.0}}, {"total_cap": math.nan}, {"mode": "spy"}]
)
def test_bad_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ParameterError):
        deniable_client.open(ENDPOINT, samples()["one question"].to_json(), **options)


def test_threads_of_one_device_draw_one_answer(store: Any) -> None:
    client, receipts = agreed(samples()["one question"], store=store), []
    threads = [threading.Thread(target=lambda: receipts.append(client.answer(BUS))) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(receipts)) == len(client.receipts()) == 1
    assert client.spent()["total"] == 1.0


class Full(MemoryStore):
    """A store that refuses its last write, as a full disk does."""

    @contextmanager
    def transaction(self) -> Iterator[Entries]:
        """Everything but the end."""
        with super().transaction() as entries:
            yield entries
            raise StoreError("the store must be a file that can be written, got OperationalError")


def test_a_full_store_keeps_nothing() -> None:
    survey = samples()["one question"]
    store = MemoryStore()
    client = agreed(survey, store=store)
    full = Full()
    full._texts = store._texts
    client.store = full
    with pytest.raises(StoreError):
        client.answer(BUS)
    client.store = store
    assert (client.receipts(), client.spent()["total"]) == ([], 0.0)


def test_a_store_that_is_wiped_is_a_first_visit(tmp_path: Path) -> None:
    """Under the client's feet, too: consent is asked for again, and nothing of before is sent."""
    client = agreed(samples()["one question"], store=SqliteStore(tmp_path / "device.sqlite"))
    client.answer(BUS)
    (tmp_path / "device.sqlite").unlink()
    assert (client.consent().granted, client.flush(), client.spent()["total"]) == (False, [], 0.0)
    with pytest.raises(ConsentError):
        client.answer(BUS)
    assert not (tmp_path / "device.sqlite").exists()


def test_a_store_that_was_altered_is_seen(store: Any) -> None:
    client = agreed(samples()["one question"], store=store)
    client.answer(BUS)
    with store.transaction() as entries:
        (key,) = entries.keys("answer/")
        entries.put(key, '{"state": "sent"}')
    with pytest.raises(StoreError, match=r"^the store must hold answers"):
        client.receipts()
