"""Every mechanism by name, and the way back from a spec."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from deniable.errors import DenialError, FormatError
from deniable.mechanisms.channels.channel import Channel
from deniable.mechanisms.context.binary_response import BinaryResponse
from deniable.mechanisms.context.block_hadamard import BlockHadamard
from deniable.mechanisms.context.high_low_hadamard import HighLowHadamard
from deniable.mechanisms.context.high_low_rappor import HighLowRappor
from deniable.mechanisms.context.high_low_response import HighLowResponse
from deniable.mechanisms.hashed.hashed_rappor import HashedRappor
from deniable.mechanisms.hashed.hashed_response import HashedResponse
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.plain.cyclic import Cyclic
from deniable.mechanisms.plain.hadamard import Hadamard
from deniable.mechanisms.plain.randomized_response import RandomizedResponse
from deniable.mechanisms.plain.subset import Subset
from deniable.mechanisms.plain.unary import OptimizedUnary, Rappor
from deniable.mechanisms.prior.informed_response import InformedResponse
from deniable.reports.spec import VERSION, Spec, canonical
from deniable.values.domain import Domain
from deniable.values.values import values_from_json

PLAIN: dict[str, type[Any]] = {
    m.__name__: m for m in (RandomizedResponse, Rappor, OptimizedUnary, Subset, Hadamard, Cyclic)
}
"""The mechanisms that a domain and an epsilon determine."""
CONTEXT: dict[str, type[Any]] = {
    m.__name__: m for m in (BinaryResponse, HighLowHadamard, HighLowResponse, HighLowRappor, BlockHadamard)
}
"""The mechanisms that know what is sensitive."""
HASHED: dict[str, type[Any]] = {m.__name__: m for m in (HashedResponse, HashedRappor)}
"""The mechanisms that hash their values, for open alphabets and closed ones."""
MECHANISMS: dict[str, type[Any]] = {
    **PLAIN,
    **CONTEXT,
    **HASHED,
    "InformedResponse": InformedResponse,
    "Channel": Channel,
}
"""All mechanisms."""


def _make(family: type[Any], written: Any, parameters: Spec) -> Mechanism:
    """By the constructor's own arguments, unless the family reads its spec itself; null stands for any text."""
    key = parameters.get("key", "")
    values = values_from_json(written, key) if family in HASHED.values() else Domain.from_json(written)
    read = getattr(family, "from_parameters", None)
    made: Mechanism = family(values, **parameters) if read is None else read(values, parameters)
    return made


def from_spec(spec: Any) -> Mechanism:
    """The mechanism that a spec describes.

    >>> import deniable as dn
    >>> dn.from_spec(dn.Subset(16, 1.0).spec()) == dn.Subset(16, 1.0)
    True
    """
    if not isinstance(spec, Mapping) or spec.get("version") != VERSION:
        raise FormatError(f"a spec must be a dict of version {VERSION}, got another one; a newer release may read it")
    family = MECHANISMS.get(str(spec.get("mechanism")))
    if family is None:
        raise FormatError(f"a spec must name one of {', '.join(MECHANISMS)}, got another name")
    parameters = {k: v for k, v in spec.items() if k not in ("version", "mechanism", "domain")}
    try:
        made = _make(family, spec.get("domain"), parameters)
        same = made.spec_bytes == canonical(dict(spec))
    except DenialError as error:
        raise FormatError(f"a spec must describe a {family.__name__}, got one that does not: {error}") from error
    except (TypeError, ValueError, ArithmeticError, LookupError, RecursionError):
        raise FormatError(f"a spec must describe a {family.__name__}, got other fields or values") from None
    if not same:
        raise FormatError(f"a spec must describe a {family.__name__} in canonical form, got another writing of it")
    return made
