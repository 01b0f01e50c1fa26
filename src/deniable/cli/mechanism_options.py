"""The mechanism that options name, with the options that only some families take: both read from the registry."""

from __future__ import annotations

import functools
import inspect
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, NoReturn, TypeAlias

import typer

from deniable.cli.options import domain_if_given, read_domain
from deniable.mechanisms.entry_points import offered
from deniable.mechanisms.family import Family, Option
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.registry import FAMILIES, hint, known_names
from deniable.planning.candidates import ways
from deniable.privacy.guarantee_json import from_dict
from deniable.protocol.checks import check_epsilon, shown
from deniable.protocol.errors import DenialError, FormatError, ParameterError
from deniable.protocol.privacy.guarantees import LDP, Guarantee
from deniable.values.domain import Domain

NAMES = [family.name for family in FAMILIES.values() if family.plain or family.hashed]
"""Mechanisms that need no guarantee in a file."""


def _names() -> list[str]:
    """These, and what installed packages offer."""
    return list(dict.fromkeys([*NAMES, *offered()]))


MechanismName: TypeAlias = Annotated[
    str,
    typer.Option(
        "--mechanism",
        metavar="NAME",
        help=f"One of {', '.join(NAMES)}; or of those for the guarantee.",
        autocompletion=_names,
    ),
]
MechanismInstead: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--mechanism",
        metavar="NAME",
        help="Instead of a file, a mechanism such as Subset.",
        autocompletion=_names,
    ),
]
OWN = "own"
"""The parameter of a command that stands for all options of single families."""
OwnOptions: TypeAlias = Mapping[str, Any]
NONE: OwnOptions = MappingProxyType({})


def own_options() -> dict[str, tuple[Option, tuple[str, ...]]]:
    """Every option that only some families take, by its name, and the names of these."""
    found: dict[str, tuple[Option, tuple[str, ...]]] = {}
    for family in FAMILIES.values():
        for option in family.options:
            _, owners = found.get(option.name, (option, ()))
            found[option.name] = option, (*owners, family.name)
    return found


def with_own_options(command: Callable[..., None]) -> Callable[..., None]:
    """A command whose parameter ``own``, a dictionary, has become an option for each that some family takes."""
    given = inspect.signature(command, eval_str=True)
    shown = {name: _parameter(option, owners) for name, (option, owners) in own_options().items()}
    kept = [[*shown.values()] if each.name == OWN else [each] for each in given.parameters.values()]
    parameters = [each for some in kept for each in some]

    @functools.wraps(command)
    def run(**arguments: Any) -> None:
        own = {name: arguments.pop(name) for name in shown}
        command(**arguments, own={name: value for name, value in own.items() if value is not None})

    run.__dict__["__signature__"] = given.replace(parameters=parameters)
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    return run


def _parameter(option: Option, owners: tuple[str, ...]) -> inspect.Parameter:
    flag, help_text = f"--{option.name.replace('_', '-')}", f"{', '.join(owners)}: {option.help}."
    kind: Any = option.kind
    annotation = Annotated[kind | None, typer.Option(flag, metavar=option.metavar, help=help_text)]
    return inspect.Parameter(option.name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None, annotation=annotation)


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
        hashed = {family.name: family for family in FAMILIES.values() if family.hashed}
        name = _named(self.name, hashed)
        if name is not None:
            make: Callable[..., Mechanism] = hashed[name].make
            return make(self.epsilon, domain=domain_if_given(domain, labels_file), **self._arguments(hashed[name]))
        promise, labels = self._promise(domain, labels_file)
        known = ways(promise, labels)
        name = _named(self.name, known) or self._refuse([*known, *hashed])
        family = next(family for family in FAMILIES.values() if family.way_name == name)
        return known[name](**self._arguments(family))

    def _refuse(self, known: Iterable[str]) -> NoReturn:
        """Refuse a name: that of a family which needs more or keeps less than was given, or of none."""
        family = _named(self.name, [family.way_name for family in FAMILIES.values()])
        if family is None:
            names = [*known, *(set(known_names()) - set(FAMILIES))]
            got = f"mechanism={shown(self.name)}{hint(self.name, names)}" if self.name else "none"
            raise ParameterError(f"mechanism must be one of {', '.join(names)}, got {got}")
        lacks = "does not keep this guarantee"
        if self.guarantee is None:
            lacks = "a level alone does not make: give --guarantee FILE, or make its spec in Python"
        raise ParameterError(f"mechanism must be one of {', '.join(known)}, got {family}, which {lacks}")

    def _promise(self, domain: str | None, labels_file: Path | None) -> tuple[Guarantee, Domain]:
        """The guarantee to keep and the labels; a guarantee file may name them."""
        if self.guarantee is not None:
            return read_guarantee(self.guarantee, domain_if_given(domain, labels_file))
        labels = read_domain(domain, labels_file)
        return LDP(check_epsilon(self.epsilon)), labels

    def _arguments(self, family: Family) -> dict[str, Any]:
        """The options that only this family takes, as its constructor takes them."""
        options = {option.name: option for option in family.options}
        for name in self.own:
            if name not in options:
                flag, owners = name.replace("_", "-"), " or ".join(own_options()[name][1])
                raise ParameterError(f"--{flag} must go with {owners}, got it with {family.way_name}")
        for option in family.options:
            if option.required and option.name not in self.own:
                raise ParameterError(f"--{option.name} must be given with {family.name}, got none")
        readers = {name: options[name].read for name in self.own}
        return {name: value if (read := readers[name]) is None else read(value) for name, value in self.own.items()}


def read_guarantee(path: Path, domain: Domain | None) -> tuple[Guarantee, Domain]:
    """The guarantee that a TOML file describes, and its labels; ``domain`` is for one that names none."""
    try:
        written = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FormatError(f"{path} must be TOML: {error}") from error
    except (ValueError, RecursionError) as error:  # raised for huge numbers and deeply nested lists
        raise FormatError(f"{path} must be TOML that can be read, got numbers too long or tables too deep") from error
    try:
        guarantee = from_dict(written, domain)
        named = Domain.from_json(written["domain"]) if "domain" in written else domain
    except DenialError as error:
        raise type(error)(f"{path}: {error}") from error
    labels = guarantee.domain or named
    if labels is None:
        raise ParameterError(f"{path} must name its domain, or --domain or --labels-file be given, got none")
    if domain is not None and domain != labels:
        raise ParameterError(f"--domain must be that of {path}, or left out, got one of {len(domain)} labels")
    return guarantee, Domain.of(labels)


def _named(name: str, known: Iterable[str]) -> str | None:
    """The name as it is written, whatever its capitals."""
    return {each.casefold(): each for each in known}.get(name.casefold())


def file_or_mechanism(
    file: Path | None, chosen: Choice, domain: str | None, labels_file: Path | None
) -> Path | Mechanism:
    """The file that is given, or the mechanism that options describe in its place."""
    options = [chosen.name or None, chosen.epsilon, chosen.guarantee, domain, labels_file, *chosen.own.values()]
    if file is None and chosen.name:
        return chosen.make(domain, labels_file)
    if file is None or any(each is not None for each in options):
        raise ParameterError("either a file or --mechanism with its options must be given, and not both")
    return file
