"""``deniable collector invite``: codes for one person each, printed, or as letters, cards and a list."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final

import typer

from deniable.cli.collector import Named, digest_of
from deniable.cli.output import show
from deniable.cli.serve import Data, Database, check_installed, connected_to
from deniable.estimation.words import amount
from deniable.protocol import say
from deniable.protocol.checks import check_choice
from deniable.protocol.device.transport import read_endpoint
from deniable.protocol.errors import ParameterError
from deniable.protocol.surveys.translations import nearest
from deniable.surveys.survey import Survey

LIST: Final = "list"


def invite(
    survey: Named,
    data: Data,
    people: Annotated[int, typer.Option("--people", metavar="N", help="How many invitations.")],
    letters: Annotated[Path | None, typer.Option("--letters", metavar="FILE", help="A letter each, to print.")] = None,
    cards: Annotated[Path | None, typer.Option("--cards", metavar="FILE", help="A small card each, to print.")] = None,
    listed: Annotated[
        Path | None, typer.Option("--list", metavar="FILE", help="Their links and codes as CSV, for mail merge.")
    ] = None,
    address: Annotated[
        str | None, typer.Option("--address", metavar="URL", help="Where people reach the collector: https://...")
    ] = None,
    lang: Annotated[str, typer.Option("--lang", metavar="CODE", help="The language of letters and cards.")] = "en",
    database: Database = None,
) -> None:
    """Make invitations and print their codes, once: from now on only they can answer, once a period each."""
    files = {kind: file for kind, file in (("letters", letters), ("cards", cards), (LIST, listed)) if file is not None}
    base = _checked_base(files, people, address, lang)
    with connected_to(data, database) as operator:
        digest = digest_of(operator, survey)
        document = Survey.from_stored(operator.document(digest))
        codes = operator.ask("POST", f"/v1/surveys/{digest}/invitations", {"people": people})["codes"]
    if not files:
        show("\n".join(codes))
        return
    try:
        _write(files, document, base, lang, codes)
    except OSError:
        show("\n".join(codes))  # nobody can look them up
        raise
    names = ", ".join(map(str, files.values()))
    show(f"{amount(people, 'invitation')}: {names}; keep that safe, for nobody can make the same codes again")


def _checked_base(files: Mapping[str, Path], people: int, address: str | None, lang: str) -> str:
    """Refuse, before there are codes, what would keep them from being written; the address without a final slash."""
    if not files:
        return ""
    check_installed()
    from deniable.pages.handing.printed import MOST_SHEETS

    check_choice("lang", lang, say.codes())
    if len({file.resolve() for file in files.values()}) < len(files):
        raise ParameterError("files must be others for letters, cards and the list, got one twice")
    for kind, file in files.items():
        if file.exists() or not file.parent.is_dir():
            raise ParameterError(f"{kind} must be a new file in a folder that is there, got {file}")
        if kind != LIST and people > MOST_SHEETS:
            raise ParameterError(f"people must be at most {MOST_SHEETS} for {kind}, got people={people}; make a list")
    return _checked_address(address)


def _checked_address(address: str | None) -> str:
    """The address without a final slash, refused unless devices would send to it."""
    if address is None:
        raise ParameterError("address must say where people reach the collector, got none; give it by --address")
    try:
        read_endpoint(address)
    except ParameterError:
        wanted = "address must begin with https:// and be that of a server, such as https://ask.example.org"
        raise ParameterError(f"{wanted}, got {address!r}") from None
    return address.rstrip("/")


def _write(files: Mapping[str, Path], survey: Survey, base: str, lang: str, codes: list[str]) -> None:
    """Write what was asked for, each file for its owner alone."""
    from deniable.intake.private_files import write_private
    from deniable.pages.handing.codes import invitations_of
    from deniable.pages.handing.handout import handout_at
    from deniable.pages.handing.printed import people_list, printed_sheets, with_qr_codes

    tag, now = nearest(survey.languages, (lang,)), datetime.datetime.now(datetime.UTC)
    handout = handout_at(base, survey, say.language(lang), tag, datetime.UTC, now, invited=True)
    invitations = invitations_of(codes, handout.link)
    drawn = with_qr_codes(invitations) if files.keys() - {LIST} else []
    for kind, file in files.items():
        content = people_list(handout, invitations) if kind == LIST else printed_sheets(kind, handout, drawn)
        write_private(file, content)
