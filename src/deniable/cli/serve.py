"""``deniable serve`` and ``deniable token``: run a collector, and say who may use it."""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer

from deniable.cli.output import show
from deniable.protocol.checks import check_choice
from deniable.protocol.errors import ParameterError

LOOPBACKS = ("127.0.0.1", "localhost", "::1")
Data = Annotated[Path, typer.Option("--data", metavar="DIR", help="The folder of all that the collector keeps.")]
Database = Annotated[
    str | None,
    typer.Option("--database", metavar="URL", envvar="DENIABLE_DATABASE", help="PostgreSQL instead of a file in DIR."),
]

Keys = Annotated[
    Path | None,
    typer.Option("--keys", metavar="FOLDER", help="The keys that a crowd's answers are sealed for; DIR/keys."),
]
Host = Annotated[str, typer.Option("--host", metavar="ADDRESS", help="Where to listen.")]
Port = Annotated[int, typer.Option("--port", metavar="N", min=0, max=65535, help="The port; 0 for any free one.")]
TrustedProxies = Annotated[
    list[str] | None,
    typer.Option("--trusted-proxy", metavar="ADDRESS", help="A proxy that you trust to tell a client's address."),
]
Rate = Annotated[
    int, typer.Option("--rate", metavar="N", min=0, help="Uploads a minute from one address; 0 for any number.")
]
ReadyFile = Annotated[
    Path | None, typer.Option("--ready-file", metavar="FILE", help="Written once it listens: the address as JSON.")
]
Tls = Annotated[bool, typer.Option("--tls", help="Speak HTTPS, by a certificate made here.")]
USUAL_RATE = 6000

RootPath = Annotated[
    str, typer.Option("--root-path", metavar="PATH", help="What a proxy takes off the front of every address.")
]
LogFormat = Annotated[
    str, typer.Option("--log-format", metavar="FORMAT", help="How events are told: text, or json for machines.")
]
Lan = Annotated[
    bool, typer.Option("--lan", help="Also ask phones in one room, over plain HTTP; surveys that say so alone.")
]
LanAddress = Annotated[
    str | None,
    typer.Option("--lan-address", metavar="ADDRESS", help="Where, on a machine with several private addresses."),
]


def serve(
    data: Data,
    host: Host = LOOPBACKS[0],
    port: Port = 8080,
    database: Database = None,
    trusted_proxy: TrustedProxies = None,
    rate: Rate = USUAL_RATE,
    ready_file: ReadyFile = None,
    tls: Tls = False,
    tls_certificate: Annotated[
        Path | None, typer.Option("--tls-certificate", metavar="FILE", help="Your own certificate, in PEM.")
    ] = None,
    tls_key: Annotated[Path | None, typer.Option("--tls-key", metavar="FILE", help="Its key, in PEM.")] = None,
    root_path: RootPath = "",
    unix_socket: Annotated[
        Path | None, typer.Option("--unix-socket", metavar="FILE", help="Listen there, for a proxy on this machine.")
    ] = None,
    lan: Lan = False,
    lan_address: LanAddress = None,
    keys: Keys = None,
    log_format: LogFormat = "text",
) -> None:
    """Run a collector: it takes answers, counts each at most once, and keeps every one that it acknowledged."""
    check_installed()
    _calm_linear_algebra()
    from deniable.collector.http.server import serve
    from deniable.intake.events import FORMATS, tell, write_to_stderr
    from deniable.intake.http.server import Settings, check_proxies, check_root
    from deniable.pages.face import Pages

    proxies, root = check_proxies(trusted_proxy or []), check_root(root_path)
    own = _certificate(tls_certificate, tls_key)
    if unix_socket is not None and (tls or own or proxies):
        raise ParameterError("--unix-socket must be without --tls and --trusted-proxy: whoever opens it is trusted")
    room = _room(lan_address) if lan or lan_address else None
    settings = Settings(data, host, port, database, proxies, rate, ready_file, tls, own, root, room, keys, unix_socket)
    if room and (tls or own or proxies or root or unix_socket or host not in LOOPBACKS):
        raise ParameterError("--lan must be with a server that listens on this machine alone, got one for others too")
    write_to_stderr(check_choice("--log-format", log_format, FORMATS))
    say = tell if log_format == "json" else partial(typer.echo, err=True)
    with naming_the_address(settings):
        raise typer.Exit(serve(settings, say, Pages(draws=log_format == "text")))


def _room(address: str | None) -> str:
    """Where phones in one room are asked."""
    from deniable.collector.http.lan import lan_address

    return lan_address(address)


def _calm_linear_algebra() -> None:
    """One thread for linear algebra unless the environment asks for more; heeded if NumPy has not been imported yet.

    Its threads wait for each other in a loop: beside anything else that runs, a search for words takes six times as
    much of the processors, which uploads need.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


@contextmanager
def naming_the_address(settings: Any) -> Iterator[None]:
    """Name the address or port in the error where nobody can listen."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.EADDRNOTAVAIL, socket.EAI_NONAME):
            option, got = ("--host", settings.host) if settings.lan is None else ("--lan-address", settings.lan)
            raise ParameterError(f"{option} must be an address of this machine, got {got}") from None
        if error.errno != errno.EADDRINUSE:
            raise
        if settings.unix_socket is not None:
            raise ParameterError(f"--unix-socket must be free, got {settings.unix_socket}, where one listens") from None
        where = f"{settings.port}, where another program listens; 0 takes any"
        raise ParameterError(f"--port must be free, got {where}") from None


def token(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Whose token it is; one of this name is replaced.")],
    scope: Annotated[str, typer.Option("--scope", metavar="SCOPE", help="author, reader, auditor, mixer or admin.")],
    data: Data,
    database: Database = None,
    survey: Annotated[
        list[str] | None, typer.Option("--survey", metavar="NAME", help="Only surveys of this name; a mixer has one.")
    ] = None,
) -> None:
    """Make a token and print it, once: only its hash is kept."""
    with connected_to(data, database, new=True) as operator:
        show(operator.give_token(name, scope, survey or [])["token"])


def _certificate(certificate: Path | None, key: Path | None) -> tuple[Path, Path] | None:
    """The operator's own certificate and key, both or neither."""
    if certificate is None or key is None:
        if certificate or key:
            raise ParameterError("--tls-certificate and --tls-key must be given together, got one of them")
        return None
    for path in (certificate, key):
        if not path.is_file():
            raise ParameterError(f"a certificate and its key must be files, got {path}, which is none")
    return certificate, key


def connected_to(data: Path, database: str | None, new: bool = False, keys: Path | None = None) -> Any:
    """The operator of a collector, running or not."""
    check_installed()
    from deniable.collector.http.operator import connected

    return connected(data, database, new, keys)


def check_installed() -> None:
    """Refuse to go on without what a collector needs."""
    if find_spec("uvicorn") is None or find_spec("starlette") is None:
        raise ParameterError("the collector must be installed to be run: pip install 'deniable[collector]'")
