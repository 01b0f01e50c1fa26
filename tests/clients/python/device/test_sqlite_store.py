"""A store in a file: durable, of its owner alone, and always the same file."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import deniable_client
import pytest
from deniable_client import Client, MemoryStore, ParameterError, SqliteStore, StoreError
from deniable_client.device.records import records_of
from tests.clients.conduct.surveys import BUS, ENDPOINT, ONE


def agreed(store: SqliteStore) -> Client:
    """A client whose person has agreed."""
    client = deniable_client.open(ENDPOINT, ONE.to_json(), store=store)
    client.consent().grant(client.survey.sentences)
    return client


def written(path: Path) -> SqliteStore:
    """A store that holds something."""
    store = SqliteStore(path)
    with store.transaction() as entries:
        entries.put("a", "b")
    return store


def test_a_file_that_is_no_store_is_refused(tmp_path: Path) -> None:
    (tmp_path / "device.sqlite").write_bytes(b"not a store at all" * 100)
    with pytest.raises(StoreError, match=r"^the store must be a file"):
        SqliteStore(tmp_path / "device.sqlite")
    with pytest.raises(StoreError, match=r"^the store must be a file"):
        SqliteStore(tmp_path / "nowhere" / "device.sqlite")


def test_a_store_of_a_newer_client_is_refused(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "device.sqlite")) as connection:
        connection.execute("PRAGMA user_version = 7")
    with pytest.raises(StoreError, match=r"must be of version 1, got version 7"):
        SqliteStore(tmp_path / "device.sqlite")


def test_only_its_owner_can_read_the_store(tmp_path: Path) -> None:
    written(tmp_path / "device.sqlite")
    assert (tmp_path / "device.sqlite").stat().st_mode & 0o077 == 0


def test_a_file_that_others_could_read_is_closed_to_them(tmp_path: Path) -> None:
    path = tmp_path / "device.sqlite"
    path.touch()
    path.chmod(0o644)
    SqliteStore(path)
    assert path.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(("pragma", "value"), [("synchronous", 3), ("fullfsync", 1), ("secure_delete", 1)])
def test_a_commit_survives_power_loss_and_leaves_nothing_replaced(pragma: str, value: int, tmp_path: Path) -> None:
    """3 is EXTRA: the folder is synced after the journal is removed, without which the commit could be undone."""
    with closing(written(tmp_path / "device.sqlite")._connect()) as connection:
        assert connection.execute(f"PRAGMA {pragma}").fetchone() == (value,)


def test_the_bytes_of_a_withdrawn_answer_are_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "device.sqlite"
    client = agreed(SqliteStore(path))
    client.answer(BUS)
    with client.store.transaction() as entries:
        upload = records_of(entries, ONE.digest)[0].upload.encode()
    assert upload in path.read_bytes()
    client.consent().withdraw()
    assert upload not in path.read_bytes()


def test_a_change_of_folder_opens_no_second_ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    client = agreed(SqliteStore("device.sqlite"))
    client.answer(BUS)
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert (client.consent().granted, client.spent()["total"]) == (True, 1.0)
    assert list(Path().iterdir()) == []


def test_of_two_that_begin_a_store_at_once_one_is_refused(tmp_path: Path) -> None:
    """What it read, that nothing had been spent, was no longer so."""
    store = SqliteStore(tmp_path / "device.sqlite")

    def begin() -> None:
        with store.transaction() as entries:
            entries.put("a", "c")
            written(tmp_path / "device.sqlite")

    with pytest.raises(StoreError, match="a second one's file"):
        begin()
    with store.transaction() as entries:
        assert entries.get("a") == "b"


def test_the_name_of_a_file_is_no_store() -> None:
    name: Any = "device.sqlite"
    with pytest.raises(ParameterError, match=r"store must be a store such as SqliteStore\(path\), got str"):
        deniable_client.open(ENDPOINT, ONE.to_json(), store=name)


class Sized(MemoryStore):
    """A store that counts its texts, and so is false while it is empty."""

    def __len__(self) -> int:
        return len(self._texts)


def test_an_empty_store_is_a_store() -> None:
    store = Sized()
    assert deniable_client.open(ENDPOINT, ONE.to_json(), store=store).store is store
