"""Whole surveys in memory: people drawn from a truth, randomized, tallied and estimated."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

import numpy as np

from deniable.domain import Indices
from deniable.errors import ParameterError
from deniable.estimation.estimate import Estimate
from deniable.mechanisms.mechanism import Mechanism
from deniable.privacy.entropy import SeededEntropy
from deniable.reports.layout import Column, PackedLayout
from deniable.reports.tally import Tally
from deniable.theory.arguments import check_distribution, check_users

Progress: TypeAlias = Callable[[int], None]
"""Told how many more people were done."""

CHUNK_BYTES = 1 << 26


def simulate(
    mechanism: Mechanism,
    truth: Iterable[float],
    users: int,
    seed: int,
    decoder: str = "projected",
    candidates: Iterable[str] | None = None,
) -> Estimate:
    """One survey of ``users`` people drawn from ``truth``, from the first coin to the estimate.

    Over an open alphabet ``truth`` gives the shares of ``candidates``, the texts that people hold.

    >>> import deniable as dn
    >>> survey = dn.simulate(dn.Subset(4, 1.0), [0.4, 0.3, 0.2, 0.1], users=10_000, seed=1)
    >>> survey.n, bool(abs(survey.frequencies[0] - 0.4) < 0.1)
    (10000, True)
    """
    if not isinstance(mechanism, Mechanism):
        raise ParameterError(f"mechanism must be one of deniable's, got {type(mechanism).__name__}")
    mechanism.check_decoder(decoder)  # before the work begins
    if decoder == "likelihood" and isinstance(mechanism.layout, PackedLayout):
        # only the reports themselves hold the joint law of their bits
        return mechanism.estimate(np.concatenate(list(_reports(mechanism, truth, users, seed))), decoder)
    texts = None if candidates is None else list(candidates)
    return mechanism.estimate(simulate_tally(mechanism, truth, users, seed, candidates=texts), decoder, texts)


def simulate_tally(
    mechanism: Mechanism,
    truth: Iterable[float],
    users: int,
    seed: int,
    progress: Progress | None = None,
    candidates: Iterable[str] | None = None,
) -> Tally:
    """The tally of a simulated survey, chunk by chunk, so that memory stays bounded."""
    total = mechanism.empty_tally()
    for reports in _reports(mechanism, truth, users, seed, candidates):
        total += mechanism.tally(reports)
        if progress is not None:
            progress(len(reports))
    return total


def draw_people(labels: int, truth: Iterable[float], users: int, seed: int) -> Indices:
    """How many people hold each label, drawn from ``truth``."""
    p = check_distribution("truth", truth, labels)
    generator = np.random.Generator(np.random.Philox(SeededEntropy(seed).seed))
    return generator.multinomial(check_users(users), p).astype(np.int64)


def _reports(
    mechanism: Mechanism, truth: Iterable[float], users: int, seed: int, candidates: Iterable[str] | None = None
) -> Iterator[Column]:
    """Their reports, label after label: a tally does not depend on the order of people."""
    held = mechanism.values_of(candidates)
    ends = np.cumsum(draw_people(len(held), truth, users, seed))
    entropy = SeededEntropy(seed)
    size = max(1, CHUNK_BYTES * 8 // max(64, mechanism.report_bits))
    for index, start in enumerate(range(0, users, size)):
        people = np.arange(start, min(start + size, users))
        values = held[np.searchsorted(ends, people, side="right")]
        yield mechanism.draw_column(values, entropy.part(index))
