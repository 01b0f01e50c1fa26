"""Shared by the hashed mechanisms: a value becomes a symbol of a random cohort (kairouz2016, sect. 5).

Over an open alphabet each cohort hashes any text; over a closed domain each puts the labels in a random order and
deals them out to the symbols. The device draws its cohort for every report.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from deniable.arrays import Indices, Symbols
from deniable.kernels._kernels import hash_own
from deniable.kernels.hashing import hash_table, permuted_table
from deniable.mechanisms.family import Family, Option, Sample, keeps_none
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.shared.candidates import check_none, read_candidates
from deniable.mechanisms.shared.chosen import some_labels, some_level
from deniable.mechanisms.shared.limits import check_dealt
from deniable.privacy.entropy import Entropy, fill_uniform
from deniable.protocol.canonical import Spec
from deniable.protocol.checks import check_int
from deniable.protocol.errors import CapacityError
from deniable.protocol.mechanisms.hashed import MOST_COHORTS, MOST_HASHES, MOST_SYMBOLS, check_key
from deniable.theory.risk import hashed as theory
from deniable.theory.risk.support import Support
from deniable.values.domain import Domain, DomainLike
from deniable.values.texts import Texts, bases
from deniable.values.values import values_from_json

LARGEST_TABLE = 1 << 28
"""The most symbols that are held in memory at once: a gibibyte."""
SYMBOLS = tuple(1 << i for i in range(1, 13))
"""Of those that a plan tries."""
FEWEST_PLANNED, MOST_PLANNED = 64, 1 << 14
"""The range of cohorts: fewer confuse frequent texts with others; more make long reports and slow tables."""


@dataclass(frozen=True, eq=False)
class CohortHashes:
    """The values, and how each cohort turns them into symbols; ``key`` gives each survey its own hashes."""

    values: Domain | Texts
    key: str
    symbols: int
    cohorts: int
    hashes: int
    candidates: tuple[str, ...] = ()
    """Of an open alphabet, the texts to look for."""

    @classmethod
    def of(cls, domain: DomainLike | None, key: Any, symbols: Any, cohorts: Any, hashes: Any) -> CohortHashes:
        """Check the arguments of a constructor; no domain stands for any text."""
        check_key(key)
        made = cls(
            Texts(key) if domain is None else Domain.of(domain),
            key,
            check_int("symbols", symbols, 2, MOST_SYMBOLS),
            check_int("cohorts", cohorts, 1, MOST_COHORTS),
            check_int("hashes", hashes, 1, MOST_HASHES),
        )
        if isinstance(made.values, Domain):
            check_dealt(len(made.values), made.cohorts, made.hashes)
        return made

    @property
    def open(self) -> bool:
        """Whether any text may be a value."""
        return isinstance(self.values, Texts)

    @property
    def labels(self) -> Sequence[Hashable]:
        """A closed domain's labels, or the candidates of an open alphabet."""
        return self.candidates if isinstance(self.values, Texts) else self.values

    @cached_property
    def table(self) -> Symbols:
        """The symbols [labels, cohorts, hashes] of the labels at hand."""
        d, places = len(self.labels), self.cohorts * self.hashes
        if isinstance(self.values, Texts):
            self._check_table(d)
            return hash_table(bases(self.values.indices(self.candidates)), self.cohorts, self.hashes, self.symbols)
        dealt = permuted_table(np.uint64(Texts(self.key).base("")), d, places, self.symbols)
        return dealt.reshape(d, self.cohorts, self.hashes)

    def _check_table(self, strings: int) -> None:
        if strings * self.cohorts * self.hashes > LARGEST_TABLE:
            raise CapacityError(
                f"strings times cohorts times hashes must be at most {LARGEST_TABLE} to be decoded at once, got more"
            )

    def value_support(self, symbol: Support) -> Support:
        """The support probabilities g and h of a value, which may share its symbol, from those of a symbol."""
        dealt = None if self.hashes > 1 else self.values.size
        return theory.collided(symbol, theory.shared(self.symbols, self.hashes, dealt))

    def draw_cohorts(self, people: int, entropy: Entropy) -> npt.NDArray[np.uint32]:
        """A uniformly random cohort for each person."""
        return fill_uniform(np.empty(people, np.uint32), self.cohorts, entropy)

    def first_symbols(self, values: Indices, cohorts: npt.NDArray[np.uint32]) -> Indices:
        """The first symbol of each value in its cohort."""
        if not self.open:
            return np.asarray(self.table[values, cohorts, 0], np.int64)
        symbols = np.empty(len(values), np.int64)
        hash_own(bases(values), cohorts, np.uint64(self.symbols), symbols)
        return symbols

    def aggregate_draws(self, cells: int) -> float:
        """Binomial draws in aggregate: one per hash, label and cohort, and two per cell."""
        return float(self.cohorts * self.hashes * (self.values.size or 1) + 2 * cells)


class Hashed(Mechanism):
    """A mechanism whose reports are a random cohort, and the value's symbols in it with noise."""

    domain: Domain | Texts
    """The labels that people may hold."""
    epsilon: float
    """The level of privacy."""
    symbols: int
    """The symbols of each cohort."""
    cohorts: int
    """How many cohorts there are."""
    _hashes: CohortHashes

    def _spec_parameters(self) -> Spec:
        return {**super()._spec_parameters(), "key": self._hashes.key}

    def __repr__(self) -> str:
        size = f"{self.symbols} symbols, {self.cohorts} cohorts"
        return f"{self.name}(epsilon={self.epsilon!r}, {size}, {self.domain!r})"

    def _over(self, candidates: Iterable[Any] | None) -> Self:
        """This mechanism with candidates, and without its law, which is of other ones."""
        if not self._hashes.open:
            check_none(candidates)
            return self
        listed = copy.copy(self)
        vars(listed).pop("law", None)
        vars(listed)["_hashes"] = replace(self._hashes, candidates=tuple(read_candidates(candidates)))
        return listed

    @property
    def _labels(self) -> Sequence[Hashable]:
        return self._hashes.labels


def hashed_family(
    make: Callable[..., Any],
    title: str,
    samples: Iterable[Sample],
    options: Iterable[Option] = (),
    most_symbols: int = SYMBOLS[-1],
    **more: Any,
) -> Family:
    """The registry row of a family that hashes its values; a plan tries up to ``most_symbols``."""

    def example(domain: Domain, epsilon: float) -> Mechanism:
        made: Mechanism = make(epsilon, 4, 3, domain=domain)
        return made

    def for_texts(epsilon: float, candidates: int) -> Iterable[Mechanism]:
        """Powers of two symbols, with the cohorts that so many candidates need."""
        for symbols in SYMBOLS:
            if symbols <= most_symbols:
                yield make(epsilon, symbols, cohorts_for(candidates, symbols))

    def read(written: Any, parameters: Spec) -> Mechanism:
        """Of any text the parameters hold the key."""
        values = values_from_json(written, parameters.get("key", ""))
        made: Mechanism = make(**parameters, domain=values if isinstance(values, Domain) else None)
        return made

    def random(source: Random) -> Mechanism:
        """A random shape of cohorts, with and without a domain."""
        hashes = {"hashes": source.randint(1, 5)} if "hashes" in {option.name for option in options} else {}
        made: Mechanism = make(
            some_level(source), source.choice((2, 3, 17, 300)), source.choice((1, 2, 300)), **hashes,
            domain=source.choice((None, some_labels(source))), key=source.choice(("", "märz", "k" * 70)),
        )  # fmt: skip
        return made

    with_key = (
        Option("symbols", "R", "the symbols of each cohort", required=True),
        Option("cohorts", "C", "the number of cohorts", required=True),
        *options,
        Option("key", "TEXT", "tells one survey's hashes from another's", str),
    )
    family: Any = make
    return Family(
        make=family, title=title, example=example, keeps=keeps_none, read=read, options=with_key,
        samples=tuple(samples), hashed=True, for_texts=for_texts,
        detail=lambda m: f"{m.symbols} x {m.cohorts}", random=random, **more,
    )  # fmt: skip


def cohorts_for(candidates: int, symbols: int) -> int:
    """Enough cohorts to tell the candidates apart with room to spare, within sensible limits."""
    return min(max(theory.cohorts_for(candidates, symbols), FEWEST_PLANNED), MOST_PLANNED)
