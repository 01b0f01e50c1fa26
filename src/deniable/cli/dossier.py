"""``deniable survey dossier``: what somebody who has to sign for a survey reads, and what they must answer."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from deniable.cli import options
from deniable.cli.audit import DOES_NOT_HOLD
from deniable.cli.output import check_files, show, show_json
from deniable.cli.survey import Document
from deniable.engines.open_any import read_document
from deniable.pages.dossier import dossier_of
from deniable.pages.dossier_faces import markdown, page
from deniable.protocol.checks import check_choice
from deniable.protocol.errors import ParameterError
from deniable.protocol.say import codes, language

WRITERS = {".html": page, ".md": markdown}


def dossier(
    survey: Document,
    people: Annotated[
        int | None, typer.Option("--people", metavar="N", help="Say how exact the result is if so many people answer.")
    ] = None,
    lang: Annotated[str, typer.Option("--lang", metavar="CODE", help="The language: en or de.")] = "en",
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write it: .html to fill in and print, or .md.")
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Show what somebody who has to sign reads: what is proven, and what a person must answer.

    The exit code is 1 if the promise does not hold.
    """
    check_files([out], [survey])
    if out is not None and out.suffix.lower() not in WRITERS:
        raise ParameterError(f"--out must name a .html or .md file, got {out}")
    say = language(check_choice("--lang", lang, codes()))
    with Console(file=sys.stderr).status("proving"):
        proven = dossier_of(read_document(survey), people, lang=lang, file=survey.name)
    if out is not None:
        show(WRITERS[out.suffix.lower()](proven, say), out=out)
    if as_json:
        show_json(proven.to_dict(say))
    elif out is None:
        show(markdown(proven, say))
    else:
        show(say(proven.finding), f"written to {out}")
    if not proven.holds:
        raise typer.Exit(DOES_NOT_HOLD)
