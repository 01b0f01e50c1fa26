"""``deniable mixer``: a token is tried when it is given, and what a collector lost is sent again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.collector.servers import stopped
from tests.mixer.servers import mixing
from tests.mixer.worlds import Collected, collecting, sealed, upload_of
from tests.pages.mixing.operators import an_open_survey
from tests.waiting import until
from typer.testing import CliRunner

from deniable.cli import app


@pytest.fixture
def collected() -> Iterator[Collected]:
    """A collector that takes parcels."""
    with collecting() as found:
        yield found


def ran(*words: str, code: int = 0) -> Any:
    """What a command says."""
    done: Any = CliRunner().invoke(app, ["mixer", *words])
    assert done.exit_code == code, done.output
    return done


def test_a_survey_is_allowed_answered_handed_over_and_sent_again(tmp_path: Path, collected: Collected) -> None:
    survey, token, document = an_open_survey(collected.url), tmp_path / "token", tmp_path / "survey.json"
    token.write_text("a token\n")
    document.write_bytes(survey.document)
    server = mixing(tmp_path / "data")
    data = ("--data", str(server.data))
    said = ran("send-again", survey.name, *data, code=2).stderr
    assert said.endswith(f"got '{survey.name}'; none is served here yet\n")
    collected.asking = (403, "")
    assert "for the parcels of this survey" in ran("allow", str(document), "--token", str(token), *data, code=2).stderr
    collected.asking = (503, "")
    assert (
        "gave no reply, so the token was not tried" in ran("allow", str(document), "--token", str(token), *data).stderr
    )
    collected.asking = None
    codes = ran("codes", survey.name, "--people", "5", *data).stdout.split()
    for code in codes:
        assert server.send(survey, upload_of(sealed(survey, 1)), Authorization=f"Invitation {code}").status == 200
    assert "0 parcels are sent again" in ran("send-again", survey.name, *data).stdout
    ran("close", survey.name, "--yes", *data)
    until(lambda: "5 taken" in ran("status", *data).stdout, 0.1)
    collected.taken.clear()  # a backup was put back
    assert "1 parcel is sent again" in ran("send-again", survey.name, *data).stdout
    until(lambda: len(collected.puts) == 2, 0.1)
    assert collected.puts[0].body == collected.puts[1].body
    assert stopped(server) == 0
