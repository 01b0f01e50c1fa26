"""Discovery: frequent texts when there is no list of candidates, by prefixes that grow over groups of people.

Group by group the collector extends the prefixes that stand out by every run of ``step`` characters of an alphabet.
The texts left after group L are tested on the last group, which had no part in choosing them: so their p-values are
those of candidates named in advance.

A text that a share p of n people hold stands out in a group by p sqrt(n/(L+1)) (E-1)/(2 sqrt(E)) standard errors.
Characters outside the alphabet and texts longer than L * step are not found, and count as unlisted.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from scipy import special

from deniable.engines.chunks import Progress
from deniable.engines.prefix_survey import END, MOST_CANDIDATES, PrefixSurvey
from deniable.errors import CapacityError, ParameterError, TallyError
from deniable.estimation.estimate import Estimate
from deniable.estimation.presence import check_fdr
from deniable.mechanisms.hashed.hashed_response import HashedResponse
from deniable.mechanisms.listing import listed
from deniable.mechanisms.tallies import check_tally
from deniable.reports.tally import Tally
from deniable.values.texts import is_unicode

ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789 -._/'"
STRAYS = 0.25
"""The average number of false extensions per prefix: below 1, so that they die out."""


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
    _check_groups(survey, tallies)
    endings, kept = _endings(alphabet, survey.step), [""]
    check_fdr(fdr)
    for mechanism, tally in zip(survey.groups[:-1], tallies[:-1], strict=True):
        kept = _standing_out(mechanism, tally, kept, endings)
        if progress is not None:
            progress(1)
    texts = sorted({text.rstrip(END) for text in kept})
    last = survey.groups[-1]
    if not texts or tallies[-1].n == 0:
        return None
    tested = last.estimate(tallies[-1], "projected", texts)
    found = tested.present(fdr)
    if len(found) == len(texts):
        return tested
    # texts that were not found are unlisted, and must not take a share
    return last.estimate(tallies[-1], "projected", found) if found else None


def _check_groups(survey: Any, tallies: Any) -> None:
    """Refuse tallies that are not one per group, each of its group's mechanism; empty tallies are allowed."""
    if not isinstance(survey, PrefixSurvey):
        raise ParameterError(f"survey must be a PrefixSurvey, got {type(survey).__name__}")
    given = list(tallies) if isinstance(tallies, Sequence) else []
    if len(given) != len(survey.groups) or not all(isinstance(tally, Tally) for tally in given):
        raise ParameterError(f"tallies must be one for each of {len(survey.groups)} groups in order, got {len(given)}")
    for number, (mechanism, tally) in enumerate(zip(survey.groups, given, strict=True), 1):
        if tally.n == 0 and tally.spec_bytes != mechanism.spec_bytes:
            raise TallyError(f"the tally of group {number} must be of that group, got another")
        if tally.n > 0:
            check_tally(mechanism, tally)


def _endings(alphabet: Any, step: int) -> list[str]:
    """Every run of ``step`` characters of the alphabet, and the shorter ones with the end marked."""
    if not isinstance(alphabet, str) or not is_unicode(alphabet) or not set(alphabet) - {END}:
        raise ParameterError("alphabet must be text of at least one character, got none")
    letters = sorted(set(alphabet) - {END})
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
    """The extensions of the kept prefixes whose share is too large for chance, the largest first."""
    if not kept or tally.n == 0:
        return []
    room = max(1, MOST_CANDIDATES // len(endings))
    texts = list(_extended(kept[:room], endings, len(endings[0])))
    evidence = listed(mechanism, texts).law.evidence(tally.n, tally.counts)
    scores = evidence.scores()
    least = -float(special.ndtri(min(0.5, STRAYS / len(endings))))
    order = np.argsort(-scores, kind="stable")
    return [texts[place] for place in order.tolist() if scores[place] > least]
