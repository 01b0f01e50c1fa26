"""The page of a survey that runs, over a real collector: what is wrong with a form is said on it."""

from __future__ import annotations

import pytest
from tests.collector.servers import Server, put
from tests.pages.readers import Reader
from tests.pages.results.worlds import a_survey


@pytest.mark.parametrize("people", ["0", "-1", "1.5", "", "100001", "9999999", "seven", "٣"])
def test_a_wrong_number_of_people_is_said_beside_its_field(server: Server, operator: Reader, people: str) -> None:
    survey = a_survey("uncoded")
    if operator.get(f"/run/{survey.digest}").status == 404:
        put(server, server.operator, survey)
    path = f"/run/{survey.digest}"
    page = operator.post(f"{path}/codes", {"csrf": operator.get(path).csrf, "people": people})
    assert page.status == 422
    assert "Write a whole number of people from 1 to 100,000." in page.text
    assert f'name="people" inputmode="numeric" pattern="[0-9]{{1,6}}" value="{people[:6]}"' in page.html
    assert 'aria-invalid="true" aria-describedby="fault-people"' in page.html
    assert "Anybody with the link can answer" in page.text, "nobody was invited"
