"""How a mixer stands in words: what is open, what became of the rest, and what waits for its operator."""

from __future__ import annotations

import datetime
from typing import Any

from deniable.intake.storage.rows import CLOSING, OPEN, RELEASED, WITHHELD
from deniable.mixer.courier import LOST
from deniable.mixer.sending import REFUSED, TAKEN
from deniable.mixer.upkeep import KEPT
from deniable.pages.mixing.standing import MixerStanding
from deniable.protocol.say import english, language

NOW = datetime.datetime(2026, 11, 29, 10, 42, tzinfo=datetime.UTC)


def a_row(*periods: dict[str, Any], **terms: Any) -> dict[str, Any]:
    """A survey as the desk tells it."""
    return {
        "name": "safety", "title": "Safety at work", "owner": "Staff council", "digest": "d" * 64, "closed": False,
        "of_this_name": 1, "since": "2026-11-01", "period": "once", "opens": None, "closes": "2026-12-01T20:00:00Z",
        "least": 500, "codes": 1800, "shuts": None, "periods": list(periods), **terms,
    }  # fmt: skip


def a_period(state: str, **told: Any) -> dict[str, Any]:
    """A period of it."""
    return {"period": "once", "state": state, "gaps": False, **told}


def over(state: str, day: str, is_: str = TAKEN, **told: Any) -> dict[str, Any]:
    """A period that is over."""
    return a_period(state, parcel="f" * 64, answers=1102, day=day, reply={"is": is_}, **told)


def standing(*rows: dict[str, Any], doubts: bool = False) -> MixerStanding:
    return MixerStanding.of(rows, NOW.timestamp(), datetime.UTC, doubts)


def needs(found: MixerStanding, documents: int = 0) -> str:
    return english(found.needs(documents))


def test_of_an_open_survey_it_is_said_whether_there_were_enough_at_midnight() -> None:
    for enough in (True, False):
        [found] = standing(a_row(a_period(OPEN, enough=enough))).open
        assert (found.title, found.owner, found.least, found.periods) == (
            "Safety at work",
            "Staff council",
            500,
            [("", enough)],
        )
        assert (english(found.closes), found.opens, found.closed) == ("1 December 2026, 20:00 UTC", None, False)
    [nobody] = standing(a_row()).open
    assert nobody.periods == [("", False)]


def test_a_survey_that_repeats_says_it_of_each_period() -> None:
    weeks = [{**a_period(OPEN, enough=at), "period": f"2026-W{week}"} for week, at in ((47, True), (48, False))]
    [found] = standing(a_row(*weeks, period="week")).open
    assert found.periods == [("2026-W47", True), ("2026-W48", False)]


def test_one_that_opens_later_says_when() -> None:
    [found] = standing(a_row(opens="2026-12-01T08:00:00Z", closes="2027-01-31T12:00:00Z")).open
    assert found.opens is not None
    assert english(found.opens) == "1 December 2026, 08:00 UTC"
    assert standing(a_row(opens="2026-11-01T08:00:00Z")).open[0].opens is None


def test_one_that_was_closed_is_open_while_answers_are_on_their_way() -> None:
    [found] = standing(a_row(a_period(OPEN, enough=True), closed=True)).open
    assert (found.closed, found.lacks_codes) == (True, False)
    late = standing(a_row(a_period(OPEN, enough=True), closes="2026-11-29T10:00:00Z"))
    assert len(late.open) == 1


def test_what_was_handed_over_says_when_its_copy_goes() -> None:
    first, last = f"2026-11-{29 - KEPT - 1}", f"2026-11-{29 - KEPT}"
    found = standing(a_row(over(RELEASED, first), closed=True), a_row(over(RELEASED, last), closed=True))
    assert [(english(each.day), english(each.deleted), each.is_deleted) for each in found.handed if each.deleted] == [
        ("15 November 2026", "30 November 2026", False), ("14 November 2026", "29 November 2026", True),
    ]  # fmt: skip
    assert [each.answers for each in found.handed] == [1102, 1102]
    assert (found.open, found.withheld, found.troubles) == ([], [], [])


def test_the_next_parcel_is_that_of_the_period_that_is_shut_first() -> None:
    late, soon = (a_row(shuts=NOW.timestamp() + days * 86400) for days in (4, 3))
    found = standing(late, {**soon, "title": "Rent"}, a_row(over(RELEASED, "2026-11-20")))
    assert found.next is not None
    assert english(found.next) == "Next parcel: Rent, 2 December 2026, 10:42 UTC."
    assert standing(a_row()).next is None


def test_what_is_shut_waits_until_its_collector_has_said_what_became_of_it() -> None:
    row = a_row(
        a_period(CLOSING, parcel="f", answers=7, day="2026-11-29", reply={"is": ""}, trouble="got no reply"),
        closed=True,
    )
    found = standing(row)
    assert ([each.answers for each in found.waiting], found.handed) == ([7], [])
    assert [(each.title, each.what) for each in found.troubles] == [("Safety at work", "got no reply")]


def test_too_few_are_withheld_and_so_is_a_survey_that_nobody_answered() -> None:
    found = standing(a_row(over(WITHHELD, "2026-11-20"), closed=True), a_row(closes="2026-11-05T00:00:00Z"))
    assert [english(each.day) for each in found.withheld] == ["20 November 2026", "5 November 2026"]
    assert [each.least for each in found.withheld] == [500, 0]
    assert found.open == []
    [closed] = standing(a_row(closed=True)).withheld
    assert (closed.day, closed.least) == ("", 0)  # it was closed by hand before its day


def test_every_reply_that_loses_a_parcel_is_said_in_each_language() -> None:
    for lost in LOST:
        found = standing(a_row(over(REFUSED, "2026-11-20", lost), closed=True))
        assert (found.handed, found.waiting, found.withheld) == ([], [], [])
        [trouble] = found.troubles
        assert len({language(code).text(trouble.what) for code in ("en", "de")}) == 2


def test_what_is_damaged_is_said() -> None:
    broken = {"name": "old", "digest": "e" * 64, "closed": False, "of_this_name": 1, "since": "2026-11-01"}
    damaged = {**broken, "damaged": True, "codes": 3, "periods": [a_period(OPEN, enough=False)]}
    found = standing(damaged, a_row(a_period(OPEN, enough=False, damaged="answers")))
    assert [(each.title, english(each.what)[:30]) for each in found.troubles] == [
        ("Safety at work", "the stored answers are damaged"), ("old", "what is stored of this survey "),
    ]  # fmt: skip
    assert len(found.open) == 1


def test_what_waits_for_the_operator_is_counted() -> None:
    assert needs(standing()) == "Nothing waits for you."
    assert needs(standing(), 1) == "One thing waits for you: a survey to allow or refuse."
    bare = a_row(codes=499)
    assert needs(standing(bare), 2) == (
        "3 things wait for you: 2 surveys to allow or refuse and codes to make for a survey."
    )
    assert needs(standing(bare, bare, doubts=True)) == (
        "3 things wait for you: codes to make for 2 surveys and something that went wrong."
    )
    assert needs(standing(a_row())) == "Nothing waits for you."
