"""``deniable mixer``: run a mixer, allow surveys, make codes, and see how parcels stand."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from deniable.cli import options
from deniable.cli.collector import Named, digest_of
from deniable.cli.output import hint, show, show_json
from deniable.cli.serve import (
    LOOPBACKS,
    USUAL_RATE,
    Host,
    Port,
    Rate,
    ReadyFile,
    Tls,
    TrustedProxies,
    check_installed,
    naming_the_address,
)
from deniable.engines.open_any import read_document
from deniable.estimation.table import Table

Data = Annotated[Path, typer.Option("--data", metavar="DIR", help="The folder of all that the mixer keeps.")]


def serve(
    data: Data,
    host: Host = LOOPBACKS[0],
    port: Port = 8090,
    trusted_proxy: TrustedProxies = None,
    rate: Rate = USUAL_RATE,
    ready_file: ReadyFile = None,
    tls: Tls = False,
) -> None:
    """Run a mixer: it takes sealed answers, and hands them over together once a period is shut."""
    check_installed()
    from deniable.intake.events import write_to_stderr
    from deniable.intake.http.server import Settings, check_proxies
    from deniable.mixer.http.server import serve
    from deniable.pages.mixing.face import MixerPages

    write_to_stderr("text")
    proxies = check_proxies(trusted_proxy or [])
    settings = Settings(data, host, port, None, proxies, rate, ready_file, tls)
    with naming_the_address(settings):
        raise typer.Exit(serve(settings, partial(typer.echo, err=True), MixerPages()))


def allow(
    survey: Annotated[Path, typer.Argument(metavar="FILE", help="The survey's document, from whoever asks.")],
    data: Data,
    token: Annotated[Path, typer.Option("--token", metavar="FILE", help="A file with the token of its collector.")],
    confirm: Annotated[
        bool, typer.Option("--confirm", help="Although another one asks the same, or with another token than before.")
    ] = False,
) -> None:
    """Take sealed answers to a survey from now on, once you have read what it is."""
    document = read_document(survey).document
    with connected_to(data, new=True) as operator:
        from deniable.mixer.terms import check_token

        headers = {"deniable-token": check_token(token.read_text(encoding="utf-8", errors="replace").strip())}
        row = operator.put_document(document, {**headers, "deniable-confirmed": "yes"} if confirm else headers)
    if not row["tried"]:
        hint(f"{row['collector']} gave no reply, so the token was not tried: if it is wrong, no parcel is taken by it")
    rows = [
        ("title", row["title"] or row["name"]),
        ("who asks", row["owner"]),
        ("its collector", row["collector"]),
        ("the mixer it names", row["mixer"]),
        ("periods", row["period"]),
        ("opens", row["opens"] or "now"),
        ("closes", row["closes"]),
        ("handed over from", f"{row['least']:,} answers"),
        ("level of who asks alone", f"{row['level']:g}, but for a chance of {row['delta']:g}"),
        ("level of both together", f"{row['together']:g}"),
        ("allowed of this name", str(row["of_this_name"])),
        ("digest", row["digest"]),
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
        made = operator.ask("POST", f"/v1/surveys/{digest}/invitations", {"people": people})
    for code in made["codes"]:
        show(code)
    if made["all"] < made["least"]:
        hint(f"there are {made['all']:,} codes, and nothing is handed over below {made['least']:,} answers")


def close(
    survey: Named,
    data: Data,
    yes: Annotated[bool, typer.Option("--yes", help="Close it without being asked once more.")] = False,
) -> None:
    """Close a survey now; answers that are on their way are taken until its grace is over."""
    with connected_to(data) as operator:
        digest = digest_of(operator, survey)
        if not yes:
            typer.confirm(
                "After its grace too few answers are deleted, and it never opens again. Close it?", abort=True
            )
        row = operator.ask("POST", f"/v1/surveys/{digest}/close")
    show(f"{row['name']} takes no new answers")


def send_again(survey: Named, data: Data) -> None:
    """Send the parcels of a survey once more, to a collector that has lost them; they are kept for 14 days."""
    with connected_to(data) as operator:
        sent = operator.ask("POST", f"/v1/surveys/{digest_of(operator, survey)}/parcels")["parcels"]
    show(f"{sent:,} parcel{'s are' if sent != 1 else ' is'} sent again")


def link(data: Data) -> None:
    """Print a link that opens the page of a running mixer: good once, for 15 minutes."""
    check_installed()
    from deniable.intake.http.operator import running

    operator = running(data, "mixer", "deniable mixer serve")
    show(operator.address(operator.ask("POST", "/links")["path"]))


def clock(data: Data) -> None:
    """Confirm that the clock is right, after a jump kept periods from being shut."""
    with connected_to(data) as operator:
        operator.ask("POST", "/v1/clock")
    show("the clock is taken to be right")


def status(data: Data, as_json: options.Json = False) -> None:
    """Show the surveys, and what became of each period."""
    with connected_to(data) as operator:
        surveys = operator.ask("GET", "/v1/status")
    if as_json:
        show_json(surveys)
        return
    rows = [
        (
            row["name"],
            row["digest"][:12],
            f"{row['least']:,}" if "least" in row else "damaged",
            period["period"],
            period["state"],
            _became(period),
        )
        for row in surveys
        for period in row["periods"] or [{"period": "", "state": "waiting"}]
    ]
    show(Table("Surveys", ("survey", "digest", "from", "period", "state", "parcel"), rows))


def _became(period: Any) -> str:
    """What became of a period, in a few words."""
    if not period["period"]:
        return ""
    wrong = [f"damaged: {period['damaged']}"] if "damaged" in period else []
    wrong += [period["trouble"]] if "trouble" in period else []
    if "enough" in period:
        return "; ".join(["enough at midnight" if period["enough"] else "too few at midnight", *wrong])
    reply = str(period.get("reply", {}).get("is") or "to be sent")
    return "; ".join([f"{period.get('answers', 0):,} {reply}", *wrong])


def connected_to(data: Path, new: bool = False) -> Any:
    """The operator of a mixer, running or not."""
    check_installed()
    from deniable.mixer.http.server import connected

    return connected(data, new)
