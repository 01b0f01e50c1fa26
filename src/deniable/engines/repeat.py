"""The same survey repeated many times, to see how errors scatter compared with theory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from deniable.arrays import Counts
from deniable.checks import check_distribution
from deniable.engines.simulate import cheaper_in_aggregate, draw_people, generator_of, tally_reports
from deniable.kernels.aggregate import scatter
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.shared.candidates import read_candidates, values_of
from deniable.privacy.entropy import SeededEntropy
from deniable.protocol.checks import check_int
from deniable.protocol.errors import ParameterError
from deniable.reports.tally import Tally
from deniable.theory.risk.variance import Target

REPEATS = 2
"""The path of the seed's generators for repeated surveys, which differ from those for a single one."""


class SimulatedSurvey(NamedTuple):
    """How many people of each label answered, and the tally of their reports."""

    people: Counts
    tally: Tally


def surveys(
    mechanism: Mechanism,
    truth: Iterable[float],
    users: int,
    seed: int,
    repeats: int,
    target: Target = "population",
    candidates: Iterable[str] | None = None,
) -> Iterator[SimulatedSurvey]:
    """``repeats`` surveys of ``users`` people, one after another.

    With the target "population" people are drawn from ``truth`` for each survey; with "sample" once, and the same
    people answer every time. Fewer repeats of a seed are the first of more. The tallies are drawn in aggregate if
    that is less work than drawing every report.

    >>> import deniable as dn
    >>> m, truth = dn.Subset(4, 1.0), [0.4, 0.3, 0.2, 0.1]
    >>> errors = [m.estimate(s.tally).unbiased - truth for s in surveys(m, truth, 10**6, seed=1, repeats=200)]
    >>> bool(0.8 < (np.array(errors) ** 2).sum(axis=1).mean() / m.risk(10**6, truth=truth) < 1.2)
    True
    """
    texts = None if candidates is None else read_candidates(candidates)
    labels = len(values_of(mechanism.domain, texts))
    drawn_crowds = crowds(labels, truth, users, seed, repeats, target)
    if cheaper_in_aggregate(mechanism, users, 1 if texts is None else labels):
        return (SimulatedSurvey(each, mechanism.draw_tally(each, draws, texts)) for each, draws in drawn_crowds)
    entropy = SeededEntropy(seed).part(REPEATS)
    return (
        SimulatedSurvey(people, tally_reports(mechanism, people, entropy.part(number), candidates=texts))
        for number, (people, _) in enumerate(drawn_crowds)
    )


def crowds(
    labels: int, truth: Iterable[float], users: int, seed: int, repeats: int, target: Target
) -> Iterator[tuple[Counts, np.random.Generator]]:
    """How many people hold each label in each survey, and the generator that goes on to draw what they say."""
    if target not in ("population", "sample"):
        raise ParameterError(f'target must be "population" or "sample", got target={target!r}')
    p, generator = check_distribution("truth", truth, labels), generator_of(seed, REPEATS)
    sample = draw_people(labels, p, users, seed)
    sample.flags.writeable = False  # the same object every time
    numbers = range(check_int("repeats", repeats, 0))
    return ((scatter(users, p, generator) if target == "population" else sample, generator) for _ in numbers)
