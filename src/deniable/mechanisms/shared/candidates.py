"""Candidates: the texts that an open alphabet is searched for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from deniable.arrays import Indices
from deniable.protocol.errors import LabelError, ParameterError
from deniable.protocol.python_values import is_ordered
from deniable.values.columns import python_values
from deniable.values.lists import Lists
from deniable.values.texts import Texts
from deniable.values.values import Values, closed_domain


def read_candidates(candidates: Iterable[Any] | None) -> list[str]:
    """The candidate texts as a list; repeated ones and anything but text are refused."""
    if not is_ordered(candidates):
        shown = "none" if candidates is None else type(candidates).__name__
        raise ParameterError(f"candidates must be a list of texts to look for (--candidates), got {shown}")
    try:
        texts = python_values(candidates)
    except LabelError:
        raise ParameterError("candidates must be text, got something that Python cannot hold among them") from None
    if not texts:
        raise ParameterError("candidates must hold at least one text, got an empty list")
    if strange := [text for text in texts if not isinstance(text, str)]:
        raise ParameterError(f"candidates must be text, got {type(strange[0]).__name__} among them")
    if len(set(texts)) < len(texts):
        raise ParameterError(f"candidates must not repeat a text, got {len(texts) - len(set(texts))} repeated")
    return texts


def check_none(candidates: object) -> None:
    """Refuse candidates for a closed domain, whose labels are known."""
    if candidates is not None:
        raise ParameterError("candidates must be None for a closed domain, got some; they are for open alphabets")


def values_of(values: Values, candidates: Iterable[Any] | None = None) -> Indices:
    """The index of each label, or list of labels; over an open alphabet of each candidate."""
    if isinstance(values, Texts):
        return values.indices(read_candidates(candidates))
    check_none(candidates)
    return values.indices(list(values.every())) if isinstance(values, Lists) else np.arange(len(closed_domain(values)))
