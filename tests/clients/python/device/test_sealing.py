"""The client where nothing is installed that seals: it says what to install, before anything is asked or stored."""

from __future__ import annotations

import sys
from pathlib import Path

import deniable_client
import pytest
from deniable_client import ParameterError, SqliteStore
from tests.clients.conduct.surveys import ONE, crowded

MIXED = crowded("https://mixer.example", collector="https://collector.example").to_json()


def test_what_seals_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "deniable_client.crowd", None)
    store = SqliteStore(tmp_path / "device.sqlite")
    with pytest.raises(ParameterError, match=r"pip install 'deniable-client\[crowd\]'"):
        deniable_client.open(survey=MIXED, store=store, code="a-code")
    assert not store.path.exists()
    deniable_client.open("https://collector.example", ONE.to_json(), store=store)


@pytest.mark.parametrize("mixer", ["https://mixer.example:99999", "https://mixer.example:0"])
def test_an_address_that_cannot_be_asked_is_refused(mixer: str) -> None:
    survey = crowded(mixer, collector="https://collector.example").to_json()
    with pytest.raises(ParameterError, match=r"^endpoint must be"):
        deniable_client.open(survey=survey, code="a-code")
