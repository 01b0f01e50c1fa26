"""Checklists of which at most so many labels may be chosen: nothing is cut, so that nothing is raised for it."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from tests.lengths import by_length

import deniable as dn
from deniable.protocol.errors import LabelError
from deniable.protocol.questions.any_of import Has, Listed

pytestmark = pytest.mark.soak
SURVEYS = by_length(200, 2000)
LEAST = float(stats.binom.ppf(1e-9, SURVEYS, 0.95)) / SURVEYS
"""A smaller share of intervals holds with a chance of one in a billion, if each holds at 95%."""


def limited(labels: int, most: int | None, part: int, epsilon: float, singly: bool = False) -> dn.Survey:
    """Lists of up to ``most`` labels are reported as sets for lists of ``part``, and by others a single label each."""
    question = dn.AnyOf("q", labels, most=most)
    parts = [dn.Part(question, dn.PrivateSet(labels, epsilon, most=part), Listed())]
    if singly:
        coin = dn.RandomizedResponse(["yes", "no"], epsilon)
        parts += [dn.Part(question, coin, Has(label)) for label in range(labels)]
    return dn.Survey("s", [question], [dn.Arm(part) for part in parts])


@pytest.mark.parametrize(
    ("labels", "most", "epsilon", "people"), [(10, 4, 3.0, 4000), (15, 1, 1.0, 900), (9, 3, 4.0, 500)]
)
def test_intervals_are_those_of_lists_that_were_not_cut(labels: int, most: int, epsilon: float, people: int) -> None:
    """They cover, also labels that all hold who may; an interval is about as wide as the expected error says."""
    survey, rng = limited(labels, most, most, epsilon), np.random.default_rng(labels)
    rows = {"q": [[(place + step) % labels for step in range(most)] for place in range(labels)]}
    held, widths, expected = np.zeros(labels), [], survey.expected(people)["q"].error
    for _ in range(SURVEYS):
        drawn = survey.draw_tally(rows, rng.multinomial(people, np.full(labels, 1 / labels)), rng)
        found = survey.estimate(drawn)["q"]
        low, high = found.interval().T
        held += (low <= most / labels) & (most / labels <= high)
        widths.append(found.evidence.interval(0.05))
    assert held.min() / SURVEYS >= LEAST
    reach = np.diff(np.array(widths), axis=-1).mean() / 2
    assert reach == pytest.approx(1.96 * expected, rel=0.1)


@pytest.mark.parametrize(("labels", "most"), [(10, 4), (6, 1)])
def test_longer_lists_are_refused_wherever_they_come_from(labels: int, most: int) -> None:
    survey, longer = dn.Survey.plan("s", [dn.AnyOf("q", labels, most=most)], 1.0, 100), list(range(most + 1))
    with pytest.raises(LabelError, match=f"must hold at most {most} labels"):
        survey.answer({"q": longer})
    with pytest.raises(LabelError, match=f"lists of at most {most} labels"):
        survey.answer_many({"q": [[0], longer]})
    with pytest.raises(LabelError, match=f"lists of at most {most} labels"):
        survey.draw_tally({"q": [[0], longer]}, [1, 1], np.random.default_rng(1))


@pytest.mark.parametrize("singly", [False, True])
def test_only_lists_that_can_have_been_cut_are_allowed_for(singly: bool) -> None:
    """Planted: a question without a limit, or with a higher one, whose reports are cut to two labels."""
    for most, lists in ((None, [0, 1, 2, 3]), (4, [0, 1, 2, 3]), (2, [0, 1]), (1, [0])):
        survey = limited(8, most, 2, 4.0, singly)
        found = survey.estimate(survey.tally(survey.answer_many({"q": [lists] * 3000}, seed=1)))["q"]
        is_cut = most is None or most > 2
        assert any("of a list of more than 2 labels 2 are drawn" in note for note in found.notes) is is_cut
        if not singly:
            assert bool(found.evidence.interval(0.05)[7, 1] > 0.5) is is_cut
