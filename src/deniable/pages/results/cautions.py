"""What to beware of when reading a result, each with a bold word first and what follows from it.

Also how far made-up answers could move it, beside how far it may be off without them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from deniable.estimation.estimate import Estimate
from deniable.estimation.share import IMPOSSIBLE, is_impossible
from deniable.estimation.words import as_typed, joined, listed, quoted
from deniable.pages.results.asked import main_shares, result_kind_of
from deniable.pages.results.period_view import PeriodView
from deniable.protocol.say import Phrase, Statement
from deniable.surveys.manipulation import MADE_UP
from deniable.surveys.question_shift import QuestionShift

NOTABLE: Final = 0.005
"""They are warned of if they can move a share, or a mean within its range, by more."""
MANY: Final = 1000
"""Of so many answers a whole number of them is near enough to that share to be called so."""
NamedEstimates: TypeAlias = Sequence[tuple[str, Estimate]]
"""Questions by their names, each with its estimate."""
OPEN_TO_ALL: Final = Statement("anybody_with_the_link_can_answer")


class Caution(NamedTuple):
    """A warning: a bold beginning, and the rest."""

    head: Phrase
    rest: Phrase


BELOW_ZERO: Final = Caution(Statement("below_zero"), Statement("chance_was_added_to_each"))


def cautions(view: PeriodView, estimates: NamedEstimates, share: float = MADE_UP) -> list[Caution]:
    """All that a reader of these questions, each with its estimate, should know: said once for all of them.

    ``share`` is that of the answers which are supposed to be made up.
    """
    warnings = [*_of_period(view), *made_up(view, estimates, share), *_of_respondents(estimates)]
    impossible = [name for name, estimate in estimates if is_impossible(estimate)]
    if impossible:
        rest = [IMPOSSIBLE]
        if len(view.questions) > 1:
            wordings = [quoted(view.survey.question(name).wording or name) for name in impossible]
            rest.append(Statement("this_is_about", questions=listed(wordings)))
        warnings.append(Caution(Statement("not_possible"), joined(rest)))
    return warnings + next((below for _, estimate in estimates if (below := below_zero(estimate))), [])


def _of_respondents(estimates: NamedEstimates) -> list[Caution]:
    """That intervals know nothing of those who did not answer; nothing where everybody did."""
    if all(each.census is not None and each.census.answered == each.census.population for _, each in estimates):
        return []
    return [Caution(Statement("who_chose_to_answer"), Statement("may_differ_from_who_did"))]


def below_zero(estimate: Estimate) -> list[Caution]:
    """Why a share that is shown is below 0, if one is."""
    return [BELOW_ZERO] if (np.asarray(main_shares(estimate).unbiased) < 0).any() else []


def _of_period(view: PeriodView) -> list[Caution]:
    """What follows from how a period stands and ended."""
    warnings = []
    if view.until:
        late = Statement("answers_that_were_on_their_way_are_still", moment=view.until)
        warnings.append(Caution(Statement("not_final_yet"), late))
    elif view.is_open:
        warnings.append(Caution(Statement("still_open"), Statement("these_numbers_change_as_more")))
    if view.cut:
        by_hand = Statement("at_answers_if_somebody", when=view.cut, count=view.n)
        warnings.append(Caution(Statement("closed_by_hand"), by_hand))
    if view.gaps:
        warnings.append(Caution(Statement("answers_may_be_missing"), Statement("the_storage_was_restored")))
    return warnings


# --- made-up answers ------------------------------------------------------------------------------------------------


def made_up(view: PeriodView, estimates: NamedEstimates, share: float = MADE_UP) -> list[Caution]:
    """What made-up answers could do to the share and to the mean that they move most, if anybody can send some."""
    worst = _worst(view, estimates, share)
    if not worst:
        return []
    alone = len(estimates) == 1
    precision = [
        Statement("to_give_or_take_what_reach", what=_named(view, shift, alone), reach=reach) for shift, reach in worst
    ]
    answers, moved = _answers(view, share), listed([shift.moved for shift, _ in worst])
    rest = (
        Statement("one_can_read", what=listed(precision)),
        Statement("if_were_made_up_to_mislead", count=len(worst), answers=answers, more=moved),
        Statement("personal_codes_prevent_it"),
    )
    return [Caution(OPEN_TO_ALL, joined(rest))]


def made_up_in_short(view: PeriodView, name: str, estimate: Estimate) -> Phrase:
    """What made-up answers could do to one question, in a line for a slide; empty where it need not be said."""
    worst = _worst(view, [(name, estimate)], MADE_UP)
    if not worst:
        return ""
    moved = listed([shift.moved for shift, _ in worst])
    return Statement("anybody_with_the_link_can_answer_if", answers=_answers(view, MADE_UP), more=moved)


def _answers(view: PeriodView, share: float) -> Statement:
    """How many of the answers are made up: their number, or the share where a reader typed it or of very few."""
    made, n, of = int(MADE_UP * view.n), view.n, round(1 / MADE_UP)
    if not made or share != MADE_UP:
        return Statement("in_100_of_the_answers", share=as_typed(share))
    if n < MANY:
        return Statement("of_the_answers", made=made, n=n)
    return Statement("of_the_answers_1_in", made=made, n=n, of=of)


def _worst(view: PeriodView, estimates: NamedEstimates, share: float) -> list[tuple[QuestionShift, Phrase]]:
    """The share and the mean that so large a ``share`` moves most, with half widths; none where people need codes."""
    if view.row.invited:
        return []
    shifts = view.survey.manipulation(share)
    notable = [(shifts[name], estimate) for name, estimate in estimates if shifts[name].shift > NOTABLE]
    worst = []
    for of_mean in (False, True):
        if moved := [each for each in notable if each[0].of_mean is of_mean]:
            shift, estimate = max(moved, key=lambda each: each[0].shift)
            worst.append((shift, result_kind_of(view.survey, view.survey.question(shift.name)).half_width(estimate)))
    return worst


def _named(view: PeriodView, shift: QuestionShift, alone: bool) -> Phrase:
    """What moves, and of which question unless there is but one; where not all were asked it is a share of all."""
    of_all = view.survey.question(shift.name).only_if is not None
    what = Statement("a_share_of_all_people") if of_all else shift.what
    return what if alone else Statement("of_what_question", what=what, question=shift.wording)
