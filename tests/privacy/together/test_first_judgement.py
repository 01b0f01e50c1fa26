"""Guarantees judge plain matrices from the first use on, whatever else has been loaded."""

from __future__ import annotations

import subprocess
import sys

import pytest

FIRST = [
    "dn.LDP(1.0)",
    "dn.Pairwise(2, [[0, 1], [1, 0]])",
    "dn.HighLow(2, [0], 1.0)",
    "dn.InformationPrivacy(2, [0.5, 0.5], 1.0)",
    "dn.MutualInformationPrivacy(2, [0.5, 0.5], 1.0)",
]


@pytest.mark.parametrize("guarantee", FIRST)
def test_a_matrix_is_the_first_thing_judged(guarantee: str) -> None:
    code = f"import deniable as dn; print({guarantee}.holds([[0.7, 0.3], [0.3, 0.7]]))"
    said = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert said.stdout == "True\n"
