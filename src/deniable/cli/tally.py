"""``deniable tally``: count report files into one tally, on this machine or on a Spark cluster."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from deniable.cli import options
from deniable.cli.output import check_files, progress, show, show_json
from deniable.engines.checkpoint import checkpoint_of
from deniable.engines.counting import Counted, count_dataset
from deniable.engines.dataset import Dataset, open_dataset
from deniable.engines.spark import spark_session, tally_paths
from deniable.errors import ParameterError
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.registry import from_spec
from deniable.reports.atomic_files import check_apart, written_whole
from deniable.reports.report_file import NAME
from deniable.reports.spec import read_json
from deniable.reports.tally import Tally


def tally(
    files: Annotated[list[str], typer.Argument(metavar="FILES...", help="Report files of one spec, or folders.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="The tally to write.")],
    skip_bad: Annotated[
        bool, typer.Option("--skip-bad", help="Leave out bad files and name them, instead of stopping.")
    ] = False,
    spec: Annotated[
        Path | None, typer.Option("--spec", metavar="FILE", help="A spec in JSON, for files without one.")
    ] = None,
    column: Annotated[
        str, typer.Option("--column", metavar="NAME", help="The column of reports in files without a spec.")
    ] = NAME,
    master: Annotated[
        str | None, typer.Option("--master", metavar="URL", help="Count on a Spark cluster, e.g. local[2].")
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Count report files into one tally. Files of another spec are refused, and so is one that was altered."""
    check_files([out, checkpoint_of(out)], [*files, spec])
    given = None if spec is None else read_json(spec, "a spec")
    if master is None:
        dataset = open_dataset(files, given, column, skip_bad)
        check_apart(out, [file.path for file in dataset.files])
        mechanism, counted = dataset.mechanism, _count(dataset, out)
    else:
        if skip_bad:
            raise ParameterError("--skip-bad must go without --master: Spark does not tell which files it left out")
        mechanism, counted = _count_there(master, files, given, column)
    _write(counted.tally, out)
    _tell(mechanism, counted, out, as_json)


def _count(dataset: Dataset, out: Path) -> Counted:
    """File by file on this machine; a run that was killed is taken up again."""
    with progress("tally", "reports", total=dataset.n) as advance:
        return count_dataset(dataset, advance, checkpoint_of(out))


def _count_there(
    master: str, files: Sequence[str], given: dict[str, Any] | None, column: str
) -> tuple[Mechanism, Counted]:
    """On a cluster; without a spec the files must be within reach of this machine too, to be asked for theirs."""
    mechanism = open_dataset(files).mechanism if given is None else from_spec(given)
    session = spark_session(master)
    try:
        counted = tally_paths(mechanism, session, files, column)
    finally:
        session.stop()
    return mechanism, Counted(counted, len(files), (), 0)


def _write(counted: Tally, out: Path) -> None:
    with written_whole(out) as file:
        file.write(counted.to_bytes())
    checkpoint_of(out).unlink(missing_ok=True)


def _tell(mechanism: Mechanism, counted: Counted, out: Path, as_json: bool) -> None:
    for refused in counted.refused:
        typer.echo(f"deniable: left out {refused.path}: {refused.reason}", err=True)
    if as_json:
        left_out = [{"file": str(refused.path), "reason": refused.reason} for refused in counted.refused]
        said = {"reports": counted.tally.n, "digest": counted.tally.digest, "out": str(out), "skipped": left_out}
        show_json({**said, "spec": counted.tally.spec})
        return
    skipped = f"; {len(counted.refused)} bad files left out" if counted.refused else ""
    resumed = f"; {counted.resumed} files were counted before" if counted.resumed else ""
    show(f"{counted.tally.n} reports of {mechanism!r} counted into {out}{skipped}{resumed}")
