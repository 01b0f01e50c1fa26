"""``deniable survey``: plan a survey, look at it, answer it, count answers and read results."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from deniable.cli import options
from deniable.cli.output import check_files, progress, show, show_json, show_result
from deniable.engines.answer_tables import SEPARATOR, answer_batches
from deniable.engines.open_any import read_document
from deniable.engines.survey_files import write_answers, write_document, write_files
from deniable.estimation.words import amount
from deniable.pages.handing.host_files import Host, host_files, next_steps
from deniable.protocol.errors import DenialError, ParameterError
from deniable.protocol.say import english
from deniable.protocol.surveys.carried import LONG_FIELD, longest_value
from deniable.reports.atomic_files import written_whole
from deniable.surveys.authoring import EXAMPLE, advice_from_toml, survey_from_toml, unstated
from deniable.surveys.survey import Survey

T = TypeVar("T")
PLAN: Any = typer.Argument(metavar="PLAN", help="A TOML file: the questions, epsilon and people.")
Document = Annotated[Path, typer.Argument(metavar="SURVEY", help="A survey's document, such as survey.json.")]


def new(
    plan: Annotated[Path | None, PLAN] = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="The survey's document to write.")] = None,
    example: Annotated[bool, typer.Option("--example", help="Show, or write, a plan to begin with, and end.")] = False,
    as_json: options.Json = False,
) -> None:
    """Plan a survey: choose mechanisms and who is asked what, and show the error to expect and the privacy label.

    Without --out nothing is written: change the plan until it suits. With it the label is left to deniable explain.
    """
    if example:
        check_files([out], [plan])
        show(EXAMPLE, out=out)
        return
    if plan is None:
        raise ParameterError("a plan must be given, got none; deniable survey new --example shows one")
    survey, people = _read_plan(plan, survey_from_toml)
    check_files([out], [plan], again=survey.document)
    options.warn_of_unstated(unstated(survey.contact, survey.responsible))
    _warn_of_long_values(survey)
    if out is not None:
        write_document(survey, out)
    if as_json:
        expectation = survey.expected(people).to_dict()
        show_json({"reason": survey.reason, "expected": expectation, "label": survey.label().to_dict()})
        return
    show(survey.expected(people), survey.reason, "")
    if out is None:
        show(survey.label(), "", "nothing is written; --out FILE writes the survey's document")
    else:
        show(f"written to {out}, digest {survey.digest[:12]}; deniable explain {out} shows its label")


def _warn_of_long_values(survey: Survey) -> None:
    """Warn on the error stream of values that a host's usual column for short text would cut."""
    if survey.carrier is not None and (length := longest_value(survey)) > LONG_FIELD:
        typer.echo(
            f"deniable: note: values of this survey have up to {length:,} characters, and many columns for short text "
            "take 255: choose the host's type for long text",
            err=True,
        )


def advise(
    plan: Annotated[Path, PLAN],
    wanted: Annotated[
        float | None,
        typer.Option("--wanted", metavar="SHARE", help="The error to reach, half of a 95% interval; 0.1 unless said."),
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Show what a planned survey would tell of each question, and the changes that help most for what they cost."""
    show_result(_read_plan(plan, lambda text: advice_from_toml(text, wanted)), as_json)


def _read_plan(path: Path, read: Callable[[str], T]) -> T:
    """What ``read`` makes of a plan's text; an error names the file."""
    text = options.read_text(path, "text in UTF-8")
    try:
        return read(text)
    except DenialError as error:
        raise type(error)(f"{path}: {error}{options.comma_hint(text)}") from error


def describe(
    survey: Document,
    people: Annotated[
        int | None, typer.Option("--people", metavar="N", help="Show the error to expect of so many people.")
    ] = None,
    made_up: Annotated[
        float | None,
        typer.Option("--made-up", metavar="SHARE", help="Show how far so large a share of made-up answers moves it."),
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Show a survey's promise, the proof of it, and the privacy label."""
    document = read_document(survey)
    wanted: dict[str, Any] = {} if people is None else {"expected": document.expected(people)}
    if made_up is not None:
        wanted["manipulation"] = document.manipulation(made_up)
    proof = document.audit()
    if as_json:
        parts = {"label": document.label(), "audit": proof, **wanted}
        show_json({name: each.to_dict() for name, each in parts.items()})
        return
    show(document.label(), "", proof.table(), *(part for each in wanted.values() for part in ("", each)))


def answer(
    survey: Document,
    answers: Annotated[
        Path | None, typer.Argument(metavar="ANSWERS", help="A CSV or Parquet file with a column for each question.")
    ] = None,
    one: Annotated[
        str | None, typer.Option("--one", metavar="JSON", help='One person\'s answers, such as {"way": "bus"}.')
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="PATH", help="A new folder for everybody's answers, or a file for one."),
    ] = None,
    separator: Annotated[
        str, typer.Option("--separator", metavar="TEXT", help="Between the labels of a list in one field.")
    ] = SEPARATOR,
    skip_blank: options.SkipBlank = False,
    seed: options.Seed = None,
    as_json: options.Json = False,
) -> None:
    """Answer a survey: one person as bytes, or a file of answers, each randomized, into a folder."""
    if (answers is None) == (one is None):
        raise ParameterError("either a file of answers or --one must be given, and not both")
    document = read_document(survey)
    if one is not None or answers is None:
        _answer_one(document, one or "", out, as_json)
        return
    if out is None:
        raise ParameterError("--out must name a new folder for the answers, got none")
    check_files([], [survey, answers])
    options.warn_of_seed(seed)
    with progress("answer", "answers") as advance:
        batches = answer_batches(document, answers, separator, skip_blank, seed)
        count = write_answers(document, _advancing(batches, advance), out)
    if as_json:
        show_json({"answers": count, "out": str(out), "digest": document.digest})
        return
    files = "in one file" if len(document.arms) == 1 else f"in a file for each of {len(document.arms)} arms"
    show(f"{amount(count, 'answer')} to {document.name!r} written to {out}, {files}")


def _advancing(batches: Any, advance: Any) -> Any:
    """The batches, each of which advances a progress bar once it is used."""
    for batch in batches:
        yield batch
        advance(len(batch))


def _answer_one(survey: Survey, written: str, out: Path | None, as_json: bool) -> None:
    """Show or write one person's answer, from their answers in JSON."""
    try:
        answers = json.loads(written)
    except (ValueError, RecursionError):
        raise ParameterError("--one must be a JSON object from questions to answers, got no JSON") from None
    sent = survey.answer(answers)
    if out is not None:
        with written_whole(out) as file:
            file.write(sent)
        return
    show_json({"answer": sent.hex(), "digest": survey.digest}) if as_json else show(sent.hex())


def embed(
    survey: Document,
    host: Annotated[Host, typer.Option("--for", help="The program, or html for a form of your own.")],
    out: Annotated[Path, typer.Option("--out", metavar="FOLDER", help="A new folder for the files.")],
    column: Annotated[
        str,
        typer.Option("--column", metavar="NAME", help="The field, and the column of an export; private unless given."),
    ] = "private",
    as_json: options.Json = False,
) -> None:
    """Write what a questionnaire that you have, in LimeSurvey, oTree or another program, needs to ask a survey."""
    check_files([], [survey])
    document = read_document(survey)
    files = host_files(document, host, column)
    write_files(files, out)
    steps = [english(step) for step in next_steps(host, column)]
    if as_json:
        show_json({"host": host, "out": str(out), "files": sorted(files), "digest": document.digest, "next": steps})
        return
    show(f"{document.name!r} for {host} written to {out}: {', '.join(sorted(files))}", "", *steps)
    show(f"deniable estimate export.csv --survey {survey} --column {column}")
