"""What takes long is worked out once, and nobody waits for it longer than a moment."""

from __future__ import annotations

import asyncio
import threading
from typing import cast

import pytest

from deniable.pages.results import readings
from deniable.pages.results.readings import Readings
from deniable.surveys.results import Results


class Slow:
    """Results whose question is worked out when it is let."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.let = threading.Event()
        self.tally = b""

    def __getitem__(self, name: str) -> None:
        self.begun.append(name)
        assert self.let.wait(60)


def test_two_who_ask_wait_a_moment_for_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readings, "PATIENCE", 0.05)
    slow, found = Slow(), Readings()
    results = cast("Results", slow)

    async def asked() -> list[bool]:
        before = await asyncio.gather(*[found.are_ready(results, ["word"]) for _ in range(3)])
        slow.let.set()
        monkeypatch.setattr(readings, "PATIENCE", 60.0)
        return [*before, await found.are_ready(results, ["word"])]

    assert asyncio.run(asked()) == [False, False, False, True]
    assert slow.begun[:1] == ["word"]
    assert len(slow.begun) <= 2, "once while it lasted, and once after it"


def test_whoever_may_see_some_questions_waits_for_the_same() -> None:
    whole, some, found = Slow(), Slow(), Readings()
    some.tally = whole.tally = b"of one survey"

    async def asked() -> None:
        work = found.begin(cast("Results", whole), ["word"])
        assert found.begin(cast("Results", some), ["word"]) is work
        whole.let.set()
        await work

    asyncio.run(asked())
    assert (whole.begun, some.begun) == (["word"], [])
