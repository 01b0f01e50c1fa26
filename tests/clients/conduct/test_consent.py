"""wire/device.md: opening a survey, the store, and consent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.clients.conduct.conftest import PROCESSES, Make
from tests.clients.conduct.devices import Devices
from tests.clients.conduct.surveys import ENDPOINT, KINDS, ONE, REMEMBERED, SILENT, START, WEEK, changed, weekly
from tests.clients.stub import Planned, Stub
from tests.wire.generate.documents import PEOPLE, samples

import deniable as dn
from deniable.protocol import BudgetError, ConsentError, FormatError, LabelError, ParameterError, StoreError


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


def test_a_survey_may_be_given_as_its_digest(devices: Devices, stub: Stub) -> None:
    assert devices.open(stub.url, ONE.digest).digest == ONE.digest
    with pytest.raises(FormatError, match="no document of this digest"):
        devices.open(stub.url, "0" * 64)
    with pytest.raises(FormatError, match="must answer with the survey's document, got no reply"):
        devices.open("http://127.0.0.1:1", ONE.digest)
    stub.planned = [Planned(200, samples()["words"].document)]
    with pytest.raises(FormatError, match="must be the one of this digest"):
        devices.open(stub.url, ONE.digest)


@pytest.mark.parametrize("mode", ["background", "Background"])
def test_a_mode_is_read_before_anything_is_fetched(mode: str, devices: Devices, stub: Stub) -> None:
    with pytest.raises(ParameterError, match=r"^mode must be|must come with the app|must be its text"):
        devices.open(stub.url, ONE.digest, mode=mode)
    assert stub.asked == []


def test_a_survey_of_background_mode_comes_with_the_app(devices: Devices, stub: Stub) -> None:
    with pytest.raises(ParameterError, match=r"must come with the app"):
        devices.open(stub.url, samples()[SILENT].digest)


@PROCESSES
def test_the_stricter_mode_counts(devices: Devices) -> None:
    assert devices.open(ENDPOINT, ONE).mode == "asked"
    assert devices.open(ENDPOINT, ONE, mode="background").mode == "background"
    assert devices.open(ENDPOINT, samples()[SILENT], mode="asked").mode == "background"


@PROCESSES
def test_a_survey_that_promises_too_little_is_refused(devices: Devices) -> None:
    with pytest.raises(ParameterError, match=r"must promise a level of at most 0.5, got 1$"):
        devices.open(ENDPOINT, ONE, limit=0.5)
    with pytest.raises(ParameterError, match=r"got inf"):
        devices.open(ENDPOINT, samples()["blocks"], limit=30)
    assert devices.open(ENDPOINT, ONE, limit=1).facts()["level"] == 1


@PROCESSES
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


def test_nothing_is_drawn_kept_or_asked_before_consent(make: Make, stub: Stub) -> None:
    client = make(agree=False)
    assert (client.granted, client.flush(), client.receipts()) == (False, [], [])
    assert client.spent() == {"topics": {}, "total": 0}
    assert (client.facts()["level"], len(client.outcomes())) == (1, 3)
    with pytest.raises(ConsentError, match=r"^an answer must follow consent, got one before"):
        client.answer()
    assert (client.exists(), stub.asked) == (False, [])


def test_what_is_agreed_to_is_what_was_shown(make: Make) -> None:
    client = make(agree=False)
    with pytest.raises(ConsentError, match=r"^what was shown must be the survey's (\d+ )?sentences"):
        client.grant(["We value your privacy."])
    assert (client.granted, client.exists()) == (False, False)


@PROCESSES
def test_consent_is_to_one_document(make: Make) -> None:
    """Another purpose makes another survey; their topic has one ledger."""
    make(weekly(1.0)).answer()
    other = make(changed(weekly(1.0), purpose="Another one."), agree=False)
    assert (other.granted, other.receipts()) == (False, [])
    other.grant()
    with pytest.raises(BudgetError):
        other.answer()


@pytest.mark.parametrize("on_disk", [True, False])
def test_a_bad_answer_changes_nothing(on_disk: bool, store: str, devices: Devices) -> None:
    """Though its charge had been put down when it was looked at."""
    client = devices.agreed(ENDPOINT, ONE, store if on_disk else "")
    before = client.texts()
    with pytest.raises(LabelError, match=r"^(?!.*secret)"):
        client.answer({"way": "a secret"})
    assert client.texts() == before


def test_a_full_store_keeps_nothing(make: Make, stub: Stub) -> None:
    client = make()
    before = client.texts()
    client.full(True)
    with pytest.raises(StoreError, match=r"must have room"):
        client.answer()
    client.full(False)
    assert client.texts() == before
    client.answer()
    client.full(True)
    with pytest.raises(StoreError):
        client.flush()
    assert stub.posted == []


def test_a_store_that_is_wiped_is_a_first_visit(make: Make, stub: Stub) -> None:
    """Under the client's feet, too: consent is asked for again, and nothing of before is sent."""
    client = make()
    client.answer()
    client.wipe()
    assert (client.granted, client.flush(), client.spent()["total"]) == (False, [], 0)
    with pytest.raises(ConsentError):
        client.answer()
    assert (client.exists(), stub.asked) == (False, [])


ALTERED = [
    *[("answer", text) for text in ('{"state": "sent"}', "{}", "[]", "no JSON")],
    *[
        ("topic", text)
        for text in ("{}", "no JSON", '{"spent": 0}', '{"spent": "1", "cap": 9}', '{"spent": -1, "cap": 9}')
    ],
    *[("consent", text) for text in ("no JSON", "[]")],
    *[("enrolled", text) for text in ("no JSON", "{}", "[]", '{"arm": 0, "kept": []}', '{"arm": 7, "kept": [[1]]}')],
    *[
        ("enrolled", f'{{"arm": 0, "kept": [[{reports}]]}}')
        for reports in ("0", "0, 1, 2, 3, 4, 5, 6", "0, 1, -1", "0, 1, 99")
    ],
]


@PROCESSES
@pytest.mark.parametrize(("kind", "text"), ALTERED)
def test_a_store_that_was_altered_is_refused_and_left(kind: str, text: str, make: Make, stub: Stub) -> None:
    client = make(REMEMBERED if kind == "enrolled" else weekly())
    if kind != "enrolled":
        client.answer()
    if kind == "topic":
        client = make(weekly(9.0, "another"))
    (key,) = [key for key in client.texts() if key.startswith(f"{kind}/")]
    client.put(key, text)
    before = client.texts()
    for act in [*{"answer": [client.receipts, client.flush], "topic": [client.spent]}.get(kind, []), client.answer]:
        with pytest.raises(StoreError, match=r"^the store must hold"):
            act()
    assert (client.texts(), stub.asked) == (before, [])


@pytest.fixture
def silent(devices: Devices) -> Iterator[Devices]:
    """Devices of somebody who does not want to be tracked."""
    devices.track("1")
    yield devices
    devices.track("")


def test_whoever_must_not_be_tracked_is_not_asked_in_the_background(silent: Devices, make: Make, stub: Stub) -> None:
    client = make(mode="background", agree=False)
    for act in (client.grant, client.answer):
        with pytest.raises(ConsentError, match=r"^nothing may be answered in the background.*DO_NOT_TRACK"):
            act()
    assert (client.flush(), client.exists(), stub.asked) == ([], False, [])
    assert make(mode="asked").answer().state == "waiting"
    assert (client.flush()[0].state, stub.asked) == ("waiting", [])


@pytest.mark.parametrize(("wish", "asked"), [("true", False), ("0", True), ("", True)])
def test_how_somebody_says_that_they_must_not_be_tracked(wish: str, asked: bool, silent: Devices, make: Make) -> None:
    silent.track(wish)
    client = make(mode="background", agree=False)
    if asked:
        client.grant()
    else:
        with pytest.raises(ConsentError):
            client.grant()
    assert client.granted == asked


def test_withdrawing_drops_what_waits_and_keeps_what_was_spent(make: Make, stub: Stub) -> None:
    client = make()
    client.answer()
    client.withdraw()
    (receipt,) = client.receipts()
    assert (receipt.state, receipt.reason, receipt.bytes, client.granted) == ("withdrawn", "", b"", False)
    assert client.spent()["total"] == 1
    with pytest.raises(ConsentError):
        client.answer()
    client.grant()
    assert client.answer() == receipt  # never drawn again
    assert (client.flush(), stub.asked) == ([receipt], [])


def test_an_answer_that_was_on_its_way_when_it_was_withdrawn(make: Make, stub: Stub) -> None:
    client = make()
    client.answer()
    stub.plan_after_door(Planned(None))
    client.flush()
    ((_, body),) = stub.posted
    assert body.hex() in str(client.texts())
    client.withdraw()
    assert (client.last.state, client.last.reason) == ("withdrawn", "it had been sent and may have been counted")
    assert body.hex() not in str(client.texts())


def test_withdrawing_leaves_what_is_final(make: Make, stub: Stub) -> None:
    client = make(weekly())
    client.answer()
    stub.open = ["2026-W32"]
    (final,) = client.flush()
    client.at(START + WEEK).answer()
    client.withdraw()
    assert [final.state, client.last.state] == ["sent", "withdrawn"]
    assert client.receipts()[0] == final


@PROCESSES
def test_remembered_reports_are_charged_and_drawn_when_somebody_agrees(make: Make, stub: Stub) -> None:
    """All that will ever be sent: three labels at 2 each. Rounds cost nothing more."""
    client = make(REMEMBERED)
    stub.surveys[REMEMBERED.digest] = REMEMBERED
    assert client.spent()["topics"] == {"kept": {"spent": 6, "cap": 9}}
    for month in range(12):
        client.at(START + 31 * 86400.0 * month).answer({"way": ("bus", "car")[month % 2]})
        stub.open = [f"{2026 + (month + 7) // 12}-{(month + 7) % 12 + 1:02}"]
        assert (client.flush()[-1].state, client.last.charge) == ("sent", 0)
    kept = client.texts()
    for _ in range(20):  # drawn again, the reports would now and then be the same
        client.withdraw()
        client.grant()
        assert client.texts() == kept
    assert (client.spent()["total"], len(client.receipts())) == (6, 12)
    assert sum(map(len, stub.accepted.values())) == 12


@PROCESSES
def test_nobody_enrols_long_after_the_end(make: Make) -> None:
    client = make(changed(REMEMBERED, closes="2020-01-01T00:00:00Z"), agree=False)
    with pytest.raises(ParameterError, match=r"^the survey must be open"):
        client.grant()
    assert (client.spent()["total"], client.granted) == (0, False)


@PROCESSES
@pytest.mark.parametrize("survey", [samples()[KINDS], REMEMBERED], ids=["drawn anew", "remembered"])
def test_no_store_holds_what_was_answered(survey: dn.Survey, make: Make) -> None:
    client = make(survey)
    client.answer(
        {question.name: PEOPLE[KINDS][question.name] for question in survey.questions if question.name != "late"}
    )
    held = " ".join(client.texts().values())
    assert "waiting" in held
    assert not [label for label in ("car", "ill", "news", "mail") if label in held]
