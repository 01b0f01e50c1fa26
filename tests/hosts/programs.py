"""Programs of others in which questions are tried, where the Makefile has put them."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.house.house_tree import ROOT

HOSTS = ROOT / ".hosts"
NODE = HOSTS / "node"
OTREE = HOSTS / "otree" / "bin"
RENDER = """import { createSynchronousArrayLoader, createSynchronousEnvironment } from "twing";
const [template, values] = JSON.parse(process.argv[1]);
console.log(createSynchronousEnvironment(createSynchronousArrayLoader({ template })).render("template", values));"""
"""A template of Twig with values in it."""


def installed(path: Path) -> Path:
    """What the Makefile has installed. Elsewhere than in continuous integration, tests do without."""
    if not path.exists() and not os.environ.get("CI"):
        pytest.skip(f"{path.relative_to(ROOT)} is not there: make .hosts/.ready")
    assert path.exists(), f"continuous integration needs {path.relative_to(ROOT)}: make .hosts/.ready"
    return path


def node_file(name: str) -> bytes:
    """A file of a package."""
    return installed(NODE / "node_modules" / name).read_bytes()


def rendered(template: str, **values: Any) -> str:
    """A template of Twig, as a program in PHP would show it."""
    installed(NODE / "node_modules" / "twing")
    words = ["node", "--input-type=module", "-e", RENDER, json.dumps([template, values])]
    return subprocess.run(words, cwd=NODE, capture_output=True, text=True, check=True).stdout
