"""Values as JSON has them, which knows no infinity."""

from __future__ import annotations

import math
from typing import Any

from deniable.protocol.say import Statement, english


def finite(value: Any) -> Any:
    """A value for JSON: every infinite number is the text "inf", as in documents, and what is no number is None.

    Statements are said in English: programs read one language.

    >>> finite({"level": math.inf, "bits": [1, math.nan]})
    {'level': 'inf', 'bits': [1, None]}
    """
    if isinstance(value, dict):
        return {key: finite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [finite(each) for each in value]
    if isinstance(value, Statement):
        return english(value)
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else "inf" if value > 0 else "-inf"
    return value
