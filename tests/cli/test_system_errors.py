"""Errors of the operating system say what a file or folder must be, what came, and nothing in other words."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from deniable.cli import app
from deniable.cli.system_errors import MESSAGES, system_error


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (errno.EACCES, "x must be open to you, got no permission; have its owner give it to you, or name another"),
        (errno.EPERM, "x must be open to you, got no permission; have its owner give it to you, or name another"),
        (errno.EEXIST, "x must be a folder or a new name, got a file that is there already"),
        (errno.EISDIR, "x must be a file, got a folder"),
        (errno.ELOOP, "x must lead to a file, got symbolic links in a circle"),
        (errno.ENAMETOOLONG, "x must have a shorter name, got one that is too long for the system"),
        (errno.ENOSPC, "x must be on a disk with room for it, got a full disk; free some, or name another"),
        (errno.ENOTDIR, "x must be in a folder, got a file on the way to it"),
        (errno.EROFS, "x must be on a disk that can be written to, got one that can only be read; name another"),
        (errno.EIO, f"x must be of use to the system, got its error: {os.strerror(errno.EIO)}"),
    ],
)
def test_every_one_has_its_words(number: int, said: str) -> None:
    assert system_error(OSError(number, os.strerror(number), "x")) == said
    assert number in {*MESSAGES, errno.EIO}


def test_what_names_no_file_stays_as_it_is() -> None:
    assert system_error(OSError("reports must be in a folder that is there")).startswith("reports must be")


def test_a_missing_file_is_told_from_one_in_a_missing_folder(tmp_path: Path) -> None:
    (tmp_path / "spec.json").touch()
    near, far = tmp_path / "spek.json", tmp_path / "none" / "spec.json"
    said = [system_error(FileNotFoundError(errno.ENOENT, "No such file", str(path))) for path in (near, far)]
    assert said[0].endswith("got none of this name; did you mean spec.json?")
    assert said[1].endswith(f"got none of this name; nor is there a folder {far.parent}")


def test_a_file_that_may_not_be_read_is_refused_as_an_argument(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(os, "access", lambda *_, **__: False)
    Path("spec.json").touch()
    refused = CliRunner().invoke(app, ["audit", "spec.json"])
    assert refused.exit_code == 2
    assert "path 'spec.json' must be open to you, got no permission to read it" in refused.stderr
