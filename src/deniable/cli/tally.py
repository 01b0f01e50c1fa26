"""``deniable tally``: report files become one tally."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from deniable.cli import options
from deniable.cli.output import progress, show, show_json
from deniable.engines.files import open_reports, tally_files
from deniable.reports.whole import check_apart, written_whole


def tally(
    files: Annotated[list[Path], typer.Argument(metavar="FILES...", help="Report files of one spec.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="The tally to write.")],
    as_json: options.Json = False,
) -> None:
    """Count report files into one tally. Files of another spec are refused, and so is one that was altered."""
    check_apart(out, files)
    mechanism, opened = open_reports(files)
    with progress("tally", "reports", total=sum(file.n for file in opened)) as advance:
        counted = tally_files(files, advance)
    with written_whole(out) as file:
        file.write(counted.to_bytes())
    if as_json:
        show_json({"reports": counted.n, "digest": counted.digest, "out": str(out), "spec": counted.spec})
        return
    show(f"{counted.n} reports of {mechanism!r} counted into {out}")
