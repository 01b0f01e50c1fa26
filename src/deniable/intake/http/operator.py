"""How commands speak to a collector: to the one that runs on a folder, or to one that runs for the command alone."""

from __future__ import annotations

import http.client
import json
import shutil
import socket
import ssl
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import quote

from deniable.intake.http.server import ADMIN_FILE, Server, listen
from deniable.intake.private_files import give_to_owner
from deniable.intake.storage.sqlite import FILE
from deniable.protocol.checks import shown
from deniable.protocol.errors import FormatError, ParameterError, StoreError

SECONDS = 600
UNIX = "unix:"
SHORTEST = 6
"""How many digits of a digest name a survey at least; fewer are more likely a slip than meant."""


class UnixHandler(urllib.request.HTTPHandler):
    """Speaks HTTP over a socket in the file system."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self._path = path

    def http_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
        """Open the socket in the place of a host."""
        return self.do_open(self._connection, request)

    def _connection(self, host: str, **options: Any) -> http.client.HTTPConnection:
        connection = http.client.HTTPConnection(host, **options)
        connection.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.sock.settimeout(options.get("timeout", SECONDS))
        connection.sock.connect(self._path)
        return connection


class Operator(NamedTuple):
    """A connection to a collector with an admin's token."""

    url: str
    token: str
    root: str | None = None
    """The certificate that is trusted, where HTTPS is spoken."""

    def ask(self, method: str, path: str, fields: Any = None) -> Any:
        """The JSON of a reply; a problem is raised in its own words."""
        with self._opened(method, path, None if fields is None else json.dumps(fields).encode()) as reply:
            body = reply.read()
        return json.loads(body) if body else None

    def address(self, path: str) -> str:
        """A page as a browser opens it; of one that a proxy answers for, only that knows the host."""
        return self.url + path if path.startswith("/enter/") and not self.url.startswith(UNIX) else path

    def put_document(self, document: bytes, more: Mapping[str, str] = MappingProxyType({})) -> Any:
        """Hand in a survey, with more headers."""
        with self._opened("PUT", "/v1/surveys", document, more) as reply:
            return json.loads(reply.read())

    def give_token(self, name: str, scope: str, surveys: list[str]) -> Any:
        """A new token, which is shown once; one of this name is replaced."""
        return self.ask("PUT", path_of("tokens", name), {"scope": scope, "surveys": surveys})

    def back_up(self, name: str) -> Any:
        """Have a backup written beside the storage."""
        return self.ask("PUT", path_of("backups", name))

    def download(self, path: str, target: Path) -> None:
        """Write the body of a reply into a file."""
        with self._opened("GET", path) as reply, target.open("wb") as file:
            shutil.copyfileobj(reply, file)

    def digest_of(self, name: str) -> str:
        """The digest of a survey that is given by its name, which means its newest, or by the digest's beginning."""
        surveys = self.ask("GET", "/v1/status")
        named = [str(row["digest"]) for row in surveys if row["name"] == name]
        if named:
            return named[-1]
        begun = [str(row["digest"]) for row in surveys if row["digest"].startswith(name) and len(name) >= SHORTEST]
        if not begun:
            raise ParameterError(
                f"the survey must be the name or the digest of one that is served, or {SHORTEST} or more of the "
                f"digest's first digits, got {shown(name)}"
            )
        if len(begun) > 1:
            raise ParameterError(f"the survey must be one, got the beginning of {len(begun)} digests")
        return begun[0]

    def document(self, digest: str) -> bytes:
        """The document of a survey, to the byte."""
        with self._opened("GET", f"/v1/surveys/{digest}") as reply:
            written: bytes = reply.read()
        return written

    def _opened(
        self, method: str, path: str, body: bytes | None = None, more: Mapping[str, str] = MappingProxyType({})
    ) -> Any:
        headers = {"Authorization": f"Bearer {self.token}", **more}
        within = self.url.startswith(UNIX)
        url = "http://localhost" if within else self.url
        request = urllib.request.Request(url + path, body, headers, method=method)
        own = (
            UnixHandler(self.url.removeprefix(UNIX))
            if within
            else urllib.request.HTTPSHandler(context=_trusting(self.root))
        )
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}), own)
        try:
            return direct.open(request, timeout=SECONDS)
        except urllib.error.HTTPError as error:
            raise ParameterError(_detail(error)) from None
        except OSError as error:
            raise StoreError(f"the collector at {self.url} must answer, got {_reason(error)}") from None


def _reason(error: OSError) -> str:
    """Why nothing answered, in a few words."""
    cause = getattr(error, "reason", error)
    if isinstance(cause, ssl.SSLCertVerificationError):
        return f"a certificate that cannot be trusted: {cause.verify_message}"
    return type(cause if isinstance(cause, OSError) else error).__name__


def _detail(error: urllib.error.HTTPError) -> str:
    try:
        return str(json.loads(error.read())["detail"])
    except (ValueError, KeyError, TypeError):
        return f"the collector must answer with a result, got status {error.code}"


@contextmanager
def served(data: Path, server: Server, why: str) -> Iterator[Operator]:
    """A server that runs until the block ends; ``why`` says why the one whose address is there was not asked."""
    with ThreadPoolExecutor(1) as pool:
        ended = pool.submit(server.run_on, listen("127.0.0.1", 0))
        while not ended.done() and not server.told.wait(0.05):
            pass
        if ended.done():
            _told_of(ended, why)
        try:
            yield _read(data / ADMIN_FILE)
        finally:
            server.should_exit = True
    (data / ADMIN_FILE).unlink(missing_ok=True)
    give_to_owner(data)


@contextmanager
def connected_to(data: Path, make: Callable[[], Server], kept: str, begin: str | None) -> Iterator[Operator]:
    """Whoever runs on a folder; where nobody does, a server that is made for it and runs until the block ends.

    It must be ``kept`` by such a server already, which the command ``begin`` begins; None where that need not be.
    """
    found = found_on(data)
    if isinstance(found, Operator):
        yield found
        return
    if begin is not None and not (data / FILE).exists():
        raise ParameterError(f"data must be {kept}, got {data}, which is none; {begin} --data {data} begins one")
    with served(data, make(), found) as operator:
        yield operator


def running(data: Path, what: str = "a collector", begin: str = "deniable serve") -> Operator:
    """The server that runs on a folder; refused where there is none of ``what`` the command ``begin`` begins."""
    found = found_on(data)
    if isinstance(found, Operator):
        return found
    why = f": {found}" if found else ""
    raise ParameterError(f"{what} must run on {data}, got none{why}; {begin} --data {data} starts one")


def found_on(data: Path) -> Operator | str:
    """The collector whose address is in the folder, if it answers; else why not, if there is an address."""
    if not (data / ADMIN_FILE).exists():
        return ""
    operator = _read(data / ADMIN_FILE)
    try:
        operator.ask("GET", "/v1/status")
    except (StoreError, ParameterError) as error:  # it was killed, and something else may listen there now
        return str(error)
    return operator


def _told_of(ended: Future[None], why: str) -> None:
    """Say why the storage could not be opened; and if a collector may have it, why that one was not asked."""
    try:
        ended.result()
    except StoreError as error:
        raise StoreError(f"{error}; asked first: {why}" if why else str(error)) from None


def _read(path: Path) -> Operator:
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        return Operator(str(told["url"]), str(told["token"]), told.get("root"))
    except (OSError, ValueError, KeyError, TypeError):
        raise FormatError(f"{path} must hold an address and a token in JSON, got a file without them") from None


def _trusting(root: str | None) -> ssl.SSLContext:
    """Trust nothing but the certificate that the server's own folder names, under whatever name it is reached."""
    context = ssl.create_default_context(cafile=root)
    if root is not None:
        context.check_hostname = False
        context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    return context


def path_of(*parts: str) -> str:
    """The address of something that is named by parts, whatever characters are in them but slashes."""
    for part in parts:
        if "/" in part:
            raise ParameterError(f"a name must be without slashes, got {part}")
    return "/".join(["/v1", *(quote(part, safe="") for part in parts)])


def period_path(digest: str, period: str, what: str) -> str:
    """The address of something of a period."""
    return f"{path_of('surveys', digest, 'periods', period)}/{what}"
