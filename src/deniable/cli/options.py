"""The options that commands share, and what they mean."""

from __future__ import annotations

import csv
import functools
import inspect
import math
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Self, TypeAlias, get_type_hints

import typer

from deniable.protocol.errors import FormatError, ParameterError
from deniable.values.domain import Domain

Labels: TypeAlias = Annotated[
    str | None, typer.Option("--domain", metavar="D", help="The labels: a number of them, or a,b,c.")
]
LabelsFile: TypeAlias = Annotated[
    Path | None, typer.Option("--labels-file", metavar="FILE", help="The labels, one per line, instead of --domain.")
]
Epsilon: TypeAlias = Annotated[float | None, typer.Option("--epsilon", metavar="E", help="The privacy level.")]
GuaranteeFile: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--guarantee",
        metavar="FILE",
        help="Instead of --epsilon, a TOML file: epsilon with sensitive, blocks or prior; or a matrix.",
    ),
]
Longest: TypeAlias = Annotated[
    int | None, typer.Option("--longest", metavar="N", help="Find texts of up to so many characters; 16 unless given.")
]
SkipBlank: TypeAlias = Annotated[
    bool, typer.Option("--skip-blank", help="Leave out blank values instead of refusing them.")
]
Seed: TypeAlias = Annotated[int | None, typer.Option("--seed", metavar="S", help="Make the run repeatable.")]
Decoder: TypeAlias = Annotated[
    str,
    typer.Option(
        "--decoder",
        metavar="NAME",
        help="One of unbiased, normalized, projected, likelihood; posterior where the mechanism knows the prior.",
    ),
]
Level: TypeAlias = Annotated[float, typer.Option("--level", metavar="L", help="The level of the intervals.")]
Questions: TypeAlias = Annotated[
    list[str] | None, typer.Option("--question", metavar="NAME", help="Only this question; several times for more.")
]
Plot: TypeAlias = Annotated[
    Path | None, typer.Option("--plot", metavar="FILE", help="Draw the picture: a .png or .svg file.")
]
Out: TypeAlias = Annotated[
    Path | None, typer.Option("--out", metavar="FILE", help="Write to a file instead of standard output.")
]
Json: TypeAlias = Annotated[bool, typer.Option("--json", help="One JSON document on standard output.")]

LONGEST = 16


class OptionGroup:
    """Options that commands take as one value: a dataclass with a field for each."""

    @classmethod
    def parameters(cls) -> list[inspect.Parameter]:
        """The options, as a command has them."""
        kinds, fields = get_type_hints(cls, include_extras=True), inspect.signature(cls).parameters.values()
        return [field.replace(annotation=kinds[field.name]) for field in fields]

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Self:
        """The value of options by their names."""
        return cls(**given)


def with_groups(command: Callable[..., None]) -> Callable[..., None]:
    """A command that takes the options of each parameter that is an ``OptionGroup`` in the place of the group."""
    signature = inspect.signature(command, eval_str=True)
    kinds = {name: each.annotation for name, each in signature.parameters.items()}
    groups = {name: kind for name, kind in kinds.items() if isinstance(kind, type) and issubclass(kind, OptionGroup)}
    in_group = {name: group.parameters() for name, group in groups.items()}
    parameters = [each for name, one in signature.parameters.items() for each in in_group.get(name, [one])]

    @functools.wraps(command)
    def run(**arguments: Any) -> None:
        for name, group in groups.items():
            arguments[name] = group.of({each.name: arguments.pop(each.name) for each in in_group[name]})
        command(**arguments)

    run.__dict__["__signature__"] = signature.replace(parameters=parameters)
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    return run


def column_names(text: str) -> list[str]:
    """The columns that an option names.

    >>> column_names("country, day")
    ['country', 'day']
    """
    return [name.strip() for name in text.split(",")]


def two_names(text: str, option: str, wanted: str) -> tuple[str, str]:
    """Two names, as a row of CSV.

    >>> two_names('own,"canteen, hot"', "--compare", "two labels")
    ('own', 'canteen, hot')
    """
    match next(csv.reader([text], skipinitialspace=True), []):
        case [first, second]:
            return first, second
        case names:
            raise ParameterError(f"{option} must name {wanted}, got {len(names)}")


def read_domain(domain: str | None, labels_file: Path | None) -> Domain:
    """The labels as the command line gives them.

    >>> read_domain("never,once,often", None).names, len(read_domain("1000", None))
    (('never', 'once', 'often'), 1000)
    """
    if (domain is None) == (labels_file is None):
        raise ParameterError("either --domain or --labels-file must be given, and not both")
    if labels_file is not None:
        return Domain.of(read_lines(labels_file))
    text = domain or ""
    if re.fullmatch(r"\s*[0-9]{1,18}\s*", text):
        return Domain.of(int(text))
    try:
        names = next(csv.reader([text], skipinitialspace=True, strict=True), [])
    except csv.Error as error:
        raise ParameterError(f"--domain must be a number of labels or labels separated by commas: {error}") from error
    if "" in names:
        raise ParameterError("--domain must not have an empty label, got one between commas")
    if len(names) == 1:
        raise ParameterError("--domain must be a number of labels or labels separated by commas, got a single label")
    return Domain.of(names)


def domain_if_given(domain: str | None, labels_file: Path | None) -> Domain | None:
    """The labels, or None where neither option names any."""
    return None if domain is None and labels_file is None else read_domain(domain, labels_file)


def refuse(given: Mapping[str, object], why: str) -> None:
    """Refuse an option that is given where it means nothing."""
    for option, value in given.items():
        if value is not None and value is not False:
            raise ParameterError(f"{option} must be left out {why}, got it")


def warn_of_seed(seed: int | None) -> None:
    """Warn on the error stream that anyone who knows the seed can undo the noise."""
    if seed is not None:
        typer.echo("deniable: with --seed the noise can be undone; this is for simulations only", err=True)


def warn_of_unstated(lost: Sequence[str]) -> None:
    """Warn on the error stream of what a survey does not state, which a privacy officer needs to read on its label."""
    names = ", ".join(name if name == "contact" else f"responsible.{name}" for name in lost)
    if names:
        typer.echo(
            f"deniable: note: on the privacy label these read 'not stated', unless a plan gives them: {names}", err=True
        )


def read_columns(path: Path, columns: tuple[str, str], least: int = 2) -> list[tuple[str, str]]:
    """Two columns of a CSV file, of which it must have the first ``least``; a second that is missing reads as 0."""
    wanted = " and ".join(columns[:least])
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.DictReader(file)
            names = rows.fieldnames or ()  # which may be somebody's values, if the file has no header
            if not set(columns[:least]) <= set(names):
                raise FormatError(f"{path} must have the columns {wanted}, got {len(names)} without these")
            return [(row[columns[0]] or "", row.get(columns[1], "0") or "") for row in rows]
    except (UnicodeDecodeError, csv.Error) as error:
        raise FormatError(f"{path} must be CSV in UTF-8 with the columns {wanted}") from error


def comma_hint(toml: str) -> str:
    """The end of a message about TOML in which a number has a decimal comma.

    >>> comma_hint('epsilon = 1,0'), comma_hint('labels = [1,0]')
    ('; write a decimal with a point, such as 1.5', '')
    """
    return "; write a decimal with a point, such as 1.5" if re.search(r"=\s*[-+]?\d+,\d", toml) else ""


def number_of(text: str) -> float:
    """A number that stands in a file as text; NaN where it is none."""
    try:
        return float(text)
    except ValueError:
        return math.nan


def read_text(path: Path, wanted: str) -> str:
    """A file's text; ``wanted`` says what must be in UTF-8."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(f"{path} must be {wanted}, got bytes that are not") from error


def read_lines(path: Path) -> list[str]:
    """The lines of a file that are not empty."""
    return [line for line in read_text(path, "text in UTF-8 with one label per line").split("\n") if line]
