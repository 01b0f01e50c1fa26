"""How commands show: tables and JSON on standard output, progress on the error stream."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from html import escape
from pathlib import Path
from shutil import get_terminal_size
from typing import Any

import typer

from deniable.engines.chunks import terminal_bar, unheard
from deniable.estimation.export import json_text
from deniable.estimation.table import WIDTH
from deniable.protocol.errors import ParameterError
from deniable.reports.atomic_files import check_apart, target_of, written_whole
from deniable.reports.magic import PARQUET, begins

STANDARD_INPUT = STANDARD_OUTPUT = "-"
KEPT = {b'{"arms":[': "a survey's document", PARQUET: "a Parquet file, such as one of reports"}
"""What is not replaced, by how it begins: without a document its answers cannot be read, and reports are drawn once."""
PICTURES = (".png", ".svg")
INDENT = 2
"""Spaces a level of JSON."""


class _OutputOptions:
    """What was asked of all commands."""

    is_quiet = False


OPTIONS = _OutputOptions()


def be_quiet(wanted: bool) -> None:
    """From now on show no progress, and no hints on the error stream."""
    OPTIONS.is_quiet = wanted


def hint(text: str) -> None:
    """A remark on the error stream, unless nobody wants one."""
    if not OPTIONS.is_quiet:
        typer.echo(text, err=True)


def show_json(document: Any, out: Path | None = None) -> None:
    """One JSON document and nothing else."""
    show(json_text(document, INDENT), out=out)


def show_result(result: Any, as_json: bool, out: Path | None = None) -> None:
    """What a command found: its dictionary as JSON for programs, or itself for people."""
    if as_json:
        show_json(result.to_dict(), out)
    else:
        show(result, out=out)


def show(*parts: object, out: Path | None = None) -> None:
    """Write texts and tables, each on lines of its own, to standard output, or atomically to a file.

    On a terminal, tables that are wider than it are folded; a file and another program get them whole.
    """
    before = WIDTH.set(get_terminal_size().columns if out is None and sys.stdout.isatty() else None)
    try:
        text = "\n".join(map(str, parts))
    finally:
        WIDTH.reset(before)
    if out is None:
        typer.echo(text)
        return
    with written_whole(out) as file:
        file.write(f"{text.rstrip()}\n".encode())


def check_files(written: Sequence[Path | None], read: Iterable[Path | str | None], again: bytes = b"") -> None:
    """Refuse, before any work, outputs that cannot be written, that are also inputs, or that are the same file.

    What cannot be made again is not replaced, but by the same bytes ``again``.
    """
    outs = [path for path in written if path is not None]
    sources = [path for path in read if path not in (None, STANDARD_INPUT)]
    for number, out in enumerate(outs):
        if str(out) == STANDARD_OUTPUT:
            raise ParameterError("--out must name a file, got -, which no command takes for its standard output")
        target_of(out)
        check_apart(out, sources)
        kept = next((what for magic, what in KEPT.items() if out.is_file() and begins(out, magic)), None)
        if kept is not None and not (again and out.read_bytes() == again):
            raise ParameterError(f"--out must not replace {kept}, got {out}; name another, or remove it first")
        try:
            check_apart(out, outs[:number])
        except ParameterError:
            raise ParameterError(f"each file must be written once, got {out} for two of them") from None


def check_picture(path: Path | None) -> None:
    """Refuse, before any work, a picture file of an unknown kind."""
    if path is not None and path.suffix.lower() not in PICTURES:
        raise ParameterError(f"--plot must name a .png or .svg file, got {path}")


@contextmanager
def progress(
    title: str, unit: str, total: int | None = None, share: Callable[[], float | None] | None = None
) -> Iterator[Callable[[int], None]]:
    """What ``terminal_bar`` draws and yields, unless somebody asked for quiet: then nothing is drawn."""
    if OPTIONS.is_quiet:
        yield unheard
        return
    with terminal_bar(title, unit, total, share) as shown:
        yield shown


def plain_page(title: str, shown: str) -> str:
    """A page of what a notebook would show, where what makes pages is not installed."""
    head = f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n'
    return f"{head}{shown}</html>\n"
