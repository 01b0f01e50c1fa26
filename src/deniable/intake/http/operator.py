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
    """A connection to a collector or a mixer with its operator's token."""

    url: str
    token: str
    root: str | None = None
    """The certificate that is trusted, where HTTPS is spoken."""
    party: str = ""
    """Whose server it is: a collector or a mixer."""

    def ask(self, method: str, path: str, fields: Any = None) -> Any:
        """The JSON of a reply; a problem is raised in its own words."""
        with self._opened(method, path, None if fields is None else json.dumps(fields).encode()) as reply:
            body = reply.read()
        return json.loads(body) if body else None

    def address(self, path: str) -> str:
        """A page as a browser opens it; of one that a proxy answers for, only that knows the host."""
        return self.url + path if path.startswith("/enter/") and not self.url.startswith(UNIX) else path

    def put_document(self, document: bytes, headers: Mapping[str, str] = MappingProxyType({})) -> Any:
        """Hand in a survey, with ``headers`` beside the token."""
        with self._opened("PUT", "/v1/surveys", document, headers) as reply:
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
        matching = [str(row["digest"]) for row in surveys if row["digest"].startswith(name) and len(name) >= SHORTEST]
        if not matching:
            raise ParameterError(
                f"the survey must be the name or the digest of one that is served, or {SHORTEST} or more of the "
                f"digest's first digits, got {shown(name)}"
            )
        if len(matching) > 1:
            raise ParameterError(f"the survey must be one, got the beginning of {len(matching)} digests")
        return matching[0]

    def document(self, digest: str) -> bytes:
        """The document of a survey, to the byte."""
        with self._opened("GET", f"/v1/surveys/{digest}") as reply:
            written: bytes = reply.read()
        return written

    def _opened(
        self, method: str, path: str, body: bytes | None = None, extra_headers: Mapping[str, str] = MappingProxyType({})
    ) -> Any:
        """The reply to a request, still open; refused with the reason that the server gives, or where none answers."""
        headers = {"Authorization": f"Bearer {self.token}", **extra_headers}
        is_unix = self.url.startswith(UNIX)
        url = "http://localhost" if is_unix else self.url
        request = urllib.request.Request(url + path, body, headers, method=method)
        handler = (
            UnixHandler(self.url.removeprefix(UNIX))
            if is_unix
            else urllib.request.HTTPSHandler(context=_tls_context(self.root))
        )
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), handler)
        try:
            return opener.open(request, timeout=SECONDS)
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
        running_server = pool.submit(server.run_on, listen("127.0.0.1", 0))
        while not running_server.done() and not server.is_announced.wait(0.05):
            pass
        if running_server.done():
            _raise_failure(running_server, why)
        try:
            yield _read(data / ADMIN_FILE)
        finally:
            server.should_exit = True
    (data / ADMIN_FILE).unlink(missing_ok=True)
    give_to_owner(data)


@contextmanager
def connected_to(data: Path, make: Callable[[], Server], party: str, command: str | None) -> Iterator[Operator]:
    """The server that runs on a folder; where none does, one that ``make`` makes and that runs until the block ends.

    The folder must be that of such a ``party`` already, which ``command`` begins; None where that need not be.
    """
    found = found_on(data, party)
    if isinstance(found, Operator):
        yield found
        return
    if command is not None and not (data / FILE).exists():
        raise ParameterError(
            f"data must be a {party}'s folder, got {data}, which is none; {command} --data {data} begins one"
        )
    with served(data, make(), found) as operator:
        yield operator


def running(data: Path, party: str, command: str) -> Operator:
    """The server of a ``party`` that runs on a folder; refused where none does, which ``command`` starts."""
    found = found_on(data, party)
    if isinstance(found, Operator):
        return found
    why = f": {found}" if found else ""
    raise ParameterError(f"a {party} must run on {data}, got none{why}; {command} --data {data} starts one")


def found_on(data: Path, party: str) -> Operator | str:
    """The server whose address is in the folder, if it answers; else why not, or nothing if there is no address.

    Refused where it is not such a ``party``'s: what a mixer's command reads of a collector's survey is not true of it.
    """
    if not (data / ADMIN_FILE).exists():
        return ""
    operator = _read(data / ADMIN_FILE)
    if operator.party != party:
        raise ParameterError(f"data must be a {party}'s folder, got {data}, which is a {operator.party}'s")
    try:
        operator.ask("GET", "/v1/status")
    except (StoreError, ParameterError) as error:  # it was killed, and something else may listen there now
        return str(error)
    return operator


def _raise_failure(failed: Future[None], why: str) -> None:
    """Say why the storage could not be opened; and if a collector may have it, why that one was not asked."""
    try:
        failed.result()
    except StoreError as error:
        raise StoreError(f"{error}; asked first: {why}" if why else str(error)) from None


def _read(path: Path) -> Operator:
    """The connection to the server that wrote this file."""
    try:
        fields = json.loads(path.read_text(encoding="utf-8"))
        return Operator(str(fields["url"]), str(fields["token"]), fields.get("root"), str(fields["party"]))
    except (OSError, ValueError, KeyError, TypeError):
        raise FormatError(f"{path} must hold an address and a token in JSON, got a file without them") from None


def _tls_context(root: str | None) -> ssl.SSLContext:
    """Trust nothing but the certificate that the server's own folder names, under whatever name it is reached."""
    context = ssl.create_default_context(cafile=root)
    if root is not None:
        context.check_hostname = False
        context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    return context


def path_of(*parts: str) -> str:
    """The path below /v1 of what is named by parts, whatever characters are in them but slashes."""
    for part in parts:
        if "/" in part:
            raise ParameterError(f"a name must be without slashes, got {part}")
    return "/".join(["/v1", *(quote(part, safe="") for part in parts)])


def period_path(digest: str, period: str, what: str) -> str:
    """The address of something of a period."""
    return f"{path_of('surveys', digest, 'periods', period)}/{what}"
