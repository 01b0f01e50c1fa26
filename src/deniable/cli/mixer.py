"""``deniable mixer``: run a mixer, allow surveys, make codes, and see how parcels stand."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from deniable.cli import options
from deniable.cli.collector import Named, digest_of
from deniable.cli.output import show, show_json
from deniable.cli.serve import check_installed
from deniable.engines.open_any import read_document
from deniable.estimation.table import Table
from deniable.protocol.errors import ParameterError

Data = Annotated[Path, typer.Option("--data", metavar="DIR", help="The folder of all that the mixer keeps.")]


def serve(
    data: Data,
    host: Annotated[str, typer.Option("--host", metavar="ADDRESS", help="Where to listen.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", metavar="N", min=0, max=65535, help="The port; 0 for any free one.")
    ] = 8090,
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
) -> None:
    """Run a mixer: it takes sealed answers, and hands them over together once a period is shut."""
    check_installed()
    from deniable.intake.events import write_to_stderr
    from deniable.intake.http.server import Settings, check_proxies
    from deniable.mixer.http.server import serve

    write_to_stderr("text")
    proxies = check_proxies(trusted_proxy or [])
    settings = Settings(data, host, port, None, proxies, rate, ready_file, tls)
    raise typer.Exit(serve(settings, partial(typer.echo, err=True)))


def allow(
    survey: Annotated[Path, typer.Argument(metavar="FILE", help="The survey's document, from whoever asks.")],
    data: Data,
    token: Annotated[Path, typer.Option("--token", metavar="FILE", help="A file with the token of its collector.")],
    confirm: Annotated[bool, typer.Option("--confirm", help="Allow it although another one asks the same.")] = False,
) -> None:
    """Take sealed answers to a survey from now on, once you have read what it is."""
    read = read_document(survey)
    if read.crowd is None:
        raise ParameterError("a survey that a mixer allows must have a crowd, got one without")
    with connected_to(data, new=True) as operator:
        told = {"deniable-token": token.read_text(encoding="utf-8").strip()}
        allowed = operator.put_document(read.document, {**told, "deniable-confirmed": "yes"} if confirm else told)
        waiting = [row for row in operator.ask("GET", "/v1/status") if row["name"] == allowed["name"]]
    rows = [
        ("title", read.title or read.name),
        ("who asks", read.owner),
        ("handed over from", f"{read.crowd.least:,} answers"),
        ("closes", str(read.closes)),
        ("allowed of this name", str(len(waiting))),
        ("digest", allowed["digest"]),
    ]
    show(Table("Allowed", ("what", "is"), rows))


def codes(
    survey: Named,
    data: Data,
    people: Annotated[int, typer.Option("--people", metavar="N", min=1, help="How many codes; each is one person's.")],
) -> None:
    """Make codes and print them, once: only their hashes are kept. Whoever asks must not see them."""
    with connected_to(data) as operator:
        digest = digest_of(operator, survey)
        for code in operator.ask("POST", f"/v1/surveys/{digest}/invitations", {"people": people})["codes"]:
            show(code)


def close(survey: Named, data: Data) -> None:
    """Close a survey now; answers that are on their way are taken until its grace is over."""
    with connected_to(data) as operator:
        row = operator.ask("POST", f"/v1/surveys/{digest_of(operator, survey)}/close")
    show(f"{row['name']} takes no new answers")


def status(data: Data, as_json: options.Json = False) -> None:
    """Show the surveys, and what became of each period."""
    with connected_to(data) as operator:
        surveys = operator.ask("GET", "/v1/status")
    if as_json:
        show_json(surveys)
        return
    rows = [
        (row["name"], row["digest"][:12], f"{row['least']:,}", period["period"], period["state"], _became(period))
        for row in surveys
        for period in row["periods"] or [{"period": "", "state": "waiting"}]
    ]
    show(Table("Surveys", ("survey", "digest", "from", "period", "state", "parcel"), rows))


def _became(period: Any) -> str:
    """What became of a period, in a few words."""
    if not period["period"]:
        return ""
    if "enough" in period:
        return "enough at midnight" if period["enough"] else "too few at midnight"
    reply = period.get("reply", {})
    return " ".join([f"{period.get('answers', 0):,}", str(reply.get("is") or "to be sent")])


def connected_to(data: Path, new: bool = False) -> Any:
    """The operator of a mixer, running or not."""
    check_installed()
    from deniable.mixer.http.server import connected

    return connected(data, new)
