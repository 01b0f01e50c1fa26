"""Collectors that strangers abuse: one as it is installed, one with little patience, and one with much for guesses."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.collector.abuse.wire import SURVEY
from tests.collector.servers import Server, started, stopped


def serving(tmp_path_factory: pytest.TempPathFactory, *options: str, program: str = "deniable") -> Iterator[Server]:
    """A collector with a survey, which must end in good order whatever was done to it."""
    found = started(tmp_path_factory.mktemp("abused") / "data", *options, program=program)
    assert found.ask("PUT", "/v1/surveys", SURVEY.document, found.operator).status == 201
    yield found
    assert stopped(found) == 0


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A collector that takes any number of uploads from one address."""
    yield from serving(tmp_path_factory, "--rate", "0")


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A collector that gives a body a second to arrive, and whole requests two."""
    yield from serving(tmp_path_factory, "--rate", "0", program="tests.collector.abuse.hasty")


@pytest.fixture(scope="module")
def patient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A collector that lets anybody guess tokens as often as they like."""
    yield from serving(tmp_path_factory, "--rate", "0", program="tests.collector.abuse.patient")
