"""Taking uploads, in both storages: each id once, each code once, and a bad one among good ones harms nobody."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.collector.worlds import DAY, World, a_survey, an_id, body_of, kinds, sure

from deniable.intake.access import hash_of
from deniable.intake.clock import Watch
from deniable.intake.refusals import Refusal
from deniable.intake.storage.rows import CLOSING
from deniable.intake.storage.transaction import Transaction
from deniable.intake.taking import Offer, take


def test_an_upload_is_taken_once_however_often_it_comes(world: World) -> None:
    survey = a_survey()
    world.put(survey)
    body = body_of([2])
    assert kinds(world.send(survey, body)) == [1]
    assert kinds(world.send(survey, body, body)) == [1, 1]
    assert kinds(world.send(survey, body_of([0, 1, 3]))) == [3]
    assert world.kept(survey) == 4


def test_an_id_with_other_bytes_is_refused_now_and_later(world: World) -> None:
    survey, own = a_survey(), an_id()
    world.put(survey)
    first, other = body_of([1], own), body_of([2], own)
    assert kinds(world.send(survey, first, other, first)) == [1, "other-bytes", 1]
    assert kinds(world.send(survey, other)) == ["other-bytes"]
    assert world.kept(survey) == 1


def test_a_poison_upload_among_999_good_ones_is_refused_alone(world: World) -> None:
    survey = a_survey()
    world.put(survey)
    bodies = [body_of([k % 4]) for k in range(999)]
    bodies.insert(500, body_of([9]))
    found = kinds(world.send(survey, *bodies))
    assert found[500] == "no-answer"
    assert found[:500] + found[501:] == [1] * 999
    assert world.kept(survey) == 999


def test_a_bad_first_upload_of_an_id_does_not_stop_a_good_one(world: World) -> None:
    survey, own = a_survey(), an_id()
    world.put(survey)
    assert kinds(world.send(survey, body_of([9], own), body_of([1], own))) == ["no-answer", 1]


def test_an_id_belongs_to_its_period_and_survey(world: World) -> None:
    weekly, daily = a_survey("weekly", period="week", repeat="fresh"), a_survey("daily", period="day", repeat="fresh")
    own = an_id()
    for survey, period in ((weekly, "2026-W32"), (daily, "2026-08-03"), (daily, "2026-08-02")):
        if survey.digest not in world.run(lambda t: [row.digest for row in t.surveys()]):
            world.put(survey)
        assert kinds(world.send(survey, body_of([1], own), period=period)) == [1]


def test_several_surveys_and_periods_in_one_transaction(world: World) -> None:
    one, two = a_survey("one"), a_survey("two", period="day", repeat="fresh")
    for survey in (one, two):
        world.put(survey)
    offers = [
        Offer(one.digest, "once", world.upload(one, body_of([0]))),
        Offer(two.digest, "2026-08-03", world.upload(two, body_of([1, 1]))),
        Offer(two.digest, "2026-08-05", world.upload(two, body_of([1]))),
        Offer(two.digest, "tomorrow", world.upload(two, body_of([1]))),
        Offer("0" * 64, "once", world.upload(one, body_of([1]))),
        Offer(one.digest, "once", world.upload(one, body_of([3]))),
    ]
    assert kinds(take(world.store, world.form, offers, sure)) == [1, 2, "too-early", "unknown", "unknown", 1]
    assert (world.kept(one), world.kept(two, "2026-08-03")) == (2, 2)


def test_a_hundred_surveys_at_once_are_asked_and_stored_together(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """One statement each for their rows, their periods and their chunks; on PostgreSQL one to lock, and two for ids."""
    surveys = [a_survey(f"survey-{number}") for number in range(100)]
    for survey in surveys:
        world.put(survey)
    bodies = [body_of([1]) for _ in surveys]

    def send(*further: Offer) -> list[str | int]:
        pairs = zip(surveys, bodies, strict=True)
        offers = [Offer(survey.digest, "once", world.upload(survey, body)) for survey, body in pairs]
        return kinds(take(world.store, world.form, [*offers, *further], sure))

    assert send() == [1] * 100
    with world.store.transaction() as t:
        kind: Any = type(t)
    asked: list[str] = []
    bodies = [body_of([place % 4]) for place in range(100)]
    bad = Offer(surveys[7].digest, "once", world.upload(surveys[7], body_of([9])))
    monkeypatch.setattr(kind, "run", counting(kind.run, asked))
    assert send(bad) == [*[1] * 100, "no-answer"]
    assert len(asked) <= 6
    assert send() == [1] * 100
    assert [world.kept(survey) for survey in surveys] == [2] * 100


def counting(run: Callable[..., Any], asked: list[str]) -> Callable[..., Any]:
    """Runs a statement, and writes it down."""

    def run_it(t: Transaction, statement: str, *given: Any) -> Any:
        asked.append(statement)
        return run(t, statement, *given)

    return run_it


def test_a_closed_period_takes_nothing_whatever_the_clock_says(world: World) -> None:
    survey = a_survey(period="day", repeat="fresh", grace=60)
    world.put(survey)
    assert kinds(world.send(survey, body_of([1]), period="2026-08-03")) == [1]
    world.run(lambda t: t.set_state(t.batch(survey.digest, "2026-08-03").number, CLOSING))
    assert kinds(world.send(survey, body_of([1]), period="2026-08-03")) == ["closed"]
    world.clock.advance(2 * DAY)
    assert kinds(world.send(survey, body_of([1]), period="2026-08-03")) == ["closed"]


def test_while_the_clock_is_doubted_what_seems_closed_is_put_off(world: World) -> None:
    survey = a_survey(period="day", repeat="fresh", grace=60)
    world.put(survey)
    offer = Offer(survey.digest, "2026-08-01", world.upload(survey, body_of([1])))
    assert kinds(take(world.store, world.form, [offer], sure)) == ["closed"]
    [outcome] = take(world.store, world.form, [offer], lambda now: Watch(now - 10 * DAY).at(now, 0))
    assert kinds([outcome]) == ["busy"]


def test_a_clock_that_was_set_back_sends_nobody_away_nor_to_a_past_period(world: World) -> None:
    """Ten days back: today's door seems not to have opened, and one of ten days ago to be open."""
    survey, once = a_survey(period="day", repeat="fresh", grace=60), a_survey("once")
    for each in (survey, once):
        world.put(each)
    before = world.clock()
    world.clock.jump(-10 * DAY)
    offers = [
        Offer(survey.digest, period, world.upload(survey, body_of([1]))) for period in ("2026-08-03", "2026-07-24")
    ]
    offers.append(Offer(once.digest, "once", world.upload(once, body_of([1]))))
    outcomes = take(world.store, world.form, offers, lambda now: Watch(before).at(now, 0))
    assert kinds(outcomes) == ["busy", "busy", 1]
    assert [outcome.retry_after for outcome in outcomes if isinstance(outcome, Refusal)] == [3600, 3600]


def test_an_invitation_is_good_for_one_answer_a_period_and_retries_are_free(world: World) -> None:
    survey = a_survey(period="day", repeat="fresh")
    world.put(survey)
    code, other = hash_of("one"), hash_of("another")
    world.run(lambda t: t.invite(survey.digest, [code, other]))
    first, second = body_of([1]), body_of([2])
    today, yesterday = "2026-08-03", "2026-08-02"
    assert kinds(world.send(survey, first, period=today)) == ["invitation"]
    assert kinds(world.send(survey, first, second, period=today, code=code)) == [1, "invitation"]
    assert kinds(world.send(survey, first, period=today, code=code)) == [1]
    assert kinds(world.send(survey, second, period=today, code=code)) == ["invitation"]
    assert kinds(world.send(survey, second, period=yesterday, code=code)) == [1]
    assert kinds(world.send(survey, body_of([0, 1]), period=today, code=other)) == ["malformed"]
    assert kinds(world.send(survey, body_of([0]), period=today, code=hash_of("made up"))) == ["invitation"]
    assert kinds(world.send(survey, body_of([0]), period=today, code=other)) == [1]
    assert world.kept(survey, today) == 2


def test_a_refused_answer_spends_no_invitation(world: World) -> None:
    survey, code = a_survey(), hash_of("one")
    world.put(survey)
    world.run(lambda t: t.invite(survey.digest, [code]))
    assert kinds(world.send(survey, body_of([9]), code=code)) == ["no-answer"]
    assert kinds(world.send(survey, body_of([1]), code=code)) == [1]


def test_a_chunk_shows_no_order_of_arrival(world: World) -> None:
    survey = a_survey()
    world.put(survey)
    world.send(survey, body_of([3]), body_of([0, 2]), body_of([1]))
    [size] = world.run(lambda t: t.chunk_sizes(t.batch(survey.digest, "once").number))
    assert world.run(lambda t: t.bodies([size.key]))[0][6:] == bytes([0, 1, 2, 3])


def test_a_refused_upload_begins_no_period(world: World) -> None:
    survey, code = a_survey(), hash_of("one")
    world.put(survey)
    assert kinds(world.send(survey, body_of([9]))) == ["no-answer"]
    world.run(lambda t: t.invite(survey.digest, [code]))
    assert kinds(world.send(survey, body_of([1]))) == ["invitation"]
    assert kinds(world.send(survey, body_of([1]), code=hash_of("made up"))) == ["invitation"]
    assert kinds(world.send(survey, body_of([1, 1]), code=code)) == ["malformed"]
    assert world.run(lambda t: t.batches(survey.digest)) == []
    assert kinds(world.send(survey, body_of([1]), code=code)) == [1]
    assert len(world.run(lambda t: t.batches(survey.digest))) == 1
