"""``deniable estimate``: from a tally to shares with error bars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

import deniable as dn
from deniable.cli import options
from deniable.cli.curator_questions import Question, QuestionInputs
from deniable.cli.exports import NO_EXPORT, ExportOptions
from deniable.cli.findings import NOTHING_ASKED, FindingOptions, check_formats, draw, show_reading
from deniable.cli.output import check_files, check_picture, show_result
from deniable.cli.truth import read_truth
from deniable.engines.counted_reports import tally_of_counts
from deniable.engines.open_any import open_any
from deniable.engines.opened_file import OpenedFile
from deniable.engines.tally_folder import TallyFolder
from deniable.estimation import picture
from deniable.estimation.grouped_readings import GroupedReadings
from deniable.protocol.errors import ParameterError
from deniable.reports.atomic_files import check_once
from deniable.theory.risk.variance import Target

Tallies: TypeAlias = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="TALLY",
        help="A tally, several to add, or a folder of them by group; with --question also report files, "
        "with --survey an export of a questionnaire.",
    ),
]
AskedQuestion: TypeAlias = Annotated[
    Question | None,
    typer.Option("--question", help="For InformedResponse, a question of a curator who uses the prior."),
]
AskedLabel: TypeAlias = Annotated[
    str | None,
    typer.Option("--label", metavar="L", help="With --question survey, the label whose holders are counted."),
]
Candidates: TypeAlias = Annotated[
    Path | None, typer.Option(metavar="FILE", help="For an open alphabet, the candidate texts, one per line.")
]
Simultaneous: TypeAlias = Annotated[
    bool, typer.Option("--simultaneous", help="Make all intervals hold at once, not each on its own.")
]
AskedTarget: TypeAlias = Annotated[Target, typer.Option(help="Intervals for the population, or for the people asked.")]
KnownTruth: TypeAlias = Annotated[
    Path | None, typer.Option(metavar="FILE", help="A CSV file with the columns label and share, to show beside.")
]
Values: TypeAlias = Annotated[
    Path | None,
    typer.Option("--values", metavar="FILE", help="With total or weighted, a CSV file: columns label and value."),
]
Weights: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--weights", metavar="FILE", help="With weighted, a CSV file: columns weight and perhaps offset, a row each."
    ),
]


@dataclass(frozen=True, slots=True)
class CountOptions(options.OptionGroup):
    """How often each report came, instead of tallies."""

    counts: Annotated[
        Path | None,
        typer.Option("--counts", metavar="FILE", help="Instead of tallies, a CSV file: columns report and count."),
    ] = None
    spec: Annotated[
        Path | None, typer.Option("--spec", metavar="FILE", help="With --counts, the spec of the reports in JSON.")
    ] = None

    def checked(self, tallies: list[Path] | None) -> list[Path]:
        """The tallies that are named; refused if counts are too, or if neither are."""
        if (self.counts is None) == (not tallies) or (self.counts is None) != (self.spec is None):
            raise ParameterError("tallies must be named, or --counts with --spec, got neither or a part of both")
        check_once(tallies or [])
        return tallies or []

    def estimate(self, decoder: str, texts: list[str] | None) -> dn.Estimate | None:
        """The shares; None without counts."""
        if self.counts is None or self.spec is None:
            return None
        mechanism, rows = open_any(self.spec).mechanism, options.read_columns(self.counts, ("report", "count"))
        return mechanism.estimate(tally_of_counts(mechanism, rows), decoder, texts)


NO_COUNTS = CountOptions()


@options.with_groups
def estimate(
    tally: Tallies = None,
    counted: CountOptions = NO_COUNTS,
    candidates: Candidates = None,
    decoder: options.Decoder = "projected",
    level: options.Level = 0.95,
    simultaneous: Simultaneous = False,
    target: AskedTarget = "population",
    findings: FindingOptions = NOTHING_ASKED,
    export: ExportOptions = NO_EXPORT,
    question: AskedQuestion = None,
    label: AskedLabel = None,
    values: Values = None,
    weights: Weights = None,
    plot: options.Plot = None,
    truth: KnownTruth = None,
    as_json: options.Json = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="CSV on standard output, one row per label.")] = False,
    out: options.Out = None,
) -> None:
    """Remove the noise from a tally, or from the sum of several: shares with exact intervals."""
    check_formats(as_json, as_csv)
    check_picture(plot)
    tally, sources = counted.checked(tally), [counted.counts, counted.spec, candidates, truth, values, weights]
    check_files([out, plot, export.html], [*tally, *sources, export.survey])
    of_one = {"--counts": counted.counts, "--truth": truth, **findings.by_flag}
    of_tallies = {"--plot": plot, **of_one}
    if export != NO_EXPORT and not export.of_files:
        others = {"--question": question, "--csv": as_csv, "--simultaneous": simultaneous, "--candidates": candidates}
        export.results(tally, decoder, {**others, **of_tallies}).show(level, as_json, out, export.html)
        return
    options.refuse(findings.by_flag if as_csv else {}, "with --csv")
    if question is not None:
        of_shares = {"--csv": as_csv, "--simultaneous": simultaneous, "--decoder": decoder != "projected"}
        options.refuse({"--candidates": candidates, **export.by_rows, **of_tallies, **of_shares}, "with --question")
        show_result(QuestionInputs(question, label, values, weights).of(tally), as_json, out)
        return
    options.refuse({"--label": label, "--values": values, "--weights": weights}, "without --question")
    texts = None if candidates is None else options.read_lines(candidates)
    options.refuse({"--counts": counted.counts} if export.of_files else {}, "with --weight-column")
    files = [] if export.of_files else list(map(open_any, tally))
    if files and isinstance(files[0].content, TallyFolder):
        options.refuse(of_one, "for a folder of tallies")
        groups = _by_group(files, decoder, texts, (level, simultaneous, target))
        show_reading(groups, as_json, as_csv, out)
        figure = groups.plot
    else:
        result = counted.estimate(decoder, texts) or _of_files(files, tally, export, decoder, texts)
        reading = result.reading(level, simultaneous, target, read_truth(truth, result.labels) if truth else None)
        show_reading(reading, as_json, as_csv, out, findings.answers(result, level))
        figure = partial(picture.draw, reading)
    if plot is not None:
        draw(figure(), plot)


def _of_files(
    files: Sequence[OpenedFile], names: Sequence[Path], export: ExportOptions, decoder: str, texts: list[str] | None
) -> dn.Estimate:
    """The shares from the sum of some tallies, or from report files with weights."""
    if export.of_files:
        return _weighted(names, export, decoder, texts)
    tallies = [file.of_kind(dn.Tally) for file in files]
    return files[0].mechanism.estimate(sum(tallies[1:], tallies[0]), decoder, texts)


def _by_group(
    files: Sequence[OpenedFile], decoder: str, texts: list[str] | None, terms: tuple[float, bool, Target]
) -> GroupedReadings:
    """One table of all groups of a folder of tallies, which is named alone."""
    folder, mechanism = files[0].content, files[0].mechanism
    if len(files) > 1:
        raise ParameterError(f"a folder of tallies must be named alone, got it with {len(files) - 1} more")
    assert isinstance(folder, TallyFolder)
    estimates = {group: mechanism.estimate(tally, decoder, texts) for group, tally in folder.tallies.items()}
    return GroupedReadings(folder.by, {group: each.reading(*terms) for group, each in estimates.items()})


def _weighted(files: Sequence[Path], export: ExportOptions, decoder: str, texts: list[str] | None) -> dn.Estimate:
    """The shares among people of whom each counts by a column that stands beside the reports."""
    options.refuse({"--candidates": texts, **export.of_tables}, "with --weight-column of report files")
    if len(files) != 1:
        raise ParameterError(f"report files with --weight-column must be one file or folder, got {len(files)}")
    from deniable.engines.counted_rows import counted_rows  # a tally needs none of what reads tables

    column = export.weight_column or ""
    return counted_rows(files[0], [column]).estimate(column, decoder)
