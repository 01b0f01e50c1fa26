"""An application on uvicorn, with a file that says where it listens."""

from __future__ import annotations

import asyncio
import errno
import faulthandler
import gc
import ipaddress
import json
import os
import re
import signal
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, Protocol

import uvicorn

from deniable.intake.access import OPERATOR, hash_of, new_secret
from deniable.intake.events import warn
from deniable.intake.http.application import Application, of_another_party
from deniable.intake.http.callers import MOST_CALLS, Callers
from deniable.intake.http.certificates import TlsFiles, fingerprint_of, is_everywhere, names_of, own_address, self_made
from deniable.intake.http.guard import SOCKET, close_late, guarding, raise_file_limit
from deniable.intake.http.renewal import Renewal
from deniable.intake.http.thread_turns import LoadedObjects, take_short_turns
from deniable.intake.private_files import give_to_owner, leave_no_core, make_folder, write_if_room, write_private
from deniable.intake.storage.opening import opened_in_time
from deniable.intake.storage.rows import Token
from deniable.intake.storage.sqlite import SqliteStore
from deniable.intake.storage.store import Store, UncertainError
from deniable.protocol.errors import ParameterError, StoreError

ADMIN_FILE = "server.json"
BACKLOG = 2048
LOOPBACK = "127.0.0.1"
"""Where commands reach a server that listens everywhere: a token never travels through a network for them."""
ROOT_PATH = re.compile("(/[A-Za-z0-9._~-]+)+")
GRACE = 20
"""Seconds for requests under way when the server is told to stop."""
LONGEST_END = 50
"""Seconds after which it ends even so: a page may still be worked out, and what was acknowledged is on the disk."""


@dataclass(frozen=True)
class Settings:
    """How a collector or a mixer is served."""

    data: Path
    host: str = "127.0.0.1"
    port: int = 8080
    database: str | None = None
    trusted_proxies: Sequence[str] = ()
    rate: int = 6000
    """Uploads a minute from one address; 0 for any number."""
    ready_file: Path | None = None
    tls: bool = False
    """Whether HTTPS is spoken, by a certificate that is made here unless there is one."""
    certificate: tuple[Path, Path] | None = None
    """The operator's own certificate with its chain, and its key."""
    root_path: str = ""
    """What a proxy takes off the front of every address before it asks here, such as /surveys."""
    lan: str | None = None
    """An address in a private network, where phones in one room are asked as well, over plain HTTP."""
    keys: Path | None = None
    """The folder of the keys that answers are sealed for; within that of the data unless it is said."""
    unix_socket: Path | None = None
    """Where to listen instead of an address: whoever may open it is a proxy whose word is taken."""

    def before_pages(self, url: str) -> str:
        """What stands before the address of a page: the server's URL, or the root path where a proxy knows its host."""
        return url if self.unix_socket is None and not self.root_path else self.root_path

    def files(self) -> TlsFiles | None:
        """What HTTPS is spoken with, if it is."""
        if self.certificate is not None:
            certificate, key = self.certificate
            return TlsFiles(certificate, key, certificate)
        return self_made(self.data, names_of(self.host)) if self.tls else None

    def store(self) -> Callable[[], Store]:
        """Opens the storage."""
        if self.database is None:
            return lambda: SqliteStore(self.data)
        from deniable.intake.storage.postgres import PostgresStore

        database = self.database
        return lambda: PostgresStore(database)

    def lines(self) -> list[str]:
        """The settings as lines for people, without a secret."""
        storage = f"SQLite in {self.data}" if self.database is None else "PostgreSQL"
        proxies = ", ".join(self.trusted_proxies) or (
            "none" if self.unix_socket is None else "whoever opens the socket"
        )
        rate = f"{self.rate} uploads a minute from one address" if self.rate else "no limit for one address"
        return [f"storage: {storage}", f"trusted proxies: {proxies}", f"rate: {rate}", *self._trust()]

    def _trust(self) -> list[str]:
        """How other devices come to trust a certificate that was made here."""
        files = self.files()
        if files is None or self.certificate is not None:
            return []
        return [
            f"certificate: made here; devices that trust {files.root} see no warning",
            f"its fingerprint (SHA-256): {fingerprint_of(files.root)}",
        ]


class Server(uvicorn.Server):
    """A server that says where it listens once it does: for people, and for commands on this machine."""

    def __init__(self, app: Application, options: dict[str, Any], started: Callable[[str, str], None]) -> None:
        super().__init__(uvicorn.Config(app, **options))
        self._app = app
        self._tell, self._loaded = started, LoadedObjects()
        self.renewal: Renewal | None = None
        """Of the certificate, if HTTPS is spoken."""
        self.renew = False
        """Whether somebody asked for the certificate to be read again."""
        self.is_announced = threading.Event()
        """Set once it listens and has said so."""

    def run_on(self, *listening: socket.socket) -> None:
        """Serve on sockets until told to stop; raises why it could not start."""
        try:
            self.run([*listening])
        except SystemExit:
            raise self._app.failure or StoreError("the collector must be able to start, got one that ended") from None

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Told to stop by a signal: what does not end in time is printed, and ends with the process."""
        shown = sys.__stderr__ or os.open(os.devnull, os.O_WRONLY)
        faulthandler.dump_traceback_later(LONGEST_END, exit=True, file=shown)
        super().handle_exit(sig, frame)

    async def on_tick(self, counter: int) -> bool:
        """Ten times a second: see to what is due."""
        if counter % 10 == 0:
            close_late(self.server_state.connections, asyncio.get_running_loop().time())
            self._loaded.spare()
            if self.renewal is not None:
                at_once, self.renew = self.renew, False
                await asyncio.to_thread(self.renewal.check, at_once)
                self._app.intake.metrics.certificate.set(self.renewal.end)
        return await super().on_tick(counter)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen, then tell the address."""
        await super().startup(sockets)
        if self.started:
            others = [server.sockets[0].getsockname() for server in self.servers[1:]]
            self._app.listens_also([self._address(*address[:2]) for address in others])
            self._tell(*self._addresses(self.servers[0].sockets[0].getsockname()))
            self.is_announced.set()

    def _addresses(self, listening: Any) -> tuple[str, str]:
        """Where others reach the server, and where commands on this machine do."""
        if isinstance(listening, str):
            return f"unix:{listening}", f"unix:{listening}"
        host, port = listening[:2]
        public, local = (own_address(), LOOPBACK) if is_everywhere(host) else (host, host)
        return self._address(public, port), self._address(local, port)

    def _address(self, host: str, port: int) -> str:
        scheme = "https" if self.config.is_ssl else "http"
        return f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}"


MakeApplication = Callable[[Callable[[], Store], Token], Application]
"""Makes an application of what opens the storage, and of its operator."""


class Face(Protocol):
    """What browsers see of a server."""

    def start(self) -> None:
        """Begin what goes on beside its pages; called once, in the pages' loop."""

    def lines(self, url: str) -> list[str]:
        """What to say of them once the server listens."""


@dataclass(frozen=True)
class Site:
    """A server's pages, if it has any, and what it says of itself once it listens."""

    face: Face | None
    doing: str
    """What it does, in a word that its address follows: collecting, mixing."""

    def start(self) -> None:
        """Begin what goes on beside its pages."""
        if self.face is not None:
            self.face.start()

    def lines(self, url: str) -> list[str]:
        """What to say of its pages."""
        return [] if self.face is None else self.face.lines(url)


def serve(server: Server, settings: Settings) -> int:
    """Serve until told to stop; the exit status."""
    listening = listening_to(settings)
    in_the_room = [] if settings.lan is None else [listen(settings.lan, listening.getsockname()[1])]
    take_short_turns()
    leave_no_core()
    gc.collect()  # now, as what is loaded is never looked through again
    signal.signal(signal.SIGTERM, _ended)  # uvicorn stops in good order, then sends the signal once more
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, lambda *_: setattr(server, "renew", True))
    try:
        server.run_on(listening, *in_the_room)
    except UncertainError as error:  # it was told to stop while it waited for the database
        warn("the collector ends", error)
    finally:
        for path in (settings.data / ADMIN_FILE, settings.ready_file, settings.unix_socket):
            if path is not None and server.started:
                path.unlink(missing_ok=True)
        give_to_owner(settings.data)
    return 0


def listening_to(settings: Settings) -> socket.socket:
    """A socket that listens where the settings say."""
    if settings.unix_socket is None:
        return listen(settings.host, settings.port)
    return listen_at(settings.unix_socket)


def listen_at(path: Path) -> socket.socket:
    """A socket in the file system, for its owner and group; refused if a server listens there."""
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        if probe.connect_ex(str(path)) == 0:
            raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))
    if path.is_socket():  # of a server that was killed
        path.unlink()
    listening.bind(str(path))
    path.chmod(0o660)
    listening.listen(BACKLOG)
    return listening


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens, on "::" by both families; refused by the system if the port is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    both = host == "::" and socket.has_dualstack_ipv6()
    return socket.create_server((host, port), family=family, backlog=BACKLOG, dualstack_ipv6=both)


def _ended(_signal: int, _frame: object) -> None:
    """Handle the signal that uvicorn sends once more after it has stopped: nothing is left to do."""


def make_server(
    settings: Settings, say: Callable[[str], None], make_application: MakeApplication, site: Site, patient: bool = False
) -> Server:
    """A server that writes its address, with an admin's token, into the folder of its data once it listens.

    A ``patient`` one waits for a database that is out of reach.
    """
    make_folder(settings.data)
    secret, files = new_secret(), settings.files()

    def started(public_url: str, local_url: str) -> None:
        public = {"url": public_url, "pid": os.getpid()}
        root = {} if files is None else {"root": str(files.root.resolve())}
        commands = {**public, "url": local_url, **root, "token": secret, "party": app.party}
        if not write_if_room(settings.data / ADMIN_FILE, json.dumps(commands).encode()):
            warn("commands do not find this server", f"the disk is full at {settings.data}; start it again with room")
        app.beside.call(site.start)
        if settings.ready_file is not None:
            write_private(settings.ready_file, json.dumps(public).encode())
        pages = site.lines(settings.before_pages(public_url))
        for line in [f"{site.doing} at {public_url}", *settings.lines(), *pages]:
            say(line)

    operator = Token(OPERATOR, hash_of(secret), "admin", (), OPERATOR)
    server: Server
    store = settings.store()
    app = make_application(partial(opened_in_time, store, lambda: server.should_exit) if patient else store, operator)
    if (other := _party_on(settings.data)) not in ("", app.party):
        raise of_another_party(app.party, other)
    tls = {} if files is None else {"ssl_certfile": str(files.certificate), "ssl_keyfile": str(files.key)}
    server = Server(app, {**_options(settings), **tls}, started)
    if files is not None:
        server.config.load()
        assert server.config.ssl is not None
        server.renewal = Renewal(server.config.ssl, files.certificate, files.key)
    return server


def _party_on(data: Path) -> str:
    """Whose server wrote its address into a folder, whether it runs or not."""
    with suppress(OSError, ValueError, AttributeError):
        return str(json.loads((data / ADMIN_FILE).read_text(encoding="utf-8")).get("party", ""))
    return ""


def _options(settings: Settings) -> dict[str, Any]:
    """The options of uvicorn. No line about a request is ever written: it would hold an address and a time."""
    room = raise_file_limit()
    proxies = [SOCKET] if settings.unix_socket is not None else list(settings.trusted_proxies)
    return {
        "http": guarding(Callers(settings.trusted_proxies, min(MOST_CALLS, room // 4))),
        "limit_concurrency": room,
        "proxy_headers": bool(proxies),
        "forwarded_allow_ips": proxies,
        "access_log": False,
        "log_level": "critical",
        "server_header": False,
        "date_header": True,
        "lifespan": "on",
        "ws": "none",
        "backlog": BACKLOG,
        "timeout_graceful_shutdown": GRACE,
    }


def check_root(path: str) -> str:
    """What stands before all addresses, such as /surveys; nothing if they begin with a slash alone."""
    root = path.rstrip("/")
    if root and not ROOT_PATH.fullmatch(root):
        raise ParameterError(f"--root-path must be a path such as /surveys, got {path!r}")
    return root


def check_proxies(proxies: Sequence[str]) -> Sequence[str]:
    """Addresses of proxies, or networks of them, that are trusted to tell a client's address; never everybody's."""
    for proxy in proxies:
        try:
            network = ipaddress.ip_network(proxy, strict=False)
        except ValueError:
            raise ParameterError(f"a trusted proxy must be an address or a network, got {proxy!r}") from None
        if network.prefixlen == 0:
            raise ParameterError(f"a trusted proxy must be an address or a network, got {proxy}, which is everybody")
    return proxies
