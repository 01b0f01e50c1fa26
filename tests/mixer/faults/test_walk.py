"""Walks through a crowd's life: each acknowledged answer is counted once, and every planted fault is found."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.collector.faults.parcel_failpoints import OpeningHere
from tests.collector.worlds import DAY
from tests.lengths import by_length
from tests.mixer.faults.people import Begun
from tests.mixer.faults.walk import Walk

from deniable.collector import parcels
from deniable.collector.keys import KeyFolder
from deniable.collector.parcels import ParcelDesk
from deniable.intake.http import survey_cache
from deniable.intake.storage.rows import SurveyRow
from deniable.intake.storage.sqlite import SqliteStore, SqliteTransaction
from deniable.mixer import courier, freezing, sending, upkeep
from deniable.mixer.freezing import parcel_of
from deniable.protocol.device import outbox
from deniable.protocol.surveys.sealed_answer import OpenedAnswer, SealedForm


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Begun:
    """A mixer and a collector that nobody has answered yet."""
    return Begun.at(tmp_path_factory.mktemp("crowd") / "begun")


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of it in this process, and nobody waits."""
    monkeypatch.setattr(courier, "FIRST", 0.0)
    monkeypatch.setattr(survey_cache, "FRESH", 0.0)
    monkeypatch.setattr(parcels, "OpeningProcess", OpeningHere)


def joined(walk: Walk, patch: pytest.MonkeyPatch) -> None:
    """Devices and the mixer speak over the network of a walk."""
    patch.setattr(outbox, "request", walk.network.from_device)
    patch.setattr(sending, "_ask", walk.network.to_collector)


def walked(begun: Begun, folder: Path, seed: int, patch: pytest.MonkeyPatch) -> Walk:
    """A whole walk."""
    with Walk(begun, folder, seed) as walk:
        joined(walk, patch)
        walk.go()
    shutil.rmtree(folder)
    return walk


def many_walked(begun: Begun, folder: Path, seeds: Iterable[int], patch: pytest.MonkeyPatch) -> list[Walk]:
    """A walk of each seed, one after another."""
    return [walked(begun, folder / str(seed), seed, patch) for seed in seeds]


@pytest.mark.soak
def test_each_acknowledged_answer_is_counted_once_whatever_fails(
    begun: Begun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    walks = many_walked(begun, tmp_path, range(by_length(40, 1000)), monkeypatch)
    counted = [body for walk in walks for body, _ in walk.ledger.taken.values()]
    assert counted.count(b"") < len(counted) / 2, "most periods must have enough"
    for happened in ("is_copied_back", "is_restored", "stuffed"):
        assert any(getattr(walk.ledger, happened) for walk in walks), happened


def without_asking(parcel: sending.AddressedParcel, body: bytes) -> sending.Outcome:
    """A courier that does not ask which parcel has come."""
    reply = sending._ask(parcel, "PUT", f"{parcel.url}?{parcel.query}", body)
    return sending._taken(reply.body, parcel.n) if reply.status == 200 else sending._final(reply, sending.KNOWN)


def parcel_but_one(width: int, chunks: Sequence[bytes]) -> bytes:
    """A parcel that lacks an answer, where it is large."""
    whole = parcel_of(width, chunks)
    return whole[width:] if len(whole) > 7 * width else whole


def in_order_of_arrival(width: int, chunks: Sequence[bytes]) -> bytes:
    """A parcel that says who came when."""
    return b"".join(freezing._rows(width, chunk) for chunk in chunks)


def taking_any(desk: ParcelDesk, row: SurveyRow, period: str, sent: Any) -> Any:
    """A collector that forgets which parcel it took."""
    desk._collector.run(lambda t: t.run("DELETE FROM arrival WHERE survey = ? AND period = ?", row.digest, period))
    return take(desk, row, period, sent)


def every_one(*given: Any) -> tuple[list[OpenedAnswer], int]:
    """A collector that counts each answer of an id."""
    return list(given[-1]), 0


take = ParcelDesk.take
FAULTS: dict[str, tuple[str, list[tuple[Any, str, Any]]]] = {
    "a courier that does not ask first": ("where another one had come", [(sending, "_sent", without_asking)]),
    "a freezing that keeps outer ids": ("must be forgotten", [(upkeep, "forget_people", lambda *_: None)]),
    "a log that is not emptied": ("must be forgotten", [(SqliteStore, "empty_log", lambda _: True)]),
    "a freezing that loses somebody": ("must count everybody", [(freezing, "parcel_of", parcel_but_one)]),
    "a parcel in order of arrival": ("must be sorted", [(freezing, "parcel_of", in_order_of_arrival)]),
    "a mixer that takes an answer twice": ("must count everybody", [
        (SqliteTransaction, "known", lambda *_: {}),
        (SqliteTransaction, "claim", lambda _, __, ___, codes: set(codes)),
        (SqliteTransaction, "remember", lambda *_: {}),
    ]),
    "a collector that takes a second parcel": ("a second parcel must be refused|must have its result once", [
        (ParcelDesk, "take", taking_any), (KeyFolder, "came", lambda *_: {}),
    ]),
    "a collector that counts what came twice": ("not in a parcel", [(ParcelDesk, "_distinct", every_one)]),
}  # fmt: skip
"""What is planted, and what the walk that finds it says."""
FOUND_AT = {"a courier that does not ask first": 21, "a collector that counts what came twice": 5}
"""The seeds of the walks that found what the first walk does not: tried before all others, which take a minute."""


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found(fault: str, begun: Begun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found, planted = FAULTS[fault]
    for of, name, what in planted:
        monkeypatch.setattr(of, name, what)
    with pytest.raises(AssertionError, match=found):
        many_walked(begun, tmp_path, [FOUND_AT.get(fault, 0), *range(40)], monkeypatch)


def test_a_retry_is_seen_by_no_collector(begun: Begun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two crowds of the same devices, in one of which somebody had to send again: both hand over the same bytes."""
    with Walk(begun, tmp_path / "one", 1) as one, Walk(begun, tmp_path / "other", 2) as other:
        joined(one, monkeypatch)
        one.network.is_fine = other.network.is_fine = True
        for person in one.people:
            person.answer("bus")
            one.network.planned = ["fine", "lost"] * len(begun.surveys)  # it is sealed, and does not arrive
            person.flush()
        other.people = [person.copied(begun, "203.0.113.200", other.network) for person in one.people]
        other.network.planned = ["unheard"]
        for walk in (one, other):
            joined(walk, monkeypatch)
            walk.clock.advance(DAY)
            walk.do("flush")
            walk.do("end")
        assert [len(body) for _, _, body in one.network.asked if body] == [
            len(one.people) * SealedForm.of(begun.surveys[0]).sealed
        ] * len(begun.surveys)
        assert one.network.asked == other.network.asked
