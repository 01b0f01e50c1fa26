"""How periods stand, what readers may see of them, and in which phase they are, whatever has become of them."""

from __future__ import annotations

import math

import pytest
from tests.collector.worlds import DAY, MONDAY, World, a_survey

from deniable.intake.doors import Doors
from deniable.intake.phases import Phase, period_phase, survey_phase
from deniable.intake.storage.checksums import chunk_of
from deniable.intake.storage.rows import (
    CLOSING,
    JOINED,
    OPEN,
    RELEASED,
    WITHHELD,
    FoldedTally,
    Release,
    Standing,
    VisibleTally,
)
from deniable.intake.storage.transaction import Transaction

DAILY = a_survey("daily", period="day", repeat="fresh", grace=3600)
OTHER = a_survey("other")


def fill(t: Transaction) -> None:
    """A period in each state, and one without a snapshot, of one survey; and one of another."""
    periods = [t.batch(DAILY.digest, f"2026-08-{day:02}") for day in range(3, 9)]
    for batch, state in zip(periods, (OPEN, OPEN, CLOSING, RELEASED, WITHHELD, JOINED), strict=True):
        key, number = 2 * batch.number, batch.number
        t.add_chunks([chunk_of(batch.key, key, number, 5, b"a"), chunk_of(batch.key, key + 1, number, 4, b"b")])
        t.set_state(number, state)
    fresh, later, closing, released, withheld, _ = periods
    t.set_sums(later, FoldedTally(1, 9, b"nine", 5, b"five"))
    t.set_sums(closing, FoldedTally(1, 9, b"all nine", 9, b""))
    t.set_sums(released, FoldedTally(1, 9, b"sums", 5, b"snapshot"))
    t.add_release(released, Release(9, b"result", "a note"))
    t.set_sums(withheld, FoldedTally(1, 2, b"two", 0, b""))
    t.set_sums(t.batch(OTHER.digest, "once"), FoldedTally(1, 3, b"three", 0, b""))
    t.run("UPDATE batch SET gaps = 1 WHERE number = ?", closing.number)
    assert t.visible([fresh.number]) == t.visible([]) == {}


def test_what_stands_of_each_period_is_one_statement(world: World) -> None:
    for survey in (DAILY, OTHER):
        world.put(survey)
    world.run(fill)
    own, every = world.run(lambda t: (t.standings(DAILY.digest), t.standings()))
    assert [each[2:] for each in own] == [
        ("2026-08-03", OPEN, 9, 0, False, ""),
        ("2026-08-04", OPEN, 9, 5, False, ""),
        ("2026-08-05", CLOSING, 9, 9, True, ""),
        ("2026-08-06", RELEASED, 9, 9, False, ""),
        ("2026-08-07", WITHHELD, 2, 0, False, ""),
        ("2026-08-08", JOINED, 0, 0, False, ""),
    ]
    assert all(type(each.answers) is int for each in every)
    assert sorted(each for each in every if each.survey == DAILY.digest) == sorted(own)
    assert [each[2:] for each in every if each.survey == OTHER.digest] == [("once", OPEN, 0, 0, False, "")]
    visible = world.run(lambda t: t.visible([each.number for each in every]))
    assert {each.period: visible[each.number] for each in own if each.number in visible} == {
        "2026-08-04": VisibleTally(b"five", "provisional: the period is open"),
        "2026-08-05": VisibleTally(b"all nine", "provisional: the period is open; answers may be missing"),
        "2026-08-06": VisibleTally(b"result", "a note"),
    }
    assert len(visible) == 3


def standing(state: str) -> Standing:
    """A period of Monday's."""
    return Standing(1, DAILY.digest, "2026-08-03", state, 9, 0, False)


@pytest.mark.parametrize(
    ("state", "moment", "phase"),
    [
        (OPEN, MONDAY + DAY - 1, Phase.OPEN),
        (OPEN, MONDAY + DAY, Phase.GRACE),
        (OPEN, MONDAY + DAY + 3600, Phase.GRACE),
        (CLOSING, MONDAY + DAY + 3600, Phase.CLOSING),
        (RELEASED, MONDAY, Phase.RELEASED),
        (WITHHELD, math.inf, Phase.WITHHELD),
        (JOINED, math.inf, Phase.JOINED),
    ],
)
def test_a_period_that_has_ended_is_in_its_grace_until_it_is_closed(state: str, moment: float, phase: Phase) -> None:
    assert period_phase(Doors(DAILY), standing(state), moment) is phase


@pytest.mark.parametrize(
    ("states", "moment", "phase"),
    [
        ((), MONDAY, Phase.WAITING),
        ((OPEN,), MONDAY, Phase.OPEN),
        ((RELEASED, WITHHELD), MONDAY, Phase.OPEN),
        ((), MONDAY + DAY, Phase.GRACE),
        ((OPEN,), MONDAY + DAY + 3599, Phase.GRACE),
        ((), MONDAY + DAY + 3600, Phase.UNANSWERED),
        ((WITHHELD, WITHHELD), MONDAY + DAY + 3600, Phase.WITHHELD),
        ((WITHHELD, CLOSING), MONDAY + DAY + 3600, Phase.RELEASED),
        ((WITHHELD, RELEASED), math.inf, Phase.RELEASED),
    ],
)
def test_the_phase_of_a_survey_that_ends_on_monday(states: tuple[str, ...], moment: float, phase: Phase) -> None:
    assert survey_phase(Doors(DAILY, MONDAY + DAY), [standing(state) for state in states], moment) is phase


def test_a_survey_is_planned_until_it_opens_or_an_early_answer_has_come() -> None:
    doors = Doors(a_survey(opens="2026-08-04T00:00:00Z"))
    assert survey_phase(doors, [], MONDAY + DAY - 1) is Phase.PLANNED
    assert survey_phase(doors, [], MONDAY + DAY) is Phase.WAITING
    assert survey_phase(doors, [standing(OPEN)], MONDAY + DAY - 1) is Phase.OPEN
