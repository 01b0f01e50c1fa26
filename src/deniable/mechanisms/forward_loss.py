"""The loss of a model that is trained on reports: forward correction (Patrini et al. 2017) with the exact channel.

The model says how probable each label is, the channel how probable each report is from each label, and so both
together how probable the report is that came. Its logarithm is what is fitted, so the fit is the maximum-likelihood
fit of the labels that nobody told.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import special

from deniable.arrays import Matrix
from deniable.mechanisms.mechanism import Mechanism
from deniable.protocol.errors import ParameterError


@dataclass(frozen=True, eq=False)
class ForwardLoss:
    """Called with scores and reports: the mean loss of the reports, and its slope by each score.

    ``scores`` [reports, labels] are logits: a softmax over a row gives the model's probability of each label.

    >>> import deniable as dn
    >>> loss = dn.forward_loss(dn.RandomizedResponse(["no", "yes"], 1.0))
    >>> value, slope = loss([[0.0, 0.0], [0.0, 2.0]], [1, 1])
    >>> round(value, 4), slope.shape
    (0.5424, (2, 2))
    """

    mechanism: Mechanism

    def __post_init__(self) -> None:
        given: Any = self.mechanism
        if not isinstance(given, Mechanism) or not given.law.adds_up:
            got = repr(given) if isinstance(given, Mechanism) else type(given).__name__
            raise ParameterError(f"mechanism must be one that reports one label of each person, got {got}")
        given.channel()  # refused here if it is too large

    @cached_property
    def _log_chances(self) -> Matrix:
        """The logarithm of the probability of each report (rows) from each label."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.mechanism.channel().probabilities.T))

    def __call__(self, scores: Any, reports: Any) -> tuple[float, Matrix]:
        """The mean of -log P(report), and how it changes with each score; both finite for finite scores."""
        layout = self.mechanism.layout
        places = layout.report_index(layout.check(reports))
        shares = np.asarray(special.log_softmax(_checked(scores, len(places), self._log_chances.shape[1]), axis=1))
        together = shares + self._log_chances[places]
        log_chance = special.logsumexp(together, axis=1, keepdims=True)
        if np.isneginf(log_chance).any():
            raise ParameterError("reports must be ones that some label can send, got one that none can")
        return -float(log_chance.mean()), (np.exp(shares) - np.exp(together - log_chance)) / len(places)


def forward_loss(mechanism: Mechanism) -> ForwardLoss:
    """The loss for training a model on a mechanism's reports as if it had seen the labels; see ``ForwardLoss``.

    The mechanism must have a channel that can be written out (``m.channel()``), one label for each person.

    >>> import deniable as dn
    >>> loss = dn.forward_loss(dn.RandomizedResponse(["no", "yes"], epsilon=1.0))
    >>> value, slope = loss([[0.0, 0.0], [0.0, 2.0]], [1, 1])
    >>> round(value, 4)
    0.5424
    """
    return ForwardLoss(mechanism)


def _checked(scores: Any, reports: int, labels: int) -> Matrix:
    """Scores as a table of finite numbers, a row for each report."""
    table = np.asarray(scores, np.float64)
    if table.shape != (reports, labels):
        raise ParameterError(f"scores must be {reports} rows of {labels} numbers, got an array of shape {table.shape}")
    if not np.isfinite(table).all():
        raise ParameterError("scores must be finite, got some that are not")
    return table
