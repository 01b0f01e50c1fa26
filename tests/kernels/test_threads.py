"""The threads that share columns: they stay, never wait for each other, and none outlives a fork."""

from __future__ import annotations

import multiprocessing
import os
from threading import current_thread

import numpy as np
import pytest

import deniable as dn
from deniable.kernels import threads
from deniable.kernels.threads import cut, share


@pytest.fixture(autouse=True)
def _three(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine with three processors."""
    monkeypatch.setattr(threads, "processors", lambda: 3)


def test_pieces_come_back_in_order() -> None:
    assert share(lambda i: i * i, range(50)) == [i * i for i in range(50)]


def test_threads_stay() -> None:
    first = set(share(lambda _: current_thread().name, range(60)))
    again = set(share(lambda _: current_thread().name, range(60)))
    assert current_thread().name not in first | again
    assert len(first | again) <= 3


def test_a_piece_may_share_its_own_pieces() -> None:
    """More waiting pieces than threads: each does its own pieces itself."""
    assert share(lambda i: sum(share(lambda j: i * j, range(4))), range(12)) == [6 * i for i in range(12)]


def test_an_error_of_a_piece_is_told_and_the_threads_go_on() -> None:
    with pytest.raises(ZeroDivisionError):
        share(lambda i: 1 // i, range(9))
    assert share(abs, [-1, -2]) == [1, 2]


def test_parts_with_counts_of_their_own_are_few_and_large() -> None:
    column = np.zeros(threads.ALONE * 9, np.uint8)
    assert [len(cut(column, own)) for own in (1, threads.ALONE * 3, threads.ALONE * 4, len(column))] == [3, 3, 2, 1]


def test_a_thread_of_an_engine_cuts_nothing() -> None:
    column = np.zeros(threads.ALONE * 9, np.uint8)
    assert len(cut(column)) == 9
    assert share(lambda _: len(cut(column)), range(3)) == [1, 1, 1]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded, use of fork:DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own() -> None:
    share(abs, range(9))
    context = multiprocessing.get_context("fork")
    receive, send = context.Pipe(duplex=False)
    child = context.Process(target=lambda: send.send(share(abs, range(-9, 0))))
    child.start()
    assert receive.poll(60)
    assert receive.recv() == list(range(9, 0, -1))
    child.join(60)
    assert child.exitcode == 0


def test_a_stranger_in_a_late_block_is_told_of_the_whole_column() -> None:
    values = np.zeros(1_200_000, np.int64)
    values[[1_100_000, 1_150_000]] = 7, -1
    with pytest.raises(dn.LabelError, match=r"got 2 of 1200000 that are not \(the first at position 1100000\)"):
        dn.RandomizedResponse(4, 1.0).privatize_many(values, seed=1)
