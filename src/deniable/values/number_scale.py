"""Columns of numbers and dates as places on a grid, exactly and mostly by floats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeGuard

import numpy as np

from deniable.arrays import Flags, Indices, Vector
from deniable.protocol.errors import LabelError
from deniable.protocol.number_scale import NumberScale
from deniable.protocol.python_values import python_value
from deniable.values.columns import Labels, is_column, is_missing, python_values, strangers

DOUBTFUL: Final = 1e-6
"""Floats this near the middle of two steps are looked at exactly."""
PRECISE: Final = 2.0**30
"""Up to so many steps from zero, floats tell a place but for ``DOUBTFUL``."""


def places_on(scale: NumberScale, labels: Labels) -> Indices:
    """The places of a column of answers; if one of them is none, the column is refused.

    >>> places_on(NumberScale.of(0, 120, 5), [12.5, 500, -3]).tolist()
    [3, 24, 0]
    """
    if not is_column(labels):
        raise LabelError(f"values must be a column of {scale.wanted}s, got {type(labels).__name__}")
    if isinstance(labels, np.ndarray) and labels.dtype.kind == "M":
        labels = labels.astype("M8[D]")
    values: Sequence[Any] | Indices = labels if _is_plain(labels) else python_values(labels)
    places = _places_by_floats(scale, values)
    if places is not None:
        return places
    values = python_values(values)
    wrong = [place for place, value in enumerate(values) if value not in scale]
    if wrong:
        missing = sum(is_missing(values[place]) for place in wrong)
        raise LabelError(f"every value must be {scale.wanted}, {strangers(wrong, len(values), missing)}", wrong[0])
    return np.array([scale.place(python_value(value)) for value in values], np.int64)


def _places_by_floats(scale: NumberScale, values: Sequence[Any] | Indices) -> Indices | None:
    """The places of plain numbers by floats, those in doubt exactly; None where floats do not do."""
    steps_from_zero = max(abs(scale.low), abs(scale.high)) / scale.step
    if scale.dated or steps_from_zero > PRECISE or not (_is_plain(values) or set(map(type, values)) <= {int, float}):
        return None
    try:
        numbers = np.array(values, np.float64)
    except OverflowError:
        return None
    if not np.isfinite(numbers).all():
        return None
    at: Vector = np.clip((numbers - float(scale.low)) / float(scale.step) + 0.5, -1, scale.steps + 2)
    places = np.clip(np.floor(at), 0, scale.steps).astype(np.int64)
    doubtful: Flags = np.abs(at - np.rint(at)) < DOUBTFUL
    for row in np.flatnonzero(doubtful).tolist():
        places[row] = scale.place(python_value(values[row]))
    return places


def _is_plain(values: object) -> TypeGuard[Indices]:
    """Whether these are integers or floats without exception, as an array knows."""
    return isinstance(values, np.ndarray) and values.ndim == 1 and values.dtype.kind in "iuf"
