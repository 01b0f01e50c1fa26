"""How commands speak to a collector: to the one that runs on a folder, or to one that runs for the command alone."""

from __future__ import annotations

import json
import shutil
import ssl
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from deniable.collector.http.server import ADMIN_FILE, Settings, listen, make_server
from deniable.collector.storage.sqlite import FILE
from deniable.errors import FormatError, ParameterError, StoreError

SECONDS = 600
SHORTEST = 6
"""How many digits of a digest name a survey at least; fewer are more likely a slip than meant."""


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

    def put_document(self, document: bytes) -> Any:
        """Hand in a survey."""
        with self._opened("PUT", "/v1/surveys", document) as reply:
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
                "digest's first digits, got another"
            )
        if len(begun) > 1:
            raise ParameterError(f"the survey must be one, got the beginning of {len(begun)} digests")
        return begun[0]

    def document(self, digest: str) -> bytes:
        """The document of a survey, to the byte."""
        with self._opened("GET", f"/v1/surveys/{digest}") as reply:
            written: bytes = reply.read()
        return written

    def _opened(self, method: str, path: str, body: bytes | None = None) -> Any:
        headers = {"Authorization": f"Bearer {self.token}"}
        request = urllib.request.Request(self.url + path, body, headers, method=method)
        own = urllib.request.HTTPSHandler(context=_trusting(self.root))
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}), own)
        try:
            return direct.open(request, timeout=SECONDS)
        except urllib.error.HTTPError as error:
            raise ParameterError(_detail(error)) from None
        except OSError as error:
            raise StoreError(f"the collector must answer, got {type(error).__name__} from {self.url}") from None


def _detail(error: urllib.error.HTTPError) -> str:
    try:
        return str(json.loads(error.read())["detail"])
    except (ValueError, KeyError, TypeError):
        return f"the collector must answer with a result, got status {error.code}"


@contextmanager
def connected(data: Path, database: str | None = None, new: bool = False) -> Iterator[Operator]:
    """The collector that runs on a folder; where none does, one that runs until the block ends."""
    running = _running(data)
    if running is not None:
        yield running
        return
    if not (data / FILE).exists() and database is None and not new:
        raise ParameterError(f"data must be a collector's folder, got {data}, which is none")
    server = make_server(Settings(data, database=database), lambda line: None)
    with ThreadPoolExecutor(1) as pool:
        ended = pool.submit(server.run_on, listen("127.0.0.1", 0))
        while not ended.done() and not server.told.wait(0.05):
            pass
        if ended.done():
            ended.result()
        try:
            yield _read(data / ADMIN_FILE)
        finally:
            server.should_exit = True
    (data / ADMIN_FILE).unlink(missing_ok=True)


def _running(data: Path) -> Operator | None:
    """The collector whose address is in the folder, if it answers."""
    if not (data / ADMIN_FILE).exists():
        return None
    operator = _read(data / ADMIN_FILE)
    try:
        operator.ask("GET", "/v1/status")
    except (StoreError, ParameterError):  # it was killed, and something else may listen there now
        return None
    return operator


def _read(path: Path) -> Operator:
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        return Operator(str(told["url"]), str(told["token"]), told.get("root"))
    except (OSError, ValueError, KeyError, TypeError):
        raise FormatError(f"{path} must hold the address of a collector, got something else") from None


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
