"""``deniable regress``: how protected answers depend on the other columns of an export."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from deniable.cli import options
from deniable.cli.findings import draw
from deniable.cli.output import check_files, check_picture, show, show_json
from deniable.engines.host_export import export_columns
from deniable.engines.open_any import read_document
from deniable.estimation.models.fit_words import LOGIT, MODELS
from deniable.estimation.models.formula import read_formula
from deniable.surveys.field_column import BLANK


def regress(
    export: Annotated[Path, typer.Argument(metavar="EXPORT", help="A table with a column of reports: CSV, Parquet.")],
    formula: Annotated[str, typer.Argument(metavar="FORMULA", help='What depends on what, such as "hit ~ age + sex".')],
    survey: Annotated[Path, typer.Option("--survey", metavar="FILE", help="The survey of the reports.")],
    column: Annotated[str, typer.Option("--column", metavar="NAME", help="The column of reports.")],
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
    out: options.Out = None,
) -> None:
    """Regress protected answers on the other columns of an export, or one of these on them."""
    check_files([out, plot], [export, survey])
    check_picture(plot)
    document, read = read_document(survey), read_formula(formula)
    drawn = [name for name in (weights, strata, clusters) if name is not None]
    names = [name for name in (read.outcome, *read.names, *drawn) if name not in document.by_name]
    with export.open("rb") as file:
        table = export_columns(file, export.name, [column, *names])
    frame = {name: numbers_or_texts(table[name]) for name in dict.fromkeys(names)}
    fit = document.regress(
        table[column], formula, frame, model=model, event=event, weights=weights, strata=strata, clusters=clusters,
        missing="drop" if drop_missing else "refuse",
    )  # fmt: skip
    if as_json:
        show_json(fit.to_dict(level), out)
    elif as_csv:
        show(fit.to_csv(level=level).removesuffix("\n"), out=out)
    else:
        show(fit.summary(level), out=out)
    if plot is not None:
        draw(fit.plot(level), plot)


def numbers_or_texts(column: Sequence[str]) -> list[Any]:
    """The values of a column: all numbers where all are written so, else texts; None where nothing is.

    >>> numbers_or_texts(["1", " 2.5", "NA"]), numbers_or_texts(["a", "2"])
    ([1.0, 2.5, None], ['a', '2'])
    """
    texts = [None if text.strip().lower() in BLANK else text.strip() for text in column]
    try:
        found = [None if text is None else float(text) for text in texts]
    except ValueError:
        return list(texts)
    return found if all(each is None or math.isfinite(each) for each in found) else list(texts)
