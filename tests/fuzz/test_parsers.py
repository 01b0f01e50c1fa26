"""Every parser, on inputs made of valid ones by changes: it reads them, or refuses them in words of the house."""

from __future__ import annotations

import time
import tracemalloc
from dataclasses import replace
from typing import Any

import pytest
from tests.fuzz.parsers import PARSERS, TIMES, Fault, inputs

import deniable as dn
from deniable.protocol.errors import FormatError

CASES, MEASURED = 250 * TIMES, 20 * TIMES
SECONDS, MIB = 5.0, 1 << 20
MOST = 128 * MIB
"""No input, all of them below 100 kB, may take longer, in seconds of the processor, or more memory."""


@pytest.mark.parametrize("name", PARSERS)
def test_what_is_read_is_written_and_read_again_and_the_rest_is_refused_in_few_words(name: str) -> None:
    parser = PARSERS[name]
    read = [parser.check(data) for data in inputs(parser, 1, CASES)]
    assert 5 < sum(read) < len(read) - 5


@pytest.mark.parametrize("name", PARSERS)
def test_no_input_takes_long_or_fills_the_memory(name: str) -> None:
    parser = PARSERS[name]
    tracemalloc.start()
    try:
        for data in inputs(parser, 2, MEASURED):
            tracemalloc.reset_peak()
            before, begun = tracemalloc.get_traced_memory()[0], time.process_time()
            parser.check(data)
            assert tracemalloc.get_traced_memory()[1] - before < MOST, data[:300]
            assert time.process_time() - begun < SECONDS, data[:300]
    finally:
        tracemalloc.stop()


def slip(_: bytes) -> Any:
    """A parser that fails as none should."""
    raise KeyError("missing")


def tell(data: bytes) -> Any:
    """A parser that shows all that it was given."""
    raise FormatError(f"a spec must be one, got {data.decode()}")


def grumble(_: bytes) -> Any:
    """A parser that does not say what it wants."""
    raise FormatError("bad input")


def test_faults_of_a_parser_are_seen() -> None:
    good = PARSERS["spec"]
    with pytest.raises(KeyError):
        replace(good, read=slip).check(b"{}")
    for wrong in (tell, grumble):
        with pytest.raises(Fault):
            replace(good, read=wrong).check(b"x" * 5000)
    other = dn.RandomizedResponse(2, 1.0).spec_bytes
    with pytest.raises(Fault, match="must be read as the same"):
        replace(good, write=lambda _: other).check(dn.RandomizedResponse(3, 1.0).spec_bytes)


def test_long_texts_are_counted_and_not_shown() -> None:
    with pytest.raises(FormatError, match="got epsilon=a text of 5000 characters"):
        dn.from_spec({**dn.RandomizedResponse(2, 1.0).spec(), "epsilon": "x" * 5000})
