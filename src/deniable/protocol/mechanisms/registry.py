"""Every mechanism by its name, and how the text of a spec becomes one."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from ..canonical import LABELS, WRONG, Spec, equivalent, read_text
from ..checks import shown
from ..errors import DenialError, FormatError
from .blocks import BlockCyclic, BlockHadamard, BlockSubset
from .channels import BinaryResponse, Channel, InformedResponse
from .distance import Geometric
from .hashed import HashedRappor, HashedResponse
from .high_low import (
    HighLowCyclic,
    HighLowHadamard,
    HighLowRappor,
    HighLowResponse,
    HighLowSubset,
)
from .lists import AskedItems, ItemResponse, PrivateSet
from .mechanism import VERSION, Mechanism
from .plain import Cyclic, Hadamard, OptimizedUnary, RandomizedResponse, Rappor, Subset
from .remembered import Remembered

MECHANISMS: Mapping[str, type[Mechanism]] = MappingProxyType(
    {
        mechanism.__name__: mechanism
        for mechanism in (
            RandomizedResponse, Rappor, OptimizedUnary, Subset, Hadamard, Cyclic, BinaryResponse, HighLowHadamard,
            HighLowResponse, HighLowRappor, HighLowSubset, HighLowCyclic, BlockHadamard, BlockSubset, BlockCyclic,
            Geometric, HashedResponse, HashedRappor, InformedResponse, Channel, AskedItems, PrivateSet, ItemResponse,
            Remembered,
        )
    }
)  # fmt: skip


def read_spec(text: str | bytes) -> Mechanism:
    """The mechanism of a spec's text, in any writing; whatever the spec's own fields do not say is refused.

    >>> read_spec('{"version": 1, "mechanism": "Rappor", "domain": 4, "epsilon": 1}')
    Rappor(4 labels, 1-LDP)
    """
    return mechanism_of(read_text(text, "a spec", LABELS))


def read_stored_spec(text: str | bytes) -> Mechanism:
    """The mechanism of a stored spec, which is canonical to the byte."""
    mechanism = read_spec(text)
    if mechanism.to_json() != (text.decode() if isinstance(text, bytes) else text):
        raise FormatError("a spec must be in canonical form where it is stored, got one that is written otherwise")
    return mechanism


def mechanism_of(given: Any) -> Mechanism:
    """The mechanism of a spec that has been read from its text."""
    if not isinstance(given, dict) or given.get("version") != VERSION or isinstance(given["version"], bool):
        got = shown(given.get("version")) if isinstance(given, dict) else type(given).__name__
        raise FormatError(f"a spec must be of version {VERSION}, got {got}; a newer release may read it")
    family = MECHANISMS.get(str(given.get("mechanism")))
    if family is None:
        raise FormatError(f"a spec must name one of {', '.join(MECHANISMS)}, got {shown(given.get('mechanism'))}")
    try:
        mechanism = family.of(_nested(given))
        same = equivalent(mechanism.spec(), given)
    except DenialError as error:
        raise FormatError(f"a spec must describe a {family.__name__}, got one that does not: {error}") from error
    except WRONG:
        raise FormatError(f"a spec must describe a {family.__name__}, got other fields or values") from None
    if not same:
        raise FormatError(
            f"a spec must describe a {family.__name__} in its own fields and values, got some unlike them"
        )
    return mechanism


def _nested(spec: Spec) -> Spec:
    """The fields; ``ever`` of a Remembered one is read first, as a mechanism."""
    if spec["mechanism"] != Remembered.__name__:
        return spec
    return {**spec, "ever": mechanism_of(spec["ever"])}
