"""Golden values of the theory of checklists."""

from __future__ import annotations

import math

import pytest


def test_answers_together_beat_the_best_number_of_separate_ones() -> None:
    """Maths sheet checklist.md, section 1: b c^2 at epsilon 2 is .756 against .580, at 4 it is 2.372 against 1.160."""

    def together(epsilon: float, b: int) -> float:
        share = (math.exp(epsilon) - 1) / (math.exp(epsilon) + (1 << b) - 1)
        return b * share * share

    def separate(epsilon: float, b: int) -> float:
        return b * math.tanh(epsilon / b / 2) ** 2

    for epsilon, best, apart in ((2.0, 0.756, 0.580), (4.0, 2.372, 1.160)):
        assert max(together(epsilon, b) for b in range(1, 9)) == pytest.approx(best, abs=5e-4)
        assert max(separate(epsilon, b) for b in range(1, 9)) == pytest.approx(apart, abs=5e-4)
    assert together(2.0, 2) / separate(2.0, 2) == pytest.approx(1.77, abs=0.005)
    assert together(2.0, 2) / separate(2.0, 1) == pytest.approx(1.30, abs=0.005)
