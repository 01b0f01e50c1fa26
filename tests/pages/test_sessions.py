"""Cookies hold what they say, for as long as they may."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from deniable.collector.access import OPERATOR, make_token
from deniable.collector.storage.store import Token
from deniable.errors import ParameterError
from deniable.pages import sessions
from deniable.pages.sessions import KEY_FILE, Sessions, reader_of

ADMIN = Token(OPERATOR, b"", "admin", ())
NOW = 1_000.0


def test_a_cookie_says_whose_it_is(tmp_path: Path) -> None:
    kept = Sessions(tmp_path)
    token, _ = make_token("ann", "author")
    visitor = kept.visitor(kept.cookie_of(token), [token], NOW)
    assert visitor is not None
    assert visitor.token == token
    again = Sessions(tmp_path).visitor(kept.cookie_of(token), [token], NOW)
    assert again is not None
    assert again.csrf != visitor.csrf


def test_a_token_that_was_renewed_ends_the_session(tmp_path: Path) -> None:
    kept = Sessions(tmp_path)
    old, new = make_token("ann", "author")[0], make_token("ann", "author")[0]
    assert kept.visitor(kept.cookie_of(old), [new], NOW) is None
    assert kept.visitor(kept.cookie_of(old), [], NOW) is None


def test_a_changed_cookie_and_another_servers_are_none(tmp_path: Path) -> None:
    kept, other = Sessions(tmp_path / "a"), Sessions(tmp_path / "b")
    cookie = kept.cookie_of(ADMIN)
    changed = [cookie[:at] + ("A" if cookie[at] != "A" else "B") + cookie[at + 1 :] for at in range(len(cookie) - 1)]
    assert all(kept.visitor(each, [], NOW) is None for each in changed)
    assert other.visitor(cookie, [], NOW) is None
    assert kept.visitor("", [], NOW) is None


def test_a_cookie_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Sessions(tmp_path)
    cookie = kept.cookie_of(ADMIN)
    assert kept.visitor(cookie, [], NOW) is not None
    monkeypatch.setattr(sessions, "LASTS", -1)
    assert kept.visitor(cookie, [], NOW) is None


def test_a_shared_link_reads_one_survey(tmp_path: Path) -> None:
    kept = Sessions(tmp_path)
    visitor = kept.visitor(kept.cookie_of(reader_of("commute"), until=2_000), [], NOW)
    assert visitor is not None
    assert (visitor.token.scope, visitor.token.surveys) == ("reader", ("commute",))


def test_whoever_followed_a_link_reads_no_longer_than_it_lasts(tmp_path: Path) -> None:
    kept = Sessions(tmp_path)
    cookie = kept.cookie_of(reader_of("commute"), until=2_000)
    assert kept.visitor(cookie, [], 1_999.9) is not None
    assert kept.visitor(cookie, [], 2_000) is None


def test_no_token_has_the_operators_name() -> None:
    with pytest.raises(ParameterError, match="name must be another than 'operator'"):
        make_token(OPERATOR, "reader")


def test_a_one_time_secret_is_good_once(tmp_path: Path) -> None:
    kept = Sessions(tmp_path)
    secret = kept.one_time_secret()
    assert not kept.take("another")
    assert kept.take(secret)
    assert not kept.take(secret)


def test_the_key_is_its_owners_alone(tmp_path: Path) -> None:
    Sessions(tmp_path / "new")
    mode = (tmp_path / "new" / KEY_FILE).stat().st_mode
    assert stat.S_IMODE(mode) == 0o600
