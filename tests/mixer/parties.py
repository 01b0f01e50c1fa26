"""A mixer and a collector in processes of their own, and a survey that both know."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tests.collector.crowds import a_survey, an_id
from tests.collector.crowds import sealed as sealed_of
from tests.collector.servers import Server, started, stopped
from tests.mixer.servers import mixing
from tests.mixer.worlds import upload_of

import deniable as dn

PEOPLE = 24


@dataclass
class Parties:
    """A collector and a mixer, and the survey that is asked now."""

    folder: Path
    collector: Server
    mixer: Server
    survey: dn.Survey = field(init=False)
    codes: Sequence[str] = field(init=False)

    def ask(self, name: str, number: int = 0) -> None:
        """A survey whose key the collector made, and a token for the mixer."""
        author = self.collector.token(f"author-{number}", "author")
        key = self.collector.ask("POST", "/v1/keys", b"", author).json["key"]
        closes = (datetime.now(UTC) + timedelta(days=1)).strftime("%Y-%m-%dT%H:%M:%SZ")
        where = {"mixer": self.mixer.url, "collector": self.collector.url}
        self.survey = a_survey(key, where, name=name, closes=closes)
        document = self.survey.document
        assert self.collector.ask("PUT", "/v1/surveys", document, self.collector.operator).status == 201
        told = {"deniable_token": self.collector.token(f"council-{number}", "mixer", name), "deniable_confirmed": "1"}
        assert self.mixer.ask("PUT", "/v1/surveys", document, self.mixer.operator, **told).status == 201
        path, asked = f"/v1/surveys/{self.survey.digest}/invitations", json.dumps({"people": PEOPLE}).encode()
        self.codes = self.mixer.ask("POST", path, asked, self.mixer.operator).json["codes"]

    def restart_mixer(self) -> None:
        """The mixer again, at the address that it had."""
        self.mixer = mixing(self.folder / "m" / "data", port_of(self.mixer))

    def restart_collector(self) -> None:
        """The collector again, at the address that it had."""
        self.collector = collecting(self.folder, port_of(self.collector))

    def period(self) -> Any:
        """How the one period stands at the collector; None while nothing is known of it."""
        path = f"/v1/surveys/{self.survey.digest}/periods"
        return next(iter(self.collector.ask("GET", path, token=self.collector.operator).json), None)

    def tally(self) -> bytes:
        """The result."""
        path = f"/v1/surveys/{self.survey.digest}/periods/once/tally"
        return self.collector.ask("GET", path, token=self.collector.operator).body

    def uploads(self, answers: Sequence[bytes]) -> list[bytes]:
        """What devices do: each seals its answer, under an id of its own."""
        return [upload_of(sealed_of(self.survey, an_id(number), each)) for number, each in enumerate(answers)]

    def send(self, answers: Sequence[bytes], codes: Sequence[str]) -> None:
        """Devices send what they have sealed."""
        for upload, code in zip(self.uploads(answers), codes, strict=True):
            assert self.mixer.send(self.survey, upload, Authorization=f"Invitation {code}").status == 200

    def close(self) -> None:
        """The mixer shuts the one period, and sends it."""
        path = f"/v1/surveys/{self.survey.digest}/close"
        assert self.mixer.ask("POST", path, token=self.mixer.operator).status == 200

    def told(self) -> Any:
        """How the survey stands at the mixer."""
        rows = self.mixer.ask("GET", "/v1/status", token=self.mixer.operator).json
        [found] = [row for row in rows if row["digest"] == self.survey.digest]
        return found

    def is_taken(self) -> bool:
        """Whether the mixer knows what became of its parcel."""
        reply = self.told()["periods"][0].get("reply")
        return bool(reply == {"is": "taken", "answers": PEOPLE, "repeated": 0, "unreadable": 0})


def port_of(server: Server) -> str:
    """Where it listens."""
    return server.url.rpartition(":")[2]


def collecting(folder: Path, port: str = "0") -> Server:
    """A collector, started anew."""
    return started(folder / "c" / "data", "--rate", "0", "--port", port)


@contextmanager
def two(folder: Path) -> Iterator[Parties]:
    """Both, which end in good order."""
    for name in ("c", "m"):
        (folder / name).mkdir()
    found = Parties(folder, collecting(folder), mixing(folder / "m" / "data"))
    yield found
    for server in (found.mixer, found.collector):
        assert stopped(server) == 0


def drawn(survey: dn.Survey, people: int = PEOPLE) -> list[bytes]:
    """What devices draw."""
    ways = ("car", "bus", "bus", "bike")
    return [survey.answer({"way": ways[k % 4]}, dn.SeededEntropy(k)) for k in range(people)]
