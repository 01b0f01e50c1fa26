"""Why a mechanism that was named is not ranked."""

from __future__ import annotations

from collections.abc import Iterable

from deniable.mechanisms.family import Family
from deniable.planning.candidates import MechanismFilter
from deniable.protocol.privacy.guarantees import Guarantee
from deniable.values.domain import Domain


def left_out(
    wanted: MechanismFilter, ranked: Iterable[str], guarantee: Guarantee, domain: Domain | None
) -> tuple[str, ...]:
    """A sentence for each family that was named and is not among those ranked; no domain stands for any text."""
    there = set(ranked)
    named = () if wanted.names is None else [row for row in wanted.families() if row.name not in there]
    return tuple(f"{row.way_name} is not ranked: {_reason(row, wanted, guarantee, domain)}." for row in named)


def _reason(family: Family, wanted: MechanismFilter, guarantee: Guarantee, domain: Domain | None) -> str:
    if domain is None:
        return _reason_of_texts(family, wanted)
    if family.hashed:
        return "over listed labels its symbols and cohorts are yours to choose, and its risk says what it then errs by"
    if family.lists:
        return "it is for lists of labels"
    if family.keeps(guarantee, domain) is None:
        return "it has no member that is made for this guarantee"
    if family.most_planned is not None and len(domain) > family.most_planned:
        return f"it is planned for at most {family.most_planned:,} labels"
    if wanted.max_bits is not None:
        return f"its reports do not fit in {wanted.max_bits} bits, or it has no exact odds for so many labels"
    return "it has no exact odds, or no error that could be worked out, for so many labels"


def _reason_of_texts(family: Family, wanted: MechanismFilter) -> str:
    if family.for_texts is None:
        return "it does not take texts that nobody listed"
    return f"its reports do not fit in {wanted.max_bits} bits"
