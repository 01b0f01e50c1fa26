"""Folding: chunks are added to the sums of their period, each once; small ones are merged.

A chunk of many answers is written once and then only marked as folded, until its period is closed. Small ones, such as
those of a quiet hour, are merged until they have as many: then nobody stands out, and few chunks are left.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from deniable.collector.answer_form import AnswerForm
from deniable.collector.reading import tally_of
from deniable.collector.snapshots import renewed
from deniable.intake.running import Run
from deniable.intake.sections import Section, counted, merged, read_sections, write_sections
from deniable.intake.storage.checksums import DamagedError, chunk_of
from deniable.intake.storage.rows import Batch, ChunkSize, FoldedTally
from deniable.intake.storage.transaction import Transaction
from deniable.intake.taking import new_keys
from deniable.protocol.errors import StoreError
from deniable.surveys.survey import Survey
from deniable.surveys.tally import SurveyTally

ENOUGH = 1 << 16
"""The bytes from which on a chunk is left as it is."""
AT_ONCE = 1 << 20
"""The most bytes of chunks that are merged together: more would keep uploads waiting."""
MARKED_AT_ONCE = 1 << 23
"""The most bytes of chunks that are counted together and marked: little is written of them."""
SLICE = 1 << 18
"""The bytes that are read in one transaction."""
MOST_CHUNKS = 1000
"""The most chunks of one transaction, however small they are."""


def fold(run: Run, form: AnswerForm, batch: Batch) -> bool:
    """Fold what has not been folded, as much as is done at once; whether more is left."""
    waiting = run(lambda t: t.unfolded(batch.number, MOST_CHUNKS))
    large = _up_to(MARKED_AT_ONCE, [size for size in waiting if size.bytes >= ENOUGH])
    chosen = large or _up_to(AT_ONCE, waiting)
    if not chosen:
        return False
    new = _sections(run, form, chosen)
    before = run(lambda t: t.sums(batch.number))
    after = _added(form.survey, before, tally_of(form.survey, new))
    if large:
        run(lambda t: _mark(t, batch, large, after))
    else:
        old = _absorbed(run(lambda t: t.small(batch.number, ENOUGH)), sum(size.bytes for size in chosen))
        _replace(run, batch, [*chosen, *old], merged([*new, *_sections(run, form, old)]), after)
    return len(chosen) < len(waiting) or len(waiting) == MOST_CHUNKS


def tidy(run: Run, form: AnswerForm, batch: Batch) -> None:
    """Merge the folded chunks of a closed period into few: no trace of their order is left within these."""
    sizes = [size for size in run(lambda t: t.outline(batch.number)) if size.folded]
    while len(sizes) > 1:
        chosen = _up_to(AT_ONCE, sizes)
        sizes = sizes[len(chosen) :]
        if len(chosen) > 1:
            _replace(run, batch, chosen, merged(_sections(run, form, chosen)))


def tally_chunks(run: Run, form: AnswerForm, batch: Batch, folded: bool) -> SurveyTally:
    """What the chunks of a period add up to, counted again: the folded ones, or all."""
    parts = chunk_sections(run, form, batch, folded or None)
    return sum((tally_of(form.survey, sections) for sections in parts), form.survey.tally())


def chunk_sections(run: Run, form: AnswerForm, batch: Batch, folded: bool | None = None) -> Iterator[list[Section]]:
    """The answers of a period, some at a time: those of chunks that were folded, of others, or of all."""
    sizes = [size for size in run(lambda t: t.outline(batch.number)) if folded in (None, size.folded)]
    for chosen in in_slices(sizes, AT_ONCE):
        yield _sections(run, form, chosen)


def in_slices(sizes: Sequence[ChunkSize], most: int = SLICE) -> Iterator[list[ChunkSize]]:
    """Chunks one after another, as many at a time as have so many bytes."""
    while sizes:
        chosen = _up_to(most, sizes)
        sizes = sizes[len(chosen) :]
        yield chosen


def sections_of(form: AnswerForm, body: bytes) -> list[Section]:
    """The answers of a chunk; refused if the storage holds something else."""
    sections = read_sections(form.widths, body, 0)
    if sections is None:
        raise DamagedError(f"a chunk must hold answers to its survey, got {len(body)} unreadable bytes")
    return sections


def _sections(run: Run, form: AnswerForm, sizes: Sequence[ChunkSize]) -> list[Section]:
    """The answers of some chunks, read in slices so that uploads never wait for long."""
    found: list[Section] = []
    for chosen in in_slices(sizes):
        found += [section for body in _bodies(run, chosen) for section in sections_of(form, body)]
    return found


def _bodies(run: Run, sizes: Sequence[ChunkSize]) -> list[bytes]:
    return run(lambda t: t.bodies([size.key for size in sizes]))


def _up_to(most: int, sizes: Sequence[ChunkSize]) -> list[ChunkSize]:
    """As many of the first as have so many bytes, and at least one; never very many."""
    chosen: list[ChunkSize] = []
    for size in sizes[:MOST_CHUNKS]:
        most -= size.bytes
        if chosen and most < 0:
            break
        chosen.append(size)
    return chosen


def _absorbed(folded: Sequence[ChunkSize], size: int) -> list[ChunkSize]:
    """The folded chunks that are merged with new ones of so many bytes: those no larger than all before them together.

    So each answer is written again no more often than the logarithm of the number of chunks.
    """
    chosen: list[ChunkSize] = []
    for one in sorted(folded, key=lambda chunk: chunk.bytes):
        if one.bytes > size or size + one.bytes > AT_ONCE:
            break
        chosen.append(one)
        size += one.bytes
    return chosen


def _added(survey: Survey, before: FoldedTally | None, new: SurveyTally) -> FoldedTally:
    """The sums with a tally more, and the snapshot that readers see if it is time for another one."""
    old = FoldedTally(0, 0, survey.tally().to_bytes(), 0, b"") if before is None else before
    total = SurveyTally.from_bytes(old.tally, survey) + new
    shown = _snapshot(survey, old, total)
    if shown is None:
        return FoldedTally(old.version + 1, total.n, total.to_bytes(), old.shown, old.snapshot if old.shown else b"")
    return FoldedTally(
        old.version + 1, total.n, total.to_bytes(), shown.n, b"" if shown.n == total.n else shown.to_bytes()
    )


def _snapshot(survey: Survey, old: FoldedTally, total: SurveyTally) -> SurveyTally | None:
    """The next snapshot, if it is time for one; most of the time there are too few answers even to look."""
    if total.n < old.shown + survey.minimum:
        return None
    return renewed(survey, SurveyTally.from_bytes(old.snapshot, survey) if old.shown else survey.tally(), total)


def _mark(t: Transaction, batch: Batch, sizes: Sequence[ChunkSize], sums: FoldedTally) -> None:
    """Say of chunks that they were folded, and put the sums with it; all of it or nothing."""
    _check_alone(t.mark_folded([size.key for size in sizes]) == len(sizes) and t.set_sums(batch, sums))


def _replace(
    run: Run, batch: Batch, sizes: Sequence[ChunkSize], sections: Sequence[Section], sums: FoldedTally | None = None
) -> None:
    """Put one chunk in the place of several, and the sums with it; all of it or nothing."""

    def replace(t: Transaction) -> None:
        _check_alone(t.drop_chunks([size.key for size in sizes]) == len(sizes))
        _check_alone(sums is None or t.set_sums(batch, sums))
        [key] = new_keys()
        t.add_chunks([chunk_of(batch.key, key, batch.number, counted(sections), write_sections(sections))], folded=True)

    run(replace)


def _check_alone(done: bool) -> None:
    if not done:
        raise StoreError("chunks must be folded by one process, got two at it")
