"""Reading everything that is stored: what is damaged is found before somebody asks for it, and whose it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from deniable.collector.answer_form import AnswerForm
from deniable.collector.closing import recount
from deniable.collector.folding import chunk_sections, in_slices
from deniable.intake.doors import Doors
from deniable.intake.events import tell, warn
from deniable.intake.running import Run
from deniable.intake.storage.answers import AnswerRows, GoneError
from deniable.intake.storage.checksums import ANSWERS, RESULT, SEALED, DamagedError
from deniable.intake.storage.rows import OPEN, Batch, SurveyRow
from deniable.intake.storage.transaction import Transaction

CHECKED = "checked"
"""The fact of when everything was last read."""
WEEK = 7 * 86400.0
IDS_AT_ONCE = 5000
Forms = Callable[[SurveyRow], AnswerForm]


def damage_of(run: Run, form_of: Forms, survey: SurveyRow, batch: Batch, now: float) -> str:
    """What of a period is damaged, in a word; empty if it is sound. Answers that are kept are counted again too."""
    while True:
        try:
            run(lambda t: (t.release(batch.number), t.sums(batch.number)))
        except DamagedError:
            return RESULT
        try:
            return "" if _is_sound(run, form_of(survey), survey, batch, now) else ANSWERS
        except DamagedError:
            return ANSWERS
        except GoneError:  # another process folds meanwhile
            continue


def _is_sound(run: Run, form: AnswerForm, survey: SurveyRow, batch: Batch, now: float) -> bool:
    """Whether a period's chunks can be read and add up to its result, and the ids of an open one are in order."""
    counted = recount(run, form, batch)
    for _ in chunk_sections(run, form, batch, folded=False):
        pass
    if batch.state == OPEN and not _are_in_order(run, batch):
        return False
    are_kept = counted.kept and now < Doors(form.survey, survey.ended).discards(batch.period)
    return counted.same or not are_kept  # of answers that are being deleted some are missing


def _are_in_order(run: Run, batch: Batch) -> bool:
    """Whether the ids of an open period can be read, and stand in the order in which they are looked for."""
    after = b""
    while ids := run(partial(AnswerRows.ids, batch=batch.number, after=after, most=IDS_AT_ONCE)):
        if any(before >= id_ for before, id_ in zip([after, *ids], ids, strict=False)):
            return False
        after = ids[-1]
    return True


def seal(run: Run, form_of: Forms, now: float) -> Iterator[tuple[SurveyRow, Batch, str]]:
    """Give checksums to what an earlier release wrote, once; yields each period with what of it is damaged."""
    if run(lambda t: t.fact(SEALED)) is not None:
        return
    surveys, batches = run(lambda t: (t.surveys(), t.batches()))
    for survey, batch in of_surveys(surveys, batches):
        try:
            _seal(run, batch)
        except DamagedError:
            yield survey, batch, ANSWERS
        else:
            yield survey, batch, damage_of(run, form_of, survey, batch, now)
    run(lambda t: t.set_fact(SEALED, "yes"))


def _seal(run: Run, batch: Batch) -> None:
    for chosen in in_slices(run(lambda t: t.chunk_sizes(batch.number))):
        keys = [size.key for size in chosen]
        run(partial(AnswerRows.seal, batch=batch, keys=keys))
    run(lambda t: t.seal_results(batch))


def of_surveys(surveys: Iterable[SurveyRow], batches: Iterable[Batch]) -> list[tuple[SurveyRow, Batch]]:
    """Periods with their surveys; those of a survey that cannot be read are left out."""
    rows = {row.digest: row for row in surveys}
    return [(rows[batch.survey], batch) for batch in batches if batch.survey in rows]


def set_aside(survey: SurveyRow, batch: Batch, damage: str) -> Callable[[Transaction], None]:
    """A task that sets a period aside with its ``damage``, or takes it back where that is empty."""

    def write(t: Transaction) -> None:
        t.set_damaged(batch.number, damage)
        if damage:
            warn("a period is set aside", f"damaged {damage}", survey=survey.name, period=batch.period)
        else:
            tell("a period is sound again", survey=survey.name, period=batch.period)

    return write
