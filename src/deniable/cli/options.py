"""The options that commands share, and what they mean."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeAlias, cast

import typer

from deniable.cli.guarantee import read_guarantee
from deniable.domain import Domain
from deniable.errors import FormatError, ParameterError
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.registry import PLAIN
from deniable.planning.candidates import ways
from deniable.privacy.guarantees import LDP, Guarantee

Labels: TypeAlias = Annotated[
    str | None, typer.Option("--domain", metavar="D", help="The labels: a number of them, or a,b,c.")
]
LabelsFile: TypeAlias = Annotated[
    Path | None, typer.Option("--labels-file", metavar="FILE", help="The labels, one a line, instead of --domain.")
]
MechanismName: TypeAlias = Annotated[
    str, typer.Option("--mechanism", metavar="NAME", help=f"One of {', '.join(PLAIN)}; or of those for the guarantee.")
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
    str,
    typer.Option(
        "--decoder",
        metavar="NAME",
        help="One of unbiased, normalized, projected, likelihood; posterior where the mechanism knows the prior.",
    ),
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


@dataclass(frozen=True, slots=True)
class Choice:
    """A mechanism as the command line names it, with what it takes beside its labels."""

    name: str
    epsilon: float | None = None
    guarantee: Path | None = None
    size: str | None = None
    parts: int | None = None
    max_bits: int | None = None

    def make(self, domain: str | None, labels_file: Path | None) -> Mechanism:
        """The mechanism that the options describe.

        >>> Choice("subset", 1.0, size="5").make("16", None)
        Subset(16 labels, epsilon=1.0, size=5)
        """
        promise, labels = self._promise(domain, labels_file)
        known = ways(promise, labels)
        found = {name.casefold(): name for name in known}.get(self.name.casefold())
        if found is None:
            raise ParameterError(f"mechanism must be one of {', '.join(known)}, got mechanism={self.name!r}")
        made: Mechanism = known[found](**self._own(found))
        return made

    def _promise(self, domain: str | None, labels_file: Path | None) -> tuple[Guarantee, Domain]:
        """The guarantee to keep and the labels; a guarantee file may name them."""
        if (self.epsilon is None) == (self.guarantee is None):
            raise ParameterError("either --epsilon or --guarantee must be given, and not both")
        given = domain is not None or labels_file is not None
        labels = read_domain(domain, labels_file) if given or self.guarantee is None else None
        if self.guarantee is None:
            return LDP(cast("float", self.epsilon)), read_domain(domain, labels_file)
        return read_guarantee(self.guarantee, labels)

    def _own(self, family: str) -> dict[str, Any]:
        """The parameters that only this family takes."""
        given = {"size": _size(self.size), "parts": self.parts, "max_bits": self.max_bits}
        chosen = {option: value for option, value in given.items() if value is not None}
        for option in chosen:
            if OWN_OPTION[option] != family:
                flag = option.replace("_", "-")
                raise ParameterError(f"--{flag} must go with {OWN_OPTION[option]}, got it with {family}")
        return chosen


def _size(text: str | None) -> Any:
    return int(text) if text is not None and re.fullmatch(r"-?[0-9]+", text) else text
