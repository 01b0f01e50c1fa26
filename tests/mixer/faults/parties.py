"""A mixer that devices ask from addresses of their own, and a collector: both in this process, each on a folder."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from starlette.types import Message
from tests.collector.crowds import as_sent
from tests.collector.faults.backups import put_back
from tests.collector.worlds import Clock, Service

from deniable.collector.keys import KEYS, KeyFolder
from deniable.intake.refusals import Refused
from deniable.intake.storage.rows import Token
from deniable.intake.storage.sqlite import FILE, SqliteStore
from deniable.mixer.desk import Desk
from deniable.mixer.http.app import App
from deniable.mixer.sending import Reply
from deniable.protocol.device import transport

NOBODY = Token("nobody", b"", "admin", ())
"""The operator of the tests is the desk itself."""


@dataclass
class MixerHere:
    """A mixer, without the threads that keep it: it looks at what is due when it is told to."""

    folder: Path
    clock: Clock

    def start(self) -> None:
        """Begin, or go on with what the folder holds."""
        self.app = App(lambda: SqliteStore(self.folder, self.clock), NOBODY, 0)
        self.app.intake.steady = self.clock.steady
        self.app.intake.start()
        self.app.mixer.begin()
        self.app.mixer.keep()
        self.desk = Desk(self.app.intake, self.app.mixer)

    def stop(self) -> None:
        """End in good order."""
        self.app.mixer.courier.wait()
        self.app.intake.stop()

    def copy_to(self, folder: Path) -> None:
        """Copy all of the folder, as who makes images of a disk does."""
        self.stop()
        shutil.copytree(self.folder, folder)
        self.start()

    def put_back(self, folder: Path, alone: bool) -> None:
        """Go on with an older copy: of all of it, or of the storage's file alone, which is noticed."""
        self.stop()
        if alone:
            put_back(folder / FILE, self.folder)
        else:
            shutil.rmtree(self.folder)
            shutil.copytree(folder, self.folder)
        self.start()

    @property
    def held(self) -> bytes:
        """All that the folder holds."""
        return b"".join(path.read_bytes() for path in self.folder.rglob("*") if path.is_file())

    def answer(self, address: str, method: str, path: str, body: bytes, code: str | None) -> transport.Reply:
        """What it replies to a device at an address."""
        headers = [(b"content-type", b"application/octet-stream")]
        headers += [] if code is None else [(b"authorization", f"Invitation {code}".encode())]
        scope = {
            "type": "http", "http_version": "1.1", "method": method, "scheme": "https", "path": path, "root_path": "",
            "query_string": b"", "headers": headers, "server": ("mixer.example", 443), "client": (address, 50_000),
        }  # fmt: skip
        said: list[Message] = []

        async def receive() -> Message:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Message) -> None:
            said.append(message)

        asyncio.run(self.app(scope, receive, send))
        told = {name.decode(): value.decode() for name, value in said[0]["headers"]}
        return transport.Reply(said[0]["status"], told, b"".join(part.get("body", b"") for part in said))


@dataclass
class CollectorHere:
    """A collector, with its keys beside its storage."""

    folder: Path
    clock: Clock
    backups: list[Path] = field(default_factory=list)

    def start(self) -> None:
        """Begin, or go on with what the folder holds."""
        data, keys = self.folder / "data", KeyFolder(self.folder / KEYS)
        self.service = Service(self.clock, lambda: SqliteStore(data, self.clock), keys=keys)
        self.service.__enter__()

    def stop(self) -> None:
        """End in good order."""
        self.service.__exit__()

    def back_up(self) -> None:
        """A backup of the storage, which has no keys."""
        self.backups.append(self.folder / f"backup {len(self.backups)}")
        self.service.desk.backup(self.backups[-1])

    def restore(self, backup: Path) -> None:
        """Put a backup in the place of the storage."""
        self.stop()
        put_back(backup, self.folder / "data")
        self.start()

    def lose_keys(self) -> None:
        """The folder of keys is elsewhere."""
        (self.folder / KEYS).rename(self.folder / "elsewhere")

    def find_keys(self) -> None:
        """It is there again, beside what was written meanwhile."""
        shutil.copytree(self.folder / "elsewhere", self.folder / KEYS, dirs_exist_ok=True)
        shutil.rmtree(self.folder / "elsewhere")

    def keep(self) -> None:
        """Close what has come, and destroy keys."""
        self.service.keeper.keep()
        self.service.crowds.look()

    def answer(self, method: str, url: str, body: bytes) -> Reply:
        """What it replies to a mixer."""
        parts = urlsplit(url)
        _, _, _, digest, _, period, _ = parts.path.split("/")
        told = {name: int(value) for name, [value] in parse_qs(parts.query).items()}
        return _replied(lambda: self._done(digest, period, None if method == "HEAD" else (body, told)))

    def _done(self, digest: str, period: str, put: tuple[bytes, dict[str, int]] | None) -> Reply:
        desk = self.service.parcels
        row = desk.survey(digest)
        if put is None:
            return Reply(200, f'"{desk.came(row, period)}"', b"", False)
        body, told = put
        found = desk.take(row, period, as_sent(body, told["withheld"], told["codes"]))
        return Reply(200, "", json.dumps(found.reply).encode(), False)


def _replied(call: Callable[[], Reply]) -> Reply:
    try:
        return call()
    except Refused as refused:
        return Reply(refused.refusal.status, "", b"", refused.refusal.retry_after is not None)
