"""Links open what they say, until their end, to whoever knows the password; nobody can try passwords on them."""

from __future__ import annotations

from deniable.pages.shares import MOST_OPENED, Shares

KEY, OTHER = b"k" * 32, b"o" * 32


def test_a_link_is_good_until_its_end() -> None:
    shares = Shares(KEY)
    link = shares.link_to("commute", until=1000)
    assert shares.read(link, now=999.9) is not None
    assert shares.read(link, now=1000) is None
    assert Shares(OTHER).read(link, now=0) is None


def test_a_password_opens_and_another_does_not() -> None:
    shares = Shares(KEY)
    share = shares.read(shares.link_to("commute", 1000, "Löwenzahn"), now=0)
    assert share is not None
    assert shares.opens(share, "Löwenzahn")
    assert not shares.opens(share, "Gänseblümchen")


def test_without_the_key_no_password_can_be_tried() -> None:
    shares = Shares(KEY)
    share = shares.read(shares.link_to("commute", 1000, "1234"), now=0)
    assert share is not None
    assert not Shares(OTHER).opens(share, "1234")


def test_a_guest_reads_each_survey_until_the_end_of_its_link() -> None:
    shares = Shares(KEY)
    one, two = (shares.read(shares.link_to(name, until), now=0) for name, until in (("one", 1000), ("two", 2000)))
    assert one is not None
    assert two is not None
    cookie = shares.cookie_of(shares.cookie_of("", one, 0), two, 0)
    told = {now: visitor.token.surveys if (visitor := shares.guest(cookie, now)) else None for now in (999, 1000, 2000)}
    assert told == {999: ("one", "two"), 1000: ("two",), 2000: None}


def test_a_guest_is_a_reader_and_a_changed_cookie_is_nobodys() -> None:
    shares = Shares(KEY)
    share = shares.read(shares.link_to("commute", 1000), now=0)
    assert share is not None
    cookie = shares.cookie_of("", share, 0)
    visitor = shares.guest(cookie, 0)
    assert visitor is not None
    assert visitor.token.scope == "reader"
    assert shares.guest(cookie[:-1] + ("A" if cookie[-1] != "A" else "B"), 0) is None
    assert Shares(OTHER).guest(cookie, 0) is None
    assert shares.guest("", 0) is None


def test_a_cookie_never_grows_too_large() -> None:
    shares, cookie = Shares(KEY), ""
    for number in range(3 * MOST_OPENED):
        share = shares.read(shares.link_to(f"{number:064}", 1000), now=0)
        assert share is not None
        cookie = shares.cookie_of(cookie, share, 0)
    assert len(cookie) < 4000
    visitor = shares.guest(cookie, 0)
    assert visitor is not None
    assert visitor.token.surveys == tuple(f"{number:064}" for number in range(2 * MOST_OPENED, 3 * MOST_OPENED))
