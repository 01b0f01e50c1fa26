"""Guarantees as dictionaries for JSON and TOML, and the way back; see wire/guarantee.md."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from ..checks import is_int, shown
from ..errors import FormatError
from ..labels import label_from_json
from ..values import Domain
from .context import Blocks, HighLow, Pairwise
from .distance import Distance
from .each_item import SIDES, EachItem
from .guarantees import LDP, Guarantee
from .informed import InformationPrivacy, OneSidedInformationPrivacy, UnderPrior

Written: TypeAlias = dict[str, Any]
Reader: TypeAlias = Callable[[Any, Any], Guarantee]
"""Makes a guarantee of a domain, None if there is none, and its fields."""
KINDS: dict[str, tuple[str, ...]] = {
    "matrix": ("matrix",),
    "sensitive": ("sensitive", "epsilon"),
    "blocks": ("blocks", "epsilon"),
    "one_sided": ("one_sided", "prior", "epsilon"),
    "mutual_information": ("mutual_information", "prior", "epsilon"),
    "people": ("people", "prior", "epsilon"),
    "each_item": ("each_item", "epsilon"),
    "per_unit": ("per_unit", "epsilon"),
    "prior": ("prior", "epsilon"),
}
"""The field that identifies each kind, with all its fields besides the domain; epsilon alone is plain LDP."""
OF_PRIOR = {"one_sided", "mutual_information", "people"}
"""The kinds that also have a prior."""


def to_dict(guarantee: Guarantee) -> Written:
    """The guarantee as a dictionary of plain values; infinity becomes the string "inf".

    >>> to_dict(HighLow(["a", "b"], ["b"], 1.0))
    {'domain': ['a', 'b'], 'sensitive': ['b'], 'epsilon': 1.0}
    """
    if not isinstance(guarantee, Guarantee):
        raise FormatError(f"a guarantee must be one of deniable's to be written, got {type(guarantee).__name__}")
    return guarantee.to_dict()


def from_dict(
    written: Any, domain: Any = None, computed: bool = False, more: Mapping[str, Reader] | None = None
) -> Guarantee:
    """The guarantee that ``to_dict`` or a guarantee file describes; ``domain`` is used if it names none.

    ``computed``: epsilon may be the result of a sum or a channel, also 0 or infinity, not only a level to ask for.
    ``more`` reads kinds that no single report can be held against, which a device does not know.

    >>> str(from_dict({"domain": ["a", "b"], "sensitive": ["b"], "epsilon": 1.0}))
    '1-LDP for 1 sensitive of 2 labels'
    """
    if not isinstance(written, Mapping):
        raise FormatError(f"a guarantee must be a table of fields, got {type(written).__name__}")
    kinds = [kind for kind in KINDS if kind in written and not (kind == "prior" and OF_PRIOR & set(written))]
    fields = KINDS[kinds[0]] if len(kinds) == 1 else ("epsilon",)
    if len(kinds) > 1 or set(written) - {"domain"} != set(fields):
        raise FormatError(
            "a guarantee must have epsilon alone, or with one of sensitive, blocks, each_item, per_unit, prior; "
            "or a matrix; "
            "beside a prior there may be one of one_sided, mutual_information, people; "
            f"got the fields {', '.join(sorted(map(str, written))) or 'none'}"
        )
    level = _computed(written.get("epsilon")) if computed else None
    fields_read = written if level is None else {**written, "epsilon": 1.0}
    guarantee = _read(kinds[0], fields_read, domain, more or {}) if kinds else LDP(fields_read["epsilon"])
    return guarantee if level is None else guarantee.at(level)


def marked(kind: str, make: Reader) -> Reader:
    """A reader for a kind whose field is simply true."""

    def read(domain: Any, written: Any) -> Guarantee:
        if written[kind] is not True:
            raise FormatError(f"a guarantee's {kind} must be true or left out, got {shown(written[kind])}")
        return make(domain, written)

    return read


def of_prior(family: type[UnderPrior]) -> Reader:
    """A reader for a kind with a prior and no other field."""
    return lambda domain, written: family(domain, written["prior"], written["epsilon"])


def _read(kind: str, written: Any, domain: Any, more: Mapping[str, Reader]) -> Guarantee:
    """The guarantee of a kind from its fields; ``domain`` is used if they name none, ``more`` has further readers."""
    given = Domain.from_json(written["domain"]) if "domain" in written else domain
    if given is None and kind != "blocks":
        raise FormatError("a guarantee must name its domain, got none")
    reader = {**_READERS, **more}.get(kind)
    if reader is None:
        raise FormatError(f"a guarantee must bound every report to be proven here, got one of {kind}")
    return reader(given, {**written, kind: _unlisted(kind, written[kind])})


def _computed(epsilon: Any) -> float | None:
    """A computed level as a float, 0 and infinity included; None if it is not a level."""
    number = math.inf if epsilon == "inf" else epsilon
    try:
        return float(number) if (is_int(number) or isinstance(number, float)) and number >= 0 else None
    except OverflowError:  # an integer too large for a float; infinity is written as a word
        return None


def _unlisted(kind: str, value: Any) -> Any:
    """Labels read back from a list; anything else is passed on for the guarantee to refuse."""
    if kind == "blocks" and isinstance(value, list):
        return [_unlisted("sensitive", block) for block in value]
    return [label_from_json(label) for label in value] if kind == "sensitive" and isinstance(value, list) else value


def _matrix(domain: Any, written: Any) -> Pairwise:
    """A pairwise guarantee, in whose rows infinity is written as the word inf."""
    try:
        rows = [[math.inf if entry == "inf" else entry for entry in row] for row in written["matrix"]]
    except TypeError:
        got = type(written["matrix"]).__name__
        raise FormatError(f"a guarantee's matrix must be rows of levels, got {got}") from None
    return Pairwise(domain, rows)


def _each_item(domain: Any, written: Any) -> EachItem:
    """A guarantee for each label of a list, of which both sides are protected or only holding it."""
    sides = {side: one_sided for one_sided, side in SIDES.items()}
    side = written["each_item"]
    if not isinstance(side, str) or side not in sides:
        raise FormatError(f"a guarantee's each_item must be one of {', '.join(sides)}, got {shown(side)}")
    return EachItem(domain, written["epsilon"], sides[side])


_READERS: dict[str, Reader] = {
    "matrix": _matrix,
    "sensitive": lambda domain, written: HighLow(domain, written["sensitive"], written["epsilon"]),
    "blocks": lambda domain, written: Blocks(written["blocks"], written["epsilon"], domain),
    "one_sided": marked("one_sided", of_prior(OneSidedInformationPrivacy)),
    "each_item": _each_item,
    "per_unit": marked("per_unit", lambda domain, written: Distance(domain, written["epsilon"])),
    "prior": of_prior(InformationPrivacy),
}
