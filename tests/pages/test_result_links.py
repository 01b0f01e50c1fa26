"""Links open what they say, until their end or their maker's, to whoever knows the password."""

from __future__ import annotations

from tests.collector.worlds import DAY, MONDAY, Service
from tests.pages.readers import token_of

from deniable.intake.access import OPERATOR, hash_of
from deniable.intake.storage.visits import BY_HAND, RESTORED
from deniable.pages.result_links import MOST_OPENED, Key, ResultLinks, guest_of
from deniable.pages.sessions import OPERATOR_TOKEN, Visitor

END = MONDAY + 7 * DAY


def guest(service: Service, cookie: str) -> Visitor | None:
    """Who has a cookie now."""
    return service.collector.run(lambda t: guest_of(t, cookie, service.clock()))


def opened(service: Service, cookie: str) -> tuple[str, ...]:
    """The surveys that a cookie opens."""
    visitor = guest(service, cookie)
    return () if visitor is None else visitor.token.surveys


def test_a_link_is_good_until_its_end(service: Service) -> None:
    shares = ResultLinks(service.collector)
    link = shares.link_to("commute", END, OPERATOR_TOKEN)
    cookie = shares.cookie_with("", Key(link))
    service.clock.moment = END - 1
    assert shares.read(link) is not None
    assert opened(service, cookie) == ("commute",)
    service.clock.moment = END
    assert shares.read(link) is None
    assert opened(service, cookie) == ()
    assert shares.alive("commute") == []


def test_a_link_ends_with_its_makers_token(service: Service) -> None:
    shares, ann = ResultLinks(service.collector), token_of(service, "ann")
    link, other = shares.link_to("commute", END, ann), shares.link_to("commute", END, OPERATOR_TOKEN)
    cookie = shares.cookie_with("", Key(link))
    assert opened(service, cookie) == ("commute",)
    token_of(service, "ann")  # a new secret for the same name
    assert shares.read(link) is None
    assert opened(service, cookie) == ()
    assert shares.read(other) is not None


def test_links_are_ended_one_by_one(service: Service) -> None:
    shares = ResultLinks(service.collector)
    one, two = (shares.link_to("commute", END, OPERATOR_TOKEN) for _ in range(2))
    shares.end("another", hash_of(one), OPERATOR)  # of the survey that they are about, and of no other
    assert {row.hash for row in shares.alive("commute")} == {hash_of(one), hash_of(two)}
    shares.end("commute", hash_of(one), OPERATOR)
    assert [row.hash for row in shares.alive("commute")] == [hash_of(two)]
    assert opened(service, shares.cookie_with("", Key(one))) == ()
    assert opened(service, shares.cookie_with("", Key(two))) == ("commute",)


def test_a_link_that_another_server_ended_is_good_no_longer_though_its_clock_is_ahead(service: Service) -> None:
    shares = ResultLinks(service.collector)
    link = shares.link_to("commute", END, OPERATOR_TOKEN)
    service.clock.moment += 0.5
    shares.end("commute", hash_of(link), OPERATOR)
    service.clock.moment -= 0.5
    assert shares.read(link) is None
    assert shares.alive("commute") == []
    assert opened(service, shares.cookie_with("", Key(link))) == ()


def test_a_link_says_for_whom_it_is_and_when_it_was_opened(service: Service) -> None:
    shares = ResultLinks(service.collector)
    link = shares.link_to("commute", END, OPERATOR_TOKEN, title="The council")
    [row] = shares.alive("commute")
    assert (row.title, row.opened, row.ended) == ("The council", "", "")
    shares.follow(row)
    [opened_once] = shares.alive("commute")
    assert opened_once.opened == service.collector.day()
    shares.end("commute", hash_of(link), OPERATOR)
    alive, [ended] = shares.all("commute")
    assert (alive, ended.ended, ended.title) == ([], BY_HAND, "The council")
    assert shares.ended(link) == ended
    assert shares.ended("another") is None


def test_a_restored_storage_has_no_link_that_is_good(service: Service) -> None:
    shares = ResultLinks(service.collector)
    link = shares.link_to("commute", END, OPERATOR_TOKEN)
    over = shares.link_to("commute", MONDAY, OPERATOR_TOKEN)
    service.collector.run(lambda t: t.visits.end_restored(service.clock()))
    assert shares.read(link) is None
    assert opened(service, shares.cookie_with("", Key(link))) == ()
    rows = {row.hash: row.ended for row in shares.all("commute")[1]}
    assert rows == {hash_of(link): RESTORED, hash_of(over): ""}


def test_a_password_opens_and_nothing_else_does(service: Service) -> None:
    shares = ResultLinks(service.collector)
    link = shares.link_to("commute", END, OPERATOR_TOKEN, "Löwenzahn")
    share = shares.read(link)
    assert share is not None
    assert shares.key_to(link, share, "Gänseblümchen") is None
    key = shares.key_to(link, share, "Löwenzahn")
    assert key is not None
    assert opened(service, shares.cookie_with("", key)) == ("commute",)
    for proof in ("", "Löwenzahn", share.seal.hex(), key.proof[:-1]):
        assert opened(service, shares.cookie_with("", Key(link, proof))) == ()


def test_what_is_stored_makes_no_cookie(service: Service) -> None:
    shares = ResultLinks(service.collector)
    link = shares.link_to("commute", END, OPERATOR_TOKEN)
    [row] = shares.alive("commute")
    assert link.encode() not in b"".join(value for value in row if isinstance(value, bytes))
    assert opened(service, row.hash.hex()) == ()


def test_a_guest_is_a_reader_and_a_changed_cookie_is_nobodys(service: Service) -> None:
    shares = ResultLinks(service.collector)
    cookie = shares.cookie_with("", Key(shares.link_to("commute", END, OPERATOR_TOKEN)))
    visitor = guest(service, cookie)
    assert visitor is not None
    assert visitor.token.scope == "reader"
    for changed in ("", ":", ".", cookie[1:], f"A{cookie}", "�" * 50, ":." * 3000):
        assert guest(service, changed) is None


def test_a_cookie_never_grows_too_large(service: Service) -> None:
    shares, cookie = ResultLinks(service.collector), ""
    for number in range(MOST_OPENED + 3):
        link = shares.link_to(f"s{number}", END, OPERATOR_TOKEN)
        cookie = shares.cookie_with(shares.cookie_with(cookie, Key(link, "p" * 86)), Key(link, "q" * 86))
    assert len(cookie) < 4000
    assert opened(service, cookie) == tuple(f"s{number}" for number in range(3, MOST_OPENED + 3))
