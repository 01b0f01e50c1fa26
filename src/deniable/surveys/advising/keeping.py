"""What an author may want to keep: all questions, some, or one, each in the design that fits it best."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from deniable.protocol.errors import ParameterError
from deniable.surveys.advising.changes import Change
from deniable.surveys.advising.designs import AdvisedDesign
from deniable.surveys.advising.ranking import gain
from deniable.surveys.advising.search import Candidate, candidates

PLANNED: Final = 12
"""Of so many candidates at most that keep as many questions the best one is found by planning them."""
DRASTIC: Final = ("yes_no", "protected", "people")
"""The kinds of changes after which a question is another one, or of which an author has said that they cannot be."""


def keeping(now: AdvisedDesign, wanted: float) -> tuple[AdvisedDesign, ...]:
    """A design that keeps all questions, one that keeps some, and one that keeps one, as far as they tell something.

    Whoever keeps fewer is told of less error.
    """
    count, found = len(now.asking.questions), list(candidates(now.asking, wanted, may_be_weaker=True))
    kept: list[AdvisedDesign] = []
    for least, most in ((count, count), (2, count - 1), (1, 1)):
        own = [each for each in found if least <= len(each.asking.questions) <= most]
        most_error = max(kept[-1].errors.values()) if kept else 1.0
        made = [each for each in _planned(own, now, wanted) if max(each.errors.values()) < most_error]
        kept += sorted(made, key=lambda each: _order(each.changes, each.errors, now, wanted))[:1] if count > 1 else []
    return tuple(kept)


def _planned(found: list[Candidate], now: AdvisedDesign, wanted: float) -> Iterator[AdvisedDesign]:
    """The designs of the candidates that seem best, without those that tell nothing of a question."""
    for each in sorted(found, key=lambda each: _order(each.changes, each.roughly, now, wanted))[:PLANNED]:
        with suppress(ParameterError):  # a level too small to be shared, or a pair that cannot be crossed any more
            made = AdvisedDesign(each.asking, each.changes)
            if not made.is_nothing:
                yield made


def _order(
    changes: tuple[Change, ...], errors: dict[str, float], now: AdvisedDesign, wanted: float
) -> tuple[int, float]:
    drastic = sum(change.kind in DRASTIC for change in changes)
    price = sum(change.price for change in changes)
    return drastic, -gain(errors, now, wanted) / price if price else 0.0
