"""``deniable collector invite``: codes as letters, cards and a list, and nothing made where they cannot be written."""

from __future__ import annotations

import csv
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.collector.servers import Server, put, started, stopped
from tests.collector.worlds import a_survey
from typer.testing import CliRunner

import deniable as dn
from deniable.cli import app

ADDRESS = "https://ask.example.org"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    found = started(tmp_path_factory.mktemp("inviting") / "data", "--rate", "0")
    yield found
    assert stopped(found) == 0


@pytest.fixture(scope="module")
def survey(server: Server) -> dn.Survey:
    return put(server, server.operator, a_survey("letters", title="Our <way>", closes="2030-01-31T18:00:00Z"))


def invited(server: Server, *words: str) -> Any:
    return CliRunner().invoke(app, ["collector", "invite", "letters", "--data", str(server.data), *words])


def state_of(server: Server, survey: dn.Survey, code: str) -> str:
    """What the collector says of a code."""
    path = f"/v1/surveys/{survey.digest}/invitation"
    return str(server.ask("GET", path, Authorization=f"Invitation {code}").json["state"])


def test_each_person_gets_a_code_that_is_good_in_every_file(server: Server, survey: dn.Survey, tmp_path: Path) -> None:
    files = {kind: tmp_path / f"{kind}.out" for kind in ("letters", "cards", "list")}
    options = [word for kind, file in files.items() for word in (f"--{kind}", str(file))]
    done = invited(server, "--people", "12", "--address", f"{ADDRESS}/", "--lang", "de", *options)
    assert done.exit_code == 0, done.output
    assert [stat.S_IMODE(file.stat().st_mode) for file in files.values()] == [0o600] * 3
    rows = list(csv.DictReader(files["list"].read_text(encoding="utf-8-sig").splitlines()))
    codes = [row["code"] for row in rows]
    assert len(set(codes)) == 12
    assert {state_of(server, survey, code) for code in codes} == {"unused"}
    assert [row["link"] for row in rows] == [f"{ADDRESS}/q/{survey.digest}#code={code}" for code in codes]
    assert {(row["survey"], row["until"]) for row in rows} == {("Our <way>", "31. Januar 2030, 18:00 UTC")}
    for kind in ("letters", "cards"):
        page = files[kind].read_text(encoding="utf-8")
        assert [page.count(f">{code}<") for code in codes] == [1] * 12
        assert page.count("<svg") == 12
        sheets = {"letters": ("letter", 12), "cards": ("cards", 2)}[kind]
        assert page.count(f'class="sheet {sheets[0]}"') == sheets[1]
        assert not any(needs in page for needs in ("<link", "src=", "<script", "url(", "@import")), (
            "it asks for nothing"
        )
        assert "Our &lt;way&gt;" in page
        assert 'lang="de"' in page
        assert f'ask.example.org<wbr><span class="tail">/to/{survey.digest[:8]}' in page


REFUSED = {
    "no address": (["--list", "new.csv"], "address must say where people reach the collector, got none"),
    "plain http": (["--list", "new.csv", "--address", "http://ask.example.org"], "address must begin with https://"),
    "no address at all": (["--list", "new.csv", "--address", "https://["], "address must begin with https://"),
    "a password": (
        ["--list", "new.csv", "--address", "https://me:it@ask.example.org"],
        "address must begin with https://",
    ),
    "a file that is there": (["--list", "old.csv", "--address", ADDRESS], "list must be a new file in a folder"),
    "no folder": (["--letters", "none/new.html", "--address", ADDRESS], "letters must be a new file in a folder"),
    "one file twice": (["--list", "new", "--cards", "new", "--address", ADDRESS], "files must be others for letters"),
    "another language": (["--list", "new.csv", "--address", ADDRESS, "--lang", "xx"], "lang must be one of de, en"),
    "too many letters": (
        ["--letters", "new.html", "--address", ADDRESS, "--people", "501"],
        "people must be at most 500",
    ),
}


@pytest.mark.parametrize("why", REFUSED)
@pytest.mark.usefixtures("survey")
def test_what_cannot_be_written_makes_no_codes(
    server: Server, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old.csv").touch()
    words, told = REFUSED[why]
    people = [] if "--people" in words else ["--people", "2"]
    before = server.ask("GET", "/v1/status", token=server.operator).json
    done = invited(server, *people, *words)
    assert done.exit_code == 2
    assert told in done.stderr
    assert server.ask("GET", "/v1/status", token=server.operator).json == before
    assert [file.name for file in tmp_path.iterdir()] == ["old.csv"]
