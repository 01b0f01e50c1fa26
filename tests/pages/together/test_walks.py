"""Walks at random over ticks, Next, Back, reload, a second tab, idling and no network: shown, kept and sent agree."""

from __future__ import annotations

import os
from random import Random

import pytest
from playwright.sync_api import BrowserContext
from tests.collector.servers import Server, put
from tests.pages.together.breaks import breaks
from tests.pages.together.walk import Walk

import deniable as dn

SEEDS = range(60) if os.environ.get("SOAK") else (0,)
STEPS = 80 if os.environ.get("SOAK") else 25
LATE = """const add = EventTarget.prototype.addEventListener;
EventTarget.prototype.addEventListener = function (kind, ...rest) {
    return add.call(this, kind === "input" && this.type === "checkbox" ? "change" : kind, ...rest);
};"""
"""What checkboxes hear is heard at the later event: kept at `input`, cleared at `change`."""


@pytest.fixture(scope="module")
def survey(server: Server) -> dn.Survey:
    return put(server, server.operator, breaks("walks"))


@pytest.mark.soak
@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_shown_kept_and_sent_agrees(
    context: BrowserContext, server: Server, survey: dn.Survey, seed: int
) -> None:
    walk = Walk(context, server, survey)
    random = Random(seed)
    walk.act("take", walk.tabs[0], random)
    while len(walk.path) < STEPS and not walk.is_over:
        walk.step(random)
    assert walk.is_over or len(walk.path) == STEPS


def test_a_walk_finds_what_is_kept_before_it_is_cleared(
    context: BrowserContext, server: Server, survey: dn.Survey
) -> None:
    context.add_init_script(LATE)
    walk = Walk(context, server, survey)
    [tab], random = walk.tabs, Random(1)
    walk.act("take", tab, random)
    walk.tick(tab, 0)
    walk.act("next", tab, random)
    walk.tick(tab, 1)
    walk.compare()
    walk.tick(tab, 2)
    with pytest.raises(AssertionError, match="tab 0 after"):
        walk.compare()
