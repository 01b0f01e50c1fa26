"""What is installed from the wheel, and nothing of the checkout, serves every page, and says where the studies are."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.collector.servers import Server, put, started, stopped
from tests.collector.worlds import a_survey
from tests.house.house_tree import ROOT
from tests.pages.readers import Reader

PAGES = ROOT / "src" / "deniable" / "pages"
ASSETS = {"pages.css", "asked.css", "plain.css", "pages.js", "builder.js", "icon.svg", "deniable.css"}
ASSETS |= {"deniable.js", "field.js"}
MODULES = {file.name for file in (PAGES / "static").glob("deniable-*.js")}
"""What the script loads from beside it, when it is needed."""


def pip(*options: str) -> str | None:
    """What went wrong, if anything did. Nothing is compiled: tests/kernels/test_building.py builds from the sources."""
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q", *options]
    world = {**os.environ, "CC": f"{sys.executable} -m tests.pages.compiled_before"}
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=ROOT, env=world)
    return None if done.returncode == 0 else done.stderr[-500:]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the wheel holds. Elsewhere than in continuous integration, do without where none is built."""
    built, target = tmp_path_factory.mktemp("wheel"), tmp_path_factory.mktemp("installed")
    missing = pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(built), str(ROOT))
    if missing is not None and not os.environ.get("CI"):
        pytest.skip(f"the wheel cannot be built here: {missing}")
    assert missing is None
    [wheel] = built.glob("deniable-*.whl")
    assert pip("install", "--no-deps", "--target", str(target), str(wheel)) is None
    return target


@pytest.fixture
def server(installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A collector of what was installed, in a folder of its own."""
    monkeypatch.setenv("PYTHONPATH", str(installed))
    monkeypatch.chdir(tmp_path)
    where = subprocess.check_output([sys.executable, "-c", "import deniable; print(deniable.__file__)"], text=True)
    assert Path(where.strip()).is_relative_to(installed)
    found = started(tmp_path / "data", "--rate", "0", anew=True)
    yield found
    assert stopped(found) == 0


def test_an_installed_collector_serves_every_page_and_asset(server: Server) -> None:
    survey = put(server, server.operator, a_survey("wheeled"))
    anybody, operator = Reader(server.url), Reader(server.url).enter(server.operator)
    pages = [anybody.get(path) for path in ("/enter", "/me", f"/q/{survey.digest}", f"/label/{survey.digest}")]
    pages += [
        operator.get(path)
        for path in ("/", operator.get("/new").headers["Location"], "/keys", f"/run/{survey.digest}", "/s/wheeled")
    ]
    assert [page.status for page in pages] == [200] * len(pages)
    named = {address for page in pages for address in re.findall(r'(?:src|href)="(/static/[^"]+)"', page.html)}
    assert {address.split("/")[-1].split("?")[0] for address in named} == ASSETS - {"field.js"}
    for address in named:
        served = anybody.get(address)
        assert (served.status, "immutable" in served.headers["Cache-Control"]) == (200, True)
        assert served.body == source_of(address.split("/")[-1].split("?")[0]), address
    assert anybody.get("/static/pages.css").body == source_of("pages.css")
    assert len(MODULES) > 10
    for name in MODULES:
        served = anybody.get(f"/static/{name}")
        assert (served.body, "immutable" in served.headers["Cache-Control"]) == (source_of(name), True), name


def test_an_installed_package_has_no_studies_and_says_where_they_are(installed: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "deniable", "reproduce", "wang2016", "--quick"]
    world = {**os.environ, "PYTHONPATH": str(installed)}
    done = subprocess.run(command, env=world, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("deniable: reproduce needs a copy of the project's source, got an installed package")
    assert list(tmp_path.iterdir()) == []


def source_of(name: str) -> bytes:
    """An asset as it is in the checkout."""
    begin = {"pages.css": "[0-8]*.css", "asked.css": "[14]0-*.css", "plain.css": "90-*.css"}.get(name)
    if begin is not None:
        return b"\n".join(sheet.read_bytes() for sheet in sorted((PAGES / "styles").glob(begin)))
    return (PAGES / "static" / name).read_bytes()
