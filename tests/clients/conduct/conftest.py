"""Devices of every port, in Python, in Node and in a page of Chromium, and the collector that they know."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import pytest
from tests.clients.conduct.devices import Device, Devices, in_process
from tests.clients.conduct.surveys import ONE, START, weekly
from tests.clients.stub import Stub
from tests.clients.typescript.device.pages import in_page, serve_devices
from tests.wire.generate.documents import samples

import deniable as dn


@pytest.fixture(scope="module")
def host() -> Iterator[Stub]:
    """A collector for all tests of a file."""
    with Stub(*samples().values(), weekly()).running() as running:
        yield running


@pytest.fixture
def stub(host: Stub) -> Stub:
    """The collector, to which nobody has sent anything."""
    host.reset()
    return host


PROCESSES = pytest.mark.parametrize("devices", ["python", "node"], indirect=True)
"""For what does not depend on a browser's network, store or wishes, or needs another process of the same store."""


@pytest.fixture(scope="module", params=["python", "node", "browser"])
def devices(request: pytest.FixtureRequest, host: Stub) -> Iterator[Devices]:
    """Devices of one port."""
    if request.param == "browser":
        serve_devices(host, request.getfixturevalue("built"))
        yield in_page(request.getfixturevalue("browser").new_page(), host.url)
        return
    if request.param == "node":
        request.getfixturevalue("built")
    with in_process(request.param) as running:
        yield running


@pytest.fixture
def store(tmp_path: Path) -> str:
    """The name of a store on disk, which is not there yet."""
    return str(tmp_path / "device")


class Make(Protocol):
    """What opens a device of the store, at the collector, in the week 2026-W32."""

    def __call__(self, survey: dn.Survey | str = ONE, agree: bool = True, **options: object) -> Device:
        """A device; unless told, one whose person has agreed."""


@pytest.fixture
def make(devices: Devices, stub: Stub, store: str) -> Make:
    """Opens devices of one store."""

    def opened(survey: dn.Survey | str = ONE, agree: bool = True, **options: object) -> Device:
        device = devices.open(stub.url, survey, store, **options).at(START)
        if agree:
            device.grant()
        return device

    return opened
