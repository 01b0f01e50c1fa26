"""Compiling ahead: small surveys of every mechanism take each step once, so that the kernels they use are kept.

A variant is a kernel for certain types of arrays: integers of one byte, two or four, reports of one's own or of a file.

Limit: the steps that surveys take. A kernel for arrays of another kind is compiled when it is first used, as ever.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from typing import Any, get_args

from numba.core.dispatcher import Dispatcher

from deniable.arrays import Column
from deniable.errors import DenialError
from deniable.estimation.decoders import DECODERS
from deniable.kernels import draw
from deniable.kernels.early import Kernel, compiling_at_once
from deniable.kernels.first_use import NOTICE
from deniable.mechanisms.family import Family
from deniable.mechanisms.mechanism import Mechanism
from deniable.reports.tally import Tally
from deniable.theory.numbers.staggered import network, parts
from deniable.theory.risk.variance import Target
from deniable.values.domain import Domain

LABELS = (6, 300, 70_000)
"""Numbers of labels whose reports are integers of one byte, of two and of four."""
COHORTS = ((4, 4), (16, 64), (4, 1 << 15))
"""Symbols and cohorts of hashed mechanisms, likewise."""
PEOPLE = 64
FEW_CELLS = 4
EPSILON = 1.0


@dataclass(frozen=True, slots=True)
class Warmed:
    """How many variants of kernels were compiled, and how many had been kept before."""

    compiled: int
    kept: int


def warm(mechanisms: Iterable[Mechanism], progress: Callable[[int], None] | None = None) -> Warmed:
    """Put each mechanism to use once. Compiled code goes where ``cache_folder`` says, if anywhere.

    >>> import deniable as dn
    >>> first, again = (warm([dn.RandomizedResponse(6, 1.0)]) for _ in range(2))
    >>> again
    Warmed(compiled=0, kept=0)
    """
    NOTICE.silent = True  # who compiles ahead need not be told to
    before = so_far()
    with compiling_at_once():
        for mechanism in mechanisms:
            use(mechanism)
            if progress is not None:
                progress(1)
        network(FEW_CELLS, parts(FEW_CELLS), EPSILON).resistances.sum()  # as ranges of numbers are estimated
    after = so_far()
    return Warmed(after.compiled - before.compiled, after.kept - before.kept)


def kernels() -> list[Dispatcher]:
    """Every kernel of the package."""
    room = draw.__name__.rpartition(".")[0]
    names = [found.name for found in pkgutil.walk_packages(import_module(room).__path__, f"{room}.")]
    made = [(name, value) for name in names for value in vars(import_module(name)).values()]
    return [value.dispatcher for name, value in made if isinstance(value, Kernel) and value.__module__ == name]


def samples(family: Family) -> list[Mechanism]:
    """Members of a family that between them use each of its kernels on each type of report."""
    sizes = LABELS[:1] if family.hashed or family.written_out or family.lists else LABELS
    closed = [family.example(Domain.of(size), EPSILON) for size in sizes]
    if not family.hashed:
        return closed
    own = {"hashes": 2} if any(option.name == "hashes" for option in family.options) else {}
    given = [{"epsilon": EPSILON, "symbols": r, "cohorts": c, **own} for r, c in COHORTS]
    return [*closed, *(family.of_spec(None, parameters) for parameters in given)]


def so_far() -> Warmed:
    """What this process has compiled and loaded."""
    stats = [kernel.stats for kernel in kernels()]
    return Warmed(sum(s.cache_misses.total() for s in stats), sum(s.cache_hits.total() for s in stats))


def use(mechanism: Mechanism) -> None:
    """Draw a few reports and count them, and decode them in every way unless the labels are many."""
    answers, texts = answers_of(mechanism)
    mechanism.privatize(answers[0])
    reports = mechanism.privatize_many(answers, seed=1)
    tally = mechanism.tally(_as_read(reports)) + mechanism.tally(reports)
    if mechanism.domain.size is None or len(mechanism.domain.labels) < PEOPLE:
        _decode(mechanism, reports, tally, texts)


def _decode(mechanism: Mechanism, reports: Column, tally: Tally, texts: list[Any] | None) -> None:
    """Every decoder, of the counts and of the reports, and every kind of interval."""
    for decoder in (*DECODERS, "nonnegative"):
        for found in (tally, reports):
            with suppress(DenialError):  # a decoder of other mechanisms
                mechanism.estimate(found, decoder, texts)
    with suppress(DenialError):  # a channel that cannot be inverted
        estimate = mechanism.estimate(tally, candidates=texts)
        for target in get_args(Target):
            estimate.interval(target=target)
            estimate.interval(simultaneous=True, target=target)
        if texts is not None:
            estimate.present()


def answers_of(mechanism: Mechanism) -> tuple[list[Any], list[Any] | None]:
    """What a few people answer, and over an open alphabet the candidates to look for."""
    texts: list[Any] | None = ["here", "there", "elsewhere"] if mechanism.domain.size is None else None
    values = texts or list(mechanism.domain.every())
    few = values[:: max(1, len(values) // PEOPLE)]
    return [few[person % len(few)] for person in range(PEOPLE)], texts


def _as_read(reports: Column) -> Column:
    """The reports as a file gives them, to be read only: Numba compiles for these anew."""
    column = reports.copy()
    column.flags.writeable = False
    return column
