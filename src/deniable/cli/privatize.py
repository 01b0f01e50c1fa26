"""``deniable privatize``: a column of values becomes a report file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from deniable.cli import options
from deniable.cli.output import progress, show, show_json
from deniable.engines.files import privatize_file
from deniable.engines.labels import open_labels

STANDARD_INPUT = "-"


def privatize(
    source: Annotated[str, typer.Argument(metavar="INPUT", help="A CSV or Parquet file, or - for CSV from a pipe.")],
    column: Annotated[str, typer.Option(metavar="NAME", help="The column to read.")],
    mechanism: options.MechanismName,
    out: Annotated[Path, typer.Option(metavar="FILE", help="The report file to write.")],
    epsilon: options.Epsilon = None,
    guarantee: options.GuaranteeFile = None,
    domain: options.Labels = None,
    labels_file: options.LabelsFile = None,
    size: options.Size = None,
    parts: options.Parts = None,
    max_bits: options.MaxBits = None,
    symbols: options.Symbols = None,
    cohorts: options.Cohorts = None,
    hashes: options.Hashes = None,
    key: options.Key = None,
    skip_blank: Annotated[
        bool, typer.Option("--skip-blank", help="Leave blank values out and count them, instead of refusing them.")
    ] = False,
    seed: options.Seed = None,
    as_json: options.Json = False,
) -> None:
    """Randomize a column of values into a report file, which carries the description of the mechanism."""
    own = {"size": size, "parts": parts, "max_bits": max_bits}
    hashed = {"symbols": symbols, "cohorts": cohorts, "hashes": hashes, "key": key}
    made = options.Choice(mechanism, epsilon, guarantee, {**own, **hashed}).make(domain, labels_file)
    if seed is not None:
        typer.echo("deniable: with --seed the noise can be undone; this is for simulations only", err=True)
    stream: Path | BinaryIO = sys.stdin.buffer if source == STANDARD_INPUT else Path(source)
    with open_labels(stream, column) as values, progress("privatize", "values", share=lambda: values.share) as advance:
        done = privatize_file(made, values, out, skip_blank, seed, advance)
    if as_json:
        show_json({"reports": done.reports, "skipped": done.skipped, "out": str(out), "spec": made.spec()})
        return
    skipped = f"; {done.skipped} blank values left out" if done.skipped else ""
    show(f"{done.reports} reports of {made!r} written to {out}{skipped}")
