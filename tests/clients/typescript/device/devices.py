"""Devices of the TypeScript client as the tests of the Python client know theirs; the same errors are raised."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import deniable as dn
from deniable import protocol

BUS = {"way": "bus"}
Perform = Callable[[dict[str, Any]], str]
"""Sends a command to where the devices are; what comes of it, as JSON."""
NUMBERS = count()


def command(does: str, *given: Any, client: str, store: str) -> dict[str, Any]:
    """A command as test/devices.ts takes it."""
    return {"client": client, "does": does, "given": given, "store": store}


class Receipt(SimpleNamespace):
    """What became of an answer."""

    survey: str
    name: str
    topic: str
    charge: float
    state: str
    reason: str
    period: str | None
    bytes: str


class Devices:
    """Clients in one Node process or one page, and their stores."""

    def __init__(self, perform: Perform) -> None:
        self._perform = perform

    def do(self, does: str, *given: Any, client: str = "", store: str = "") -> Any:
        """What a command comes to, or the error that Python's client would raise."""
        told = json.loads(self._perform(command(does, *given, client=client, store=store)))
        if "error" in told:
            raise getattr(protocol, told["error"], AssertionError)(told["message"])
        return told["value"]

    def open(self, endpoint: str, survey: dn.Survey | str, store: str = "", **options: Any) -> Device:
        """A client of a survey, or of its text or digest."""
        text = survey if isinstance(survey, str) else survey.to_json()
        kept = store or f"store {next(NUMBERS)}"
        return Device(self, kept, {"endpoint": endpoint, "survey": text, **options})

    def agreed(self, endpoint: str, survey: dn.Survey | str, store: str = "", **options: Any) -> Device:
        """A client whose person has agreed."""
        device = self.open(endpoint, survey, store, **options)
        device.grant()
        return device


class Device:
    """A client of the TypeScript package."""

    def __init__(self, devices: Devices, store: str, options: Mapping[str, Any]) -> None:
        self._devices, self.store, self._name = devices, store, f"client {next(NUMBERS)}"
        told = self._do("open", options)
        self.digest: str = told["digest"]
        self.sentences: list[str] = told["sentences"]
        self.mode: str = told["mode"]

    def _do(self, does: str, *given: Any) -> Any:
        return self._devices.do(does, *given, client=self._name, store=self.store)

    def command(self, does: str, *given: Any) -> dict[str, Any]:
        """A command to this client, for a test that sends it itself."""
        return command(does, *given, client=self._name, store=self.store)

    def at(self, moment: float) -> Device:
        """The client, at a moment of its clock."""
        self._do("at", moment)
        self.moment = moment
        return self

    def grant(self, shown: Sequence[str] | None = None) -> None:
        """Agree to what was shown, by default the survey's sentences."""
        self._do("grant", self.sentences if shown is None else shown)

    def withdraw(self) -> None:
        """No longer agree."""
        self._do("withdraw")

    @property
    def granted(self) -> bool:
        """Whether they agreed."""
        return bool(self._do("granted"))

    def answer(self, given: Mapping[str, Any] = BUS) -> Receipt:
        """Answer; the receipt."""
        return Receipt(**self._do("answer", given))

    def answers(self, given: Sequence[Mapping[str, Any]]) -> list[Receipt]:
        """Answer many times at once."""
        return [Receipt(**told) for told in self._do("answers", given)]

    def flush(self) -> list[Receipt]:
        """Send; all receipts."""
        return [Receipt(**told) for told in self._do("flush")]

    def flushes(self, times: int) -> list[list[Receipt]]:
        """Send many times at once; all receipts after each."""
        return [[Receipt(**told) for told in each] for each in self._do("flushes", times)]

    def sent_again(self, later: float = 1e6) -> Receipt:
        """The receipt after another attempt, when it is certainly due."""
        return self.at(self.moment + later).flush()[-1]

    def receipts(self) -> list[Receipt]:
        """All receipts."""
        return [Receipt(**told) for told in self._do("receipts")]

    def spent(self) -> Any:
        """What has been spent."""
        return self._do("spent")

    def outcomes(self, given: Mapping[str, Any] = BUS) -> Any:
        """Every payload."""
        return self._do("outcomes", given)

    def facts(self) -> Any:
        """The label as numbers."""
        return self._do("facts")

    def watch(self) -> None:
        """Flush whenever that may help."""
        self._do("watch")

    def texts(self) -> dict[str, str]:
        """All that the store holds."""
        return dict(self._do("texts"))

    def records(self) -> list[Any]:
        """The answers that the store holds, the oldest first."""
        return [json.loads(text) for key, text in self.texts().items() if key.startswith("answer/")]

    def change(self, **changes: Any) -> None:
        """Alter the last answer in the store."""
        key, text = [(key, text) for key, text in self.texts().items() if key.startswith("answer/")][-1]
        self._do("put", key, json.dumps({**json.loads(text), **changes}))

    def put(self, key: str, text: str) -> None:
        """Alter the store."""
        self._do("put", key, text)


@contextmanager
def in_node(built: Path, environment: Mapping[str, str] | None = None) -> Iterator[Devices]:
    """Devices in a Node process."""
    command = ["node", str(built / "remote.js")]
    pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "env": environment}
    with subprocess.Popen(command, **pipes) as running:
        commands, replies = running.stdin, running.stdout
        assert commands is not None
        assert replies is not None

        def perform(command: dict[str, Any]) -> str:
            commands.write(json.dumps(command) + "\n")
            commands.flush()
            return str(replies.readline())

        yield Devices(perform)
        commands.close()
