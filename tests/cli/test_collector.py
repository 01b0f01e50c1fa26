"""``deniable collector``: names that are nearly right are hinted at, and what is not there is said to be missing."""

from __future__ import annotations

import re
import shutil
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.collector.crowds import LATER
from tests.collector.crowds import a_survey as a_survey_in_a_crowd
from tests.collector.servers import BYTES, Server, put, started, stopped
from tests.collector.worlds import a_survey, body_of
from typer.testing import CliRunner

import deniable as dn
from deniable.cli import app
from deniable.collector.keys import KeyFolder

ASKED = (
    pytest.param(["close"], id="close"),
    pytest.param(["recount"], id="recount"),
    pytest.param(["export", "--out", "answers"], id="export"),
    pytest.param(["invite", "--people", "2"], id="invite"),
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A collector with a survey that one person has answered, and one that nobody has."""
    found = started(tmp_path_factory.mktemp("asked") / "data", "--rate", "0")
    put(found, found.operator, a_survey("quiet"))
    assert found.send(put(found, found.operator, a_survey("commute")), body_of([1])).status == 200
    yield found
    assert stopped(found) == 0


def refused(server: Server, *words: str) -> str:
    """What a command that is refused says."""
    return _refused("collector", *words, "--data", str(server.data))


def _said(*words: str) -> str:
    done: Any = CliRunner().invoke(app, list(words))
    assert done.exit_code == 0, done.output
    return str(done.stdout)


def _refused(*words: str) -> str:
    done: Any = CliRunner().invoke(app, list(words))
    assert done.exit_code == 2, done.output
    return str(done.stderr)


@pytest.mark.parametrize("words", ASKED)
def test_a_misspelt_survey_is_hinted_at(
    server: Server, words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    command, *options = words
    said = refused(server, command, "comute", *options)
    assert said.startswith("deniable: the survey must be the name or the digest of one that is served")
    assert said.endswith("; did you mean commute?\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words", ASKED[1:3])
def test_a_period_without_answers_is_told_from_a_misspelt_one(
    server: Server, words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    command, *options = words
    assert refused(server, command, "quiet", *options) == "deniable: the survey must have answers, got none yet\n"
    said = refused(server, command, "commute", *options, "--period", "onec")
    assert said == "deniable: period must be one of once, got period='onec'; did you mean once?\n"
    assert list(tmp_path.iterdir()) == []


def test_a_survey_that_was_closed_by_hand_is_seen_to_be_in_its_grace(server: Server, tmp_path: Path) -> None:
    survey = put(server, server.operator, a_survey("over"))
    assert server.send(survey, body_of([1])).status == 200
    words = ("over", "--data", str(server.data))
    out = tmp_path / "answers"
    said = refused(server, "export", "over", "--out", str(out))
    assert said.startswith("deniable: a period must be closed and its grace over to be exported")
    assert said.endswith("got one that is open, until it is closed\n")
    assert _said("collector", "close", *words) == "over takes no new answers\n"
    assert "Closed, waiting for late answers" in _said("collector", "status", "--data", str(server.data))
    said = refused(server, "export", "over", "--out", str(out))
    assert re.search(r"got one that is closed, waiting for late answers, until 20\d\d-\d\d-\d\dT[\d:]{8}Z\n$", said)
    said = refused(server, "delete", "over", "--title", "over")
    assert re.search(r"to be deleted, got one that takes answers until 20\d\d-\d\d-\d\dT[\d:]{8}Z\n$", said)
    assert not out.exists()
    assert _said("collector", "recount", *words) == "1 answer, counted again: the same to the byte\n"


def test_a_survey_is_deleted_by_its_title_once_nobody_can_answer(server: Server) -> None:
    put(server, server.operator, a_survey("unwanted", title="Nobody answered"))
    said = refused(server, "delete", "unwanted", "--title", "Nobody answers")
    told = "the title must be that of the survey that is to be deleted, or its name if it has none, got one unlike it"
    assert said == f"deniable: {told}\n"
    words = ("unwanted", "--title", "Nobody answered", "--data", str(server.data))
    told = "unwanted is deleted; backups, exports and tallies that exist keep what they have\n"
    assert _said("collector", "delete", *words) == told
    assert "unwanted" not in _said("collector", "status", "--data", str(server.data))


def test_a_backup_has_a_name_and_no_path(server: Server) -> None:
    said = refused(server, "backup", "../monday.sqlite")
    assert said == "deniable: a name must be without slashes, got ../monday.sqlite\n"


@pytest.mark.parametrize("command", ["status", "clock"])
def test_a_folder_of_something_else_is_not_made_a_collectors(command: str, tmp_path: Path) -> None:
    (tmp_path / "week.tally").write_bytes(b"")
    said = _refused("collector", command, "--data", str(tmp_path))
    assert said.startswith(
        f"deniable: data must be a collector's folder, got {tmp_path}, which is none; deniable serve"
    )
    assert [file.name for file in tmp_path.iterdir()] == ["week.tally"]


def test_a_survey_is_put_into_no_folder_that_holds_no_collector(tmp_path: Path) -> None:
    """A typing error must not make a new collector, whose address nobody listens at."""
    document = tmp_path / "survey.json"
    dn.files.write_document(a_survey("typo"), document)
    said = _refused("collector", "put", str(document), "--data", str(tmp_path / "nowhere"))
    assert "nowhere, which is none; deniable serve --data" in said
    assert not (tmp_path / "nowhere").exists()


def test_an_address_or_a_port_that_cannot_be_had_is_named(tmp_path: Path) -> None:
    words = ("serve", "--data", str(tmp_path / "data"))
    for host in ("198.51.100.7", "no such host"):
        said = _refused(*words, "--host", host, "--port", "0")
        assert said == f"deniable: --host must be an address of this machine, got {host}\n"
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert f"--port must be free, got {port}, where another program listens" in _refused(*words, "--port", port)


def test_a_file_is_no_folder_to_collect_in(tmp_path: Path) -> None:
    file = tmp_path / "week.tally"
    file.write_bytes(b"")
    assert _refused("serve", "--data", str(file)) == f"deniable: {file} must be a folder, got a file\n"
    above = tmp_path / "tpyo"
    said = f"deniable: {above / 'data'} must be in a folder that exists, got {above}, which is none\n"
    assert _refused("serve", "--data", str(above / "data")) == said
    assert _refused("token", "ann", "--scope", "author", "--data", str(above / "data")) == said
    assert not above.exists()


def test_a_survey_with_a_crowd_is_opened_with_a_key_and_its_document_written(server: Server, tmp_path: Path) -> None:
    planned, out, data = tmp_path / "planned.json", tmp_path / "opened.json", str(server.data)
    planned.write_bytes(a_survey_in_a_crowd(None, name="crowded", closes=LATER).document)
    words = ("collector", "put", str(planned), "--data", data)
    assert "--address and --out must be given" in _refused(*words)
    said = _said(*words, "--address", server.url, "--out", str(out))
    opened = dn.Survey.from_json(out.read_bytes())
    assert f"crowded is served at {server.url}/v1/surveys/{opened.digest}" in said
    assert opened.crowd is not None
    assert (opened.crowd.collector, server.ask("GET", f"/v1/surveys/{opened.digest}").status) == (server.url, 200)
    again = ("collector", "put", str(out), "--data", data)
    assert opened.digest in _said(*again)
    assert "got some for a survey that needs none" in _refused(*again, "--address", server.url, "--out", str(planned))
    path = f"/v1/surveys/{opened.digest}/periods/once/parcel?withheld=4&codes=70"
    assert server.ask("PUT", path, b"", server.operator, Content_Type=BYTES).status == 200
    shown = _said("collector", "status", "--data", data)
    assert "4 withheld by the mixer" in shown
    copy = tmp_path / "copy"
    assert _said("collector", "key", "export", "--data", data, "--out", str(copy)).startswith("1 key copied to ")
    assert KeyFolder(copy).has(str(opened.crowd.key))


def test_a_restore_names_the_surveys_whose_keys_are_not_there(tmp_path: Path) -> None:
    planned, data = tmp_path / "planned.json", str(tmp_path / "data")
    planned.write_bytes(a_survey_in_a_crowd(None, name="crowded", closes=LATER).document)
    _said("token", "ann", "--scope", "author", "--data", data)
    opened = ("--address", "http://127.0.0.1:8080", "--out", str(tmp_path / "opened.json"))
    _said("collector", "put", str(planned), "--data", data, *opened)
    _said("collector", "backup", "monday.sqlite", "--data", data)
    shutil.rmtree(tmp_path / "data" / "keys")
    said = _said("collector", "restore", str(tmp_path / "data" / "backups" / "monday.sqlite"), "--data", data)
    assert "the key of crowded is not there: no parcel of it can be opened until it is put back" in said
    assert "the key of crowded is not there" in _said("collector", "status", "--data", data)
