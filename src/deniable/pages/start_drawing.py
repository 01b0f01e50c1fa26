"""The drawing of the start page: what people answer, what their devices send, and what is read from all of it."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from markupsafe import Markup

from deniable.mechanisms.plain.randomized_response import RandomizedResponse
from deniable.pages.builder.draft_survey import survey_of
from deniable.pages.builder.outlook import Rehearsal, outlook_of, rehearsals
from deniable.pages.builder.presets import EXAMPLES, PLACES, Example, example_in
from deniable.protocol.say import Phrase, Statement
from deniable.protocol.surveys.protection import Protection

PEOPLE: Final = 50
FEW: Final = 25
"""How many of them are drawn on a phone."""
YES_EVERY: Final = 10
SEED: Final = 4
STEP, HIGH, RADIUS = 18, 110, 6
TOP, BOTTOM = 12, 84
"""Where the two rows are."""


class StartExample(NamedTuple):
    """A survey to begin with: where it is asked, of whom, what, and what is learned."""

    key: str
    place: Phrase
    people: Phrase
    wording: Phrase
    learned: Phrase


LEVEL: Final = 1.0
"""How well the people of the drawing are protected."""


class StartDrawing(NamedTuple):
    """Two rows of dots, answers and what was sent, for wide and narrow screens, and the row of a result beneath."""

    wide: Markup
    narrow: Markup
    turned: int
    """How many answers chance turned round."""
    result: Rehearsal
    hint: Statement
    """What one of these reports is."""


@cache
def start_drawing() -> StartDrawing:
    """People of whom 30 in 100 say yes, and what devices made of their answers."""
    answers = [(7 * person) % YES_EVERY < 3 for person in range(PEOPLE)]
    mechanism = RandomizedResponse(["yes", "no"], LEVEL)
    reports = mechanism.privatize_many(["yes" if answer else "no" for answer in answers], seed=SEED)
    sent = [int(report) == 0 for report in reports]
    turned = sum(answer != report for answer, report in zip(answers, sent, strict=True))
    wide, narrow = (_rows(answers[:count], sent[:count]) for count in (PEOPLE, FEW))
    draft = example_in("work", "en")
    [result] = rehearsals(survey_of(draft), draft.expected_people or 1)
    return StartDrawing(wide, narrow, turned, result, Protection(LEVEL).hint)


@cache
def start_examples() -> tuple[StartExample, ...]:
    """The surveys to begin with."""
    return tuple(_example(key, each) for key, each in EXAMPLES.items())


def _example(key: str, example: Example) -> StartExample:
    """An example with its people, and how closely its result is told."""
    draft = example_in(key, "en")
    [row] = outlook_of(draft).rows
    people = Statement("people", count=draft.expected_people or 0)
    if draft.census:
        people = Statement("all_of_them", people=people)
    strength = Protection(draft.level or 1.0).name
    learned = Statement("with_protection_you_learn", strength=strength, error=row.error_statement)
    return StartExample(key, PLACES[key], people, example.wording, learned)


def _rows(answers: list[bool], sent: list[bool]) -> Markup:
    """Two rows of dots, full for yes, with a line from each to the one below: dark where chance turned the answer."""
    ringed = next((place for place, pair in enumerate(zip(answers, sent, strict=True)) if pair == (False, True)), None)
    drawn = "".join(
        f'<path class="way{" turned" if answer != report else ""}" d="M{_x(place)} {TOP + 8}V{BOTTOM - 8}"/>'
        f"{_dot(place, TOP, 'answer', answer)}{_dot(place, BOTTOM, 'sent', report)}"
        for place, (answer, report) in enumerate(zip(answers, sent, strict=True))
    )
    ring = "" if ringed is None else f'<circle class="ring" cx="{_x(ringed)}" cy="{BOTTOM}" r="{RADIUS + 5}"/>'
    words = f"{sum(answers)} of {len(answers)} people answer yes; {sum(sent)} devices send yes"
    return Markup(
        f'<svg viewBox="0 0 {len(answers) * STEP} {HIGH}" role="img" lang="en" aria-label="{words}">{drawn}{ring}</svg>'
    )


def _dot(place: int, height: int, row: str, full: bool) -> str:
    return f'<circle class="{row} {"full" if full else "hollow"}" cx="{_x(place)}" cy="{height}" r="{RADIUS}"/>'


def _x(place: int) -> int:
    return place * STEP + STEP // 2
