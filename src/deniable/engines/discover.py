"""Discovery: frequent texts when there is no list of candidates, by prefixes that grow over groups of people.

Every device draws a group. Group l = 1 to L reports the first l * step characters of its text through HashedResponse,
texts that end earlier with their end marked; the last group reports the whole text. Group by group the collector
extends the prefixes that stand out by every run of ``step`` characters of an alphabet. Whatever is left after group L
is tested on the last group, which had no part in choosing it: so its p-values and intervals are those of candidates
named in advance.

A text that a share p of n people hold stands out in a group by p sqrt(n/(L+1)) (E-1)/(2 sqrt(E)) standard errors.
Characters outside the alphabet and texts longer than L * step are not found, and count as not listed.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special

from deniable.domain import Labels
from deniable.engines.simulate import Progress
from deniable.errors import CapacityError, LabelError, ParameterError
from deniable.estimation.cohort_evidence import regress
from deniable.estimation.estimate import Estimate
from deniable.kernels.hashing import draw_cohorts
from deniable.mechanisms.hashed_response import HashedResponse
from deniable.privacy.entropy import Entropy, SeededEntropy, SystemEntropy, feed
from deniable.reports.tally import Tally
from deniable.theory.arguments import check_int
from deniable.theory.hashed import best_symbols

END = "\uffff"
"""Marks the end of a text that is shorter than its prefix; no text may hold it."""
ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789 -._/'"
COHORTS = 512
MOST_CANDIDATES = 1 << 17
"""Prefixes that are held against one group."""
STRAYS = 0.25
"""Chance extensions that each prefix may bring along, on average: below 1, they die out."""


@dataclass(frozen=True)
class PrefixSurvey:
    """The groups of a survey that is to discover texts of up to ``longest`` characters.

    >>> survey = PrefixSurvey(epsilon=3.0, longest=8)
    >>> len(survey.groups), survey.groups[0].symbols
    (5, 16)
    """

    epsilon: float
    longest: int
    step: int = 2
    cohorts: int = COHORTS
    key: str = ""

    def __post_init__(self) -> None:
        check_int("step", self.step, 1)
        check_int("longest", self.longest, 1)
        if self.groups[0].epsilon != self.epsilon:
            raise ParameterError("epsilon must be a finite number above 0, got another")

    @property
    def levels(self) -> int:
        """How many groups report prefixes."""
        return -(-self.longest // self.step)

    @cached_property
    def groups(self) -> tuple[HashedResponse, ...]:
        """One mechanism a group, each with hashes of its own; the last is for whole texts."""
        symbols = best_symbols(self.epsilon, MOST_CANDIDATES)
        names = [*map(str, range(1, self.levels + 1)), "whole"]
        return tuple(HashedResponse(self.epsilon, symbols, self.cohorts, key=f"{self.key}/{name}") for name in names)

    def said(self, text: Any, group: int) -> Any:
        """What a text becomes in a group; anything but text is left for the mechanism to refuse."""
        if not isinstance(text, str) or group == self.levels:
            return text
        if END in text:
            raise LabelError("the value must be text without U+FFFF, got one that holds it")
        length = (group + 1) * self.step
        return text[:length].ljust(length, END)

    def privatize(self, text: str, entropy: Entropy | None = None) -> tuple[int, int]:
        """One person's group and report."""
        source = SystemEntropy() if entropy is None else entropy
        group = int(self._groups_of(1, source)[0])
        return group, int(self.groups[group].privatize(self.said(text, group), source))

    def privatize_many(self, texts: Labels, seed: int | None = None) -> list[Tally]:
        """A column of texts, one tally a group. A seed is for simulation only."""
        values, source = list(texts), SystemEntropy() if seed is None else SeededEntropy(seed)
        if not values:
            raise LabelError("labels must hold at least one value, got an empty column")
        chosen = self._groups_of(len(values), source)
        tallies = []
        for number, mechanism in enumerate(self.groups):
            said = [self.said(values[place], number) for place in np.flatnonzero(chosen == number).tolist()]
            if not said:
                tallies.append(mechanism.empty_tally())
                continue
            values_said = mechanism.domain.indices(said)
            tallies.append(mechanism.tally(mechanism.draw_column(values_said, source.part(number))))
        return tallies

    def _groups_of(self, people: int, entropy: Entropy) -> npt.NDArray[np.uint32]:
        out, count = np.empty(people, np.uint32), np.uint64(len(self.groups))
        feed(entropy, lambda tape, done: draw_cohorts(tape, done, count, out), people, 1.0)
        return out


def discover(
    survey: PrefixSurvey,
    tallies: Sequence[Tally],
    alphabet: str = ALPHABET,
    fdr: float = 0.01,
    progress: Progress | None = None,
) -> Estimate | None:
    """The texts that are found, with their shares among the last group; None where nothing is.

    On average at most a share ``fdr`` of them is held by nobody.

    >>> survey = PrefixSurvey(epsilon=4.0, longest=4)
    >>> found = discover(survey, survey.privatize_many(["news"] * 6000 + ["mail"] * 4000, seed=1))
    >>> sorted(found.labels)
    ['mail', 'news']
    """
    endings = _endings(alphabet, survey.step)
    _check_groups(survey, tallies)
    kept = [""]
    for mechanism, tally in zip(survey.groups[:-1], tallies[:-1], strict=True):
        kept = _standing_out(mechanism, tally, kept, endings)
        if progress is not None:
            progress(1)
    texts = sorted({text.rstrip(END) for text in kept})
    last = survey.groups[-1]
    if not texts or tallies[-1].n == 0:
        return None
    found = last.estimate(tallies[-1], "unbiased", texts).present(fdr)
    return last.estimate(tallies[-1], "projected", found) if found else None


def _check_groups(survey: PrefixSurvey, tallies: Sequence[Tally]) -> None:
    if len(tallies) != len(survey.groups):
        raise ParameterError(f"tallies must be one for each of {len(survey.groups)} groups, got {len(tallies)}")


def _endings(alphabet: str, step: int) -> list[str]:
    """Every run of ``step`` characters of the alphabet, and the shorter ones with the end marked."""
    letters = sorted(set(alphabet) - {END})
    if not letters:
        raise ParameterError("alphabet must hold at least one character, got none")
    if len(letters) ** step > MOST_CANDIDATES:
        raise CapacityError(f"alphabet must leave at most {MOST_CANDIDATES} runs of {step} characters, got more")
    runs = (itertools.product(letters, repeat=length) for length in range(step + 1))
    return ["".join(run).ljust(step, END) for some in runs for run in some]


def _extended(kept: Sequence[str], endings: Sequence[str], step: int) -> Iterator[str]:
    """Prefixes one step longer; a text that has ended stays as it is."""
    for prefix in kept:
        if prefix.endswith(END):
            yield prefix + END * step
        else:
            yield from (prefix + ending for ending in endings)


def _standing_out(mechanism: HashedResponse, tally: Tally, kept: Sequence[str], endings: Sequence[str]) -> list[str]:
    """Of the extensions of the kept prefixes those whose share is too large for chance, the largest first."""
    if not kept or tally.n == 0:
        return []
    room = max(1, MOST_CANDIDATES // len(endings))
    texts = list(_extended(kept[:room], endings, len(endings[0])))
    evidence = regress(mechanism.survey(mechanism.check_tally(tally), mechanism.table(texts)))
    scores = evidence.unbiased() / evidence.stderr()
    least = -float(special.ndtri(min(0.5, STRAYS / len(endings))))
    order = np.argsort(-scores, kind="stable")
    return [texts[place] for place in order.tolist() if scores[place] > least and math.isfinite(scores[place])]
