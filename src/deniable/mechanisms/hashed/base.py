"""What the hashed mechanisms share: a value becomes a symbol of a random cohort (kairouz2016, sect. 5).

Over an open alphabet each cohort hashes any text; over a closed domain each puts the labels in a random order and
deals them out to the symbols. The device draws its cohort for every report.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cached_property
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from deniable.arrays import Column, Counts, Indices, Symbols
from deniable.checks import check_epsilon, check_int, check_people
from deniable.errors import CapacityError, LabelError, ParameterError
from deniable.estimation.cohort_evidence import CohortEvidence, regress
from deniable.estimation.cohort_forms import Form, decode
from deniable.estimation.cohorts import CohortSurvey
from deniable.estimation.decoders import Messages
from deniable.estimation.estimate import Estimate
from deniable.kernels.draw.hashing import hash_table, permuted_table
from deniable.mechanisms.mechanism import Mechanism, check_risk_arguments
from deniable.mechanisms.shared.limits import check_dealt
from deniable.privacy.entropy import Entropy, draw_uniform
from deniable.privacy.guarantees import LDP
from deniable.reports.spec import Spec
from deniable.reports.tally import Tally
from deniable.theory.risk import hashed as theory
from deniable.theory.risk.support import Support, leverage, risk
from deniable.theory.risk.variance import Loss, Target
from deniable.values.columns import is_ordered, python_values
from deniable.values.domain import Domain, DomainLike
from deniable.values.texts import Texts, bases, is_unicode
from deniable.values.values import closed_domain

MOST_COHORTS, MOST_CELLS = 1 << 16, 1 << 26
"""Cohorts, and cohorts times symbols that are tallied: half a gibibyte."""
FORMS: dict[str, Form] = {form: form for form in get_args(Form)}
"""The decoders by name."""
LARGEST_TABLE = 1 << 28
"""Symbols of labels in cohorts that are kept at once: a gibibyte."""


class Hashed(Mechanism):
    """An epsilon, symbols, cohorts, and a key that tells one survey's hashes from another's."""

    domain: Domain | Texts
    epsilon: float
    symbols: int
    cohorts: int
    hashes: int
    key: str

    def __init__(
        self, epsilon: float, symbols: int, cohorts: int, hashes: int, domain: DomainLike | None, key: str
    ) -> None:
        check_key(key)
        self._fix(
            domain=Texts(key) if domain is None else Domain.of(domain),
            epsilon=check_epsilon(epsilon),
            symbols=check_int("symbols", symbols, 2, theory.MOST_SYMBOLS),
            cohorts=check_int("cohorts", cohorts, 1, MOST_COHORTS),
            hashes=check_int("hashes", hashes, 1, 64),
            key=key,
        )
        if isinstance(self.domain, Domain):
            check_dealt(len(self.domain), self.cohorts, self.hashes)
        self.exact_ratio()  # refuses at the door what has no odds in 64 bits

    @classmethod
    def from_parameters(cls, values: Domain | Texts, parameters: Spec) -> Hashed:
        """Read a spec. Of any text the parameters hold the key."""
        family: Callable[..., Hashed] = cls
        return family(**parameters, domain=values if isinstance(values, Domain) else None)

    @property
    def open(self) -> bool:
        """Whether any text may be a value."""
        return isinstance(self.domain, Texts)

    @property
    def guarantee(self) -> LDP:
        """Plain local differential privacy: the cohort says nothing."""
        return LDP(self.epsilon)

    def parameters(self) -> Spec:
        """Epsilon, symbols, cohorts and the key."""
        return {"epsilon": self.epsilon, "symbols": self.symbols, "cohorts": self.cohorts, "key": self.key}

    def __repr__(self) -> str:
        return f"{self.name}(epsilon={self.epsilon!r}, {self.symbols} symbols, {self.cohorts} cohorts, {self.domain!r})"

    def draw_own_cohorts(self, people: int, entropy: Entropy) -> npt.NDArray[np.uint32]:
        """A uniform cohort for each person."""
        return draw_uniform(people, self.cohorts, entropy)

    @cached_property
    def closed_table(self) -> Symbols:
        """The symbols [labels, cohorts, hashes] of a closed domain."""
        d, places = len(closed_domain(self.domain)), self.cohorts * self.hashes
        table = permuted_table(np.uint64(Texts(self.key).base("")), d, places, self.symbols)
        return table.reshape(d, self.cohorts, self.hashes)

    def table(self, candidates: list[str]) -> Symbols:
        """The symbols [candidates, cohorts, hashes] of texts."""
        self._check_table(len(candidates))
        return hash_table(bases(Texts(self.key).indices(candidates)), self.cohorts, self.hashes, self.symbols)

    def _check_table(self, strings: int) -> None:
        if strings * self.cohorts * self.hashes > LARGEST_TABLE:
            raise CapacityError(
                f"strings times cohorts times hashes must be at most {LARGEST_TABLE} to be decoded at once, got more"
            )

    def add_up(self, reports: Any, onto: Counts | None = None) -> tuple[int, Counts]:
        """Check and count, where the counts fit into memory."""
        self._check_cells()
        return super().add_up(reports, onto)

    def empty_tally(self) -> Tally:
        """The tally of no reports."""
        self._check_cells()
        return super().empty_tally()

    def _check_cells(self) -> None:
        if self.symbols * self.cohorts > MOST_CELLS:
            raise CapacityError(f"symbols times cohorts must be at most {MOST_CELLS} to be tallied, got more")

    @abstractmethod
    def survey(self, tally: Tally, table: Symbols) -> CohortSurvey:
        """A tally beside the symbols of the strings to look for."""

    @property
    @abstractmethod
    def symbol_support(self) -> Support:
        """How often a report shows a symbol of its cohort: one of the value's own, and another."""

    # --- what is predicted where cohorts are many ---------------------------------------------------------------

    @property
    def support(self) -> Support:
        """How often a report supports a string: its holder's, and with collisions another's."""
        return theory.collided(self.symbol_support, theory.shared(self.symbols, self.hashes, self._dealt))

    @property
    def _dealt(self) -> int | None:
        """How many labels a closed domain deals out to the symbols."""
        return None if self.hashes > 1 else self.domain.size

    @property
    def leverage(self) -> float:
        """(1 - h)/(g - h), collisions mixed in."""
        return leverage(self.support)

    def noise(self, candidates: int) -> float:
        """N times the summed variance of so many candidates against the people's own shares, with many cohorts."""
        return theory.noise(self.support, candidates)

    def risk(
        self, n: int, loss: Loss = "l2", truth: Iterable[float] | None = None, target: Target = "population"
    ) -> float:
        """The predicted error of the unbiased decoder with many cohorts; an open alphabet needs a truth.

        Too few cohorts to tell the strings apart (fewer than strings over symbols) err more, however many people.
        """
        known = None if truth is None else list(truth)
        d = self.domain.size or len(known or ())
        if not d:
            raise ParameterError("truth must be given for an open alphabet, a share for each candidate, got none")
        p = check_risk_arguments(n, loss, known, target, d)
        return risk(self.support, n, d, loss, p, target)

    def mutual_information(self) -> float:
        """Between a uniform value and its report, in nats; from the channel, where it is small."""
        return self.channel().mutual_information()

    # --- whole surveys ------------------------------------------------------------------------------------------

    @abstractmethod
    def draw_counts(self, people: Counts, generator: np.random.Generator, table: Symbols | None = None) -> Counts:
        """As of any mechanism; of the strings whose symbols ``table`` holds, if given."""

    @property
    def aggregate_draws(self) -> float:
        """One a hash of every label in every cohort, and two a cell."""
        return float(self.cohorts * self.hashes * (self.domain.size or 1) + 2 * self.cells)

    def draw_tally(self, people: Any, generator: np.random.Generator, candidates: Iterable[Any] | None = None) -> Tally:
        """As of any mechanism; over an open alphabet of so many people of each candidate."""
        self._check_cells()
        labels, table = self._listed(candidates)
        held = check_people(people, len(labels))
        return Tally(int(held.sum()), self.draw_counts(held, generator, table), self.spec_bytes)

    # --- decoding -----------------------------------------------------------------------------------------------

    def estimate(
        self,
        tally: Tally | Any,
        decoder: str = "projected",
        candidates: Iterable[Any] | None = None,
        prior: Iterable[float] | None = None,
    ) -> Estimate:
        """The share of each candidate, and of everything that is not listed.

        Decoders: "unbiased" (least squares), "nonnegative", "projected" and "likelihood"; the estimate's ``notes`` say
        what could not be told apart. A closed domain brings its own labels, an open alphabet needs ``candidates``.
        """
        self.check_decoder(decoder, prior)
        labels, table = self._listed(candidates)
        summed = self.check_tally(tally if isinstance(tally, Tally) else self.tally(tally))
        evidence = regress(self.survey(summed, table))
        found = decode(evidence, FORMS[decoder])
        rest = evidence.unlisted
        unlisted = None if rest is None else (found.unlisted, rest[1])
        return Estimate(labels, found.frequencies, evidence.unbiased(), decoder, evidence, self, unlisted)

    def check_decoder(self, decoder: str, prior: Iterable[float] | None = None) -> None:
        """One of the four; none of them takes a prior."""
        if decoder not in FORMS:
            raise ParameterError(f"decoder must be one of {', '.join(FORMS)}, got decoder={decoder!r}")
        if prior is not None:
            raise ParameterError("prior must be left out for hashed reports, got one")

    def values_of(self, candidates: Iterable[Any] | None = None) -> Indices:
        """The bases of texts, or the labels' indices."""
        if isinstance(self.domain, Texts):
            return self.domain.indices(read_candidates(candidates))
        return super().values_of(candidates)

    def evidence(self, tally: Tally) -> CohortEvidence:
        """What a tally says of a closed domain's labels."""
        return regress(self.survey(tally, self._listed(None)[1]))

    def _listed(self, candidates: Iterable[Any] | None) -> tuple[Sequence[Hashable], Symbols]:
        """The labels to estimate, and their symbols."""
        if isinstance(self.domain, Texts):
            texts = read_candidates(candidates)
            return texts, self.table(texts)
        self._check_no_candidates(candidates)
        return self.domain, self.closed_table

    def messages(self, counts: Counts) -> Messages:
        """Of no use here: ``estimate`` has a likelihood of its own, over candidates."""
        raise CapacityError("hashed reports must be decoded by estimate, got their messages asked for")

    def report_messages(self, reports: Column) -> Messages:
        """The same."""
        return self.messages(self.count(reports))

    @property
    def decode_operations(self) -> float:
        """A look at every cohort of every label; of one label over an open alphabet."""
        return 2.0 * self.cohorts * self.hashes * (self.domain.size or 1)

    # --- a closed domain's channel ------------------------------------------------------------------------------

    @property
    def closed(self) -> bool:
        """Whether the values are a closed set of labels."""
        return not self.open

    def small_rows(self) -> npt.NDArray[np.object_]:
        """The exact rows of a closed domain; an open alphabet has no end of them."""
        if self.open:
            raise CapacityError("a channel must be of a closed domain to be written out, got any text")
        return super().small_rows()


def check_key(key: Any) -> None:
    """A key is any text."""
    if not isinstance(key, str) or not is_unicode(key):
        raise ParameterError(f"key must be text in Unicode, got {type(key).__name__}")


def read_candidates(candidates: Iterable[Any] | None) -> list[str]:
    """The texts to look for, each once."""
    if not is_ordered(candidates):
        shown = "none" if candidates is None else type(candidates).__name__
        raise ParameterError(f"candidates must be a list of texts to look for (--candidates), got {shown}")
    try:
        texts = python_values(candidates)
    except LabelError:
        raise ParameterError("candidates must be text, got something that Python cannot hold among them") from None
    if not texts:
        raise ParameterError("candidates must hold at least one text, got an empty list")
    if any(not isinstance(text, str) for text in texts):
        raise ParameterError("candidates must be text, got something else among them")
    if len(set(texts)) < len(texts):
        raise ParameterError(f"candidates must not repeat a text, got {len(texts) - len(set(texts))} repeated")
    return texts
