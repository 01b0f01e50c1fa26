"""Surveys of one name on a label: each is told from the others by its title and its dates."""

from __future__ import annotations

import json

from tests.collector.servers import Server, put
from tests.pages.readers import Reader
from tests.pages.results.worlds import a_survey


def test_surveys_of_one_name_are_told_apart_by_title_and_dates(server: Server, operator: Reader) -> None:
    first = put(server, server.operator, a_survey("again", closes="2099-06-01T00:00:00Z"))
    second = put(server, server.operator, a_survey("again", opens="2099-07-01T00:00:00Z"))
    page = operator.get(f"/label/{second.digest}")
    assert (
        f'<a href="/label/{first.digest}?lang=en"><bdi>The way to work</bdi></a>, from the start until 1 June'
        in page.html
    )
    assert "This one , The way to work , from 1 July 2099, 00:00 UTC until it is closed by hand" in page.text
    text = operator.get(f"/label/{second.digest}.txt").body.decode()
    assert "The way to work, from the start until 1 June 2099" in " ".join(text.split())
    versions = json.loads(operator.get(f"/label/{second.digest}.json").body)["versions"]
    assert [each["title"] for each in versions] == ["The way to work"] * 2
