"""Devices of any port, which a driver steers: a program that does commands, and says in JSON what came of each.

A command is an object with `client` and `store` (names), `does` (what to do) and `given` (a list). What comes of it is
`{"value": ...}`, or `{"error": ..., "message": ...}` with the name that the error has in Python. A driver reads each
command from a line, and writes what came of it on a line; a page has a function of it. A store is on disk if its name
has a slash.

| does | with | |
|---|---|---|
| open | options | make the client; its digest, sentences and mode |
| at | seconds | set the client's clock |
| granted, grant, withdraw | nothing, the sentences shown, nothing | consent |
| answer, answers | one answer, a list of them at once | receipts |
| flush, flushes | nothing, how many times at once | receipts |
| next | nothing | begin the next person's turn |
| receipts, spent, facts | nothing | as the client says it |
| outcomes | an answer | pairs of a payload and its probability |
| texts, put | nothing, a key and a text | read the store as pairs of a key and a text, alter it |
| exists, wipe | nothing | whether there is a store on disk; remove it |
| full | whether it is | the client's store refuses to be written |
| track | a text | what `DO_NOT_TRACK` says from now on; in browsers, Global Privacy Control |

Keys of stores begin with `consent/`, `topic/`, `enrolled/` and `answer/`, of a kiosk's survey after `kiosk/` and its
digest; the texts are a port's own.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from tests.clients.conduct.surveys import BUS
from tests.clients.typescript.package import PACKAGE

import deniable as dn
from deniable import protocol
from deniable.protocol import Receipt

Perform = Callable[[dict[str, Any]], str]
"""Sends a command to where the devices are; what comes of it, as JSON."""
COMMANDS = {
    "python": [sys.executable, str(Path(__file__).with_name("python_driver.py"))],
    "node": ["node", str(PACKAGE / "build" / "test" / "remote.js")],
}
"""The drivers that are programs. A port in another language adds its own."""
NUMBERS = count()


def receipt_of(told: Mapping[str, Any]) -> Receipt:
    """A receipt as a driver tells it."""
    return Receipt(**{**told, "bytes": bytes.fromhex(told["bytes"])})


class Devices:
    """Clients in one process or one page, and their stores."""

    def __init__(self, kind: str, perform: Perform) -> None:
        self.kind, self._perform = kind, perform

    def do(self, command: Mapping[str, Any]) -> Any:
        """What a command comes to, or the error that it ends with."""
        told = json.loads(self._perform(dict(command)))
        if "error" in told:
            raise getattr(protocol, told["error"], AssertionError)(told["message"])
        return told["value"]

    def track(self, wish: str) -> None:
        """Say that whoever uses these devices does not want to be tracked, or no longer."""
        self.do({"client": "", "does": "track", "given": [wish], "store": ""})

    def open(self, endpoint: str | None, survey: dn.Survey | str, store: str = "", **options: Any) -> Device:
        """A client of a survey, or of its text or digest; without an endpoint it is the survey's own."""
        text = survey if isinstance(survey, str) else survey.to_json()
        kept = store or f"store {next(NUMBERS)}"
        where = {} if endpoint is None else {"endpoint": endpoint}
        return Device(self, kept, {**where, "survey": text, **options})

    def agreed(self, endpoint: str | None, survey: dn.Survey | str, store: str = "", **options: Any) -> Device:
        """A client whose person has agreed."""
        device = self.open(endpoint, survey, store, **options)
        device.grant()
        return device


class Device:
    """A client of a survey, and its store."""

    def __init__(self, devices: Devices, store: str, options: Mapping[str, Any]) -> None:
        self._devices, self.store, self._name = devices, store, f"client {next(NUMBERS)}"
        told = self._do("open", options)
        self.digest: str = told["digest"]
        self.sentences: list[str] = told["sentences"]
        self.mode: str = told["mode"]

    def _do(self, does: str, *given: Any) -> Any:
        return self._devices.do(self.command(does, *given))

    def command(self, does: str, *given: Any) -> dict[str, Any]:
        """A command to this client, for a test that sends it itself."""
        return {"client": self._name, "does": does, "given": given, "store": self.store}

    def at(self, moment: float) -> Device:
        """The device, at a moment of its clock."""
        self._do("at", moment)
        self.moment = moment
        return self

    def grant(self, shown: Sequence[str] | None = None) -> None:
        """Agree to what was shown, by default the survey's sentences."""
        self._do("grant", self.sentences if shown is None else shown)

    def withdraw(self) -> None:
        """No longer agree."""
        self._do("withdraw")

    def next(self) -> None:
        """Begin the next person's turn."""
        self._do("next")

    @property
    def granted(self) -> bool:
        """Whether they agreed."""
        return bool(self._do("granted"))

    def answer(self, given: Mapping[str, Any] = BUS) -> Receipt:
        """Answer; the receipt."""
        return receipt_of(self._do("answer", given))

    def answers(self, given: Sequence[Mapping[str, Any]]) -> list[Receipt]:
        """Answer many times at once."""
        return list(map(receipt_of, self._do("answers", given)))

    def flush(self) -> list[Receipt]:
        """Send; all receipts."""
        return list(map(receipt_of, self._do("flush")))

    def flushes(self, times: int) -> list[list[Receipt]]:
        """Send many times at once; all receipts after each."""
        return [list(map(receipt_of, each)) for each in self._do("flushes", times)]

    def sent_again(self, later: float = 1e6) -> Receipt:
        """The receipt after another attempt, when it is certainly due."""
        return self.at(self.moment + later).flush()[-1]

    def receipts(self) -> list[Receipt]:
        """All receipts, the oldest first."""
        return list(map(receipt_of, self._do("receipts")))

    @property
    def last(self) -> Receipt:
        """The receipt of the last answer."""
        return self.receipts()[-1]

    def spent(self) -> Any:
        """What has been spent."""
        return self._do("spent")

    def outcomes(self, given: Mapping[str, Any] = BUS) -> Any:
        """Every payload, with its probability."""
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

    def exists(self) -> bool:
        """Whether there is a store on disk, be it empty."""
        return bool(self._do("exists"))

    def wipe(self) -> None:
        """Remove the store."""
        self._do("wipe")

    def full(self, is_full: bool) -> None:
        """Let this client's disk be full, or no longer."""
        self._do("full", is_full)

    def put(self, key: str, text: str) -> None:
        """Alter the store."""
        self._do("put", key, text)


@contextmanager
def in_process(kind: str) -> Iterator[Devices]:
    """Devices in a process of its own, which logs nothing."""
    pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(COMMANDS[kind], encoding="utf-8", **pipes) as running:
        commands, replies, logged = running.stdin, running.stdout, running.stderr
        assert commands is not None
        assert replies is not None
        assert logged is not None

        def perform(command: dict[str, Any]) -> str:
            commands.write(json.dumps(command) + "\n")
            commands.flush()
            return str(replies.readline())

        yield Devices(kind, perform)
        commands.close()
        assert logged.read() == ""
