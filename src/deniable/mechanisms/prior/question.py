"""The goal of a channel for a known prior: the counts of all labels, or one sum."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from deniable.arrays import Vector
from deniable.protocol.checks import check_choice, is_int
from deniable.protocol.errors import ParameterError
from deniable.theory.informed.baselines import check_values
from deniable.values.domain import Domain

GOALS = ("histogram", "sum")
LARGEST_LABEL = 1e100
"""The largest absolute value of a numeric label, so that squares stay finite."""


class Question(NamedTuple):
    """The goal of a channel, the values given for it, and the numbers that are added up."""

    goal: str
    given: Vector | None
    values: Vector | None

    @classmethod
    def read(cls, domain: Domain, goal: Any, values: Any) -> Question:
        """The checked question: values are only for a sum; without them the labels are added up."""
        known = check_choice("goal", goal, GOALS)
        if known == "histogram":
            if values is not None:
                raise ParameterError('values must go with goal="sum", got them with goal="histogram"')
            return cls(known, None, None)
        if values is None:
            labels = numbers(domain)
            labels.flags.writeable = False
            return cls(known, None, labels)
        given = check_values(list(values) if isinstance(values, Iterator) else values, len(domain))
        if np.abs(given).max() > LARGEST_LABEL:
            raise ParameterError(f"values must be numbers up to {LARGEST_LABEL:g}, got one that is larger")
        given.flags.writeable = False
        return cls(known, given, given)


def numbers(domain: Domain) -> Vector:
    """Numeric labels as floats; other labels are refused."""
    if not all((is_int(label) or isinstance(label, float)) and abs(label) <= LARGEST_LABEL for label in domain):
        raise ParameterError(f"labels must be numbers up to {LARGEST_LABEL:g} to be added up, got some that are not")
    return np.array(list(domain), np.float64)
