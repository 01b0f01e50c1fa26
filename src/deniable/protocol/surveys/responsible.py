"""Who answers for a survey before the law, as its author states it: nobody has checked any of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import ParameterError
from ..fields import check_words

RESPONSIBLE = ("controller", "officer", "authority", "legal_basis", "host", "rights")
"""What a survey may state, in the order in which people read it."""


def read_responsible(given: Any) -> Mapping[str, str]:
    """Texts by names of ``RESPONSIBLE``; what is not stated is left out, and an empty text is refused.

    >>> read_responsible({"controller": "Northfield Hospital, Hill Road 1"})
    {'controller': 'Northfield Hospital, Hill Road 1'}
    """
    names = ", ".join(RESPONSIBLE)
    if not isinstance(given, Mapping) or not given:
        got = "none" if isinstance(given, Mapping) else type(given).__name__
        raise ParameterError(f"responsible must hold one or more texts by {names}, got {got}")
    if strange := [name for name in given if name not in RESPONSIBLE]:
        raise ParameterError(f"responsible must hold texts by {names}, got {str(strange[0])[:40]!r}")
    texts = {name: check_words(f"responsible {name}", given[name]) for name in RESPONSIBLE if name in given}
    if empty := [name for name, text in texts.items() if not text]:
        raise ParameterError(f"responsible {empty[0]} must have a text or be left out, got an empty one")
    return texts
