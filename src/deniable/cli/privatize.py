"""``deniable privatize``: a column of values becomes a report file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from deniable.cli import options
from deniable.cli.mechanisms import NONE, MechanismName, MechanismTerms
from deniable.cli.output import STANDARD_INPUT, check_files, progress, show, show_json
from deniable.engines.files import privatize_file
from deniable.engines.labels import open_labels
from deniable.estimation.words import amount


@options.with_groups
def privatize(
    source: Annotated[str, typer.Argument(metavar="INPUT", help="A CSV or Parquet file, or - for CSV from a pipe.")],
    column: Annotated[str, typer.Option(metavar="NAME", help="The column to read.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="The report file to write; none is replaced.")],
    mechanism: MechanismName = "",
    terms: MechanismTerms = NONE,
    keep: Annotated[
        str | None,
        typer.Option(metavar="A,B", help="Public columns to keep beside the reports as they are, for tally --by."),
    ] = None,
    labels: Annotated[
        bool,
        typer.Option(
            "--labels", help="Write a table for training, .csv or .parquet: labels in place of reports, after --keep's."
        ),
    ] = False,
    skip_blank: Annotated[
        bool, typer.Option("--skip-blank", help="Leave out blank values and say how many, instead of refusing them.")
    ] = False,
    seed: options.Seed = None,
    as_json: options.Json = False,
) -> None:
    """Randomize a column of values into a report file."""
    chosen = terms.make(mechanism)
    check_files([out], [source, terms.labels_file, terms.guarantee])
    options.warn_of_seed(seed)
    stream: Path | BinaryIO = sys.stdin.buffer if source == STANDARD_INPUT else Path(source)
    public_columns = [] if keep is None else options.column_names(keep)
    with (
        open_labels(stream, column, public_columns) as values,
        progress("privatize", "values", share=lambda: values.share) as advance,
    ):
        done = privatize_file(chosen, values, out, skip_blank, seed, advance, labels)
    if as_json:
        show_json({"reports": done.reports, "skipped": done.skipped, "out": str(out), "spec": chosen.spec()})
        return
    skipped = f"; {amount(done.skipped, 'blank value')} left out" if done.skipped else ""
    public = f"; not protected: {', '.join(public_columns)}" if public_columns else ""
    show(f"{amount(done.reports, 'report')} of {chosen!r} written to {out}{skipped}{public}")
