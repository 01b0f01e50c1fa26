"""Guarantees in writing: the plain values that JSON and TOML hold, and the way back."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any

from deniable.checks import is_int
from deniable.errors import FormatError
from deniable.privacy.averaged import CentralInformationPrivacy, MutualInformationPrivacy
from deniable.privacy.context import Blocks, HighLow, Pairwise
from deniable.privacy.guarantees import LDP, Guarantee, OneLevel
from deniable.privacy.informed import InformationPrivacy, OneSidedInformationPrivacy, UnderPrior
from deniable.values.domain import Domain, DomainLike
from deniable.values.labels import label_from_json, label_to_json

__all__ = ["from_dict", "to_dict"]

Written = dict[str, Any]
KINDS: dict[str, tuple[str, ...]] = {
    "matrix": ("matrix",),
    "sensitive": ("sensitive", "epsilon"),
    "blocks": ("blocks", "epsilon"),
    "one_sided": ("one_sided", "prior", "epsilon"),
    "mutual_information": ("mutual_information", "prior", "epsilon"),
    "people": ("people", "prior", "epsilon"),
    "prior": ("prior", "epsilon"),
}
"""The field that tells the kind, and all fields beside the domain; epsilon alone is plain LDP."""
OF_PRIOR = {"one_sided", "mutual_information", "people"}
"""The kinds that have a prior too."""


def to_dict(guarantee: Guarantee) -> Written:
    """The guarantee as plain values; infinity is the word inf.

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
    if isinstance(guarantee, UnderPrior):
        return _listed(guarantee.domain, {"prior": list(guarantee.prior), **_kind(guarantee)}, guarantee.epsilon)
    raise FormatError(f"a guarantee must be one of deniable's to be written, got {type(guarantee).__name__}")


def _kind(guarantee: UnderPrior) -> Written:
    """What tells a guarantee about a prior from LIP."""
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
    return [label_to_json(label) for label in labels]


def from_dict(written: Any, domain: DomainLike | None = None, computed: bool = False) -> Guarantee:
    """Read what ``to_dict`` wrote, or what a person did in a guarantee file; ``domain`` is for one that names none.

    ``computed``: epsilon may be what a sum or a channel came to, 0 and infinity too, and not only what one may ask for.

    >>> str(from_dict({"domain": ["a", "b"], "sensitive": ["b"], "epsilon": 1.0}))
    '1-LDP for 1 sensitive of 2 labels'
    """
    if not isinstance(written, Mapping):
        raise FormatError(f"a guarantee must be a table of fields, got {type(written).__name__}")
    kinds = [kind for kind in KINDS if kind in written and not (kind == "prior" and OF_PRIOR & set(written))]
    fields = KINDS[kinds[0]] if len(kinds) == 1 else ("epsilon",)
    if len(kinds) > 1 or set(written) - {"domain"} != set(fields):
        raise FormatError(
            "a guarantee must have epsilon alone, or with one of sensitive, blocks, prior; or a matrix; "
            "beside a prior there may be one of one_sided, mutual_information, people; "
            f"got the fields {', '.join(sorted(map(str, written))) or 'none'}"
        )
    level = _computed(written.get("epsilon")) if computed else None
    found = _read(kinds, written if level is None else {**written, "epsilon": 1.0}, domain)
    return found if level is None or not isinstance(found, OneLevel) else found.at(level)


def _computed(epsilon: Any) -> float | None:
    """A level that was computed; None for what is none."""
    number = math.inf if epsilon == "inf" else epsilon
    try:
        return float(number) if (is_int(number) or isinstance(number, float)) and number >= 0 else None
    except OverflowError:  # an integer beyond all floats: infinity has a word
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
    """Labels as they were; what is no list is for the guarantee to refuse."""
    if kind == "blocks" and isinstance(own, list):
        return [_unlisted("sensitive", block) for block in own]
    return [label_from_json(label) for label in own] if kind == "sensitive" and isinstance(own, list) else own


def _matrix(domain: Any, written: Any) -> Pairwise:
    try:
        rows = [[math.inf if entry == "inf" else entry for entry in row] for row in written["matrix"]]
    except TypeError:
        raise FormatError("a guarantee's matrix must be rows of levels, got something else") from None
    return Pairwise(domain, rows)


def _marked(kind: str, family: type[UnderPrior]) -> Callable[[Any, Any], Guarantee]:
    """A kind whose field is just true."""

    def read(domain: Any, written: Any) -> Guarantee:
        if written[kind] is not True:
            raise FormatError(f"a guarantee's {kind} must be true or left out, got something else")
        return family(domain, written["prior"], written["epsilon"])

    return read


def _central(domain: Any, written: Any) -> CentralInformationPrivacy:
    return CentralInformationPrivacy(domain, written["prior"], written["epsilon"], written["people"])


_READERS: dict[str, Callable[[Any, Any], Guarantee]] = {
    "matrix": _matrix,
    "sensitive": lambda domain, written: HighLow(domain, written["sensitive"], written["epsilon"]),
    "blocks": lambda domain, written: Blocks(written["blocks"], written["epsilon"], domain),
    "one_sided": _marked("one_sided", OneSidedInformationPrivacy),
    "mutual_information": _marked("mutual_information", MutualInformationPrivacy),
    "people": _central,
    "prior": lambda domain, written: InformationPrivacy(domain, written["prior"], written["epsilon"]),
}
