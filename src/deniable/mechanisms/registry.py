"""The registry of mechanism families, one row each, and how a spec is turned back into its mechanism."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from typing import Any

from deniable.mechanisms import entry_points
from deniable.mechanisms.family import Family
from deniable.mechanisms.mechanism import Mechanism
from deniable.protocol.canonical import equivalent
from deniable.protocol.checks import near, shown
from deniable.protocol.errors import DenialError, FormatError, ParameterError
from deniable.reports.spec import VERSION, parse, read_spec

_families: dict[str, Family | str] = {
    "RandomizedResponse": "plain.randomized_response.FAMILY",
    "Rappor": "plain.unary.RAPPOR",
    "OptimizedUnary": "plain.unary.OPTIMIZED_UNARY",
    "Subset": "plain.subset.FAMILY",
    "Hadamard": "plain.hadamard.FAMILY",
    "Cyclic": "plain.cyclic.FAMILY",
    "BinaryResponse": "context.binary_response.FAMILY",
    "HighLowHadamard": "context.high_low_hadamard.FAMILY",
    "HighLowResponse": "context.high_low_response.FAMILY",
    "HighLowRappor": "context.high_low_rappor.FAMILY",
    "HighLowSubset": "context.high_low_sets.SUBSET",
    "HighLowCyclic": "context.high_low_sets.CYCLIC",
    "BlockHadamard": "context.block_hadamard.FAMILY",
    "BlockSubset": "context.block_sets.SUBSET",
    "BlockCyclic": "context.block_sets.CYCLIC",
    "Geometric": "context.geometric.FAMILY",
    "HashedResponse": "hashed.hashed_response.FAMILY",
    "HashedRappor": "hashed.hashed_rappor.FAMILY",
    "InformedResponse": "prior.informed_response.FAMILY",
    "Channel": "channels.optimal_channel.FAMILY",
    "AskedItems": "lists.asked_items.FAMILY",
    "PrivateSet": "lists.private_set.FAMILY",
    "ItemResponse": "lists.item_response.FAMILY",
    "Remembered": "repeat.remembered.FAMILY",
}
"""Each row by its family's name, or where it stands until it is first asked for."""


class _Families(Mapping[str, Family]):
    """Rows, each loaded with its family when it is first asked for: one spec needs one family."""

    def __getitem__(self, name: str) -> Family:
        family = _families[name]
        if isinstance(family, str):
            module, _, variable = family.rpartition(".")
            family = _families[name] = getattr(import_module(f"{__package__}.{module}"), variable)
        return family

    def __iter__(self) -> Iterator[str]:
        return iter(_families)

    def __len__(self) -> int:
        return len(_families)


FAMILIES: Mapping[str, Family] = _Families()
"""Every registered family by its name, in the order in which they were registered."""
_of_packages: set[str] = set()
"""The names of those that installed packages offered: their entry points stand in nobody's way."""


def register(family: Family) -> Family:
    """Register a family: it is then planned, read from specs, offered on the command line and tested like any other.

    A name can be used only once; registering the same row again changes nothing.
    """
    if not isinstance(family, Family):
        raise ParameterError(f"family must be a Family, got {type(family).__name__}")
    _families.setdefault(family.name, family)
    if FAMILIES[family.name] is not family:
        raise ParameterError(f"a family must have a name of its own, got {family.name}, which is taken")
    return family


def load(name: str) -> None:
    """Register what an installed package offers under a name, whatever its capitals, unless a family has the name.

    Only then are packages looked through, so that nobody who uses the families here waits for it.
    """
    if name in FAMILIES:
        return
    built_in = [family for family in FAMILIES.values() if family.name not in _of_packages]
    taken = {each.casefold() for family in built_in for each in (family.name, family.way_name)}
    if name.casefold() not in taken and (family := entry_points.load(name, taken)) is not None:
        register(family)
        _of_packages.add(family.name)


def known_names() -> list[str]:
    """Every name that ``load`` knows: of the registered families, and of those that installed packages offer."""
    return list(dict.fromkeys([*FAMILIES, *entry_points.offered()]))


def hint(name: str, known: Iterable[str]) -> str:
    """The end of a message that refuses the name of a mechanism: what was meant, or where others come from."""
    return near(name, known) or "; for another mechanism install the package that offers it"


def family_of(mechanism: Mechanism) -> Family:
    """The row of a mechanism's family."""
    family = FAMILIES.get(mechanism.name)
    if family is None or family.make is not type(mechanism):
        raise ParameterError(f"mechanism must be of a registered family, got {type(mechanism).__name__}")
    return family


def from_spec(spec: Any) -> Mechanism:
    """The mechanism that a spec describes: a dict, or JSON text in any writing, such as JavaScript's 1 for 1.0.

    >>> import deniable as dn
    >>> dn.from_spec(dn.Subset(16, 1.0).spec()) == dn.Subset(16, 1.0)
    True
    >>> dn.from_spec('{"version": 1, "mechanism": "Rappor", "domain": 4, "epsilon": 1}') == dn.Rappor(4, 1.0)
    True
    """
    given = read_spec(spec)
    if "version" not in given:
        raise FormatError(f"a spec must have version {VERSION}, got none")
    if given["version"] != VERSION:
        got = shown(given["version"])
        raise FormatError(f"a spec must be of version {VERSION}, got {got}; a newer release may read it")
    name = str(given.get("mechanism"))
    load(name)
    family = FAMILIES.get(name)
    if family is None:
        known = known_names()
        raise FormatError(f"a spec must name one of {', '.join(known)}, got {shown(name)}{hint(name, known)}")
    parameters = {k: v for k, v in given.items() if k not in ("version", "mechanism", "domain")}
    try:
        if family.nested is not None:
            parameters[family.nested] = from_spec(parameters[family.nested])
        mechanism = family.of_spec(given.get("domain"), parameters)
        same = equivalent(mechanism.spec(), given)
    except DenialError as error:
        raise FormatError(f"a spec must describe a {family.name}, got one that does not: {error}") from error
    except (TypeError, ValueError, ArithmeticError, LookupError, RecursionError):
        raise FormatError(f"a spec must describe a {family.name}, got {_misfit(family, given)}") from None
    if not same:
        raise FormatError(f"a spec must describe a {family.name} in its own fields and values, got some unlike them")
    return mechanism


def _misfit(family: Family, given: Mapping[str, Any]) -> str:
    """What of a spec does not suit a family whose samples show which fields there can be."""
    fields = [set(sample.make().spec()) for sample in family.samples]
    known = sorted(set[str]().union(*fields))
    if known and (strange := next((name for name in given if name not in known), None)) is not None:
        return f"{strange!r}, not one of the fields {', '.join(known)}{near(strange, known)}"
    if fields and (lacking := sorted(set[str].intersection(*fields) - set(given))):
        return f"no field {lacking[0]!r}"
    return "other fields or values"


def from_spec_bytes(written: bytes) -> Mechanism:
    """The mechanism of a stored spec, in a tally or a report file: to the byte the canonical one, by which tallies add.

    >>> import deniable as dn
    >>> from_spec_bytes(dn.Subset(16, 1.0).spec_bytes) == dn.Subset(16, 1.0)
    True
    """
    mechanism = from_spec(parse(written))
    if mechanism.spec_bytes != written:
        raise FormatError("a spec must be in canonical form where it is stored, got one that is written otherwise")
    return mechanism
