"""The library and both clients read the same specs and surveys, and refuse the same, however they were changed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.clients.typescript.cases import Case, differing, spec_case
from tests.fuzz.parsers import PARSERS, TIMES, inputs

import deniable as dn
from deniable import protocol
from deniable.protocol.errors import DenialError
from deniable.protocol.errors import DenialError as ClientError

CASES, REPLAYED = 300 * TIMES, 40 * TIMES
Reader = Callable[[str], Any]
READERS: dict[str, tuple[Reader, Reader]] = {
    "spec": (
        lambda text: dn.from_spec(text).spec_bytes.decode(),
        lambda text: protocol.read_spec(text).to_json(),
    ),
    "survey": (
        lambda text: dn.Survey.from_json(text).to_json(),
        lambda text: protocol.read_survey(text).to_json(),
    ),
}


def texts(name: str, seed: int, count: int) -> list[str]:
    """Specs or surveys, changed, as far as they are text."""
    found = []
    for data in inputs(PARSERS[name], seed, count):
        try:
            found.append(data.decode())
        except UnicodeDecodeError:
            continue
    return found


def outcome(read: Reader, text: str) -> str | None:
    """The canonical text of what is read; None if it is refused."""
    try:
        return str(read(text))
    except (DenialError, ClientError):
        return None


@pytest.mark.parametrize("name", READERS)
def test_the_library_and_the_python_client_read_the_same(name: str) -> None:
    library, client = READERS[name]
    changed = texts(name, 3, CASES)
    assert [text for text in changed if outcome(library, text) != outcome(client, text)] == []
    assert sum(outcome(library, text) is not None for text in changed) > 5


def test_the_typescript_client_reads_and_draws_the_same(built: Path) -> None:
    source = Random(4)
    cases: list[tuple[Case, Case]] = [spec_case(source, text) for text in texts("spec", 5, REPLAYED)]
    assert sum("text" in made for _, made in cases) > 5
    assert differing(built, cases) == []
