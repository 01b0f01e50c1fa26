"""What to beware of when reading a result, each with a bold word first and what follows from it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from deniable.estimation.estimate import Estimate
from deniable.estimation.impossible import IMPOSSIBLE, is_impossible
from deniable.estimation.words import listed, quoted
from deniable.pages.results.caution import Caution
from deniable.pages.results.made_up import made_up
from deniable.pages.results.period_view import PeriodView
from deniable.sentence import joined, sentence

BELOW = Caution(
    sentence("Below zero."),
    sentence(
        "Chance was added to each answer and taken out again, so the estimate of a rare answer can fall below zero. "
        "Read it as “very few”; it is shown as it is so that averages stay right."
    ),
)


def cautions(found: PeriodView, read: Sequence[tuple[str, Estimate]]) -> list[Caution]:
    """All that a reader of these questions, each with its estimate, should know: said once for all of them."""
    told = [*_of_period(found), *made_up(found, read), *_who(read)]
    impossible = [name for name, estimate in read if is_impossible(estimate)]
    if impossible:
        rest = [IMPOSSIBLE]
        if len(found.questions) > 1:
            named = [quoted(_worded(found, name)) for name in impossible]
            rest.append(sentence("This is about {questions}.", questions=listed(named)))
        told.append(Caution(sentence("Not possible."), joined(rest)))
    return told + next((below for _, estimate in read if (below := below_zero(estimate))), [])


def _who(read: Sequence[tuple[str, Estimate]]) -> list[Caution]:
    """Intervals know nothing of those who did not answer; where all did, there are none."""
    if all(each.census is not None and each.census.answered == each.census.population for _, each in read):
        return []
    return [
        Caution(
            sentence("Who chose to answer"), sentence("may differ from who did not. No interval here allows for that.")
        )
    ]


def _worded(found: PeriodView, name: str) -> str:
    return found.survey.question(name).wording or name


def below_zero(estimate: Estimate) -> list[Caution]:
    """Why a share that is shown is less than none, if one is."""
    return [BELOW] if (np.asarray(estimate.unbiased) < 0).any() else []


def _of_period(found: PeriodView) -> list[Caution]:
    """What follows from how a period stands and ended."""
    told = []
    if found.until:
        told.append(
            Caution(
                sentence("Not final yet."),
                sentence(
                    "Answers that were on their way are still counted until {moment}. From then on the numbers stay as "
                    "they are, and can be compared.",
                    moment=found.until,
                ),
            )
        )
    elif found.is_open:
        told.append(
            Caution(
                sentence("Still open."),
                sentence(
                    "These numbers change as more answers come in. Decide when to stop before you look: if you stop "
                    "when you like what you see, the intervals are too narrow. Comparisons are made once the period is "
                    "closed."
                ),
            )
        )
    if found.cut:
        told.append(
            Caution(
                sentence("Closed by hand"),
                sentence(
                    "{when}, at {count} answers. If somebody looked first and then closed it, the intervals are too "
                    "narrow.",
                    one="{when}, at {count} answer. If somebody looked first and then closed it, the intervals are too "
                    "narrow.",
                    when=found.cut, count=found.n,
                ),
            )
        )  # fmt: skip
    if found.gaps:
        told.append(
            Caution(
                sentence("Answers may be missing:"),
                sentence("the storage was restored from a copy while the period ran."),
            )
        )
    return told
