"""wire/device.md: the ledger, and answering."""

from __future__ import annotations

from typing import Any

import pytest
from tests.clients.conduct.conftest import PROCESSES, Make
from tests.clients.conduct.devices import Device, Devices
from tests.clients.conduct.surveys import BUS, DAY, ENDPOINT, KINDS, ONE, START, WEEK, changed, weekly
from tests.clients.stub import Planned, Stub, problem
from tests.wire.generate.documents import PEOPLE, samples

from deniable.protocol import BudgetError, ParameterError, Receipt

pytestmark = PROCESSES
CAR = {"way": "car"}


def sent(client: Device, stub: Stub, period: str) -> Receipt:
    """The receipt of the last answer, which arrives in that period."""
    stub.open = [period]
    receipt = client.flush()[-1]
    assert (receipt.state, receipt.period) == ("sent", period)
    return receipt


@pytest.mark.parametrize(("level", "cap", "most"), [(1.0, 2.5, 2), (0.1, 0.3, 3)])
def test_the_cap_of_a_topic_ends_answers(level: float, cap: float, most: int, make: Make, stub: Stub) -> None:
    """Levels are added as decimals: three of 0.1 are 0.3. Of an answer too many nothing is kept."""
    client = make(weekly(cap, level=level))
    stub.surveys[client.digest] = weekly(cap, level=level)
    for week in range(most):
        client.at(START + week * WEEK).answer()
        sent(client, stub, f"2026-W{32 + week}")
    before = client.texts()
    with pytest.raises(BudgetError, match=r"^answers on 'travel' must stay within their cap"):
        client.at(START + most * WEEK).answer()
    assert client.texts() == before
    spent = level * most if level == 1 else cap
    assert client.spent() == {"topics": {"travel": {"spent": spent, "cap": cap}}, "total": spent}


@pytest.mark.parametrize(("first", "second"), [(1.0, 9.0), (9.0, 1.5)])
def test_the_least_cap_of_a_topic_counts(first: float, second: float, make: Make) -> None:
    """That of the first document is never raised, and that of each document holds for its own answers."""
    make(weekly(first)).answer()
    other = make(weekly(second, "another"))
    with pytest.raises(BudgetError):
        other.answer()
    assert (other.receipts(), other.spent()["topics"]) == ([], {"travel": {"spent": 1, "cap": first}})


@pytest.mark.parametrize("caps", [{"caps": {"travel": 0.5}}, {"totalCap": 0.5}])
def test_an_app_may_have_lower_caps_of_its_own(caps: dict[str, Any], make: Make) -> None:
    client = make(weekly(), **caps)
    with pytest.raises(BudgetError):
        client.answer()
    assert (client.receipts(), client.spent()["total"]) == ([], 0)


def test_one_cap_stands_above_all_topics(make: Make) -> None:
    make(weekly(), totalCap=1.5).answer()
    with pytest.raises(BudgetError, match=r"^all answers together must stay"):
        make(weekly(9.0, "other", topic="other"), totalCap=1.5).answer()


def test_a_topic_may_be_named_as_whatever_objects_have(make: Make) -> None:
    client = make(weekly(topic="constructor"), caps={"travel": 0.5})
    client.answer()
    assert client.spent()["topics"] == {"constructor": {"spent": 1, "cap": 9}}


@pytest.mark.parametrize("name", [name for name, each in samples().items() if not (each.carrier or each.crowd)])
def test_an_answer_is_drawn_and_charged_once(name: str, make: Make, stub: Stub) -> None:
    survey = samples()[name]
    client = make(survey)
    receipt = client.answer(PEOPLE[name])
    assert (receipt.state, receipt.bytes, receipt.period) == ("waiting", b"", None)
    assert (receipt.survey, receipt.name, receipt.topic) == (survey.digest, survey.name, survey.topic)
    assert client.spent()["total"] == survey.promise.charge == receipt.charge
    kept = client.texts()
    assert client.answer(PEOPLE[name]) == receipt
    assert (client.receipts(), client.texts()) == ([receipt], kept)
    arrived = sent(client, stub, "2026-W32" if survey.period == "week" else "once")
    (answer,) = stub.accepted[survey.digest, stub.open[0]]
    assert survey.check(answer) is None
    assert arrived.bytes[16:].endswith(answer[2:] if len(survey.arms) > 1 else answer)
    assert (client.flush(), len(stub.posted)) == ([arrived], 1)


def test_opening_again_does_not_draw_another_arm(make: Make) -> None:
    kept = []
    for _ in range(20):
        again = make(samples()[KINDS])
        again.answer(PEOPLE[KINDS])
        kept.append(again.texts())
    assert kept == kept[:1] * 20


def test_every_upload_has_an_id_of_its_own(devices: Devices, stub: Stub) -> None:
    for _ in range(20):
        client = devices.agreed(stub.url, ONE)
        client.answer()
        client.flush()
    assert len({body[:16] for _, body in stub.posted}) == 20


def test_answers_at_once_are_one_answer(make: Make) -> None:
    client = make()
    assert client.answers([BUS] * 20) == client.receipts() * 20
    assert client.spent()["total"] == 1


def test_asked_again_in_the_same_period_the_same_receipt(make: Make, stub: Stub) -> None:
    client = make(weekly())
    client.answer()
    first = sent(client, stub, "2026-W32")
    assert client.answer(CAR) == first
    second = client.at(START + WEEK).answer(CAR)
    assert client.receipts() == [first, second]
    assert client.at(START + 2 * WEEK).answer(CAR) == second  # it still waits, and stands for this week


def test_an_answer_stands_in_the_period_that_it_was_sent_in(make: Make, stub: Stub) -> None:
    client = make(weekly())
    client.answer()
    first = sent(client.at(START + WEEK), stub, "2026-W33")
    for week in (0, 1):
        assert client.at(START + week * WEEK).answer() == first
    assert client.at(START + 2 * WEEK).answer() != first


def test_a_survey_that_is_asked_once_is_answered_once(make: Make, stub: Stub) -> None:
    client = make()
    client.answer()
    first = sent(client, stub, "once")
    assert client.at(START + 5 * WEEK).answer(CAR) == first
    assert client.spent()["total"] == 1


@pytest.mark.parametrize("end", ["refused", "unknown", "withdrawn"])
def test_what_was_spent_is_never_given_back(end: str, make: Make, stub: Stub) -> None:
    """Whatever became of this week's answer, it stands; next week's costs as much again."""
    client, stub.open = make(weekly()), ["2026-W32"]
    client.answer()
    if end == "withdrawn":
        client.withdraw()
        client.grant()
    else:
        stub.plan_after_door(*[Planned(500)] * (end == "unknown"), problem(410, "closed"))
        client.flush()
        client.at(START + DAY).flush()
    assert (client.answer().state, client.spent()["total"]) == (end, 1)
    assert (client.at(START + WEEK).answer().state, client.spent()["total"]) == ("waiting", 2)


def test_a_survey_that_is_over_charges_no_more(make: Make, stub: Stub) -> None:
    client = make(weekly())
    client.answer()
    stub.planned = [problem(410, "closed")]
    (refused,) = client.flush()
    assert (refused.state, refused.reason, stub.posted) == ("refused", "closed", [])
    for week in range(1, 4):
        assert client.at(START + week * WEEK).answer() == refused
    assert (client.spent()["total"], client.receipts()) == (1, [refused])


@pytest.mark.parametrize(("late", "drawn"), [(0.0, True), (1.0, False)])
def test_nothing_is_drawn_long_after_the_end(late: float, drawn: bool, devices: Devices) -> None:
    """The survey closes in the middle of the week, with a grace of two days; a week more is the clock's."""
    text = changed(weekly(), closes="2026-08-05T12:00:00Z", grace=172800)
    client = devices.agreed(ENDPOINT, text).at(START + 9 * DAY + late)
    if drawn:
        client.answer()
    else:
        with pytest.raises(ParameterError, match=r"^the survey must be open"):
            client.answer()
    assert client.spent()["total"] == (1 if drawn else 0)
