"""An answer that is handed over to a form: drawn once, charged once, and the same to the byte from then on."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from tests.cases import each
from tests.wire.generate.fields import ANSWERS, survey_of
from tests.wire.vectors import Vector, named, vectors

import deniable as dn
from deniable.protocol import ConsentError, MemoryStore, ParameterError, SqliteStore, open
from deniable.protocol.device.client import Client
from deniable.protocol.errors import BudgetError
from deniable.protocol.surveys.field_value import read_field, write_declined, write_field

SURVEY = survey_of("several arms")
GIVEN = ANSWERS["several arms"]


def opened(store: Any) -> Client:
    """A client that somebody agreed to."""
    client = open(survey=SURVEY.to_json(), store=store)
    client.consent().grant(client.survey.sentences)
    return client


@each("vector", vectors("fields.json", "good"), ids=named)
def test_values(vector: Vector) -> None:
    survey = dn.Survey.from_json(vector["document"])
    own_id, answer = bytes.fromhex(vector["id"]), bytes.fromhex(vector["answer"])
    assert write_field(survey.digest, own_id, answer) == vector["value"]
    assert write_declined(survey.digest) == vector["declined"]
    assert read_field(survey.digest, vector["value"]) == (survey.digest[:32], own_id, answer)


def test_it_is_the_same_value_whatever_is_answered_next_and_after_a_restart(tmp_path: Path) -> None:
    client = opened(SqliteStore(tmp_path / "store"))
    value = client.hand_over(GIVEN)
    again = open(survey=SURVEY.to_json(), store=SqliteStore(tmp_path / "store"))
    assert {client.hand_over({"way": "car", "used": []}), again.hand_over(GIVEN)} == {value}
    [receipt] = client.receipts()
    assert (receipt.state, receipt.charge) == ("handed over", SURVEY.promise.charge)
    assert client.spent()["total"] == SURVEY.promise.charge
    assert client.flush() == [receipt]
    assert SURVEY.read_column([value]).answers == (receipt.bytes[8:],)


def test_many_at_once_hand_over_one(tmp_path: Path) -> None:
    opened(SqliteStore(tmp_path / "store"))
    values = set[str]()

    def hand_over() -> None:
        values.add(open(survey=SURVEY.to_json(), store=SqliteStore(tmp_path / "store")).hand_over(GIVEN))

    threads = [threading.Thread(target=hand_over) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(values) == 1


def test_each_device_draws_by_itself() -> None:
    """Of 40 devices two have the same id with a probability of 2^-54, and all the same answer with one below 2^-30."""
    values = [opened(MemoryStore()).hand_over(GIVEN) for _ in range(40)]
    read = SURVEY.read_column(values)
    assert read.counts["used"] == 40
    assert len(set(read.answers)) > 1


def test_nothing_is_drawn_before_consent_and_nothing_again_after_it_is_withdrawn() -> None:
    client = open(survey=SURVEY.to_json(), store=MemoryStore())
    with pytest.raises(ConsentError, match="must follow consent"):
        client.hand_over(GIVEN)
    assert client.declined() == write_declined(SURVEY.digest)
    client.consent().grant(client.survey.sentences)
    client.hand_over(GIVEN)
    client.consent().withdraw()
    [receipt] = client.receipts()
    assert (receipt.state, receipt.bytes) == ("withdrawn", b"")
    client.consent().grant(client.survey.sentences)
    with pytest.raises(ConsentError, match="withdrawn after that"):
        client.hand_over(GIVEN)
    assert client.spent()["total"] == SURVEY.promise.charge


def test_the_ledger_stops_it() -> None:
    client = open(survey=SURVEY.to_json(), store=MemoryStore(), total_cap=SURVEY.promise.charge / 2)
    client.consent().grant(client.survey.sentences)
    with pytest.raises(BudgetError):
        client.hand_over(GIVEN)
    assert client.receipts() == []


def named_client(store: Any, respondent: str | None, survey: dn.Survey = SURVEY) -> Client:
    """A client of somebody whom the app tells apart, and who agreed."""
    client = open(survey=survey.to_json(), store=store, respondent=respondent)
    client.consent().grant(client.survey.sentences)
    return client


def test_one_respondent_answers_and_keeps_what_is_theirs(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "store")
    value = named_client(store, "a").hand_over(GIVEN)
    assert named_client(store, "a").hand_over(GIVEN) == value
    for other in ("b", None):
        with pytest.raises(ParameterError, match="for one respondent"):
            named_client(store, other).hand_over(GIVEN)
        assert named_client(store, other).receipts() == []
    assert named_client(store, "b").spent()["total"] == SURVEY.promise.charge
    first = MemoryStore()
    named_client(first, None).hand_over(GIVEN)
    with pytest.raises(ParameterError, match="for one respondent"):
        named_client(first, "a").hand_over(GIVEN)


def test_on_a_kiosk_each_respondent_has_a_turn() -> None:
    store, survey = MemoryStore(), dn.Survey("ways", SURVEY.questions, SURVEY.arms, carrier="field", kiosk=True)
    values = [named_client(store, name, survey).hand_over(GIVEN) for name in ("a", "b", "a")]
    assert values[0] == values[2] != values[1]
    assert named_client(store, "b", survey).spent()["total"] == survey.promise.charge


def test_a_topic_is_its_owners_and_nothing_counts_as_sent() -> None:
    store = MemoryStore()
    for owner in ("council", "", "union"):
        survey = dn.Survey("ways", SURVEY.questions, SURVEY.arms, carrier="field", owner=owner)
        client = named_client(store, None, survey)
        client.hand_over(GIVEN)
        client.consent().withdraw()
        assert client.receipts()[0].reason == ""
    assert set(client.spent()["topics"]) == {"ways (council)", "ways", "ways (union)"}


def test_what_is_sent_and_what_is_handed_over_are_not_mixed_up() -> None:
    client = opened(MemoryStore())
    with pytest.raises(ParameterError, match="must be handed over"):
        client.answer(GIVEN)
    with pytest.raises(ParameterError, match="endpoint must be given but for a survey with carrier"):
        open("http://localhost:1", SURVEY.to_json())
    other = dn.Survey("ways", SURVEY.questions, SURVEY.arms)
    with pytest.raises(ParameterError, match="endpoint must be given"):
        open(survey=other.to_json())
    with pytest.raises(ParameterError, match="as its text"):
        open(survey=SURVEY.digest)
    with pytest.raises(ParameterError, match="use answer"):
        open("http://localhost:1", other.to_json()).hand_over(GIVEN)
