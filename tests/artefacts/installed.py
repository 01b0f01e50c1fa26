"""What a release hands out, and environments with nothing else in them.

Under ``make release`` (ARTEFACTS=) these are the files that are handed out, and what they need comes from where ``pip``
finds it. Else they are made here without compiling, and lent what this environment has.
"""

from __future__ import annotations

import os
import sys
import sysconfig
import tomllib
from pathlib import Path

import release
from tests.house.house_tree import ROOT

VERSION: str = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
RELEASED = os.environ.get("ARTEFACTS")


def artefacts(place: Path) -> Path:
    """The folder with the artefacts of this version: all that are released, or those for Python."""
    if RELEASED:
        return Path(RELEASED)
    made = place / "made"
    made.mkdir()
    release.hatch("sdist", ROOT / release.CLIENT, made)
    [archive] = made.iterdir()
    release.hatch("wheel", release.unpacked(archive, place), made)
    release.hatch("wheel", ROOT, made, CC=f"{sys.executable} -m tests.pages.compiled_before")
    return made


def environment(place: Path, artefacts: Path) -> Path:
    """The Python of an environment with the library and the client, and with what they need."""
    if RELEASED:
        wanted = [f"deniable[collector,files]=={VERSION}", f"deniable-client[crowd]=={VERSION}"]
        return release.environment(place, artefacts, wanted, ROOT / "constraints.txt")
    wanted = [f"{name}=={VERSION}" for name in ("deniable", "deniable-client")]
    python = release.installed(place, artefacts, wanted)
    lend(python)
    return python


def lend(python: Path) -> None:
    """Let an environment find this one's packages too, after its own, and none that this one edits in place."""
    [site] = python.parents[1].glob("lib/python*/site-packages")
    (site / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
