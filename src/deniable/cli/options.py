"""The options that commands share, and what they mean."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from deniable.domain import Domain
from deniable.errors import FormatError, ParameterError
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.registry import PLAIN

Labels: TypeAlias = Annotated[
    str | None, typer.Option("--domain", metavar="D", help="The labels: a number of them, or a,b,c.")
]
LabelsFile: TypeAlias = Annotated[
    Path | None, typer.Option("--labels-file", metavar="FILE", help="The labels, one a line, instead of --domain.")
]
MechanismName: TypeAlias = Annotated[
    str, typer.Option("--mechanism", metavar="NAME", help=f"One of {', '.join(PLAIN)}.")
]
Epsilon: TypeAlias = Annotated[float, typer.Option("--epsilon", metavar="E", help="The privacy level.")]
Size: TypeAlias = Annotated[
    str | None, typer.Option("--size", metavar="K", help="Subset: labels in a report, or the word information.")
]
Parts: TypeAlias = Annotated[
    int | None, typer.Option("--parts", metavar="N", help="Hadamard: the number of parts, a power of two.")
]
MaxBits: TypeAlias = Annotated[
    int | None, typer.Option("--max-bits", metavar="B", help="Cyclic: the most bits that a report may take.")
]
Seed: TypeAlias = Annotated[int | None, typer.Option("--seed", metavar="S", help="Make the run repeatable.")]
Decoder: TypeAlias = Annotated[
    str, typer.Option("--decoder", metavar="NAME", help="One of unbiased, normalized, projected, likelihood.")
]
Plot: TypeAlias = Annotated[
    Path | None, typer.Option("--plot", metavar="FILE", help="Draw the picture: a .png or .svg file.")
]
Json: TypeAlias = Annotated[bool, typer.Option("--json", help="One JSON document on standard output.")]

OWN_OPTION = {"size": "Subset", "parts": "Hadamard", "max_bits": "Cyclic"}
"""The mechanism that each parameter beside epsilon belongs to."""


def read_domain(domain: str | None, labels_file: Path | None) -> Domain:
    """The labels as the command line gives them.

    >>> read_domain("never,once,often", None).names, len(read_domain("1000", None))
    (('never', 'once', 'often'), 1000)
    """
    if (domain is None) == (labels_file is None):
        raise ParameterError("either --domain or --labels-file must be given, and not both")
    if labels_file is not None:
        return Domain.of(_lines(labels_file))
    text = domain or ""
    if re.fullmatch(r"\s*[0-9]{1,18}\s*", text):
        return Domain.of(int(text))
    try:
        names = next(csv.reader([text], skipinitialspace=True, strict=True), [])
    except csv.Error as error:
        raise ParameterError(f"--domain must be a number of labels or labels separated by commas: {error}") from error
    if "" in names:
        raise ParameterError("--domain must not have an empty label, got one between commas")
    return Domain.of(names)


def _lines(path: Path) -> list[str]:
    """The lines that are not empty."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(f"{path} must be text in UTF-8 with one label a line, got other bytes") from error
    return [line for line in text.split("\n") if line]


def make_mechanism(
    name: str, domain: Domain, epsilon: float, size: str | None, parts: int | None, max_bits: int | None
) -> Mechanism:
    """The mechanism that the options describe.

    >>> make_mechanism("subset", Domain.of(16), 1.0, "5", None, None)
    Subset(16 labels, epsilon=1.0, size=5)
    """
    families = {known.casefold(): known for known in PLAIN}
    family = families.get(name.casefold())
    if family is None:
        raise ParameterError(f"mechanism must be one of {', '.join(PLAIN)}, got mechanism={name!r}")
    given = {"size": _size(size), "parts": parts, "max_bits": max_bits}
    chosen = {option: value for option, value in given.items() if value is not None}
    for option in chosen:
        if OWN_OPTION[option] != family:
            flag = option.replace("_", "-")
            raise ParameterError(f"--{flag} must go with {OWN_OPTION[option]}, got it with {family}")
    made: Mechanism = PLAIN[family](domain, epsilon, **chosen)
    return made


def _size(text: str | None) -> Any:
    return int(text) if text is not None and re.fullmatch(r"-?[0-9]+", text) else text
