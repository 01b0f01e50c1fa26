"""The Containerfile and the compose file, linted, and run as far as that goes without an engine for containers.

Their commands run in an empty folder: under ``make release`` what the Containerfile installs from the artefacts, else
what is installed here.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import urllib.request
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import release
import typer
import yaml
from tests.artefacts.installed import RELEASED, VERSION
from tests.cases import each
from tests.house.house_tree import ROOT
from tests.waiting import PATIENCE, until

from deniable.cli import app

CHECKED = {
    "CITATION.cff": "citation-file-format",
    "compose.yaml": "compose-spec",
    ".github/ISSUE_TEMPLATE/config.yml": "github-issue-config",
    ".github/ISSUE_TEMPLATE/fault.yml": "github-issue-forms",
    ".github/ISSUE_TEMPLATE/wish.yml": "github-issue-forms",
}
"""Files that other programs read, and the schemas of these."""
TEXT = (ROOT / "Containerfile").read_text(encoding="utf-8").replace("\\\n", "")
STEPS = dict(re.findall(r"^([A-Z]+) (.+)$", TEXT, re.MULTILINE))
SERVICES: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))["services"]
OURS = {name: service for name, service in SERVICES.items() if "build" in service}
PATH = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"


def test_the_containerfile_is_as_hadolint_wants_it() -> None:
    assert release.run("hadolint", "Containerfile", at=ROOT, PATH=PATH) == ""


def test_hadolint_sees_a_fault(tmp_path: Path) -> None:
    (tmp_path / "Containerfile").write_text(TEXT.replace(":3.13-slim", ""), encoding="utf-8")
    with pytest.raises(SystemExit, match="DL3006"):
        release.run("hadolint", "Containerfile", at=tmp_path, PATH=PATH)


def schema_of(name: str) -> Any:
    """The schema of a file."""
    vendor = resources.files("check_jsonschema") / "builtin_schemas" / "vendor"
    return json.loads((vendor / f"{CHECKED[name]}.json").read_text(encoding="utf-8"))


@each("name", CHECKED)
def test_what_other_programs_read_keeps_to_their_schema(name: str) -> None:
    content = yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))
    jsonschema.validate(content, schema_of(name))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(
            {**content, "blank_issues_enabled": 7, "body": 7, "services": 7, "title": 7}, schema_of(name)
        )


def command(service: dict[str, Any]) -> list[str]:
    """What a service runs, after the name of the program."""
    return [str(word) for word in service.get("command", json.loads(STEPS["CMD"]))]


@each("name", OURS)
def test_a_service_listens_where_its_port_leads(name: str) -> None:
    words = [word for word in command(OURS[name]) if re.fullmatch("[a-z]+", word)]
    found: Any = typer.main.get_command(app)
    for word in words:
        found = found.commands[word]
    [port] = (option.default for option in found.real.params if option.name == "port")
    assert [each.split(":")[1:] for each in OURS[name]["ports"]] == [[str(port), str(port)]]
    assert str(port) in STEPS["EXPOSE"].split()


def test_the_database_is_where_the_collector_looks() -> None:
    told, database = SERVICES["clustered"]["environment"], SERVICES["database"]
    [(name, url)] = told.items()
    serve: Any = typer.main.get_command(app)
    assert name in [option.envvar for option in serve.commands["serve"].real.params if option.name == "database"]
    assert url == "postgresql://deniable:${POSTGRES_PASSWORD:-}@database/deniable"
    assert database["environment"] == {"POSTGRES_USER": "deniable", "POSTGRES_PASSWORD": "${POSTGRES_PASSWORD:-}"}


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where the programs of the image are; its steps COPY and RUN are taken in a folder in the place of the root."""
    if not RELEASED:
        return PATH
    root = tmp_path_factory.mktemp("root")
    sources, target = STEPS["COPY"].replace("${VERSION}", VERSION).rsplit(" ", 1)
    packages = root / target.strip("/")
    packages.mkdir()
    for source in sources.split():
        for file in ROOT.glob(source):
            shutil.copy(file, packages)
    release.run(sys.executable, "-m", "venv", root / "python", at=root)
    programs = f"{root / 'python' / 'bin'}{os.pathsep}/usr/bin{os.pathsep}/bin"
    step = STEPS["RUN"].replace(" /packages", f" {packages}").replace(" /data", f" {root / 'data'}")
    release.run("/bin/sh", "-c", step, at=root, PATH=programs, VERSION=VERSION)
    assert (root / "data").stat().st_mode & 0o7777 == 0o1777
    return programs


@each("name", ["collector", "mixer"])
def test_the_command_of_a_service_serves(name: str, path: str, tmp_path: Path) -> None:
    ready, data = tmp_path / f"{name}.json", tmp_path / name
    words = [{"/data": str(data), "0.0.0.0": "127.0.0.1"}.get(word, word) for word in command(OURS[name])]
    program = shutil.which(json.loads(STEPS["ENTRYPOINT"])[0], path=path)
    assert program is not None
    told = {"PATH": path} if RELEASED else {**os.environ, "PATH": path}
    served = subprocess.Popen([program, *words, "--port", "0", "--ready-file", ready], cwd=tmp_path, env=told)
    try:
        until(lambda: ready.exists() or served.poll() is not None)
        url = json.loads(ready.read_text("utf-8"))["url"]
        assert urllib.request.urlopen(f"{url}/live", timeout=PATIENCE).status == 200
    finally:
        served.terminate()
        assert served.wait(PATIENCE) == 0
    assert list(data.iterdir()) != []
