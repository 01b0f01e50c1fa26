"""Who waits for the compiler is told why, once; nobody else is."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from numba.core.event import Event, EventStatus

from deniable.kernels import first_use
from deniable.kernels.first_use import AHEAD, Notice

LOST = "compiled code cannot be kept"


def closed() -> io.StringIO:
    """A stream that takes no more."""
    stream = io.StringIO()
    stream.close()
    return stream


def ticking(step: float) -> Callable[[], float]:
    """A clock that is so many seconds later each time it is read."""
    times: Iterator[int] = iter(range(10**6))
    return lambda: step * next(times)


def event(status: EventStatus, module: str = "deniable.kernels.words") -> Event:
    """What Numba says of a kernel of that module."""
    dispatcher = SimpleNamespace(py_func=SimpleNamespace(__module__=module))
    return Event("numba:compile", status, {"dispatcher": dispatcher})


def said(
    monkeypatch: pytest.MonkeyPatch, capsys: Any, step: float, advice: str | None, terminal: bool, **of: str
) -> str:
    """What is printed while two kernels are compiled, one of them within another."""
    notice = Notice(ticking(step))
    monkeypatch.setattr(first_use, "advice", lambda: advice)
    monkeypatch.setattr("sys.stderr.isatty", lambda: terminal)
    for status in (EventStatus.START, EventStatus.START, EventStatus.END, EventStatus.END) * 2:
        notice.notify(event(status, **of))
    printed = capsys.readouterr()
    assert printed.out == ""
    return str(printed.err)


@pytest.mark.parametrize(
    ("step", "advice", "terminal", "expected"),
    [
        (0.4, None, True, f"deniable: {AHEAD}\n"),
        (0.05, None, True, ""),
        (0.4, None, False, ""),
        (0.05, LOST, False, f"deniable: {LOST}\n"),
        (0.4, LOST, True, f"deniable: {LOST}\n"),
    ],
)
def test_one_line_is_said(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    step: float,
    advice: str | None,
    terminal: bool,
    expected: str,
) -> None:
    assert said(monkeypatch, capsys, step, advice, terminal) == expected


def test_kernels_of_others_are_their_own_affair(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said(monkeypatch, capsys, 9.0, LOST, True, module="somebody.elses") == ""


def test_time_between_kernels_does_not_count(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = [0.0]
    notice = Notice(lambda: now[0])
    monkeypatch.setattr(first_use, "advice", lambda: None)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    for _ in range(3):
        notice.notify(event(EventStatus.START))
        now[0] += 0.3
        notice.notify(event(EventStatus.END))
        now[0] += 100.0
    assert capsys.readouterr().err == ""
    notice.notify(event(EventStatus.START))
    now[0] += 0.3
    notice.notify(event(EventStatus.END))
    assert capsys.readouterr().err == f"deniable: {AHEAD}\n"


@pytest.mark.parametrize("stream", [None, closed()])
def test_nobody_need_listen(monkeypatch: pytest.MonkeyPatch, stream: io.StringIO | None) -> None:
    """As under a service that closes its error stream, or a window without one."""
    monkeypatch.setattr(first_use, "advice", lambda: LOST)
    monkeypatch.setattr("sys.stderr", stream)
    notice = Notice()
    for status in (EventStatus.START, EventStatus.END):
        notice.notify(event(status))
    assert notice.silent
