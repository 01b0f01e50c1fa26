"""Commands name surveys, tokens and backups as people do, and never mean another than was said."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.collector.commands import command, in_a_line
from tests.collector.servers import Server, put, started, stopped
from tests.collector.worlds import a_survey
from tests.pages.readers import Reader

from deniable.intake.http.operator import SHORTEST, Operator
from deniable.protocol.errors import ParameterError


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A collector on any free port."""
    found = started(tmp_path_factory.mktemp("named") / "data", "--rate", "0")
    yield found
    assert stopped(found) == 0


@pytest.fixture
def desk(server: Server) -> Operator:
    """The operator of a server that has surveys."""
    return Operator(server.url, server.operator)


def test_a_name_means_its_newest_survey(server: Server, desk: Operator) -> None:
    for grace in (1, 2):
        put(server, server.operator, a_survey("twice", grace=grace))
    assert desk.digest_of("twice") == a_survey("twice", grace=2).digest


def test_a_name_goes_before_the_beginning_of_a_digest(server: Server, desk: Operator) -> None:
    first = a_survey("unlucky")
    second = a_survey(first.digest[:10])
    for survey in (second, first):
        put(server, server.operator, survey)
    assert desk.digest_of(first.digest[:10]) == second.digest
    assert desk.digest_of(first.digest[:11]) == desk.digest_of(first.digest) == first.digest


def test_a_few_digits_name_nothing(server: Server, desk: Operator) -> None:
    survey = a_survey("alone")
    put(server, server.operator, survey)
    assert desk.digest_of(survey.digest[:SHORTEST]) == survey.digest
    for length in range(SHORTEST):
        with pytest.raises(ParameterError, match="the survey must be the name or the digest of one that is served"):
            desk.digest_of(survey.digest[:length])


@pytest.mark.parametrize("name", ["team a", "é", "x?y", "a#b", "a/b", "", "..", "Ann", "operator"])
def test_a_name_that_is_none_makes_no_token_and_no_backup(server: Server, desk: Operator, name: str) -> None:
    desk.give_token("a", "reader", [])
    before = desk.ask("GET", "/v1/status"), list(server.data.rglob("*"))
    with pytest.raises(ParameterError):
        desk.give_token(name, "reader", [])
    if name not in ("Ann", "operator"):
        with pytest.raises(ParameterError):
            desk.back_up(name)
    assert (desk.ask("GET", "/v1/status"), list(server.data.rglob("*"))) == before


def test_a_link_signs_in_once_and_everybody_is_signed_out_at_once(server: Server) -> None:
    printed = command("collector", "link", "--data", str(server.data)).stdout.strip()
    assert printed.startswith(f"{server.url}/enter/")
    reader, late = Reader(server.url), Reader(server.url)
    path = printed.removeprefix(server.url)
    assert reader.get(f"{path}?go").headers["Location"] == "/"
    assert reader.get("/").status == 200
    assert late.get(f"{path}?go").status == 404
    assert command("collector", "sign-out", "--data", str(server.data)).stdout.strip() == "everybody is signed out"
    assert reader.get("/").status == 303


@pytest.mark.parametrize("words", [("link",), ("sign-out",)])
def test_what_needs_a_running_collector_says_so(tmp_path: Path, words: tuple[str]) -> None:
    refused = command("collector", *words, "--data", str(tmp_path))
    assert refused.returncode == 2
    assert f"a collector must run on {tmp_path}, got none; deniable serve --data {tmp_path} starts one" in in_a_line(
        refused.stderr
    )


def test_a_collector_that_does_not_answer_is_named_with_what_it_was_asked(tmp_path: Path) -> None:
    server = started(tmp_path / "data")
    told = tmp_path / "data" / "server.json"
    try:
        fields = json.loads(told.read_text())
        told.write_text(json.dumps({**fields, "url": "http://127.0.0.1:9"}))
        refused = command("collector", "status", "--data", str(server.data))
        assert refused.returncode == 2
        assert "the storage must be free, got one that another process has" in in_a_line(refused.stderr)
        assert "asked first: the collector at http://127.0.0.1:9 must answer, got ConnectionRefusedError" in in_a_line(
            refused.stderr
        )
        told.unlink()
        assert "another process has" in in_a_line(command("collector", "status", "--data", str(server.data)).stderr)
    finally:
        stopped(server)
