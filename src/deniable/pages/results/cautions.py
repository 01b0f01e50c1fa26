"""What to beware of when reading a result, each with a bold word first and what follows from it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from deniable.estimation.estimate import Estimate
from deniable.estimation.impossible import IMPOSSIBLE, is_impossible
from deniable.estimation.words import joined, listed, quoted
from deniable.pages.results.caution import Caution
from deniable.pages.results.made_up import MADE_UP, made_up
from deniable.pages.results.period_view import PeriodView
from deniable.protocol.say import Statement

BELOW = Caution(
    Statement("below_zero"),
    Statement("chance_was_added_to_each"),
)


def cautions(found: PeriodView, read: Sequence[tuple[str, Estimate]], made: float = MADE_UP) -> list[Caution]:
    """All that a reader of these questions, each with its estimate, should know: said once for all of them."""
    told = [*_of_period(found), *made_up(found, read, made), *_who(read)]
    impossible = [name for name, estimate in read if is_impossible(estimate)]
    if impossible:
        rest = [IMPOSSIBLE]
        if len(found.questions) > 1:
            named = [quoted(_worded(found, name)) for name in impossible]
            rest.append(Statement("this_is_about", questions=listed(named)))
        told.append(Caution(Statement("not_possible"), joined(rest)))
    return told + next((below for _, estimate in read if (below := below_zero(estimate))), [])


def _who(read: Sequence[tuple[str, Estimate]]) -> list[Caution]:
    """Intervals know nothing of those who did not answer; where all did, there are none."""
    if all(each.census is not None and each.census.answered == each.census.population for _, each in read):
        return []
    return [Caution(Statement("who_chose_to_answer"), Statement("may_differ_from_who_did"))]


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
                Statement("not_final_yet"),
                Statement(
                    "answers_that_were_on_their_way_are_still",
                    moment=found.until,
                ),
            )
        )
    elif found.is_open:
        told.append(
            Caution(
                Statement("still_open"),
                Statement("these_numbers_change_as_more"),
            )
        )
    if found.cut:
        told.append(
            Caution(
                Statement("closed_by_hand"),
                Statement(
                    "at_answers_if_somebody",

                    when=found.cut, count=found.n,
                ),
            )
        )  # fmt: skip
    if found.gaps:
        told.append(
            Caution(
                Statement("answers_may_be_missing"),
                Statement("the_storage_was_restored"),
            )
        )
    return told
