"""Keys are files for their owner alone; only the document's own is read, and what came is known beside them."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from tests.collector.crowds import wrong_key

from deniable.collector.keys import KeyFolder, LostKeyError, public_of
from deniable.protocol.errors import ParameterError, StoreError


def mode(path: Path) -> int:
    """Who may do what with a file."""
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def folder(tmp_path: Path) -> KeyFolder:
    """An empty one, which is not there yet."""
    return KeyFolder(tmp_path / "keys")


def test_a_key_is_a_file_of_its_own_for_its_owner_alone(folder: KeyFolder) -> None:
    one, other = folder.make(), folder.make()
    assert mode(folder.folder) == 0o700
    assert [mode(path) for path in folder.folder.iterdir()] == [0o600, 0o600]
    assert [public_of(folder.load(each)) for each in (one, other)] == [one, other]
    folder.check(one)


def test_the_key_of_another_document_is_refused(folder: KeyFolder) -> None:
    one, other = folder.make(), folder.make()
    wrong_key(folder, one, other)
    for each in (one, other):
        with pytest.raises(StoreError, match="got a damaged one"):
            folder.load(each)
    with pytest.raises(StoreError, match="got a damaged one"):
        folder.export(folder.folder.parent / "copy")


@pytest.mark.parametrize("written", [b"", b"no key", b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"])
def test_what_is_no_key_is_refused(folder: KeyFolder, written: bytes) -> None:
    public = folder.make()
    [path] = folder.folder.iterdir()
    path.write_bytes(written)
    with pytest.raises(StoreError, match="got a damaged one"):
        folder.load(public)


def test_a_key_that_was_made_elsewhere_is_refused(folder: KeyFolder, tmp_path: Path) -> None:
    elsewhere = KeyFolder(tmp_path / "others").make()
    with pytest.raises(LostKeyError):
        folder.load(elsewhere)
    with pytest.raises(ParameterError, match="made for the survey"):
        folder.check(elsewhere)
    with pytest.raises(ParameterError, match="point on the curve"):
        folder.check("BAAA" + "A" * 83)


def test_a_destroyed_key_is_gone(folder: KeyFolder) -> None:
    public = folder.make()
    [path] = folder.folder.iterdir()
    held = path.open("rb")
    folder.destroy(public)
    folder.destroy(public)
    assert not folder.has(public)
    assert held.read().strip(b"\0") == b""
    held.close()
    with pytest.raises(LostKeyError):
        folder.load(public)


def test_a_copy_has_the_keys_and_what_came(folder: KeyFolder, tmp_path: Path) -> None:
    public = folder.make()
    folder.note("a" * 64, "once", "b" * 64)
    copy = tmp_path / "copy"
    assert folder.export(copy) == 1
    assert public_of(KeyFolder(copy).load(public)) == public
    assert KeyFolder(copy).came("a" * 64) == {"once": "b" * 64}
    assert mode(copy) == 0o700
    assert {mode(path) for path in copy.iterdir()} == {0o600}


def test_of_no_keys_there_is_no_copy(folder: KeyFolder, tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=r"got none in .*: deniable collector put makes one for each survey"):
        folder.export(tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


def test_what_came_is_noted_by_period(folder: KeyFolder) -> None:
    assert folder.came("a" * 64) == {}
    folder.note("a" * 64, "2026-W31", "b" * 64)
    folder.note("a" * 64, "2026-W32", "c" * 64)
    folder.note("d" * 64, "2026-W31", "e" * 64)
    assert folder.came("a" * 64) == {"2026-W31": "b" * 64, "2026-W32": "c" * 64}
