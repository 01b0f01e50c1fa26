"""Packages whose names are loaded when they are first used."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from tests.house.house_tree import SOURCE

from deniable import protocol

ROOM = SOURCE / "protocol"


def test_a_name_is_kept_once_it_was_used() -> None:
    assert protocol.Survey is protocol.Survey
    assert "Survey" in vars(protocol)
    assert {"Survey", "open", "__version__"} <= set(dir(protocol))


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(
        AttributeError, match=r"^module 'deniable.protocol' has no attribute 'Survy'; did you mean Survey\?$"
    ):
        _ = vars(protocol)["__getattr__"]("Survy")


def test_a_package_in_an_archive_finds_its_names(tmp_path: Path) -> None:
    archive = tmp_path / "light.zip"
    with zipfile.ZipFile(archive, "w") as written:
        for file in ROOM.rglob("*.py*"):
            if file.suffix in (".py", ".pyi"):
                written.write(file, Path("deniable_client") / file.relative_to(ROOM))
    program = "import deniable_client; print(deniable_client.read_survey.__module__, deniable_client.__file__)"
    done = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": str(archive)},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.split() == ["deniable_client.surveys.survey", str(archive / "deniable_client" / "__init__.py")]
