"""The optimal channel of two labels, each with a level of its own (acharya2019, Thm 2)."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

from deniable.checks import check_epsilon
from deniable.errors import CapacityError, ParameterError
from deniable.mechanisms.channels.explicit import Explicit
from deniable.privacy.context import Pairwise
from deniable.privacy.exponential import exp_lower
from deniable.privacy.guarantees import level
from deniable.privacy.matrix import Rows
from deniable.reports.spec import Spec
from deniable.theory.risk.context import binary_mistakes
from deniable.values.domain import Domain, DomainLike

TOTAL = 1 << 63
"""What the weights of a row add up to."""
CLOSE = 1e-6
"""How far below its level a pair may stay, relatively."""


class BinaryResponse(Explicit):
    """Each label may be told from the other up to its own level: no channel of two labels tells more.

    ``epsilon_first`` bounds how much likelier a report may be from the first label than from the second. Equal levels:
    Warner's coin. One infinite: Mangat's, where that label may be found out, and the other never.

    >>> m = BinaryResponse(["yes", "no"], 0.7, 1.4)
    >>> m.probabilities.round(6).tolist()
    [[0.858536, 0.141464], [0.426337, 0.573663]]
    """

    title = "one of the two labels"
    epsilon_first: float
    epsilon_second: float

    def __init__(self, domain: DomainLike, epsilon_first: float, epsilon_second: float) -> None:
        labels = Domain.of(domain)
        if len(labels) != 2:
            raise ParameterError(f"domain must be two labels for BinaryResponse, got {len(labels)}")
        levels = _level("epsilon_first", epsilon_first), _level("epsilon_second", epsilon_second)
        if levels == (math.inf, math.inf):
            raise ParameterError("epsilon_first and epsilon_second must not both be infinite, got no privacy")
        self._fix(domain=labels, epsilon_first=levels[0], epsilon_second=levels[1])
        self._fix(rows=_rows(*levels))
        self._check_close()

    def _check_close(self) -> None:
        """Refuse levels so far apart that 64 bits cannot come near them."""
        reached = (level(self.rows.worst_ratio([0], [1])), level(self.rows.worst_ratio([1], [0])))
        wanted = (self.epsilon_first, self.epsilon_second)
        if any(want < math.inf and got < want * (1 - CLOSE) for got, want in zip(reached, wanted, strict=True)):
            raise CapacityError(
                "epsilon_first and epsilon_second must leave room for both in 64 bits, "
                f"got {self.epsilon_first:g} and {self.epsilon_second:g}"
            )

    @classmethod
    def from_parameters(cls, domain: Domain, parameters: Spec) -> BinaryResponse:
        """Read a spec, where infinity is the word inf."""
        return cls(domain, **{name: math.inf if value == "inf" else value for name, value in parameters.items()})

    def parameters(self) -> Spec:
        """The two levels; JSON has no infinity."""
        levels = {"epsilon_first": self.epsilon_first, "epsilon_second": self.epsilon_second}
        return {name: "inf" if value == math.inf else value for name, value in levels.items()}

    def __repr__(self) -> str:
        return f"BinaryResponse({self.domain!r}, {self.epsilon_first!r}, {self.epsilon_second!r})"

    @cached_property
    def guarantee(self) -> Pairwise:
        """A level each way."""
        return Pairwise(self.domain, [[0, self.epsilon_first], [self.epsilon_second, 0]])


def _level(name: str, value: Any) -> float:
    if isinstance(value, float) and value == math.inf:
        return math.inf
    return check_epsilon(value, name)


def _rows(first: float, second: float) -> Rows:
    """The mistakes rounded up: the numerators of both ratios only fall, and their denominators only grow."""
    alarm, miss = binary_mistakes(*(None if e == math.inf else exp_lower(e) for e in (first, second)))
    false_alarms, misses = math.ceil(alarm * TOTAL), math.ceil(miss * TOTAL)
    return Rows.of([[TOTAL - misses, misses], [false_alarms, TOTAL - false_alarms]])
