"""A privacy officer is sent a survey and has to sign: what is promised, is it so, and what do people get to read?"""

from __future__ import annotations

import hashlib

import pytest
from tests.first_hours.conftest import Hour

SENT = """
import pathlib
import deniable as dn

q = dn.OneOf("hurt", ["yes", "no"], wording="Have you experienced violence at work?")
s = dn.Survey.plan("work", [q], 1.0, people=2000, owner="City Hospital", contact="privacy@hospital.example")
pathlib.Path("work.json").write_bytes(s.document)
"""
THEIRS = """
import pathlib, random, json
import deniable as dn

m = dn.Survey.from_json(pathlib.Path("work.json").read_text()).arms[0].parts[0].mechanism
pathlib.Path("spec.json").write_text(json.dumps(m.spec()))
labels = list(m.domain)
rows = [(random.choice(labels)) for _ in range(6000)]
honest = [f"{value},{m.privatize(value)}" for value in rows]
leaky = [f"{value},{labels.index(value)}" for value in rows]
for name, lines in (("honest", honest), ("leaky", leaky)):
    pathlib.Path(f"{name}.csv").write_text("\\n".join(["value,report", *lines]))
"""


@pytest.mark.minutes(3)
def test_from_a_document_to_a_signed_certificate(hour: Hour) -> None:
    hour.python(SENT)
    label = hour.deniable("explain work.json")
    assert "Somebody who was 1% sure" in label
    assert "That you took part, and when, is not hidden" in label
    said = hour.deniable("audit work.json --out certificate.html")
    assert "every claim is proven" in said
    digest = hashlib.sha256((hour.folder / "work.json").read_bytes()).hexdigest()
    assert digest in said
    assert digest in hour.read("certificate.html")
    assert "3 of 10 boxes are answered" in hour.deniable("survey dossier work.json --out dossier.html")
    dossier = hour.read("dossier.html")
    assert digest in dossier
    assert "A person must answer:</strong> The survey&#x27;s document does not say it." in dossier
    hour.python(THEIRS)
    assert "passes" in hour.deniable("audit spec.json --reports honest.csv")
    assert "FAILS" in hour.deniable("audit spec.json --reports leaky.csv", code=1)
