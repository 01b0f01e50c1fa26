"""Drafts are their author's alone, so many at most, and no change is written over another that was not seen."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from tests.collector.conftest import OpenStore
from tests.collector.worlds import Clock

from deniable.intake.storage.drafts import DraftRow
from deniable.intake.storage.store import Store

MOST = 5


def draft(name: str, owner: str = "ann", version: int = 1, changed: float = 10.0, body: str = "{}") -> DraftRow:
    return DraftRow(name, owner, version, changed, body)


@pytest.fixture
def store(open_store: OpenStore) -> Iterator[Store]:
    found = open_store(Clock())
    yield found
    found.close()


def added(store: Store, *rows: DraftRow) -> list[bool]:
    """Whether each was added, in a transaction of its own."""
    found = []
    for row in rows:
        with store.transaction() as t:
            found.append(t.drafts.add(row, MOST))
    return found


def test_drafts_are_listed_for_their_author_the_last_changed_first(store: Store) -> None:
    one, two, other = draft("one", changed=1.0), draft("two", changed=2.0), draft("other", "ben")
    assert added(store, one, two, other) == [True, True, True]
    with store.transaction() as t:
        assert t.drafts.all("ann") == [two, one]
        assert t.drafts.all("ben") == [other]
        assert t.drafts.of("ann", "one") == one
        assert t.drafts.of("ben", "one") is None
        t.drafts.drop("ben", "one")
        assert t.drafts.of("ann", "one") == one, "which is not his to delete"
        t.drafts.drop("ann", "one")
        assert t.drafts.all("ann") == [two]


def test_an_author_has_so_many_drafts_and_others_have_theirs(store: Store) -> None:
    assert added(store, *(draft(str(number)) for number in range(MOST))) == [True] * MOST
    assert added(store, draft("more"), draft("his", "ben")) == [False, True]
    with store.transaction() as t:
        t.drafts.drop("ann", "0")
    assert added(store, draft("more")) == [True]


def test_a_version_is_written_over_the_one_before_it_alone(store: Store) -> None:
    added(store, draft("one"))
    body = "Größe \N{MULTIPLICATION SIGN} 通勤 \N{GRINNING FACE}"
    with store.transaction() as t:
        assert t.drafts.save(draft("one", version=2, changed=11.0, body=body))
        assert not t.drafts.save(draft("one", version=2, body="written over"))
        assert not t.drafts.save(draft("one", version=4, body="from nowhere"))
        assert not t.drafts.save(draft("one", "ben", 3, body="not his"))
        assert not t.drafts.save(draft("none", version=2))
        assert t.drafts.all("ann") == [draft("one", version=2, changed=11.0, body=body)]


def test_of_two_who_change_the_same_version_at_once_one_is_told(database: str) -> None:
    """On PostgreSQL, where several processes may write at once."""
    from deniable.intake.storage.postgres import PostgresStore

    stores = [PostgresStore(database, Clock()) for _ in range(2)]
    added(stores[0], draft("one"))
    ready, found = threading.Barrier(2), dict[int, bool]()

    def save(number: int) -> None:
        ready.wait()
        with stores[number].transaction() as t:
            found[number] = t.drafts.save(draft("one", version=2, body=str(number)))

    threads = [threading.Thread(target=save, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found.values()) == [False, True]
    with stores[0].transaction() as t:
        assert t.drafts.all("ann")[0].body == str(next(number for number, was in found.items() if was))
    for store in stores:
        store.close()
