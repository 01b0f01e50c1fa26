"""``deniable audit``: prove what a file or a mechanism promises, and test a sampler as a black box."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

import deniable as dn
from deniable.cli import options
from deniable.cli.mechanisms import NONE, MechanismInstead, MechanismTerms
from deniable.cli.output import check_files, show, show_json
from deniable.engines.certificate_page import certificate_page
from deniable.engines.file_certificate import FileCertificate, certify, certify_file
from deniable.engines.open_any import open_any
from deniable.engines.trial_reports import audit_trials
from deniable.estimation.export import json_text
from deniable.mechanisms.mechanism import Mechanism
from deniable.protocol.errors import ParameterError
from deniable.surveys.document import Document

DOES_NOT_HOLD = 1
WRITERS: Mapping[str, Callable[[FileCertificate], str]] = {
    ".html": certificate_page,
    ".json": lambda certificate: json_text(certificate.to_dict(), 2),
    ".txt": str,
}
"""How a certificate is written, by the end of a file's name."""


@options.with_groups
def audit(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", help="A spec, a survey, a tally, or a file or folder of reports."),
    ] = None,
    mechanism: MechanismInstead = None,
    terms: MechanismTerms = NONE,
    trials: Annotated[
        int | None, typer.Option(metavar="N", help="Also draw so many reports per label and test them.")
    ] = None,
    seed: options.Seed = None,
    reports: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also test the reports of another program: a table of value and report."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the certificate: .html to print, .json or .txt.")
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Prove what a file or a mechanism promises, by exact probabilities. The exit code is 1 if it does not hold."""
    _check_out(out, [file, reports, terms.guarantee, terms.labels_file])
    source = terms.instead_of(file, mechanism)
    if isinstance(source, Mechanism):
        subject: Document | Mechanism = source
        certificate = certify(source)
    else:
        opened = open_any(source)
        subject = opened.subject
        with Console(file=sys.stderr).status("reading and proving"):
            certificate = certify_file(opened)
    audits = _sampling_audits(subject, trials, seed, reports)
    if out is not None:
        show(WRITERS[out.suffix.lower()](certificate), out=out)
    if as_json:
        show_json({**certificate.to_dict(), "sampling": [each.to_dict() for each in audits]})
    elif out is None:
        show(certificate, *audits)
    else:
        show(certificate.facts_text, *audits, f"written to {out}")
    if not (certificate.holds and all(each.holds for each in audits)):
        raise typer.Exit(DOES_NOT_HOLD)


def _check_out(out: Path | None, read: Sequence[Path | None]) -> None:
    """Refuse, before any work, a certificate that could not be written."""
    check_files([out], read)
    if out is not None and out.suffix.lower() not in WRITERS:
        raise ParameterError(f"--out must name a .html, .json or .txt file, got {out}")


def _sampling_audits(
    subject: Document | Mechanism, trials: int | None, seed: int | None, reports: Path | None
) -> list[dn.SamplingAudit]:
    """The tests of drawn reports that were asked for: of ours, and of another program's."""
    if trials is None and reports is None:
        return []
    if not isinstance(subject, Mechanism):
        raise ParameterError(
            "--trials and --reports must go with the spec of one mechanism, got a survey; in Python, "
            "survey.arms[0].parts[0].mechanism.spec() is that of its first part"
        )
    audits = []
    with Console(file=sys.stderr).status("testing reports"):
        if trials is not None:
            audits.append(dn.audit_sampling(subject, trials, secrets.randbits(32) if seed is None else seed))
        if reports is not None:
            audits.append(audit_trials(subject, reports))
    return audits
