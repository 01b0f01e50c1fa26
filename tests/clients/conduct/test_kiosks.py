"""wire/device.md: many people on one device."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from deniable_client.device import client
from deniable_client.device.store import Entries, Store
from tests.clients.conduct import python_driver
from tests.clients.conduct.conftest import Make
from tests.clients.conduct.devices import Device, Devices
from tests.clients.conduct.surveys import BUS, ONE, START, changed
from tests.clients.stub import Planned, Stub
from tests.wire.generate.documents import PEOPLE, samples

import deniable as dn
from deniable.protocol import BudgetError, ConsentError, FormatError, ParameterError, StoreError

NAME = "a kiosk"
KIOSK, ANSWER = samples()[NAME], PEOPLE[NAME]
OWN = dn.Survey("own", KIOSK.questions, KIOSK.arms, topic=KIOSK.topic)
"""A survey of the same topic that the device's owner answers."""


def take_turn(stub: Stub, owner: Device, device: Device) -> None:
    """A person agrees, answers and sends; then nothing of theirs is left, and all that the owner has is."""
    device.grant()
    device.answer(ANSWER)
    stub.open = ["once"]
    assert device.flush()[-1].state == "sent"
    assert device.spent()["total"] == KIOSK.promise.charge
    assert device.answer(ANSWER) == device.last  # until the next turn it stands
    kept = {key: text for key, text in owner.texts().items() if not key.startswith("kiosk/")}
    device.next()
    assert (device.granted, device.receipts(), device.spent()) == (False, [], {"topics": {}, "total": 0})
    assert owner.texts() == kept
    assert owner.last.state == "waiting"


def opened(devices: Devices, stub: Stub, store: str) -> tuple[Device, Device]:
    """The owner's device, who has answered, and the same as a kiosk, with one store."""
    owner, device = (devices.open(stub.url, survey, store).at(START) for survey in (OWN, KIOSK))
    owner.grant()
    owner.answer(ANSWER)
    return owner, device


def test_each_person_begins_anew(devices: Devices, stub: Stub, store: str) -> None:
    """Of as many as come: each pays for one answer, and the owner's ledger of the topic stays as it is."""
    owner, device = opened(devices, stub, store)
    for person in range(3):
        take_turn(stub, owner, device)
        assert len(stub.accepted[KIOSK.digest, "once"]) == person + 1
        with pytest.raises(ConsentError):
            device.answer(ANSWER)
    assert len({body[:16] for _, body in stub.posted}) == 3
    assert owner.spent() == {"topics": {OWN.topic: {"spent": 1, "cap": OWN.cap}}, "total": 1}


def test_what_others_spent_does_not_count_in_a_kiosk(make: Make) -> None:
    make(OWN, caps={OWN.topic: 1.0}).answer(ANSWER)
    device = make(KIOSK, caps={OWN.topic: 1.0})
    assert device.answer(ANSWER).charge == 1
    device.withdraw()
    device.next()
    with pytest.raises(BudgetError):
        make(KIOSK, caps={OWN.topic: 0.5}).answer(ANSWER)


def test_a_turn_waits_for_what_waits(make: Make, stub: Stub) -> None:
    """Also for what was sent and may have been counted; what was withdrawn is final."""
    device = make(KIOSK)
    device.answer(ANSWER)
    stub.plan_after_door(Planned(None))
    for _ in range(2):
        kept = device.texts()
        with pytest.raises(ParameterError, match=r"^the last answer must be final or withdrawn"):
            device.next()
        assert device.texts() == kept
        device.flush()
    device.withdraw()
    device.next()
    assert device.texts() == {}


def test_a_person_who_agreed_and_left_is_forgotten(make: Make) -> None:
    device = make(KIOSK)
    device.next()
    assert (device.granted, device.texts()) == (False, {})
    device.next()  # of nobody nothing is kept either


def test_only_a_kiosk_has_turns(make: Make, stub: Stub) -> None:
    device = make(ONE)
    device.answer(BUS)
    stub.open = ["once"]
    device.flush()
    kept = device.texts()
    with pytest.raises(ParameterError, match=r"^the survey must be for a kiosk"):
        device.next()
    assert device.texts() == kept


def test_a_turn_that_cannot_be_written_is_none(make: Make) -> None:
    device = make(KIOSK)
    kept = device.texts()
    device.full(True)
    with pytest.raises(StoreError, match="must have room"):
        device.next()
    device.full(False)
    assert (device.texts(), device.granted) == (kept, True)


def test_a_document_that_says_no_kiosk_is_another(make: Make) -> None:
    with pytest.raises(FormatError):
        make(changed(KIOSK, kiosk=False), agree=False)


def keeping(kind: str) -> Callable[[Entries, str], None]:
    """A fault: of what is kept of a person one kind stays."""

    def forget(entries: Entries, survey: str) -> None:
        for key in entries.keys(""):
            if not key.startswith(kind):
                entries.drop(key)

    return forget


class Everything:
    """A fault: the part of a store is all of it."""

    def __init__(self, store: Store, survey: str) -> None:
        self.transaction = store.transaction


@pytest.mark.parametrize(
    ("name", "fault"),
    [("forget_person", keeping(kind)) for kind in ("topic/", "consent/", "answer/")] + [("KioskStore", Everything)],
)
def test_faults_are_found(name: str, fault: object, stub: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client whose ledger goes on, or one whose consent or receipts stay, or that forgets the owner's ledger."""
    devices, turn = Devices("python", python_driver.reply_to), partial(take_turn, stub)
    turn(*opened(devices, stub, "sound"))
    monkeypatch.setattr(client, name, fault)
    with pytest.raises((AssertionError, BudgetError)):
        turn(*opened(devices, stub, f"faulty {name} {fault}"))
