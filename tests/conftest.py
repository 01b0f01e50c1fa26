"""What all tests share: one Hypothesis profile, pictures drawn without a screen, and the order of their files."""

import gc
import os
import signal
from collections.abc import Generator

import pytest
from hypothesis import settings

os.environ["MPLBACKEND"] = "Agg"

pytest_plugins = ("tests.browsers", "tests.clients.typescript.package")

# A shell's background jobs ignore interrupts, and so would every process that they start: the tests interrupt some.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples on every machine: a failure seen once can be seen again. No deadline: compiling takes its time.
settings.register_profile("house", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("house")

FIRST = (
    "tests/engines/test_spark.py",
    "tests/pages/together/test_answering.py",
    "tests/mechanisms/together/test_error.py",
    "tests/house/test_examples.py",
    "tests/collector/abuse/test_beside_uploads.py",
    "tests/pages/together/test_builder_typing.py",
    "tests/mechanisms/together/test_conformance.py",
    "tests/surveys/together/test_expected_errors.py",
    "tests/cli/together/test_process.py",
    "tests/pages/together/test_wheel.py",
    "tests/estimation/test_cohort_evidence.py",
    "tests/engines/together/test_aggregate.py",
    "tests/studies/test_acharya2019.py",
    "tests/theory/informed/test_optimum.py",
    "tests/theory/best_channel/test_optimal.py",
)
"""The files that take longest, so that the processes that share the files end together."""
WAITING = tuple(f"tests/{room}/" for room in ("cli", "clients", "collector", "first_hours", "hosts", "intake", "pages"))
"""Rooms whose tests wait, for servers, browsers and clocks, as much as they compute: side by side they leave
processors idle, which others can use."""


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no garbage while tests are collected, and later not among what that made: a second each time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest files first; after them the files that wait stand evenly between those that compute."""
    files = dict.fromkeys(map(file_of, items))
    places: dict[str, float] = {name: place - len(FIRST) for place, name in enumerate(FIRST)}
    for waits in (True, False):
        kind = [name for name in files if name not in FIRST and name.startswith(WAITING) is waits]
        places |= {name: (place + 0.5) / len(kind) for place, name in enumerate(kind)}
    items.sort(key=lambda item: places[file_of(item)])


def file_of(item: pytest.Item) -> str:
    """The file of a test."""
    return item.nodeid.partition("::")[0]
