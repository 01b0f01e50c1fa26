"""Guarantees as plain dictionaries for JSON and TOML, and back."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any

from deniable.privacy.averaged import CentralInformationPrivacy, MutualInformationPrivacy
from deniable.privacy.context import Blocks, HighLow, Pairwise
from deniable.privacy.distance import Distance
from deniable.privacy.each_item import EachItem
from deniable.privacy.guarantees import LDP, Guarantee, OneLevel
from deniable.privacy.informed import InformationPrivacy, OneSidedInformationPrivacy, UnderPrior
from deniable.protocol.checks import is_int
from deniable.protocol.errors import FormatError
from deniable.protocol.labels import label_from_json, write_label
from deniable.values.domain import Domain, DomainLike

__all__ = ["from_dict", "to_dict"]
__dir__ = __all__.copy

Written = dict[str, Any]
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
_SIDES = {False: "both", True: "holding"}
"""What of a label in a list is protected: whether it is held or not, or only that it is held."""
OF_PRIOR = {"one_sided", "mutual_information", "people"}
"""The kinds that also have a prior."""


def to_dict(guarantee: Guarantee) -> Written:
    """The guarantee as a dictionary of plain values; infinity becomes the string "inf".

    >>> to_dict(HighLow(["a", "b"], ["b"], 1.0))
    {'domain': ['a', 'b'], 'sensitive': ['b'], 'epsilon': 1.0}
    """
    if isinstance(guarantee, LDP):
        return {"epsilon": _word(guarantee.epsilon)}
    if isinstance(guarantee, Pairwise):
        rows = [[_word(level) for level in row] for row in guarantee.matrix]
        return {"domain": guarantee.domain.to_json(), "matrix": rows}
    if isinstance(guarantee, HighLow):
        return _listed(guarantee.domain, {"sensitive": _labels(guarantee.sensitive)}, guarantee.epsilon)
    if isinstance(guarantee, Blocks):
        return _listed(guarantee.domain, {"blocks": [_labels(block) for block in guarantee.blocks]}, guarantee.epsilon)
    if isinstance(guarantee, EachItem):
        return _listed(guarantee.labels, {"each_item": _SIDES[guarantee.one_sided]}, guarantee.epsilon)
    if isinstance(guarantee, Distance):
        return _listed(guarantee.domain, {"per_unit": True}, guarantee.epsilon)
    if isinstance(guarantee, UnderPrior):
        return _listed(guarantee.domain, {"prior": list(guarantee.prior), **_kind(guarantee)}, guarantee.epsilon)
    raise FormatError(f"a guarantee must be one of deniable's to be written, got {type(guarantee).__name__}")


def _kind(guarantee: UnderPrior) -> Written:
    """The field that distinguishes another prior-based guarantee from LIP; none for LIP."""
    match guarantee:
        case OneSidedInformationPrivacy():
            return {"one_sided": True}
        case MutualInformationPrivacy():
            return {"mutual_information": True}
        case CentralInformationPrivacy():
            return {"people": guarantee.people}
    return {}


def _listed(domain: Domain, own: Written, epsilon: float) -> Written:
    return {"domain": domain.to_json(), **own, "epsilon": _word(epsilon)}


def _word(level: float) -> float | str:
    return "inf" if level == math.inf else level


def _labels(labels: Iterable[Hashable]) -> list[Any]:
    return [write_label(label) for label in labels]


def from_dict(written: Any, domain: DomainLike | None = None, computed: bool = False) -> Guarantee:
    """The guarantee that ``to_dict`` or a guarantee file describes; ``domain`` is used if it names none.

    ``computed``: epsilon may be the result of a sum or a channel, also 0 or infinity, not only a level to ask for.

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
    found = _read(kinds, written if level is None else {**written, "epsilon": 1.0}, domain)
    return found if level is None or not isinstance(found, OneLevel) else found.at(level)


def _computed(epsilon: Any) -> float | None:
    """A computed level as a float, 0 and infinity included; None if it is not a level."""
    number = math.inf if epsilon == "inf" else epsilon
    try:
        return float(number) if (is_int(number) or isinstance(number, float)) and number >= 0 else None
    except OverflowError:  # an integer too large for a float; infinity is written as a word
        return None


def _read(kinds: list[str], written: Any, domain: DomainLike | None) -> Guarantee:
    if not kinds:
        return LDP(written["epsilon"])
    given = Domain.from_json(written["domain"]) if "domain" in written else domain
    own = _unlisted(kinds[0], written[kinds[0]])
    if given is None and kinds[0] != "blocks":
        raise FormatError("a guarantee must name its domain, got none")
    return _READERS[kinds[0]](given, {**written, kinds[0]: own})


def _unlisted(kind: str, own: Any) -> Any:
    """Labels read back from a list; anything else is passed on for the guarantee to refuse."""
    if kind == "blocks" and isinstance(own, list):
        return [_unlisted("sensitive", block) for block in own]
    return [label_from_json(label) for label in own] if kind == "sensitive" and isinstance(own, list) else own


def _matrix(domain: Any, written: Any) -> Pairwise:
    try:
        rows = [[math.inf if entry == "inf" else entry for entry in row] for row in written["matrix"]]
    except TypeError:
        raise FormatError("a guarantee's matrix must be rows of levels, got something else") from None
    return Pairwise(domain, rows)


def _marked(kind: str, make: Callable[[Any, Any], Guarantee]) -> Callable[[Any, Any], Guarantee]:
    """A reader for a kind whose field is simply true."""

    def read(domain: Any, written: Any) -> Guarantee:
        if written[kind] is not True:
            raise FormatError(f"a guarantee's {kind} must be true or left out, got something else")
        return make(domain, written)

    return read


def _informed(family: type[UnderPrior]) -> Callable[[Any, Any], Guarantee]:
    return lambda domain, written: family(domain, written["prior"], written["epsilon"])


def _central(domain: Any, written: Any) -> CentralInformationPrivacy:
    return CentralInformationPrivacy(domain, written["prior"], written["epsilon"], written["people"])


def _each_item(domain: Any, written: Any) -> EachItem:
    sides = {side: one_sided for one_sided, side in _SIDES.items()}
    side = written["each_item"]
    if not isinstance(side, str) or side not in sides:
        raise FormatError(f"a guarantee's each_item must be one of {', '.join(sides)}, got something else")
    return EachItem(domain, written["epsilon"], sides[side])


_READERS: dict[str, Callable[[Any, Any], Guarantee]] = {
    "matrix": _matrix,
    "sensitive": lambda domain, written: HighLow(domain, written["sensitive"], written["epsilon"]),
    "blocks": lambda domain, written: Blocks(written["blocks"], written["epsilon"], domain),
    "one_sided": _marked("one_sided", _informed(OneSidedInformationPrivacy)),
    "mutual_information": _marked("mutual_information", _informed(MutualInformationPrivacy)),
    "people": _central,
    "each_item": _each_item,
    "per_unit": _marked("per_unit", lambda domain, written: Distance(domain, written["epsilon"])),
    "prior": _informed(InformationPrivacy),
}
