"""``deniable regress``: how protected answers depend on the other columns of an export."""

from __future__ import annotations

import shlex
import sys
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import deniable as dn
from deniable.cli import options
from deniable.cli.findings import draw
from deniable.cli.output import check_files, check_picture, plain_page, show, show_json
from deniable.engines.counted_rows import counted_rows
from deniable.engines.host_export import export_columns, numbers_or_texts
from deniable.engines.open_any import read_document
from deniable.estimation.models.fit_words import LOGIT, MODELS
from deniable.estimation.models.formula import read_formula
from deniable.protocol.errors import ParameterError

if TYPE_CHECKING:
    from deniable.estimation.models.fit import Fit
    from deniable.surveys.survey import Survey


def regress(
    export: Annotated[
        Path,
        typer.Argument(
            metavar="EXPORT",
            help="A table with a column of reports: CSV, Parquet; without --survey report files or tallies by group.",
        ),
    ],
    formula: Annotated[str, typer.Argument(metavar="FORMULA", help='What depends on what, such as "hit ~ age + sex".')],
    survey: Annotated[
        Path | None, typer.Option("--survey", metavar="FILE", help="Of a table, the survey of its reports.")
    ] = None,
    column: Annotated[
        str | None, typer.Option("--column", metavar="NAME", help="With --survey, the column of reports.")
    ] = None,
    model: Annotated[str, typer.Option(metavar="M", help=f"One of {', '.join(MODELS)}.")] = LOGIT,
    event: Annotated[str | None, typer.Option(metavar="LABEL", help="The answer whose odds are asked for.")] = None,
    weights: Annotated[str | None, typer.Option(metavar="NAME", help="A column of weights.")] = None,
    strata: Annotated[str | None, typer.Option(metavar="NAME", help="A column of strata.")] = None,
    clusters: Annotated[str | None, typer.Option(metavar="NAME", help="A column of clusters.")] = None,
    drop_missing: Annotated[bool, typer.Option("--drop-missing", help="Leave out rows that lack a value.")] = False,
    level: options.Level = 0.95,
    as_json: options.Json = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="A row for each coefficient, for spreadsheets.")] = False,
    plot: options.Plot = None,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write a report to keep: one file.")
    ] = None,
    out: options.Out = None,
) -> None:
    """Regress protected answers on the other columns of an export, or one of these on them."""
    check_files([out, plot, html], [export, survey])
    check_picture(plot)
    sampling = {"weights": weights, "strata": strata, "clusters": clusters}
    terms = {"model": model, "event": event, **sampling, "missing": "drop" if drop_missing else "refuse"}
    if (survey is None) != (column is None):
        raise ParameterError("--survey must be given together with --column, got one of them")
    if survey is None or column is None:
        fit = _fit_of_files(export, formula, terms)
    else:
        fit = _fit_of_export(export, read_document(survey), column, formula, terms)
    if as_json:
        show_json(fit.to_dict(level), out)
    else:
        show(fit.to_csv(level=level).removesuffix("\n") if as_csv else fit.summary(level), out=out)
    if plot is not None:
        draw(fit.plot(level), plot)
    if html is not None:
        _write_html(fit, html)


def _write_html(fit: Fit, path: Path) -> None:
    """A report in one file, which looks like a page of results where what makes those is installed."""
    try:
        from deniable.pages.fit_report import fit_report
    except ImportError:
        told = "".join(f"<p>{escape(sentence)}</p>\n" for sentence in fit.sentences)
        page = plain_page(fit.setting.title, fit._repr_html_() + told)
    else:
        page = fit_report(fit, command=shlex.join(["deniable", *sys.argv[1:]]))
    show(page, out=path)


def _fit_of_export(export: Path, document: Survey, column: str, formula: str, terms: dict[str, Any]) -> Fit:
    """The fit of a host's table: names of questions are private, others are its columns."""
    read = read_formula(formula)
    names = [name for name in (read.outcome, *read.names, *_sampling_columns(terms)) if name not in document.by_name]
    with export.open("rb") as file:
        table = export_columns(file, export.name, [column, *names])
    frame = {name: numbers_or_texts(table[name]) for name in dict.fromkeys(names)}
    return document.regress(table[column], formula, frame, **terms)


def _fit_of_files(path: Path, formula: str, terms: dict[str, Any]) -> Fit:
    """The fit of report files, or of tallies by group: the outcome is what their reports are of."""
    read = read_formula(formula)
    rows = counted_rows(path, [*read.names, *_sampling_columns(terms)])
    return dn.regress(formula, rows.frame, {read.outcome: (rows.mechanism, rows.reports)}, **terms, counts=rows.people)


def _sampling_columns(terms: dict[str, Any]) -> list[str]:
    """The columns that say how people were drawn."""
    return [terms[name] for name in ("weights", "strata", "clusters") if terms[name] is not None]
