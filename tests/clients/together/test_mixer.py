"""Devices of both clients answer at a mixer in a process of its own, whose parcel holds their very answers."""

from __future__ import annotations

import json
from pathlib import Path

from tests.clients.conduct.devices import in_process
from tests.clients.conduct.surveys import IN_CROWD, crowded, drawn_in, opened
from tests.mixer.servers import mixing
from tests.mixer.worlds import collecting
from tests.waiting import until

import deniable as dn
from deniable.protocol.surveys.sealed_answer import SealedForm

EACH = 3


def test_both_clients_answer_at_a_mixer_whose_collector_opens_their_answers(built: Path, tmp_path: Path) -> None:
    assert built.is_dir()
    server = mixing(tmp_path / "data", 0)
    with collecting() as collected:
        survey = crowded(server.url, collector=collected.url, least=2 * EACH, grace=0)
        start = f"/v1/surveys/{survey.digest}"
        told = {"deniable_token": "a token"}
        assert server.ask("PUT", "/v1/surveys", survey.document, server.operator, **told).status == 201
        people = json.dumps({"people": 2 * EACH}).encode()
        codes = server.ask("POST", f"{start}/invitations", people, server.operator).json["codes"]
        drawn = [
            answer
            for kind, own in (("python", codes[:EACH]), ("node", codes[EACH:]))
            for answer in answered(kind, survey, own)
        ]
        assert server.ask("GET", f"{start}/door").json["enough"] == {"once": False}  # as of midnight
        assert server.ask("POST", f"{start}/close", token=server.operator).status == 200
        until(lambda: bool(collected.taken), 0.1)
        [parcel] = collected.taken.values()
    server.process.terminate()
    assert server.process.wait(60) == 0
    width = SealedForm.of(survey).sealed
    found = [opened(survey, parcel[place : place + width]) for place in range(0, len(parcel), width)]
    assert sorted(each.answer for each in found) == sorted(drawn)
    assert len({each.id for each in found}) == 2 * EACH


def answered(kind: str, survey: dn.Survey, codes: list[str]) -> list[bytes]:
    """What devices of a client drew, each with a code, and have sent; one code is tried again."""
    drawn = []
    with in_process(kind) as devices:
        for code in codes:
            device = devices.agreed(None, survey, code=code)
            device.answer(IN_CROWD)
            drawn.append(drawn_in(bytes.fromhex(device.records()[-1]["upload"])))
            (receipt,) = device.flush()
            assert (receipt.state, receipt.period, receipt.bytes) == ("sent", "once", b"")
        late = devices.agreed(None, survey, code=codes[0])
        late.answer(IN_CROWD)
        (receipt,) = late.flush()
        told = "status 401" if kind == "node" else "the code was used or is missing; open the survey with another"
        assert (receipt.state, receipt.reason) == ("waiting", told)
    return drawn
