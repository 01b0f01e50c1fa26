"""People who are asked through a mixer, each with a device at an address of its own; and their surveys."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
from tests.collector.crowds import APART, served
from tests.collector.worlds import Clock
from tests.mixer.faults.network import Network
from tests.mixer.faults.parties import CollectorHere, MixerHere
from tests.mixer.worlds import TOKEN

import deniable as dn
from deniable.protocol.device.client import Client
from deniable.protocol.device.client import open as open_client
from deniable.protocol.device.store import MemoryStore
from deniable.protocol.errors import ParameterError

CLOSES = "2026-08-24T00:00:00Z"
"""Three weeks after the clock of the tests begins."""
WEEKLY = {"period": "week", "repeat": "fresh", "opens": "2026-08-03T00:00:00Z", "cap": 20.0}
PEOPLE = 10


@dataclass(frozen=True)
class Begun:
    """A collector and a mixer that have surveys, and that nobody has answered."""

    folder: Path
    surveys: Sequence[dn.Survey]
    keys: dict[str, EllipticCurvePrivateKey]
    codes: dict[str, list[str]]

    @classmethod
    def at(cls, folder: Path) -> Begun:
        """Make both."""
        clock = Clock()
        collector, mixer = CollectorHere(folder / "collector", clock), MixerHere(folder / "mixer", clock)
        collector.folder.mkdir(parents=True)
        collector.start()
        mixer.start()
        once = served(collector.service, parties=APART, closes=CLOSES)
        surveys = [once, served(collector.service, parties=APART, closes=CLOSES, name="weekly", **WEEKLY)]
        codes, keys = dict[str, list[str]](), dict[str, EllipticCurvePrivateKey]()
        for survey in surveys:
            mixer.desk.allow(survey, TOKEN, confirmed=True)
            codes[survey.digest] = mixer.desk.codes(mixer.app.intake.survey(survey.digest), PEOPLE)
            assert survey.crowd is not None
            keys[survey.digest] = collector.service.keys.load(str(survey.crowd.key))
        mixer.stop()
        collector.stop()
        return cls(folder, surveys, keys, codes)

    def copied(self, folder: Path, clock: Clock) -> tuple[MixerHere, CollectorHere]:
        """Both, started on a copy."""
        shutil.copytree(self.folder, folder)
        mixer, collector = MixerHere(folder / "mixer", clock), CollectorHere(folder / "collector", clock)
        mixer.start()
        collector.start()
        return mixer, collector


class Person:
    """Somebody's device."""

    def __init__(self, begun: Begun, number: int, address: str, network: Network, store: MemoryStore) -> None:
        self.number, self.address, self.store = number, address, store
        self._network = network
        self.clients: list[Client] = []
        for survey in begun.surveys:
            code, clock = begun.codes[survey.digest][number], network.collector.clock
            self.clients.append(open_client(survey=survey.to_json(), code=code, store=store, clock=clock))

    @classmethod
    def asked(cls, begun: Begun, number: int, network: Network) -> Person:
        """One who agrees."""
        found = cls(begun, number, f"198.51.100.{number + 1}", network, MemoryStore())
        for client in found.clients:
            client.consent().grant(client.survey.sentences)
        return found

    def copied(self, begun: Begun, address: str, network: Network) -> Person:
        """The same device once more, as from a backup of it."""
        store = MemoryStore()
        with self.store.transaction() as these, store.transaction() as those:
            for key in these.keys(""):
                those.put(key, these.get(key) or "")
        return Person(begun, self.number, address, network, store)

    def answer(self, way: str) -> None:
        """Answer whatever is asked now."""
        for client in self.clients:
            try:
                client.answer({"way": way})
            except ParameterError:  # the survey is over
                continue

    def flush(self) -> None:
        """Send what waits and is due."""
        self._network.address = self.address
        for client in self.clients:
            client.flush()
