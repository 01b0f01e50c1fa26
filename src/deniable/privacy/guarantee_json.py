"""Guarantees as plain dictionaries for JSON and TOML, and back; those about averages and crowds too.

>>> import deniable as dn
>>> dn.guarantee_json.to_dict(dn.LDP(1.0))
{'epsilon': 1.0}
"""

from __future__ import annotations

from typing import Any

from deniable.privacy.averaged import READERS
from deniable.protocol.privacy import guarantee_json
from deniable.protocol.privacy.guarantee_json import to_dict
from deniable.protocol.privacy.guarantees import Guarantee
from deniable.values.domain import DomainLike

__all__ = ["from_dict", "to_dict"]
__dir__ = __all__.copy


def from_dict(written: Any, domain: DomainLike | None = None, computed: bool = False) -> Guarantee:
    """The guarantee that ``to_dict`` or a guarantee file describes; ``domain`` is used if it names none.

    ``computed``: epsilon may be the result of a sum or a channel, also 0 or infinity, not only a level to ask for.

    >>> str(from_dict({"domain": ["a", "b"], "sensitive": ["b"], "epsilon": 1.0}))
    '1-LDP for 1 sensitive of 2 labels'
    """
    return guarantee_json.from_dict(written, domain, computed, READERS)
