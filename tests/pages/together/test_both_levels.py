"""No face says what a crowd hides without what both parties see together; on one machine no result says it."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.collector.abuse.asks import all_routes
from tests.collector.crowds import APART, NEAR, many, parcel, sent
from tests.collector.servers import Server, started, stopped
from tests.collector.worlds import Clock, Service
from tests.mixer.servers import mixing
from tests.pages.mixing.operators import brought, entered
from tests.pages.readers import Reader

import deniable as dn
from deniable.collector.keys import KEYS, KeyFolder
from deniable.intake.storage.sqlite import SqliteStore
from deniable.protocol.privacy.levels import rounded_up

WAY = dn.OneOf("way", ["car", "bus", "bike", "foot"])
RESPONSE = dn.RandomizedResponse(list(WAY.labels), 2.3)
PEOPLE, MADE_UP, DELTA = 60, 6, 0.01
TOGETHER = ("2.3", "9.98", "90", "91")
"""The level of each report, its odds, and what a guess of 50 in 100 becomes."""

TAGS = re.compile(r"(?s)<(script|style)\b.*?</\1>|<[^>]*>")


def a_survey(key: str, parties: dict[str, Any]) -> dn.Survey:
    """A survey whose numbers stand for nothing else on a page."""
    level = rounded_up(dn.crowd.level(RESPONSE, PEOPLE - MADE_UP, DELTA) * 1.001)
    belief = rounded_up(dn.crowd.belief(RESPONSE, PEOPLE - MADE_UP, DELTA / 2) * 1.001)
    more: dict[str, Any] = {"made_up": MADE_UP, "delta": DELTA, "key": key, **parties}
    crowd = dn.Crowd(operator="Works Council", least=PEOPLE, level=level, belief=belief, **more)
    terms: dict[str, Any] = {"owner": "Company", "closes": "2026-08-10T00:00:00Z", "grace": 0, "minimum": 2}
    return dn.Survey("commute", [WAY], [dn.Arm([dn.Part([WAY], RESPONSE)])], crowd=crowd, **terms)


@contextmanager
def released(folder: Path, parties: dict[str, str]) -> Iterator[tuple[Server, dn.Survey]]:
    """A collector that has counted a parcel."""
    data, clock = folder / "data", Clock()
    data.mkdir()
    with Service(clock, lambda: SqliteStore(data, clock), keys=KeyFolder(data / KEYS)) as service:
        survey = a_survey(service.keys.make(), parties)
        service.desk.put(survey, "operator")
        sent(service, survey, parcel(many(survey, [place % 4 for place in range(PEOPLE)])))
        service.keeper.keep()
    server = started(data, "--rate", "0")
    yield server, survey
    assert stopped(server) == 0


def faces(server: Server, survey: dn.Survey) -> dict[str, str]:
    """All that a collector shows of a survey, and what the library says of it."""
    reader, found = Reader(server.url).enter(server.operator), dict[str, str]()
    known = {"digest": survey.digest, "period": "once", "name": survey.name, "question": "way"}
    for method, path in all_routes():
        where = re.sub(r"{(\w+)}", lambda part: known.get(part[1], part[0]), path)
        if method != "GET" or "{" in where or "sign" in where:
            continue
        page = server.ask("GET", where, token=server.operator) if where.startswith("/v1/") else reader.get(where)
        if page.status == 200:
            found[path] = html.unescape(TAGS.sub(" ", page.body.decode(errors="replace")))
    return {**found, "label": "\n".join(survey.label().sentences), "certificate": str(survey.audit())}


def says(text: str, numbers: tuple[str, ...]) -> list[str]:
    """Those of some numbers that stand in a text."""
    return [each for each in numbers if re.search(rf"(?<![\w.]){re.escape(each)}(?![\w]|\.\d)", text)]


def alone(survey: dn.Survey) -> tuple[str, ...]:
    """What a crowd hides: its level, its odds, and what a guess of 50 in 100 becomes."""
    assert survey.crowd is not None
    level, belief = survey.crowd.level, survey.crowd.belief or 0.0
    return (f"{level:g}", f"{math.exp(level):.3g}", f"{belief:g}", f"{100 * belief:.0f}", f"{math.ceil(100 * belief)}")


def test_each_face_that_says_what_a_crowd_hides_says_what_both_see_together(tmp_path: Path) -> None:
    with released(tmp_path, APART) as (server, survey):
        found = faces(server, survey)
        said = {name for name, text in found.items() if says(text, alone(survey))}
        assert said >= {"/q/{digest}", "/s/{name}/trust", "/v1/surveys/{digest}/periods", "/v1/status", "label"}
        assert {name for name in said if not says(found[name], TOGETHER)} == set()


def test_where_one_machine_has_both_parties_no_result_says_what_a_crowd_hides(tmp_path: Path) -> None:
    with released(tmp_path, NEAR) as (server, survey):
        found = faces(server, survey)
        assert "Mixer and collector are on one machine" in found["/s/{name}/trust"]
        results = [name for name in found if name.startswith("/s/") and "tally" not in name]  # which has the document
        told = [*results, "/v1/surveys/{digest}/periods", "/v1/status"]
        assert [name for name in told if says(found[name], alone(survey))] == []


def test_a_mixers_page_says_both(tmp_path: Path) -> None:
    server = mixing(tmp_path / "data")
    operator, key = entered(server), KeyFolder(tmp_path / KEYS).make()
    survey = a_survey(key, NEAR)
    assert brought(operator, survey).status == 303
    for path in ("/", f"/surveys/{survey.digest}"):
        text = html.unescape(operator.get(path).text)
        assert says(text, alone(survey)), path
        assert says(text, TOGETHER), path
    assert stopped(server) == 0
