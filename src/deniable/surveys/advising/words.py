"""What an error means to people, and what a level lets a guess become, in the words that every face uses."""

from __future__ import annotations

from textwrap import shorten
from typing import Final

from deniable.estimation.words import quoted
from deniable.protocol.questions.question import Question
from deniable.protocol.say import Statement

NOTHING, GOOD, FINE = 0.25, 0.1, 0.05
"""The errors beyond which a share says nothing, and up to which it is good or fine."""
UNSEEN: Final = 0.5
"""If no share below it can be told apart from none, a question says nothing."""
HALF: Final = 0.5
LONGEST: Final = 44
"""So many letters of a question tell it from others: a sentence that names two is still read at a glance."""


def verdict(error: float, smallest: float) -> Statement:
    """What half of an interval, and the smallest share that is seen, come to.

    >>> english(verdict(0.948, 1.0))
    'nothing: anything from 0 to 100'
    >>> english(verdict(0.126, 0.16)), english(verdict(0.1, 0.13))
    ('rough: a third can be told from two thirds', 'good: enough to see what most do')
    """
    if error >= HALF:
        return Statement("nothing_anything_from_0_to_100")
    if is_nothing(error, smallest):
        return Statement("nothing_the_error_is_larger")
    if error > GOOD:
        return Statement("rough_a_third_can_be_told")
    return Statement("good_enough_to_see_what") if error > FINE else Statement("fine")


def is_nothing(error: float, smallest: float) -> bool:
    """Whether a question tells nothing."""
    return error > NOTHING or smallest > UNSEEN


def named(question: Question) -> Statement:
    """A question as sentences name it: in its own words, of many the first."""
    return quoted(shorten(question.wording or question.name, LONGEST, placeholder=" …"))
