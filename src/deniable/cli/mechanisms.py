"""The mechanism that options name, with the options that only some families take: both read from the registry."""

from __future__ import annotations

import inspect
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, NoReturn, Self, TypeAlias

import typer

from deniable.cli import options
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


_HELP = f"One of {', '.join(NAMES)}; or of those for the guarantee."
_HELP_INSTEAD = "Instead of a file, a mechanism such as Subset."
MechanismName: TypeAlias = Annotated[
    str, typer.Option("--mechanism", metavar="NAME", help=_HELP, autocompletion=_names)
]
MechanismInstead: TypeAlias = Annotated[
    str | None, typer.Option("--mechanism", metavar="NAME", help=_HELP_INSTEAD, autocompletion=_names)
]


def own_options() -> dict[str, tuple[Option, tuple[str, ...]]]:
    """Every option that only some families take, by its name, and the names of these families."""
    own: dict[str, tuple[Option, tuple[str, ...]]] = {}
    for family in FAMILIES.values():
        for option in family.options:
            _, owners = own.get(option.name, (option, ()))
            own[option.name] = option, (*owners, family.name)
    return own


def _parameter(option: Option, owners: tuple[str, ...]) -> inspect.Parameter:
    """The parameter of a command that an option of these families becomes."""
    flag, help_text = f"--{option.name.replace('_', '-')}", f"{', '.join(owners)}: {option.help}."
    kind: Any = option.kind
    annotation = Annotated[kind | None, typer.Option(flag, metavar=option.metavar, help=help_text)]
    return inspect.Parameter(option.name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None, annotation=annotation)


@dataclass(frozen=True, slots=True)
class MechanismTerms(options.OptionGroup):
    """What the command line gives of a mechanism beside its name."""

    epsilon: options.Epsilon = None
    guarantee: options.GuaranteeFile = None
    domain: options.Labels = None
    labels_file: options.LabelsFile = None
    own: Mapping[str, Any] = field(default_factory=dict)
    """The options that only some families take."""

    @classmethod
    def parameters(cls) -> list[inspect.Parameter]:
        """Its own, and those of families in place of the last one."""
        *shared, _ = super(MechanismTerms, cls).parameters()  # slots make the class anew, unknown to super() alone
        return [*shared, *(_parameter(option, owners) for option, owners in own_options().values())]

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Self:
        """The terms by the names of all options; those of families only if they are given."""
        own = {name: given[name] for name in own_options().keys() & given.keys() if given[name] is not None}
        return cls(given["epsilon"], given["guarantee"], given["domain"], given["labels_file"], own)

    def make(self, name: str) -> Mechanism:
        """The mechanism of a name; a hashed one without labels is for any text.

        >>> MechanismTerms(1.0, domain="16", own={"size": "5"}).make("subset")
        Subset(16 labels, epsilon=1.0, size=5)
        """
        if (self.epsilon is None) == (self.guarantee is None):
            raise ParameterError("either --epsilon or --guarantee must be given, and not both")
        hashed = {family.name: family for family in FAMILIES.values() if family.hashed}
        if (known_name := _known(name, hashed)) is not None:
            options.refuse({"--guarantee": self.guarantee}, f"with {known_name}, which takes --epsilon")
            family = hashed[known_name]
            make: Callable[..., Mechanism] = family.make
            labels_if_given = options.domain_if_given(self.domain, self.labels_file)
            return make(self.epsilon, domain=labels_if_given, **self._arguments(family))
        promise, labels = self._promise()
        makers = ways(promise, labels)
        way_name = _known(name, makers) or self._refuse(name, [*makers, *hashed])
        family = next(family for family in FAMILIES.values() if family.way_name == way_name)
        return makers[way_name](**self._arguments(family))

    def instead_of(self, file: Path | None, name: str | None) -> Path | Mechanism:
        """The file that is given, or the mechanism that options describe in its place."""
        values = [name or None, self.epsilon, self.guarantee, self.domain, self.labels_file, *self.own.values()]
        if file is None and name:
            return self.make(name)
        if file is None or any(value is not None for value in values):
            raise ParameterError("either a file or --mechanism with its options must be given, and not both")
        return file

    def _refuse(self, name: str, known: Iterable[str]) -> NoReturn:
        """Refuse a name: that of a family which needs more or keeps less than was given, or of none."""
        family = _known(name, [family.way_name for family in FAMILIES.values()])
        if family is None:
            names = [*known, *(set(known_names()) - set(FAMILIES))]
            got = f"mechanism={shown(name)}{hint(name, names)}" if name else "none"
            raise ParameterError(f"mechanism must be one of {', '.join(names)}, got {got}")
        lacks = "does not keep this guarantee"
        if self.guarantee is None:
            lacks = "a level alone does not make: give --guarantee FILE, or make its spec in Python"
            lacks = next(row.sizes_phrase for row in FAMILIES.values() if row.way_name == family) or lacks
        raise ParameterError(f"mechanism must be one of {', '.join(known)}, got {family}, which {lacks}")

    def _promise(self) -> tuple[Guarantee, Domain]:
        """The guarantee to keep and the labels; a guarantee file may name them."""
        if self.guarantee is not None:
            return read_guarantee(self.guarantee, options.domain_if_given(self.domain, self.labels_file))
        labels = options.read_domain(self.domain, self.labels_file)
        return LDP(check_epsilon(self.epsilon)), labels

    def _arguments(self, family: Family) -> dict[str, Any]:
        """The options that only this family takes, as its constructor takes them."""
        taken = {option.name: option for option in family.options}
        for name in self.own:
            if name not in taken:
                flag, owners = name.replace("_", "-"), " or ".join(own_options()[name][1])
                raise ParameterError(f"--{flag} must go with {owners}, got it with {family.way_name}")
        for option in family.options:
            if option.required and option.name not in self.own:
                raise ParameterError(f"--{option.name} must be given with {family.name}, got none")
        readers = {name: taken[name].read for name in self.own}
        return {name: value if (read := readers[name]) is None else read(value) for name, value in self.own.items()}


NONE = MechanismTerms()


def read_guarantee(path: Path, domain: Domain | None) -> tuple[Guarantee, Domain]:
    """The guarantee that a TOML file describes, and its labels; ``domain`` is for one that names none."""
    text = options.read_text(path, "TOML in UTF-8")
    try:
        written = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{path} must be TOML that can be read: {error}{options.comma_hint(text)}") from error
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


def _known(name: str, known: Iterable[str]) -> str | None:
    """The name as it is written, whatever its capitals."""
    return {each.casefold(): each for each in known}.get(name.casefold())
