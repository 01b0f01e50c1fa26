"""The client under every Python that it is made for, as far as they are on this machine."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import deniable_client
import pytest
from tests.wire.make import FOLDER

VERSIONS = ("3.11", "3.12", "3.13", "3.14")
SCRIPT = """
import json, sys
from pathlib import Path
import deniable_client as dc
from deniable_client.testing import GivenWords

folder = Path(sys.argv[1])
specs, surveys, draws = (json.loads((folder / f"{n}.json").read_text("ascii")) for n in ("specs", "surveys", "draws"))
for vector in specs["good"]:
    assert dc.read_stored_spec(vector["spec"]).digest == vector["sha256"]
bad_specs = [(vector["spec"], dc.read_spec) for vector in specs["bad"]]
bad_surveys = [(vector["document"], dc.read_survey) for vector in surveys["bad"]]
for bad, read in bad_specs + bad_surveys:
    try:
        read(bad)
    except dc.FormatError:
        continue
    raise AssertionError(bad)
for vector in draws["good"]:
    m, value = dc.read_spec(vector["spec"]), vector["value"]
    words = GivenWords(int(word) for part in vector["words"] for word in part)
    report = m.draw(frozenset(value) if isinstance(value, list) else value, words)
    assert (report.hex() if isinstance(report, bytes) else report) == vector["report"]
for vector in surveys["labels"]:
    survey = dc.read_survey(vector["document"])
    assert [each.to_json() for each in survey.statements] == vector["statements"]
    assert len(survey.sentences) == len(survey.statements)
client = dc.open("https://collector.example", surveys["labels"][3]["document"], store=dc.SqliteStore(sys.argv[2]))
client.consent().grant(client.survey.sentences)
assert client.answer({"way": "bus"}) == client.answer({"way": "car"})
print("every vector")
"""


def interpreters() -> dict[str, str]:
    """The interpreters that run here, by their versions; pyenv keeps some that are not on the path."""
    kept = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    places = {v: [shutil.which(f"python{v}"), *sorted(kept.glob(f"{v}.*/bin/python"))] for v in VERSIONS}
    here = {"{}.{}".format(*sys.version_info): sys.executable}
    return here | {v: str(path) for v, paths in places.items() for path in paths if path is not None and runs(path)}


def runs(path: Path | str) -> bool:
    """Whether an interpreter starts: a shim is there for versions too that are not active."""
    return subprocess.run([path, "-c", ""], capture_output=True, check=False).returncode == 0


FOUND = interpreters()


@pytest.mark.parametrize("version", FOUND)
def test_every_vector_under_every_version_that_is_here(version: str, tmp_path: Path) -> None:
    interpreter = FOUND[version]
    shutil.copytree(Path(deniable_client.__file__).parent, tmp_path / "deniable_client")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [interpreter, "-W", "error", "-c", SCRIPT, str(FOLDER), f"{tmp_path}/device.sqlite"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=300)
    assert (done.returncode, done.stdout) == (0, "every vector\n"), done.stderr
