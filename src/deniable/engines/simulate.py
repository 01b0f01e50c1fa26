"""Whole surveys in memory: people drawn from a truth, randomized, tallied and estimated.

Either every report is drawn, by the code that devices run, or the tally is drawn in aggregate: from its exact
distribution, by NumPy's generators, at a cost that does not depend on the number of people.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from deniable.arrays import Column, Indices
from deniable.checks import check_distribution, check_users, naming_arguments
from deniable.engines.chunks import Progress, reports_per_chunk
from deniable.estimation.decoders import LIKELY
from deniable.estimation.estimate import Estimate
from deniable.estimation.reading import Truth, whole_truth
from deniable.mechanisms.mechanism import Mechanism, draw_column
from deniable.mechanisms.shared.candidates import read_candidates, values_of
from deniable.privacy.entropy import Entropy, SeededEntropy
from deniable.protocol.errors import ParameterError
from deniable.reports.packed_layout import PackedLayout
from deniable.reports.tally import Tally
from deniable.values.values import closed_domain

AGGREGATE_FROM = 10_000_000
"""Up to so many people all reports are drawn by default: that takes seconds, and runs the code of devices."""
TALLY = 1
"""The path of the seed's generator for aggregate tallies, which differs from that for people."""
DRAW_WORDS = 32
"""The cost of a binomial draw in aggregate, in random words of reports, with all other work included."""


@naming_arguments
def simulate(
    mechanism: Mechanism,
    truth: Truth,
    users: int,
    seed: int,
    decoder: str = "projected",
    candidates: Iterable[str] | None = None,
    aggregate: bool | None = None,
) -> Estimate:
    """One survey of ``users`` people drawn from ``truth``, from the first coin to the estimate.

    ``truth`` has a share for each label, in their order or by label: a dictionary, or a series of pandas. Over an open
    alphabet it gives the shares of ``candidates``, the texts that people hold. With ``aggregate`` no report is made:
    the tally is drawn from its exact distribution. None does so for many millions of people, where it is cheaper,
    unless the decoder needs the reports themselves, as "likelihood" does of packed bits.

    >>> import deniable as dn
    >>> survey = dn.simulate(dn.Subset(4, 1.0), [0.4, 0.3, 0.2, 0.1], users=10_000, seed=1)
    >>> survey.n, bool(abs(survey.frequencies[0] - 0.4) < 0.1)
    (10000, True)
    >>> dn.simulate(dn.Subset(4, 1.0), [0.4, 0.3, 0.2, 0.1], users=10**9, seed=1).frequencies.round(3).tolist()
    [0.4, 0.3, 0.2, 0.1]
    """
    if not isinstance(mechanism, Mechanism):
        raise ParameterError(f"mechanism must be one of deniable's, got {type(mechanism).__name__}")
    mechanism.law.check_decoder(decoder)  # before the work begins
    texts = None if candidates is None else read_candidates(candidates)
    is_aggregate = in_aggregate(mechanism, users, 1 if texts is None else len(texts), aggregate, decoder)
    if needs_reports(mechanism, decoder) and not is_aggregate:
        people = draw_people(len(closed_domain(mechanism.domain)), _shares(mechanism, truth, None), users, seed)
        return mechanism.estimate(np.concatenate(list(_reports(mechanism, people, SeededEntropy(seed)))), decoder)
    tally = simulate_tally(mechanism, truth, users, seed, candidates=texts, aggregate=is_aggregate)
    return mechanism.estimate(tally, decoder, texts)


def simulate_tally(
    mechanism: Mechanism,
    truth: Truth,
    users: int,
    seed: int,
    progress: Progress | None = None,
    candidates: Iterable[str] | None = None,
    aggregate: bool | None = None,
) -> Tally:
    """The tally of a simulated survey: in aggregate, or chunk by chunk, so that memory stays bounded."""
    texts = None if candidates is None else read_candidates(candidates)
    shares = _shares(mechanism, truth, texts)
    people = draw_people(len(values_of(mechanism.domain, texts)), shares, users, seed)
    if not in_aggregate(mechanism, users, 1 if texts is None else len(texts), aggregate):
        return tally_reports(mechanism, people, SeededEntropy(seed), progress, texts)
    tally = mechanism.draw_tally(people, generator_of(seed, TALLY), texts)
    if progress is not None:
        progress(users)
    return tally


def _shares(mechanism: Mechanism, truth: Truth, texts: list[str] | None) -> Iterable[float]:
    """The shares in the order of the labels or the candidates."""
    return whole_truth(truth, closed_domain(mechanism.domain) if texts is None else texts)


def tally_reports(
    mechanism: Mechanism,
    people: Indices,
    entropy: Entropy,
    progress: Progress | None = None,
    candidates: Iterable[str] | None = None,
) -> Tally:
    """Every report of so many people of each label or candidate, made and counted."""
    total = mechanism.tally([])
    for reports in _reports(mechanism, people, entropy, candidates):
        total += mechanism.tally(reports)
        if progress is not None:
            progress(len(reports))
    return total


def in_aggregate(
    mechanism: Mechanism, users: int, candidates: int = 1, aggregate: bool | None = None, decoder: str = "projected"
) -> bool:
    """Whether a survey is drawn in aggregate: as told, else where people are many, it costs less and a tally will do.

    >>> import deniable as dn
    >>> in_aggregate(dn.Subset(16, 1.0), 10_000), in_aggregate(dn.Subset(16, 1.0), 10**9)
    (False, True)
    """
    if not isinstance(aggregate, bool | None):
        raise ParameterError(f"aggregate must be True, False or None, got {type(aggregate).__name__}")
    if aggregate is not None:
        return aggregate
    if check_users(users) <= AGGREGATE_FROM or needs_reports(mechanism, decoder):
        return False
    return cheaper_in_aggregate(mechanism, users, candidates)


def needs_reports(mechanism: Mechanism, decoder: str) -> bool:
    """Whether a decoder needs the reports: only packed reports hold the joint law of their bits, and no tally does."""
    return decoder in LIKELY and isinstance(mechanism.layout, PackedLayout)


def cheaper_in_aggregate(mechanism: Mechanism, users: int, candidates: int = 1) -> bool:
    """Whether a tally's binomial draws, for so many candidates, are less work than the reports of so many people.

    >>> import deniable as dn
    >>> cheaper_in_aggregate(dn.Subset(1000, 1.0), 10_000), cheaper_in_aggregate(dn.Rappor(1000, 1.0), 10_000)
    (False, True)
    """
    return DRAW_WORDS * mechanism.cost.aggregate_draws * candidates < users * mechanism.cost.words_per_report


def draw_people(labels: int, truth: Iterable[float], users: int, seed: int) -> Indices:
    """How many people hold each label, drawn from ``truth``."""
    p = check_distribution("truth", truth, labels)
    return generator_of(seed).multinomial(check_users(users), p).astype(np.int64)


def generator_of(seed: int, *path: int) -> np.random.Generator:
    """NumPy's generator for a seed and a path, independent for different paths."""
    return np.random.Generator(np.random.Philox(np.random.SeedSequence(SeededEntropy(seed).seed, spawn_key=path)))


def _reports(
    mechanism: Mechanism, people: Indices, entropy: Entropy, candidates: Iterable[str] | None = None
) -> Iterator[Column]:
    """The people's reports, label after label, since a tally does not depend on their order."""
    held_values, ends = values_of(mechanism.domain, candidates), np.cumsum(people)
    users, size = int(ends[-1]), reports_per_chunk(mechanism)
    for index, start in enumerate(range(0, users, size)):
        numbers = np.arange(start, min(start + size, users))
        values = held_values[np.searchsorted(ends, numbers, side="right")]
        yield draw_column(mechanism, values, entropy.part(index))
