"""The options that commands share, and what they mean."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from deniable.checks import check_epsilon
from deniable.cli.guarantee import read_guarantee
from deniable.engines.prefix_survey import PrefixSurvey
from deniable.errors import FormatError, ParameterError
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.registry import HASHED, PLAIN
from deniable.planning.candidates import ways
from deniable.privacy.guarantees import LDP, Guarantee
from deniable.values.domain import Domain

Labels: TypeAlias = Annotated[
    str | None, typer.Option("--domain", metavar="D", help="The labels: a number of them, or a,b,c.")
]
LabelsFile: TypeAlias = Annotated[
    Path | None, typer.Option("--labels-file", metavar="FILE", help="The labels, one a line, instead of --domain.")
]
MechanismName: TypeAlias = Annotated[
    str,
    typer.Option(
        "--mechanism", metavar="NAME", help=f"One of {', '.join([*PLAIN, *HASHED])}; or of those for the guarantee."
    ),
]
SomeMechanism: TypeAlias = Annotated[
    str | None,
    typer.Option("--mechanism", metavar="NAME", help=f"One of {', '.join([*PLAIN, *HASHED])}; or --survey."),
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
Symbols: TypeAlias = Annotated[
    int | None, typer.Option("--symbols", metavar="R", help="Hashed mechanisms: the symbols of each cohort.")
]
Cohorts: TypeAlias = Annotated[
    int | None, typer.Option("--cohorts", metavar="C", help="Hashed mechanisms: the number of cohorts.")
]
Hashes: TypeAlias = Annotated[
    int | None, typer.Option("--hashes", metavar="H", help="HashedRappor: the hashes of its Bloom filters.")
]
Key: TypeAlias = Annotated[
    str | None,
    typer.Option("--key", metavar="TEXT", help="Hashed mechanisms: tells one survey's hashes from another's."),
]
Longest: TypeAlias = Annotated[
    int | None, typer.Option("--longest", metavar="N", help="Find texts of up to so many characters; 16 unless given.")
]
Step: TypeAlias = Annotated[
    int | None, typer.Option("--step", metavar="N", help="By how many characters prefixes grow; 2 unless given.")
]
Survey: TypeAlias = Annotated[
    Path | None, typer.Option("--survey", metavar="FILE", help="The description of a survey: deniable survey.")
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

LONGEST, STEP = 16, 2
OWN_OPTION = {
    "size": ("Subset",),
    "parts": ("Hadamard",),
    "max_bits": ("Cyclic",),
    "symbols": ("HashedResponse", "HashedRappor"),
    "cohorts": ("HashedResponse", "HashedRappor"),
    "hashes": ("HashedRappor",),
    "key": ("HashedResponse", "HashedRappor"),
}
"""The mechanisms that each parameter beside epsilon belongs to."""


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
    return Domain.of(names)


def _domain_if_given(domain: str | None, labels_file: Path | None) -> Domain | None:
    return None if domain is None and labels_file is None else read_domain(domain, labels_file)


def prefix_survey(epsilon: float, longest: int | None, step: int | None, **own: Any) -> PrefixSurvey:
    """The survey that options describe."""
    return PrefixSurvey(epsilon, LONGEST if longest is None else longest, STEP if step is None else step, **own)


def warn_of_seed(seed: int | None) -> None:
    """Say what a seed undoes."""
    if seed is not None:
        typer.echo("deniable: with --seed the noise can be undone; this is for simulations only", err=True)


def read_lines(path: Path) -> list[str]:
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
    own: Mapping[str, Any] = field(default_factory=dict)

    def make(self, domain: str | None, labels_file: Path | None) -> Mechanism:
        """The mechanism that the options describe; a hashed one without labels is for any text.

        >>> Choice("subset", 1.0, own={"size": "5"}).make("16", None)
        Subset(16 labels, epsilon=1.0, size=5)
        """
        if (self.epsilon is None) == (self.guarantee is None):
            raise ParameterError("either --epsilon or --guarantee must be given, and not both")
        hashed = _named(self.name, HASHED)
        if hashed is not None:
            labels = _domain_if_given(domain, labels_file)
            family: Callable[..., Mechanism] = HASHED[hashed]
            return self._made(partial(family, self.epsilon, domain=labels), hashed)
        promise, found = self._promise(domain, labels_file)
        known = ways(promise, found)
        chosen = _named(self.name, known)
        if chosen is None:
            names = ", ".join([*known, *HASHED])
            raise ParameterError(f"mechanism must be one of {names}, got mechanism={self.name!r}")
        return self._made(known[chosen], chosen)

    def _promise(self, domain: str | None, labels_file: Path | None) -> tuple[Guarantee, Domain]:
        """The guarantee to keep and the labels; a guarantee file may name them."""
        if self.guarantee is not None:
            return read_guarantee(self.guarantee, _domain_if_given(domain, labels_file))
        labels = read_domain(domain, labels_file)
        return LDP(check_epsilon(self.epsilon)), labels

    def _made(self, way: Callable[..., Any], family: str) -> Mechanism:
        """With the parameters that only this family takes."""
        chosen = {option: value for option, value in self.own.items() if value is not None}
        for option in chosen:
            if family not in OWN_OPTION[option]:
                flag, owners = option.replace("_", "-"), " or ".join(OWN_OPTION[option])
                raise ParameterError(f"--{flag} must go with {owners}, got it with {family}")
        if "size" in chosen:
            chosen["size"] = _size(chosen["size"])
        lacking = [option for option in ("symbols", "cohorts") if family in HASHED and option not in chosen]
        if lacking:
            raise ParameterError(f"--{lacking[0]} must be given with {family}, got none")
        made: Mechanism = way(**chosen)
        return made


def _named(name: str, known: Iterable[str]) -> str | None:
    """The name as it is written, whatever its capitals."""
    return {each.casefold(): each for each in known}.get(name.casefold())


def _size(text: str) -> Any:
    return int(text) if re.fullmatch(r"-?[0-9]+", text) else text
