"""Certificates that labels show: computed once in a process of their own; one that cannot be had is none."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import pytest
from tests.collector.worlds import a_survey

from deniable.intake.storage.rows import SurveyRow
from deniable.pages.proofs import Certificate, Proofs, SurveyProof


def today() -> str:
    return "2026-08-01"


async def proof_of(proofs: Proofs, digest: str, document: bytes) -> Certificate | None:
    """The certificate once nothing is worked on any more."""
    while True:
        proof = await proofs.of(digest, document)
        if not proof.proving:
            return proof.certificate


def test_a_survey_is_proven_once() -> None:
    survey = a_survey("proven")

    async def twice() -> list[Certificate | None]:
        proofs = Proofs(today)
        first = await proof_of(proofs, survey.digest, survey.document)
        return [first, await proof_of(proofs, survey.digest, b"nobody reads this again")]

    assert asyncio.run(twice()) == [survey.audit().to_dict()] * 2


def test_the_process_that_proves_loads_neither_collector_nor_pages() -> None:
    """Else each proof, which takes a moment, would begin with half a second of loading."""
    text = "import sys, deniable.pages.proving; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True).stdout.split()
    assert {"deniable.surveys.survey", "deniable.audit"} <= {*loaded}
    others = ("deniable.collector", "deniable.intake", "deniable.pages.results", "jinja2", "starlette", "scipy.special")
    assert [name for name in loaded if name.startswith(others)] == []


def test_what_cannot_be_proven_has_no_certificate() -> None:
    assert asyncio.run(proof_of(Proofs(today), "0" * 64, b"no survey")) is None


def test_a_process_that_cannot_be_started_is_started_for_the_next_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    survey = a_survey("crowded")

    async def twice() -> list[SurveyProof]:
        proofs = Proofs(today)
        with monkeypatch.context() as without:
            without.setattr("sys.executable", "/nothing/is/here")
            first = await proofs.of(survey.digest, survey.document)
        await proof_of(proofs, survey.digest, survey.document)
        return [first, await proofs.of(survey.digest, survey.document)]

    assert asyncio.run(twice()) == [SurveyProof(None, True), SurveyProof(survey.audit().to_dict(), day=today())]


def test_surveys_are_proven_before_anybody_asks() -> None:
    old, ended, new = a_survey("old"), a_survey("ended"), a_survey("new")
    rows = [SurveyRow(each.digest, each.name, each.document, "author", today(), None, False) for each in (old, ended)]
    rows[1] = rows[1]._replace(ended=1.0)

    async def made() -> tuple[list[str], SurveyProof]:
        proofs = Proofs(today)
        proofs.start(lambda: rows)
        await asyncio.to_thread(proofs.opened, rows[0]._replace(digest=new.digest, document=new.document))
        while len(proofs.known) < 2:
            await asyncio.sleep(0.05)
        return proofs.known, await proofs.of(new.digest, b"nobody reads this")

    known, proof = asyncio.run(made())
    assert sorted(known) == sorted([old.digest, new.digest])
    assert proof == SurveyProof(new.audit().to_dict(), day=today())
