"""How fast answers that were taken are folded into sums: ``python -m benchmarks.folding [--json FILE]``.

Folding counts the answers and marks their chunks, durably; small chunks it sorts and writes again into fewer. It takes
turns with counting the same answers from an exported folder, as ``deniable tally`` does.
"""

from __future__ import annotations

import argparse
import statistics
import struct
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

import deniable as dn
from benchmarks import kept, machine
from benchmarks.collector import a_survey
from benchmarks.pages import markdown_table
from deniable.collector.answer_form import AnswerForm
from deniable.collector.folding import fold
from deniable.collector.reading import answers_of
from deniable.engines.survey_files import tally_survey_files
from deniable.intake.sections import read_sections
from deniable.intake.storage.checksums import chunk_of
from deniable.intake.storage.rows import SurveyRow
from deniable.intake.storage.sqlite import SqliteStore
from deniable.intake.storage.transaction import Transaction
from deniable.intake.taking import new_keys
from deniable.reports.arm_file import write_arm

WHOLE, SMALL, TURNS = 1 << 16, 200, 5
"""The bytes of a chunk that one transaction leaves: of many answers at a time, and of 200 devices with one each."""
ROWS = ((4, WHOLE), (256, WHOLE), (65_536, WHOLE), (4, SMALL))
BYTES = {WHOLE: 1 << 24, SMALL: 1 << 20}
"""How many bytes of chunks are folded."""
HEADINGS = ("labels", "answers in a chunk", "answers a second", "chunks a second", "of `deniable tally`")
Result = TypeVar("Result")


def measure(labels: int, chunk: int) -> dict[str, Any]:
    """Fold the chunks of a survey, in turns with counting a folder."""
    survey = a_survey(labels)
    form = AnswerForm.of(survey)
    width = form.widths[0]
    each, chunks = chunk // width, BYTES[chunk] // chunk
    bodies = [_body(labels, width, each, seed) for seed in range(chunks)]
    _folded(survey, form, bodies[:2], each)  # what is compiled is compiled now
    turns = [(_folded(survey, form, bodies, each), _counted(survey, form, bodies)) for _ in range(TURNS)]
    seconds = statistics.median(ours for ours, _ in turns)
    return {
        "labels": labels,
        "chunk": each,
        "answers": each * chunks,
        "answers_a_second": each * chunks / seconds,
        "chunks_a_second": chunks / seconds,
        "of_tally": statistics.median(tally / ours for ours, tally in turns),
    }


def _body(labels: int, width: int, n: int, seed: int) -> bytes:
    reports = np.random.default_rng(seed).integers(0, labels, n).astype("<u8")
    return struct.pack("<HI", 0, n) + reports.view(np.uint8).reshape(n, -1)[:, :width].tobytes()


def _folded(survey: dn.Survey, form: AnswerForm, bodies: Sequence[bytes], each: int) -> float:
    """The seconds of folding, once all chunks are stored."""
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(folder)

        def run(task: Callable[[Transaction], Result]) -> Result:
            with store.transaction() as t:
                return task(t)

        row = SurveyRow(survey.digest, "bench", survey.document, "bench", "2026-01-01", None, False)
        run(lambda t: t.add_survey(row))
        batch = run(lambda t: t.batch(survey.digest, "once", 0.0))
        for key, body in zip(new_keys(len(bodies)), bodies, strict=True):
            with store.transaction() as t:
                t.add_chunks([chunk_of(batch.key, key, batch.number, each, body)])
        began = time.perf_counter()
        while fold(run, form, batch):
            pass
        seconds = time.perf_counter() - began
        sums = run(lambda t: t.sums(batch.number))
        store.close()
    if sums is None or sums.n != each * len(bodies):
        raise AssertionError("the sums must be those of all answers")
    return seconds


def _counted(survey: dn.Survey, form: AnswerForm, bodies: Sequence[bytes]) -> float:
    """The seconds of counting a folder with the same answers."""
    with tempfile.TemporaryDirectory() as folder:
        path, layouts = Path(folder) / "0.parquet", [part.mechanism.layout for part in survey.arms[0].parts]
        with write_arm(path, survey.document, 0, layouts) as writer:
            for body in bodies:
                writer.write(answers_of(survey, read_sections(form.widths, body, 0) or []).columns[0])
        began = time.perf_counter()
        tally_survey_files([path])
        return time.perf_counter() - began


def rows(found: Mapping[str, Any]) -> list[list[str]]:
    """All that was found."""
    return [
        [
            f"{r['labels']:,}",
            f"{r['chunk']:,}",
            f"{r['answers_a_second'] / 1e6:.1f} million",
            f"{r['chunks_a_second']:,.0f}",
            f"{r['of_tally']:.2f}",
        ]
        for r in found["rows"]
    ]


def main(words: Sequence[str] | None = None) -> None:
    """Measure, show, keep."""
    parser = argparse.ArgumentParser(prog="benchmarks.folding", description="how fast answers are folded")
    parser.add_argument("--json", type=Path, help="keep the figures here")
    args = parser.parse_args(words)
    found = {"machine": machine.brief(), "rows": [measure(labels, chunk) for labels, chunk in ROWS]}
    print(markdown_table(HEADINGS, rows(found)))
    if args.json:
        kept.write(args.json, found)


if __name__ == "__main__":
    main()
