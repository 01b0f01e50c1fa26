"""``deniable tally``: count report files, or a survey's folders, on this machine or on a Spark cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from deniable.cli import options
from deniable.cli.output import check_files, progress, show, show_json
from deniable.engines.by_group import GroupedDataset, open_groups
from deniable.engines.checkpoint import Checkpoint
from deniable.engines.counting import Counted, Workers, count_into
from deniable.engines.local_workers import Threads
from deniable.engines.open_any import open_answers, open_any, open_reports
from deniable.engines.survey_files import SurveyDataset
from deniable.engines.tally_folder import TallyFolder, listed, require_new
from deniable.estimation.table import Table, printable
from deniable.estimation.words import amount
from deniable.mechanisms.mechanism import Mechanism
from deniable.protocol.errors import ParameterError
from deniable.reports.atomic_files import written_whole
from deniable.reports.report_file import NAME

SpecFile: TypeAlias = Annotated[
    Path | None, typer.Option("--spec", metavar="FILE", help="A spec in JSON, for files without one.")
]
Master: TypeAlias = Annotated[
    str | None, typer.Option("--master", metavar="URL", help="Count on a Spark cluster, e.g. local[2].")
]


def tally(
    files: Annotated[list[str], typer.Argument(metavar="FILES...", help="Report files of one spec, or folders.")],
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="The tally to write.")] = None,
    into: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Instead of --out, a tally to add to: files that it counts are left out."),
    ] = None,
    anew: Annotated[
        bool, typer.Option("--anew", help="With --into or --by, count all again and replace what is there.")
    ] = False,
    skip_bad: Annotated[
        bool, typer.Option("--skip-bad", help="Leave out bad files and name them, instead of stopping.")
    ] = False,
    spec: SpecFile = None,
    column: Annotated[
        str, typer.Option("--column", metavar="NAME", help="The column of reports in files without a spec.")
    ] = NAME,
    by: Annotated[
        list[str] | None,
        typer.Option(
            "--by", metavar="A,B", help="A tally for each group in this public column, or in several; OUT is a folder."
        ),
    ] = None,
    master: Master = None,
    as_json: options.Json = False,
) -> None:
    """Count report files into one tally. Files of another spec are refused, and so is one that was altered."""
    target = _target(out, into)
    names = [name for text in by or () for name in options.column_names(text)]
    if names:
        options.refuse({"--skip-bad": skip_bad, "--master": master}, "with --by, which counts whole files here")
        if into is None and not anew:
            require_new(target)
        _count_groups(open_groups(files, _mechanism(spec), column, names), target, anew, as_json)
        return
    options.refuse({"--anew": anew and into is None}, "without --into or --by, since --out replaces a tally by itself")
    check_files([target, Checkpoint.beside(target).path], [*files, spec])
    dataset = open_reports(files, _mechanism(spec), column, skip_bad)
    if isinstance(dataset, SurveyDataset):
        options.refuse({"--skip-bad": skip_bad, "--into": into}, "for a survey, whose arms must all be counted")
        _count_survey(dataset, target, master, as_json)
    else:
        checkpoint = None if into is None else Checkpoint.begin(into, anew)
        with _workers(master) as workers, progress("tally", "reports", total=dataset.n) as advance:
            counted = count_into(dataset, target, advance, workers, checkpoint)
        _tell_counted(dataset.mechanism, counted, target, as_json)


def _target(out: Path | None, into: Path | None) -> Path:
    """The tally to write, or the folder of tallies."""
    match [path for path in (out, into) if path is not None]:
        case [target]:
            return target
        case paths:
            raise ParameterError(f"--out or --into must name the tally to write, got {'both' if paths else 'neither'}")


def _mechanism(spec: Path | None) -> Mechanism | None:
    """The mechanism that a file names, where one is given."""
    return None if spec is None else open_any(spec).mechanism


def of_survey(
    folders: Annotated[list[str], typer.Argument(metavar="FOLDERS...", help="Folders of answers to one survey.")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The survey's tally to write.")],
    master: Master = None,
    as_json: options.Json = False,
) -> None:
    """Count the answers in folders into one tally of the survey."""
    check_files([out], folders)
    _count_survey(open_answers(folders), out, master, as_json)


def _count_survey(dataset: SurveyDataset, out: Path, master: str | None, as_json: bool) -> None:
    """Count a survey's answers into one tally, and show it."""
    with _workers(master) as workers, progress("tally", "reports", total=dataset.n) as advance:
        counted = dataset.count(advance, workers)
    with written_whole(out) as file:
        file.write(counted.to_bytes())
    if as_json:
        show_json({"answers": counted.n, "digest": counted.digest, "out": str(out)})
        return
    show(counted.table(), f"counted into {out}")


def _count_groups(dataset: GroupedDataset, folder: Path, anew: bool, as_json: bool) -> None:
    """A tally for each group in a folder, added to those of an earlier run."""
    earlier = TallyFolder.begin(folder, anew)
    new = dataset if earlier is None else dataset.without(earlier.counted)
    with progress("tally", "reports", total=new.n) as advance:
        counted = new.count(advance)
    counted = counted if earlier is None else earlier + counted
    written = {group: (counted.tallies[group].n, file) for group, file in counted.write(folder).items()}
    if as_json:
        groups = [(dict(zip(counted.by, group, strict=True)), *each) for group, each in written.items()]
        show_json([{"group": group, "reports": n, "out": str(file)} for group, n, file in groups])
        return
    rows = [(*map(printable, group), f"{n:,}", file.name) for group, (n, file) in written.items()]
    title = f"reports of {dataset.mechanism!r} by {printable(listed(counted.by))}"
    show(Table(title, (*map(printable, counted.by), "reports", f"file in {folder}"), rows))


@contextmanager
def _workers(master: str | None) -> Iterator[Workers]:
    """This machine's threads, or those of a cluster as long as they are needed."""
    if master is None:
        yield Threads()
        return
    from deniable.engines.spark import spark_session
    from deniable.engines.spark_workers import SparkWorkers

    session = spark_session(master)
    try:
        yield SparkWorkers(session)
    finally:
        session.stop()


def _tell_counted(mechanism: Mechanism, counted: Counted, out: Path, as_json: bool) -> None:
    """Show what was counted into a tally, and name the files that were left out."""
    for refused in counted.refused:
        typer.echo(f"deniable: left out {refused.path}: {refused.reason}", err=True)
    if as_json:
        left_out = [{"file": str(refused.path), "reason": refused.reason} for refused in counted.refused]
        facts = {"reports": counted.tally.n, "digest": counted.tally.digest, "out": str(out), "skipped": left_out}
        show_json({**facts, "spec": counted.tally.spec})
        return
    skipped = f"; {amount(len(counted.refused), 'bad file')} left out" if counted.refused else ""
    were = "was" if counted.resumed == 1 else "were"
    resumed = f"; {amount(counted.resumed, 'file')} {were} counted before" if counted.resumed else ""
    show(f"{amount(counted.tally.n, 'report')} of {mechanism!r} counted into {out}{skipped}{resumed}")
