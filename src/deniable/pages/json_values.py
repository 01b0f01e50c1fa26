"""Values as JSON has them, which knows no infinity."""

from __future__ import annotations

import math
from typing import Any


def finite(value: Any) -> Any:
    """The same value, where every infinite number is the text "inf", as in documents.

    >>> finite({"level": math.inf, "bits": [1, math.inf]})
    {'level': 'inf', 'bits': [1, 'inf']}
    """
    if isinstance(value, dict):
        return {key: finite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [finite(each) for each in value]
    return "inf" if isinstance(value, float) and math.isinf(value) else value
