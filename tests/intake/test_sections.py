"""Sections: read strictly, written back to the byte, merged in an order that says nothing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.collector.worlds import a_survey, body_of
from tests.wire.vectors import Vector, named, vectors

import deniable as dn
from deniable.collector.answer_form import AnswerForm
from deniable.collector.reading import answers_of, tally_of
from deniable.intake.refusals import Refused
from deniable.intake.sections import (
    FEW,
    Section,
    merged,
    read_sections,
    sorted_rows,
    write_sections,
)
from deniable.intake.uploads import MOST_ANSWERS, MOST_BYTES

WIDTHS = (1, 3, 12)


@st.composite
def sections(draw: st.DrawFn) -> list[Section]:
    """Sections for three arms, ascending."""
    arms = draw(st.sets(st.integers(0, 2), min_size=1))
    counts = {arm: draw(st.integers(1, 5)) for arm in sorted(arms)}
    sizes = {arm: n * WIDTHS[arm] for arm, n in counts.items()}
    return [Section(arm, n, draw(st.binary(min_size=sizes[arm], max_size=sizes[arm]))) for arm, n in counts.items()]


@given(sections())
def test_what_is_written_is_read(given: list[Section]) -> None:
    written = write_sections(given)
    assert read_sections(WIDTHS, written, 0) == given
    assert all(read_sections(WIDTHS, written[:end], 0) != given for end in range(len(written)))
    assert read_sections(WIDTHS, written + b"\0", 0) is None


@given(st.lists(sections(), max_size=4))
def test_merging_keeps_every_answer_and_forgets_the_order(given: list[list[Section]]) -> None:
    def rows(some: Sequence[Section]) -> list[tuple[int, bytes]]:
        found = [
            (section.arm, section.rows[at : at + WIDTHS[section.arm]])
            for section in some
            for at in range(0, len(section.rows), WIDTHS[section.arm])
        ]
        return sorted(found)

    whole = merged([section for one in given for section in one])
    every = [section for one in given for section in one]
    assert rows(whole) == rows(every)
    assert merged(every[::-1]) == whole == merged(whole)
    assert [section.arm for section in whole] == sorted({section.arm for section in every})


@pytest.mark.parametrize("n", [1, 2, FEW, FEW + 1])
@pytest.mark.parametrize("arm", [0, 1, 2])
def test_single_answers_are_merged_as_those_of_one_upload(n: int, arm: int) -> None:
    rows = np.random.default_rng(n).integers(0, 256, (n, WIDTHS[arm]), np.uint8)
    single = [Section(arm, 1, row.tobytes()) for row in rows]
    [together] = merged([Section(arm, n, rows.tobytes())])
    assert merged(single) == [together] == [Section(arm, n, b"".join(sorted(section.rows for section in single)))]


@pytest.mark.parametrize("width", [1, 2, 3, 7, 8, 9, 16])
def test_rows_are_sorted_as_bytes_are(width: int) -> None:
    rows = np.random.default_rng(width).integers(0, 3, (200, width), np.uint8) * 127
    expected = b"".join(sorted(row.tobytes() for row in rows))
    assert sorted_rows(rows) == expected


@pytest.mark.parametrize("vector", vectors("uploads.json", "good"), ids=named)
def test_good_uploads_are_read_and_counted(vector: Vector) -> None:
    survey = dn.Survey.from_json(vector["document"])
    upload = AnswerForm.of(survey).read(bytes.fromhex(vector["hex"]))
    answers = [bytes.fromhex(answer) for answer in vector["answers"]]
    assert (upload.id.hex(), upload.n) == (vector["id"], len(answers))
    assert AnswerForm.of(survey).impossible({0: upload}) == {}
    assert tally_of(survey, upload.sections) == survey.tally(answers)
    assert sorted(answers_of(survey, upload.sections).to_bytes()) == sorted(answers)
    assert AnswerForm.of(survey).widths[0] > 0


@pytest.mark.parametrize("vector", vectors("uploads.json", "bad"), ids=named)
def test_bad_uploads_are_refused(vector: Vector) -> None:
    assert refusal_of(dn.Survey.from_json(vector["document"]), bytes.fromhex(vector["hex"])) in {
        "malformed", "no-answer",
    }  # fmt: skip


def refusal_of(survey: dn.Survey, body: bytes) -> str | None:
    """Why an upload is refused; None if it is not."""
    form = AnswerForm.of(survey)
    try:
        refusals = form.impossible({7: form.read(body)})
    except Refused as refused:
        return refused.refusal.kind
    return refusals[7].kind if refusals else None


def test_an_upload_has_limits() -> None:
    form = AnswerForm.of(a_survey())
    assert form.read(body_of([0] * MOST_ANSWERS)).n == MOST_ANSWERS
    for body in (body_of([0] * (MOST_ANSWERS + 1)), bytes(MOST_BYTES + 1)):
        with pytest.raises(Refused) as refused:
            form.read(body)
        assert refused.value.refusal.kind == "too-large"
