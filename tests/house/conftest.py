"""The built site, for all tests that read it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.house.house_tree import ROOT


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The documentation, built as ``make docs`` builds it from what is here now, or just built by ``make test``."""
    if "BUILT_SITE" in os.environ:
        return ROOT / os.environ["BUILT_SITE"]
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    built = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stderr
    return folder
