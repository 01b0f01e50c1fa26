"""Guarantees as specs hold them; see wire/guarantee.md."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ..checks import check_prior, is_int
from ..errors import FormatError, ParameterError
from ..labels import read_label, write_label
from ..odds import LARGEST
from ..values import Domain
from .guarantees import LDP, Blocks, Distance, Guarantee, HighLow, Pairwise, Provable
from .informed import InformationPrivacy, OneSidedInformationPrivacy, UnderPrior

Written = dict[str, Any]
UNPROVEN = ("mutual_information", "people", "each_item")
"""Kinds about averages, crowds and lists, which are not proven here: a channel that claims one is refused."""


def read_guarantee(written: Any, domain: Domain) -> Provable:
    """The guarantee that a channel over this domain claims, at a level that may have been computed."""
    kinds = [kind for kind in (*UNPROVEN, *_READERS) if kind in written]
    if kinds and kinds[0] in UNPROVEN:
        raise FormatError(f"a channel's guarantee must be one that bounds every report, got one of {kinds[0]}")
    own = kinds[0] if kinds else "epsilon"
    labels = Domain.from_json(written["domain"]) if "domain" in written else domain
    if labels != domain:
        raise ParameterError("guarantee must be about the channel's domain, got one about another")
    return _READERS[own](labels, written)


def write_guarantee(guarantee: Guarantee, written_domain: Any) -> Written:
    """The guarantee as a spec holds it."""
    if isinstance(guarantee, LDP):
        return {"epsilon": _word(guarantee.epsilon)}
    own: Written = {"domain": written_domain}
    if isinstance(guarantee, Pairwise):
        return {**own, "matrix": [[_word(level) for level in row] for row in guarantee.matrix]}
    if isinstance(guarantee, HighLow):
        own["sensitive"] = [write_label(guarantee.domain[place]) for place in guarantee.places]
    elif isinstance(guarantee, Blocks):
        own["blocks"] = [[write_label(guarantee.domain[place]) for place in block] for block in guarantee.places]
    elif isinstance(guarantee, Distance):
        own["per_unit"] = True
    elif isinstance(guarantee, UnderPrior):
        own["prior"] = list(guarantee.prior)
        own.update({"one_sided": True} if isinstance(guarantee, OneSidedInformationPrivacy) else {})
    return {**own, "epsilon": _word(guarantee.claimed)}


def read_sensitive(domain: Domain, written: Any) -> tuple[int, ...]:
    """The places of sensitive labels, ascending, from the labels as JSON holds them."""
    if not isinstance(written, list) or not written:
        raise ParameterError("sensitive must name at least one label, got none")
    places = sorted({_place(domain, label) for label in written})
    if len(places) < len(written):
        raise ParameterError("sensitive must not repeat a label, got one twice")
    return tuple(places)


def read_blocks(domain: Domain, written: Any) -> tuple[tuple[int, ...], ...]:
    """The places of each block's labels, from the labels as JSON holds them; together they are the domain."""
    if not isinstance(written, list) or not written or not all(isinstance(b, list) and b for b in written):
        raise ParameterError("blocks must be lists of labels, each of at least one, got something else")
    places = tuple(tuple(_place(domain, label) for label in block) for block in written)
    check_partition(places, len(domain))
    return places


def check_partition(blocks: tuple[tuple[int, ...], ...], labels: int) -> None:
    """Every label is in exactly one block."""
    if sorted(place for block in blocks for place in block) != list(range(labels)):
        raise ParameterError("blocks must hold every label of the domain once, got others")


def _place(domain: Domain, written: Any) -> int:
    found = domain.find(read_label(written))
    if found is None:
        raise ParameterError("sensitive labels and blocks must be labels of the domain, got others")
    return found


def _word(level: float) -> float | str:
    return "inf" if level == math.inf else level


def _level(written: Any) -> float:
    """A level, which may have been computed: any number from 0 up, or infinity."""
    number = math.inf if written == "inf" else written
    if not (is_int(number) or isinstance(number, float)) or not number >= 0:
        raise FormatError("epsilon must be a number of at least 0, or inf, got another")
    return float(number)


def _matrix(domain: Domain, written: Any) -> Pairwise:
    rows = [[_level(entry) for entry in row] for row in written["matrix"]]
    d = len(domain)
    if len(rows) != d or any(len(row) != d for row in rows):
        raise ParameterError(f"matrix must be {d} rows of {d} levels, got another shape")
    if any(LARGEST < level < math.inf for row in rows for level in row):
        raise ParameterError(f"each level must be from 0 to {LARGEST}, or infinity, got one that is not")
    return Pairwise(domain, tuple(tuple(0.0 if x == z else e for z, e in enumerate(row)) for x, row in enumerate(rows)))


def _prior(domain: Domain, written: Any) -> UnderPrior:
    prior = check_prior(written["prior"], len(domain))
    kind = OneSidedInformationPrivacy if "one_sided" in written else InformationPrivacy
    return kind(_level(written["epsilon"]), domain, prior)


_READERS: dict[str, Callable[[Domain, Any], Provable]] = {
    "matrix": _matrix,
    "sensitive": lambda d, w: HighLow(_level(w["epsilon"]), d, read_sensitive(d, w["sensitive"])),
    "blocks": lambda d, w: Blocks(_level(w["epsilon"]), d, read_blocks(d, w["blocks"])),
    "per_unit": lambda d, w: Distance(_level(w["epsilon"]), d),
    "prior": _prior,
    "epsilon": lambda _, w: LDP(_level(w["epsilon"])),
}
