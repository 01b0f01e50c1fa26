"""Certificates that labels show: computed once in a process of their own; one that cannot be had is none."""

from __future__ import annotations

import asyncio

import pytest
from tests.collector.worlds import a_survey

from deniable.pages.proofs import Certificate, Proofs


async def proof_of(proofs: Proofs, digest: str, document: bytes) -> Certificate | None:
    """The certificate once nothing is worked on any more."""
    while True:
        certificate, proving = await proofs.of(digest, document)
        if not proving:
            return certificate


def test_a_survey_is_proven_once() -> None:
    survey = a_survey("proven")

    async def twice() -> list[Certificate | None]:
        proofs = Proofs()
        first = await proof_of(proofs, survey.digest, survey.document)
        return [first, await proof_of(proofs, survey.digest, b"nobody reads this again")]

    assert asyncio.run(twice()) == [survey.audit().to_dict()] * 2


def test_what_cannot_be_proven_has_no_certificate() -> None:
    assert asyncio.run(proof_of(Proofs(), "0" * 64, b"no survey")) is None


def test_a_process_that_cannot_be_started_is_started_for_the_next_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    survey = a_survey("crowded")

    async def twice() -> list[tuple[Certificate | None, bool]]:
        proofs = Proofs()
        with monkeypatch.context() as without:
            without.setattr("sys.executable", "/nothing/is/here")
            first = await proofs.of(survey.digest, survey.document)
        return [first, (await proof_of(proofs, survey.digest, survey.document), False)]

    assert asyncio.run(twice()) == [(None, True), (survey.audit().to_dict(), False)]
