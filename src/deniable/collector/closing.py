"""Closing a period: what it holds is folded, and its result written once; and what is deleted after it."""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple

from deniable.collector.answer_form import AnswerForm
from deniable.collector.crowd_levels import crowd_note
from deniable.collector.folding import fold, merge_folded, tally_chunks
from deniable.intake.doors import Doors
from deniable.intake.running import Run
from deniable.intake.storage.answers import GoneError
from deniable.intake.storage.rows import (
    CLOSING,
    JOINED,
    OPEN,
    RELEASED,
    WITHHELD,
    Batch,
    FoldedTally,
    Release,
    SurveyRow,
)
from deniable.intake.storage.transaction import Transaction
from deniable.intake.taking import opened

IDS_AT_ONCE, CHUNKS_AT_ONCE = 5000, 100
DISCARDING = 3600.0
"""Seconds after which a collector looks again for what it need not keep."""


def close(run: Run, form: AnswerForm, survey: SurveyRow, batch: Batch) -> None:
    """Close a period whose door is shut, from wherever an earlier try was cut off.

    ``form`` holds the survey as it was read, ``survey`` is its row.
    """
    run(lambda t: _shut(t, batch))
    while fold(run, form, batch):
        pass
    merge_folded(run, form, batch)
    while run(lambda t: t.forget_ids(batch.number, IDS_AT_ONCE)):  # of uploads: none can come again to a shut period
        pass
    crowd_remark = crowd_note(run, form, batch)
    run(lambda t: _finish(t, form, survey, batch, crowd_remark))


def _shut(t: Transaction, batch: Batch) -> None:
    """Mark a period as closing: from here on nothing is taken for it, whatever a clock says."""
    t.lock([batch.survey], alone=True)
    if t.batch(batch.survey, batch.period).state == OPEN:
        t.set_state(batch.number, CLOSING)


def _finish(t: Transaction, form: AnswerForm, survey: SurveyRow, batch: Batch, crowd_remark: str) -> None:
    """Write the result with its notes; a period that too few answered is joined to the next one, or withheld."""
    t.lock([batch.survey], alone=True)
    if t.batch(batch.survey, batch.period).state != CLOSING:
        return
    sums = t.sums(batch.number)
    enough = sums is not None and sums.n >= form.survey.minimum
    following = None if enough else _next_of(t, form, survey, batch)
    if sums is not None and enough:
        t.add_release(batch, Release(sums.n, sums.tally, _note(survey, batch, sums.n, form, crowd_remark)))
        t.set_state(batch.number, RELEASED)
    elif sums is not None and following is not None:
        t.move_chunks(batch, following)
        t.set_sums(batch, None)
        t.set_state(batch.number, JOINED)
    else:
        t.set_state(batch.number, WITHHELD)
    t.forget_invited(batch.number)


def _next_of(t: Transaction, form: AnswerForm, survey: SurveyRow, batch: Batch) -> Batch | None:
    """The period that one with too few answers joins: only where everybody answers once."""
    joins = form.survey.repeat == "once" and form.survey.crowd is None  # a crowd would be joined to another
    following = Doors(form.survey, survey.ended).following(batch.period) if joins else None
    after = None if following is None else t.batch(batch.survey, following, opened(form, survey, following))
    return after if after is not None and after.state == OPEN else None


def _note(survey: SurveyRow, batch: Batch, n: int, form: AnswerForm, crowd_remark: str) -> str:
    """The note on a result of ``n`` answers: on its crowd, that it was closed by hand, and that answers may lack."""
    remarks = [crowd_remark] if crowd_remark else []
    by_hand = survey.ended is not None and Doors(form.survey, survey.ended).span(batch.period).ends == survey.ended
    if by_hand:
        remarks.append(f"closed by hand at {n}")
    if batch.gaps:
        remarks.append("answers may be missing, since storage was restored")
    return "; ".join(remarks)


def discard(run: Run, form: AnswerForm, survey: SurveyRow, batch: Batch, now: float) -> None:
    """Delete the answers of a closed period once they need not be kept; its result stays."""
    if now < Doors(form.survey, survey.ended).discards(batch.period):
        return
    while run(lambda t: t.discard(batch.number, CHUNKS_AT_ONCE)):
        pass
    if batch.state == WITHHELD:
        run(lambda t: _forget_sums(t, batch))


def _forget_sums(t: Transaction, batch: Batch) -> None:
    """Delete what a withheld period adds up to; how many answered it stays known."""
    sums = t.sums(batch.number)
    if sums is not None and sums.tally:
        t.set_sums(batch, FoldedTally(sums.version + 1, sums.n, b"", 0, b""))


class Recount(NamedTuple):
    """What the answers that are kept add up to, beside what was folded and released."""

    n: int
    """How many answers were counted again."""
    kept: bool
    """Whether the answers are still kept; without them nothing can be counted again."""
    same: bool
    """Whether they add up to what is stored, to the byte."""


def recount(run: Run, form: AnswerForm, batch: Batch) -> Recount:
    """Count the kept answers again: the result, or the sums while the period is open, must be the same to the byte.

    If another process folds meanwhile, all is done again.
    """
    while True:
        release, sums = run(lambda t: (t.release(batch.number), t.sums(batch.number)))
        with suppress(GoneError):
            counted = _recounted(run, form, batch, release, sums)
            if run(lambda t: (t.release(batch.number), t.sums(batch.number))) == (release, sums):
                return counted


def _recounted(run: Run, form: AnswerForm, batch: Batch, release: Release | None, sums: FoldedTally | None) -> Recount:
    """The kept answers counted again, beside the result or else the sums that are stored."""
    row = sums if release is None else release
    stored = None if row is None else row.tally
    if stored == b"":  # of a withheld period, whose answers were deleted
        return Recount(0, kept=False, same=False)
    tally = tally_chunks(run, form, batch, folded=release is None)
    if stored is None:
        return Recount(tally.n, True, tally.n == 0)
    kept = tally.n > 0 or form.survey.tally().to_bytes() == stored
    return Recount(tally.n, kept, kept and tally.to_bytes() == stored)
