"""Folding: chunks are added to the sums of their period, each once; small ones are merged.

A chunk of many answers is written once and then only marked as folded, until its period is closed. Small ones, such as
those of a quiet hour, are merged until they have as many: then nobody stands out, and few chunks are left.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from deniable.collector.answer_form import AnswerForm
from deniable.collector.reading import tally_of
from deniable.collector.snapshots import renewed
from deniable.intake.running import Run
from deniable.intake.sections import Section, counted, merged, read_sections, write_sections
from deniable.intake.storage.answers import AnswerRows
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
    large = _first_within(MARKED_AT_ONCE, [size for size in waiting if size.bytes >= ENOUGH])
    chosen = large or _first_within(AT_ONCE, waiting)
    if not chosen:
        return False
    new = _sections(run, form, chosen)
    sums = run(lambda t: t.sums(batch.number))
    new_sums = _added(form.survey, sums, tally_of(form.survey, new))
    if large:
        run(lambda t: _mark(t, batch, large, new_sums))
    else:
        folded = run(lambda t: t.small_folded(batch.number, ENOUGH))
        small = _merged_with_new(folded, sum(size.bytes for size in chosen))
        _replace(run, batch, [*chosen, *small], merged([*new, *_sections(run, form, small)]), new_sums)
    return len(chosen) < len(waiting) or len(waiting) == MOST_CHUNKS


def merge_folded(run: Run, form: AnswerForm, batch: Batch) -> None:
    """Merge the folded chunks of a closed period into few: no trace of their order is left within these."""
    sizes = [size for size in run(lambda t: t.chunk_sizes(batch.number)) if size.folded]
    while len(sizes) > 1:
        chosen = _first_within(AT_ONCE, sizes)
        sizes = sizes[len(chosen) :]
        if len(chosen) > 1:
            _replace(run, batch, chosen, merged(_sections(run, form, chosen)))


def tally_chunks(run: Run, form: AnswerForm, batch: Batch, folded: bool) -> SurveyTally:
    """What the chunks of a period add up to, counted again: the folded ones, or all."""
    parts = chunk_sections(run, form, batch, folded or None)
    return sum((tally_of(form.survey, sections) for sections in parts), form.survey.tally())


def chunk_sections(run: Run, form: AnswerForm, batch: Batch, folded: bool | None = None) -> Iterator[list[Section]]:
    """The answers of a period, some at a time: those of chunks that were folded, of others, or of all."""
    sizes = [size for size in run(lambda t: t.chunk_sizes(batch.number)) if folded in (None, size.folded)]
    for chosen in in_slices(sizes, AT_ONCE):
        yield _sections(run, form, chosen)


def in_slices(sizes: Sequence[ChunkSize], most: int = SLICE) -> Iterator[list[ChunkSize]]:
    """Chunks one after another, as many at a time as have so many bytes."""
    while sizes:
        chosen = _first_within(most, sizes)
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
    sections: list[Section] = []
    for chosen in in_slices(sizes):
        bodies = run(partial(AnswerRows.bodies, keys=[size.key for size in chosen]))
        sections += [section for body in bodies for section in sections_of(form, body)]
    return sections


def _first_within(most: int, sizes: Sequence[ChunkSize]) -> list[ChunkSize]:
    """The first chunks that have at most so many bytes together, but at least one, and never very many."""
    chosen: list[ChunkSize] = []
    for size in sizes[:MOST_CHUNKS]:
        most -= size.bytes
        if chosen and most < 0:
            break
        chosen.append(size)
    return chosen


def _merged_with_new(folded: Sequence[ChunkSize], size: int) -> list[ChunkSize]:
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


def _added(survey: Survey, before: FoldedTally | None, tally: SurveyTally) -> FoldedTally:
    """The sums with a tally added, and with another snapshot for readers if it is time for one."""
    old = FoldedTally(0, 0, survey.tally().to_bytes(), 0, b"") if before is None else before
    total = SurveyTally.from_bytes(old.tally, survey) + tally
    shown = _snapshot(survey, old, total)
    if shown is None:
        return FoldedTally(old.version + 1, total.n, total.to_bytes(), old.shown, old.snapshot if old.shown else b"")
    earlier = b"" if shown.n == total.n else shown.to_bytes()
    return FoldedTally(old.version + 1, total.n, total.to_bytes(), shown.n, earlier)


def _snapshot(survey: Survey, old: FoldedTally, total: SurveyTally) -> SurveyTally | None:
    """The next snapshot, if it is time for one; most of the time there are too few answers even to look."""
    if total.n < old.shown + survey.minimum:
        return None
    return renewed(survey, SurveyTally.from_bytes(old.snapshot, survey) if old.shown else survey.tally(), total)


def _mark(t: Transaction, batch: Batch, sizes: Sequence[ChunkSize], sums: FoldedTally) -> None:
    """Mark chunks as folded, and write the sums with them in; all of it or nothing."""
    _check_single(t.mark_folded([size.key for size in sizes]) == len(sizes) and t.set_sums(batch, sums))


def _replace(
    run: Run, batch: Batch, sizes: Sequence[ChunkSize], sections: Sequence[Section], sums: FoldedTally | None = None
) -> None:
    """Put one chunk of ``sections`` in the place of several, and write the sums if there are new ones."""

    def replace(t: Transaction) -> None:
        _check_single(t.drop_chunks([size.key for size in sizes]) == len(sizes))
        _check_single(sums is None or t.set_sums(batch, sums))
        [key] = new_keys()
        t.add_chunks([chunk_of(batch.key, key, batch.number, counted(sections), write_sections(sections))], folded=True)

    run(replace)


def _check_single(done: bool) -> None:
    """Refuse what was not done whole, since another process was faster."""
    if not done:
        raise StoreError("chunks must be folded by one process, got two at it")
