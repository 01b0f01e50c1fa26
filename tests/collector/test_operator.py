"""Commands name surveys, tokens and backups as people do, and never mean another than was said."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.collector.test_http import Server, put, started, stopped
from tests.collector.worlds import a_survey

from deniable.collector.http.operator import SHORTEST, Operator
from deniable.errors import ParameterError


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
