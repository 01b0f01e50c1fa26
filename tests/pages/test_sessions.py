"""Cookies hold what they say, for as long as they may."""

from __future__ import annotations

import stat
import time
from pathlib import Path

import pytest

from deniable.collector.access import OPERATOR, make_token
from deniable.collector.storage.store import Token
from deniable.errors import ParameterError
from deniable.pages import sessions
from deniable.pages.ended import Ended
from deniable.pages.sessions import KEY_FILE, Sessions

ADMIN = Token(OPERATOR, b"", "admin", ())


def test_a_cookie_says_whose_it_is(tmp_path: Path) -> None:
    kept = Sessions(tmp_path)
    token, _ = make_token("ann", "author")
    visitor = kept.visitor(kept.cookie_of(token), [token])
    assert visitor is not None
    assert visitor.token == token
    again = Sessions(tmp_path).visitor(kept.cookie_of(token), [token])
    assert again is not None
    assert again.csrf != visitor.csrf


def test_a_token_that_was_renewed_ends_the_session(tmp_path: Path) -> None:
    kept = Sessions(tmp_path)
    old, new = make_token("ann", "author")[0], make_token("ann", "author")[0]
    assert kept.visitor(kept.cookie_of(old), [new]) is None
    assert kept.visitor(kept.cookie_of(old), []) is None


def test_a_changed_cookie_and_another_servers_are_none(tmp_path: Path) -> None:
    kept, other = Sessions(tmp_path / "a"), Sessions(tmp_path / "b")
    cookie = kept.cookie_of(ADMIN)
    changed = [cookie[:at] + ("A" if cookie[at] != "A" else "B") + cookie[at + 1 :] for at in range(len(cookie) - 1)]
    assert all(kept.visitor(each, []) is None for each in changed)
    assert other.visitor(cookie, []) is None
    assert kept.visitor("", []) is None


def test_a_cookie_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Sessions(tmp_path)
    cookie = kept.cookie_of(ADMIN)
    assert kept.visitor(cookie, []) is not None
    monkeypatch.setattr(sessions, "LASTS", -1)
    assert kept.visitor(cookie, []) is None


def test_who_signed_out_is_out_in_every_process_and_after_a_restart(tmp_path: Path) -> None:
    kept, beside = Sessions(tmp_path), Sessions(tmp_path)
    cookie, other = kept.cookie_of(ADMIN), kept.cookie_of(ADMIN)
    assert beside.visitor(cookie, []) is not None
    kept.end(cookie)
    kept.end("no cookie")
    for each in (kept, beside, Sessions(tmp_path)):
        assert each.visitor(cookie, []) is None
        assert each.visitor(other, []) is not None


def test_what_has_ended_is_forgotten_in_time(tmp_path: Path) -> None:
    ended = Ended(tmp_path / "ended")
    ended.add("old", 0)
    ended.add("new", time.time() + 60)
    assert "old" in ended
    again = Ended(tmp_path / "ended")
    assert "old" not in again
    assert "new" in again
    assert stat.S_IMODE((tmp_path / "ended").stat().st_mode) == 0o600


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
