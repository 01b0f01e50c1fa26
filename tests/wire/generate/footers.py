"""`footers.json`: what report files say of themselves, and footers that a reader refuses."""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from tests.wire.generate.reports import stored

import deniable as dn
from deniable.mechanisms.mechanism import Mechanism
from deniable.reports.report_file import write_reports

SURVEY = dn.RandomizedResponse(["ja", "nein", "ウ"], 1.0)
OTHER = dn.RandomizedResponse(["ja", "nein", "ウ"], 1.5)
KEYS = ("deniable.version", "deniable.spec", "deniable.digest", "deniable.reports", "deniable.sha256")
FILES: dict[str, tuple[Mechanism, list[Any]]] = {
    "a byte a report": (SURVEY, [0, 2, 2, 1]),
    "no reports": (SURVEY, []),
    "two bytes a report": (dn.Hadamard(200, 1.0, parts=1), [255, 0, 129]),
    "four bytes a report": (dn.HashedResponse(1.0, 256, 512), [131071, 1]),
    "bits": (dn.Rappor(11, 2.0), [b"\xff\x07", b"\x00\x00"]),
    "cohorts and bits": (dn.HashedRappor(1.0, 3, 300), [b"\x2b\x01\x05", b"\0\0\x07"]),
}


def footer_of(mechanism: Mechanism, reports: list[Any], counted: bool = True) -> dict[str, str]:
    """What a file of these reports says of itself."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "reports.parquet"
        with write_reports(path, mechanism.spec(), mechanism.layout, counted) as writer:
            writer.write(mechanism.layout.check(reports))
        said = pq.read_metadata(path).metadata or {}
    return {key.decode(): value.decode() for key, value in said.items() if key.startswith(b"deniable.")}


def _vector(mechanism: Mechanism, reports: list[Any], counted: bool = True) -> dict[str, Any]:
    column = mechanism.layout.check(reports)
    return {"reports": stored(column), "footer": footer_of(mechanism, reports, counted)}


def _respecified(spec: str) -> dict[str, str]:
    """Another text in place of the spec, with a digest that fits it."""
    return {"deniable.spec": spec, "deniable.digest": hashlib.sha256(spec.encode()).hexdigest()}


def _bad() -> dict[str, dict[str, str]]:
    """What is changed in the footer of the first file."""
    spec, other = SURVEY.spec_bytes.decode(), footer_of(OTHER, FILES["a byte a report"][1])
    return {
        "version 2": {"deniable.version": "2"},
        "a version with a point": {"deniable.version": "1.0"},
        "a spec with blanks": _respecified(spec.replace(",", ", ")),
        "a spec with its keys out of order": _respecified('{"version":1,' + spec[1:].replace(',"version":1', "")),
        "a spec that is no JSON": _respecified(spec[:-1]),
        "a spec with epsilon as an integer": _respecified(spec.replace("1.0", "1")),
        "another spec": {"deniable.spec": OTHER.spec_bytes.decode()},
        "the digest of another spec": {"deniable.digest": other["deniable.digest"]},
        "a digest in capitals": {"deniable.digest": SURVEY.tally([]).digest.upper()},
        "a report more": {"deniable.reports": "5"},
        "a number of reports with a point": {"deniable.reports": "4.0"},
        "a number of reports with a leading 0": {"deniable.reports": "04"},
        "no number of reports": {"deniable.reports": ""},
        "the hash of other reports": {"deniable.sha256": "0" * 64},
        "the counts of other reports": {"deniable.counts": "0" * 64},
    }


def footers() -> dict[str, list[dict[str, Any]]]:
    """The sections of the file."""
    first = _vector(*FILES["a byte a report"])
    good = [{"name": name, **_vector(*file)} for name, file in FILES.items()]
    uncounted = {"name": "without counts", **_vector(*FILES["a byte a report"], counted=False)}
    bad = [{"why": why, **first, "footer": {**first["footer"], **change}} for why, change in _bad().items()]
    for key in KEYS:
        left = {name: value for name, value in first["footer"].items() if name != key}
        bad.append({"why": f"no {key}", **first, "footer": left})
    return {"good": [*good, uncounted], "bad": bad}
