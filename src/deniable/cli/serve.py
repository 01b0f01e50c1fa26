"""``deniable serve`` and ``deniable token``: run a collector, and say who may use it."""

from __future__ import annotations

import errno
import socket
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from deniable.cli.output import show
from deniable.errors import ParameterError

Data = Annotated[Path, typer.Option("--data", metavar="DIR", help="The folder of all that the collector keeps.")]
Database = Annotated[
    str | None,
    typer.Option("--database", metavar="URL", envvar="DENIABLE_DATABASE", help="PostgreSQL instead of a file in DIR."),
]


def serve(
    data: Data,
    host: Annotated[str, typer.Option("--host", metavar="ADDRESS", help="Where to listen.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", metavar="N", min=0, max=65535, help="The port; 0 for any free one.")
    ] = 8080,
    database: Database = None,
    trusted_proxy: Annotated[
        list[str] | None,
        typer.Option("--trusted-proxy", metavar="ADDRESS", help="A proxy whose word on a client's address is taken."),
    ] = None,
    rate: Annotated[
        int, typer.Option("--rate", metavar="N", min=0, help="Uploads a minute from one address; 0 for any number.")
    ] = 6000,
    ready_file: Annotated[
        Path | None, typer.Option("--ready-file", metavar="FILE", help="Written once it listens: the address as JSON.")
    ] = None,
    tls: Annotated[bool, typer.Option("--tls", help="Speak HTTPS, by a certificate made here.")] = False,
    tls_certificate: Annotated[
        Path | None,
        typer.Option("--tls-certificate", metavar="FILE", help="Your own certificate, in PEM."),
    ] = None,
    tls_key: Annotated[Path | None, typer.Option("--tls-key", metavar="FILE", help="Its key, in PEM.")] = None,
) -> None:
    """Run a collector: it takes answers, counts each at most once, and loses none that it acknowledged."""
    check_installed()
    from deniable.collector.http.server import Settings, check_proxies, serve
    from deniable.pages.face import Pages

    proxies = check_proxies(trusted_proxy or [])
    own = _certificate(tls_certificate, tls_key)
    settings = Settings(data, host, port, database, proxies, rate, ready_file, tls, own)
    try:
        raise typer.Exit(serve(settings, lambda line: typer.echo(line, err=True), Pages(data)))
    except OSError as error:
        if error.errno in (errno.EADDRNOTAVAIL, socket.EAI_NONAME):
            raise ParameterError(f"--host must be an address of this machine, got {host}") from None
        if error.errno != errno.EADDRINUSE:
            raise
        raise ParameterError(f"--port must be free, got {port}, where another program listens; 0 takes any") from None


def token(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Whose token it is; one of this name is replaced.")],
    scope: Annotated[str, typer.Option("--scope", metavar="SCOPE", help="author, reader, auditor or admin.")],
    data: Data,
    database: Database = None,
    survey: Annotated[
        list[str] | None, typer.Option("--survey", metavar="NAME", help="Only surveys of this name; for readers.")
    ] = None,
) -> None:
    """Make a token and print it, once: only its hash is kept."""
    check_installed()
    from deniable.collector.http.operator import connected

    with connected(data, database, new=True) as operator:
        made = operator.give_token(name, scope, survey or [])
    show(made["token"])


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


def check_installed() -> None:
    """Refuse to go on without what a collector needs."""
    if find_spec("uvicorn") is None or find_spec("starlette") is None:
        raise ParameterError("the collector must be installed to be run: pip install 'deniable[collector]'")
