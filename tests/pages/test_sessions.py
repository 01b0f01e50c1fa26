"""Sessions last as long as they may, in all processes on a storage; one-time links are good once, and not for long."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.collector.worlds import DAY, Clock, Service
from tests.pages.readers import token_of

from deniable.intake.access import OPERATOR, hash_of, make_token
from deniable.intake.storage.sqlite import FILE, SqliteStore
from deniable.pages.result_links import ResultLinks
from deniable.pages.sessions import (
    OPERATOR_TOKEN,
    OneTimeLinks,
    Sessions,
    Visitor,
    visitor_of,
)
from deniable.protocol.errors import ParameterError

QUARTER_HOUR = 15 * 60
"""In seconds: how long a link that is good once waits for its reader."""


def visitor(service: Service, cookie: str) -> Visitor | None:
    """Whose cookie it is now."""
    return service.collector.run(lambda t: visitor_of(t, cookie, service.clock()))


def test_a_cookie_is_its_bearers_and_no_other_is_anybodys(service: Service) -> None:
    kept, ann = Sessions(service.collector), token_of(service, "ann")
    cookie, other = kept.begin(ann), kept.begin(ann)
    mine, again = visitor(service, cookie), visitor(service, other)
    assert mine is not None
    assert again is not None
    assert mine.token == again.token == ann
    assert mine.csrf != again.csrf
    assert cookie not in mine.csrf
    for changed in ("", cookie[:-1], f"{cookie}A", cookie.swapcase(), hash_of(cookie).hex(), mine.csrf):
        assert visitor(service, changed) is None


def test_a_token_that_was_replaced_or_deleted_ends_the_session(service: Service) -> None:
    kept = Sessions(service.collector)
    ann, ben = kept.begin(token_of(service, "ann")), kept.begin(token_of(service, "ben"))
    token_of(service, "ann")
    service.desk.drop_token("ben", OPERATOR)
    assert visitor(service, ann) is None
    assert visitor(service, ben) is None


def test_a_session_ends_in_two_weeks_and_the_operators_within_a_day(service: Service) -> None:
    kept = Sessions(service.collector)
    ann, operator = kept.begin(token_of(service, "ann")), kept.begin(OPERATOR_TOKEN)
    service.clock.advance(DAY - 1)
    assert visitor(service, operator) is not None
    service.clock.advance(1)
    assert visitor(service, operator) is None
    service.clock.advance(13 * DAY - 1)
    assert visitor(service, ann) is not None
    service.clock.advance(1)
    assert visitor(service, ann) is None


def test_sessions_that_have_ended_leave_the_storage(service: Service) -> None:
    kept = Sessions(service.collector)
    kept.begin(OPERATOR_TOKEN)
    cookie = kept.begin(OPERATOR_TOKEN)
    service.clock.advance(DAY)
    assert kept.knows(cookie)
    assert visitor(service, cookie) is None
    service.clock.advance(2 * DAY)
    kept.begin(OPERATOR_TOKEN)
    assert not kept.knows(cookie)
    assert service.collector.run(lambda t: t.visits.run("SELECT count(*) FROM visit"))[0][0] == 1


def test_who_signed_out_is_out_and_all_at_once_if_the_operator_says_so(service: Service) -> None:
    kept = Sessions(service.collector)
    cookie, other = kept.begin(OPERATOR_TOKEN), kept.begin(OPERATOR_TOKEN)
    kept.end(cookie)
    kept.end("no cookie")
    assert visitor(service, cookie) is None
    assert visitor(service, other) is not None
    kept.end_all(OPERATOR)
    assert visitor(service, other) is None


def test_no_token_has_the_operators_name() -> None:
    with pytest.raises(ParameterError, match="name must be another than 'operator'"):
        make_token(OPERATOR, "reader")


def test_a_one_time_link_is_good_once_and_for_a_quarter_of_an_hour() -> None:
    moment = 0.0
    links = OneTimeLinks(lambda: moment)
    first, second, third = links.make(), links.make(), links.make()
    assert not links.take("another")
    assert links.take(first)
    assert not links.take(first)
    moment = QUARTER_HOUR - 1
    assert links.take(second)
    moment = QUARTER_HOUR
    assert not links.take(third)
    assert links.take(links.make())


def test_a_restored_backup_lets_nobody_in_who_signed_out_since(tmp_path: Path) -> None:
    clock, copy = Clock(), tmp_path / "copy"
    with Service(clock, lambda: SqliteStore(tmp_path / "data", clock)) as service:
        cookie = Sessions(service.collector).begin(OPERATOR_TOKEN)
        copy.mkdir()
        links = ResultLinks(service.collector)
        link = links.link_to("commute", clock() + DAY, OPERATOR_TOKEN)
        service.desk.backup(copy / FILE)
        Sessions(service.collector).end(cookie)
        links.end("commute", hash_of(link), OPERATOR)
    with Service(clock, lambda: SqliteStore(copy, clock)) as service:
        assert visitor(service, cookie) is None
        assert ResultLinks(service.collector).read(link) is None
