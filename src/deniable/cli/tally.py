"""``deniable tally``: count report files, or a survey's folders, on this machine or on a Spark cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from deniable.cli import options
from deniable.cli.output import check_files, progress, show, show_json
from deniable.engines.by_group import open_groups, require_new, tally_by, write_tallies
from deniable.engines.checkpoint import Checkpoint
from deniable.engines.counting import Counted, Workers, count_into
from deniable.engines.local_workers import Threads
from deniable.engines.open_any import open_answers, open_any, open_reports
from deniable.engines.spark import spark_session
from deniable.engines.spark_workers import SparkWorkers
from deniable.engines.survey_files import SurveyDataset
from deniable.estimation.table import Table, printable
from deniable.estimation.words import amount
from deniable.mechanisms.mechanism import Mechanism
from deniable.protocol.errors import ParameterError
from deniable.reports.atomic_files import written_whole
from deniable.reports.report_file import NAME


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
    by: Annotated[
        str | None,
        typer.Option("--by", metavar="NAME", help="A tally for each group in this public column; OUT is a folder."),
    ] = None,
    master: Annotated[
        str | None, typer.Option("--master", metavar="URL", help="Count on a Spark cluster, e.g. local[2].")
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Count report files into one tally. Files of another spec are refused, and so is one that was altered.

    A folder of answers to a survey is counted into the survey's tally.
    """
    if by is not None:
        if skip_bad or master is not None:
            refused = "--skip-bad" if skip_bad else "--master"
            raise ParameterError(f"{refused} must be left out with --by, which counts whole files here, got it")
        _of_groups(files, out, spec, column, by, as_json)
        return
    check_files([out, Checkpoint.beside(out).path], [*files, spec])
    given = None if spec is None else open_any(spec).mechanism
    found = open_reports(files, given, column, skip_bad)
    if isinstance(found, SurveyDataset):
        if skip_bad:
            raise ParameterError("--skip-bad must be left out for a survey, whose arms must all be counted, got it")
        _count_survey(found, out, master, as_json)
        return
    with _workers(master) as workers, progress("tally", "reports", total=found.n) as advance:
        counted = count_into(found, out, advance, workers)
    _tell(found.mechanism, counted, out, as_json)


def of_survey(
    folders: Annotated[list[str], typer.Argument(metavar="FOLDERS...", help="Folders of answers to one survey.")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The survey's tally to write.")],
    master: Annotated[
        str | None, typer.Option("--master", metavar="URL", help="Count on a Spark cluster, e.g. local[2].")
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Count the answers in folders into one tally of the survey."""
    check_files([out], folders)
    _count_survey(open_answers(folders), out, master, as_json)


def _count_survey(found: SurveyDataset, out: Path, master: str | None, as_json: bool) -> None:
    with _workers(master) as workers, progress("tally", "reports", total=found.n) as advance:
        counted = found.count(advance, workers)
    with written_whole(out) as file:
        file.write(counted.to_bytes())
    if as_json:
        show_json({"answers": counted.n, "digest": counted.digest, "out": str(out)})
        return
    show(counted.table(), f"counted into {out}")


def _of_groups(files: list[str], out: Path, spec: Path | None, column: str, by: str, as_json: bool) -> None:
    """A tally for each group in a folder."""
    if spec is None:
        raise ParameterError("--by must go with --spec, got none: report files of deniable hold no other column")
    require_new(out)
    given = open_any(spec).mechanism
    footers = open_groups(files, column, by)
    with progress("tally", "reports", total=sum(sum(footer.groups) for footer in footers)) as advance:
        tallies = tally_by(footers, given, column, by, advance)
    written = write_tallies(tallies, out)
    if as_json:
        show_json([{"group": name, "reports": tallies[name].n, "out": str(file)} for name, file in written.items()])
        return
    rows = [(printable(name), f"{tallies[name].n:,}", file.name) for name, file in written.items()]
    show(Table(f"reports of {given!r} by {printable(by)}", ("group", "reports", f"file in {out}"), rows))


@contextmanager
def _workers(master: str | None) -> Iterator[Workers]:
    """This machine's threads, or those of a cluster as long as they are needed."""
    if master is None:
        yield Threads()
        return
    session = spark_session(master)
    try:
        yield SparkWorkers(session)
    finally:
        session.stop()


def _tell(mechanism: Mechanism, counted: Counted, out: Path, as_json: bool) -> None:
    for refused in counted.refused:
        typer.echo(f"deniable: left out {refused.path}: {refused.reason}", err=True)
    if as_json:
        left_out = [{"file": str(refused.path), "reason": refused.reason} for refused in counted.refused]
        said = {"reports": counted.tally.n, "digest": counted.tally.digest, "out": str(out), "skipped": left_out}
        show_json({**said, "spec": counted.tally.spec})
        return
    skipped = f"; {amount(len(counted.refused), 'bad file')} left out" if counted.refused else ""
    were = "was" if counted.resumed == 1 else "were"
    resumed = f"; {amount(counted.resumed, 'file')} {were} counted before" if counted.resumed else ""
    show(f"{amount(counted.tally.n, 'report')} of {mechanism!r} counted into {out}{skipped}{resumed}")
