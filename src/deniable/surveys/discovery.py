"""Discovery: frequent texts when there is no list of candidates, by prefixes that grow over groups of people.

Group by group the reader extends the prefixes that stand out by every run of characters of an alphabet, as many as the
next group's prefix is longer. The texts left after the last prefix are tested on those who reported whole texts,
who had no part in choosing them: so their p-values are those of candidates named in advance.

A text that a share p of n people hold stands out in a group by p sqrt(n/(L+1)) (E-1)/(2 sqrt(E)) standard errors.
Characters outside the alphabet and texts longer than L * step are not found, and count as unlisted.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from deniable.estimation.binomial import quantile
from deniable.estimation.estimate import Estimate
from deniable.estimation.presence import check_fdr
from deniable.estimation.standing_out import standing_out
from deniable.mechanisms.hashed.hashed_response import HashedResponse
from deniable.mechanisms.mechanism import listed
from deniable.protocol.checks import is_unicode
from deniable.protocol.errors import CapacityError, ParameterError, TallyError
from deniable.protocol.questions.text import END
from deniable.reports.tally import Tally

PrefixGroup: TypeAlias = tuple[int, HashedResponse, Tally]
"""The length of a prefix, the mechanism that reports it, and what was reported."""
Progress: TypeAlias = Callable[[int], None]
MOST_CANDIDATES = 1 << 17
"""The most prefixes that are tested on one group."""
ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789 -._/'"
STRAYS = 0.25
"""The average number of false extensions per prefix: below 1, so that they die out."""


def discovered(
    groups: Sequence[PrefixGroup],
    whole: Sequence[tuple[HashedResponse, Tally]],
    alphabet: str = ALPHABET,
    fdr: float = 0.01,
    progress: Progress | None = None,
) -> Estimate | None:
    """The texts that are found, with their shares among those who reported whole texts; None where nothing is.

    ``groups`` come by their prefixes' length, ascending. On average at most a share ``fdr`` of the texts found is held
    by nobody.
    """
    if len(whole) != 1:
        raise TallyError(f"texts must be reported whole by one mechanism, to be tested, got {len(whole)}")
    check_fdr(fdr)
    prefixes, length_before = [""], 0
    for length, mechanism, tally in groups:
        prefixes = _standing_out(mechanism, tally, prefixes, _endings(alphabet, length - length_before))
        length_before = length
        if progress is not None:
            progress(1)
    texts = sorted({text.rstrip(END) for text in prefixes})
    mechanism, tally = whole[0]
    if not texts or tally.n == 0:
        return None
    tested = mechanism.estimate(tally, "projected", texts)
    present = tested.present(fdr)
    if len(present) == len(texts):
        return tested
    # texts that are not present are unlisted, and must not take a share
    return mechanism.estimate(tally, "projected", present) if present else None


def _endings(alphabet: Any, step: int) -> list[str]:
    """Every run of ``step`` characters of the alphabet, and the shorter ones with the end marked."""
    if not isinstance(alphabet, str) or not is_unicode(alphabet) or not set(alphabet) - {END}:
        raise ParameterError("alphabet must be text of at least one character, got none")
    letters = sorted(set(alphabet) - {END})
    if len(letters) ** step > MOST_CANDIDATES:
        raise CapacityError(f"alphabet must leave at most {MOST_CANDIDATES} runs of {step} characters, got more")
    runs = (itertools.product(letters, repeat=length) for length in range(step + 1))
    return ["".join(run).ljust(step, END) for of_length in runs for run in of_length]


def _extended(prefixes: Sequence[str], endings: Sequence[str], step: int) -> Iterator[str]:
    """Prefixes one step longer; a text that has ended stays as it is."""
    for prefix in prefixes:
        if prefix.endswith(END):
            yield prefix + END * step
        else:
            yield from (prefix + ending for ending in endings)


def _standing_out(
    mechanism: HashedResponse, tally: Tally, prefixes: Sequence[str], endings: Sequence[str]
) -> list[str]:
    """The extensions of the prefixes whose share is too large for chance, the largest first."""
    if not prefixes or tally.n == 0:
        return []
    most_prefixes = max(1, MOST_CANDIDATES // len(endings))
    texts = list(_extended(prefixes[:most_prefixes], endings, len(endings[0])))
    threshold = quantile(min(0.5, STRAYS / len(endings)))
    places = standing_out(listed(mechanism, texts).law.survey(tally.counts), threshold)
    return [texts[place] for place in places.tolist()]
