"""The report on a fit: the forest plot with the words beside it, in one file that needs nothing else."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from tests.estimation.models.made_up_people import odds, people

import deniable as dn
from deniable.pages.fit_report import fit_report

PEOPLE = people()
FRAME = {"female": PEOPLE[:, 1], "age": (PEOPLE[:, 2] - 45) / 10, "score": PEOPLE[:, 6]}
LATE = {"late": (odds(["no", "yes"], 3), PEOPLE[:, 4].astype(int))}


def fit(formula: Any = ("late", ["female", "age"]), **more: Any) -> Any:
    return dn.regress(formula, FRAME, LATE, **more)


def words(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<style>.*?</style>|<[^>]*>", " ", page, flags=re.DOTALL))


def test_it_says_what_the_picture_shows() -> None:
    """The figures of the mathematics: female 1.3 to 4.3 times, as 255 open answers."""
    page = fit_report(fit(), title="Who came late?", command='deniable regress "a<b"')
    said = words(page)
    assert "1.3 to 4.3 times" in said
    assert "tell as much of female as 255 open ones" in said
    assert "6.1 to 28.5 more" in said
    assert "“yes” goes with female and age." in said
    assert "1,200 people, 29.2 to 40.3 of 100 with “yes”" in said
    assert "1.071" in said
    assert "a&lt;b" in page
    places = [float(place) for place in re.findall(r'<circle cx="([\d.]+)%"', page)]
    low, high = np.array(re.findall(r'<rect x="([\d.]+)%" width="([\d.]+)%"', page), float).T[:, :2]
    assert ((low < places) & (places < low + high)).all()
    assert not re.search(r"https?://|<script|src=", page)


def test_it_is_said_in_german_too() -> None:
    page = fit_report(fit(), code="de")
    assert "Was der Schutz kostet" in page
    assert '<html lang="de">' in page


@pytest.mark.parametrize(
    ("formula", "model", "told"),
    [
        (("late", ["female"]), "identity", "coefficient"),
        (("late", ["female"]), "probit", "coefficient"),
        (("score", ["female", "late"]), "normal", "late[yes]"),
        (("late", []), "logit", "(constant)"),
    ],
)
def test_fits_of_all_kinds_have_one(formula: Any, model: str, told: str) -> None:
    assert told in words(fit_report(fit(formula, model=model)))


def test_an_estimate_without_an_end_has_a_line_without_one() -> None:
    """Nobody of the first group reports yes more often than chance sends it (regression.md 3)."""
    group = np.repeat([0, 1], 100)
    reports = np.concatenate([np.repeat([1, 0], [20, 80]), np.repeat([1, 0], [50, 50])])
    found = dn.regress(("late", ["group"]), {"group": group}, {"late": (odds(["no", "yes"], 3), reports)})
    page = fit_report(found)
    assert "<circle" not in page.split("</thead>")[1].split("</table>")[0]
    assert "any number" in words(page)


def test_a_level_is_called_as_people_say_it_and_stands_beside_how_many_more_that_is() -> None:
    frame = {**FRAME, "ward": np.array(["A", "B", "C"])[np.arange(len(PEOPLE)) % 3]}
    said = words(fit_report(dn.regress("late ~ female + ward", frame, LATE)))
    assert "ward “B” where ward is “B” rather than “A”" in said
    assert "as much of ward “C” as" in said
    before_the_model = said.split("The model, for those who know it")[0]
    assert "[T." not in before_the_model
    assert "ward[T.B]" in said, "the model's table has the names of its formula"
    assert len(re.findall(r"fewer to [\d.]+ more|[\d.]+ to [\d.]+ (?:more|fewer)", before_the_model)) == 3
