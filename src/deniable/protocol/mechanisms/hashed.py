"""Mechanisms that hash their values into the symbols of a random cohort, for any text or closed domains."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from .. import draws
from ..canonical import Spec
from ..checks import check_epsilon, check_int, is_unicode
from ..errors import CapacityError, ParameterError
from ..hashes import base, dealt, hash_symbol
from ..headed_layouts import HEAD, CohortLayout
from ..layouts import IndexLayout, Report, number_of
from ..odds import Odds, dyadic_odds, weighted_odds
from ..privacy.guarantees import LDP
from ..values import Domain, Texts
from ..words import WORD, Words
from .mechanism import Mechanism
from .plain import flips_chance

MOST_SYMBOLS, MOST_COHORTS, MOST_HASHES = 1 << 16, 1 << 16, 64
MOST_DEALT = 1 << 23
"""The most labels times cohorts times hashes of a closed domain."""


class Hashed(Mechanism):
    """A mechanism whose values are symbols of a random cohort; the index of a text is the text itself."""

    odds: Odds

    def __init__(self, domain: Domain | Texts, **fields: Any) -> None:
        key, hashes = check_key(fields["key"]), fields.get("hashes", 1)
        super().__init__(domain, **{**fields, "epsilon": check_epsilon(fields["epsilon"])})
        self.epsilon: float = self.parameters["epsilon"]
        self.guarantee = LDP(self.epsilon)
        self.symbols = check_int("symbols", fields["symbols"], 2, MOST_SYMBOLS)
        self.cohorts = check_int("cohorts", fields["cohorts"], 1, MOST_COHORTS)
        self.hashes = check_int("hashes", hashes, 1, MOST_HASHES)
        if isinstance(domain, Domain) and len(domain) * self.cohorts * self.hashes > MOST_DEALT:
            raise CapacityError(f"labels times cohorts times hashes must be at most {MOST_DEALT}, got more")
        self._key = key
        self._base = base(key, "")

    def symbols_of(self, value: int | str, cohort: int) -> list[int]:
        """The symbols of a label's index or a text in a cohort, one per hash."""
        places = range(cohort * self.hashes, (cohort + 1) * self.hashes)
        if isinstance(value, str):
            seed = base(self._key, value)
            return [hash_symbol(seed, place, self.symbols) for place in places]
        labels = len(self.domain) if isinstance(self.domain, Domain) else 0
        return [dealt(self._base, labels, place, self.symbols)[value] for place in places]


def check_key(key: Any) -> str:
    """The key of a survey's hashes, which may be any text that UTF-8 can hold."""
    if not isinstance(key, str) or not is_unicode(key):
        raise ParameterError(f"key must be text in Unicode, got {type(key).__name__}")
    return key


def most_inverted(hashes: int, symbols: int) -> int:
    """In how many bits two filters differ at most: in all that both set, or in every bit there is."""
    return min(2 * hashes, symbols)


class HashedResponse(Hashed):
    """A cohort, and randomized response of the value's symbol there."""

    def __init__(self, domain: Domain | Texts, **fields: Any) -> None:
        super().__init__(domain, **fields)
        self.odds = weighted_odds(self.epsilon, 1, self.symbols - 1)
        self.layout = IndexLayout(self.cohorts * self.symbols)

    @classmethod
    def of(cls, spec: Spec) -> HashedResponse:
        return cls(_values(spec), **{name: spec[name] for name in ("epsilon", "symbols", "cohorts", "key")})

    def draw(self, value: int | str, words: Words) -> Report:
        cohort = draws.uniform(words.part(), self.cohorts)
        return self.draw_in(cohort, self.symbols_of(value, cohort)[0], words)

    def draw_in(self, cohort: int, symbol: int, words: Words) -> int:
        """The report of a symbol of a cohort."""
        return cohort * self.symbols + draws.response(words.part(), symbol, self.symbols, *self.odds)

    def chance(self, value: int | str, report: Report) -> Fraction:
        cohort, symbol = divmod(number_of(report), self.symbols)
        total = self.odds.above + (self.symbols - 1) * self.odds.below
        return Fraction(self.odds.weight(symbol == self.symbols_of(value, cohort)[0]), total * self.cohorts)


class HashedRappor(Hashed):
    """A cohort, and the value's symbols there as set bits, each bit inverted at random."""

    layout: CohortLayout

    def __init__(self, domain: Domain | Texts, **fields: Any) -> None:
        super().__init__(domain, **fields)
        self.odds = dyadic_odds(Fraction(self.epsilon) / most_inverted(self.hashes, self.symbols))
        self.layout = CohortLayout(self.cohorts, self.symbols)

    @classmethod
    def of(cls, spec: Spec) -> HashedRappor:
        names = ("epsilon", "symbols", "cohorts", "hashes", "key")
        return cls(_values(spec), **{name: spec[name] for name in names})

    def draw(self, value: int | str, words: Words) -> Report:
        cohort = draws.uniform(words.part(), self.cohorts)
        noise = draws.coins(words.part(), self.odds.below, self.symbols)
        return self.layout.join(cohort, noise ^ self._filter(value, cohort))

    def chance(self, value: int | str, report: Report) -> Fraction:
        packed = report if isinstance(report, bytes) else b""
        cohort, members = number_of(packed[:HEAD]), number_of(packed[HEAD:])
        inverted = members ^ self._filter(value, cohort)
        return flips_chance(inverted, self.symbols, Fraction(self.odds.below, WORD)) / self.cohorts

    def _filter(self, value: int | str, cohort: int) -> int:
        """The value's symbols as bits, a symbol of two hashes once."""
        return sum(1 << symbol for symbol in set(self.symbols_of(value, cohort)))


def _values(spec: Spec) -> Domain | Texts:
    return Texts() if spec["domain"] is None else Domain.from_json(spec["domain"])
