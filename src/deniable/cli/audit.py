"""``deniable audit``: prove a mechanism's claim, and test its sampler as a black box."""

from __future__ import annotations

import secrets
import sys
from typing import Annotated

import typer
from rich.console import Console

import deniable as dn
from deniable.cli import options
from deniable.cli.choice import NONE, Choice, OwnOptions, with_own_options
from deniable.cli.output import show, show_json
from deniable.mechanisms.mechanism import Mechanism

DOES_NOT_HOLD = 1


@with_own_options
def audit(
    mechanism: options.MechanismName,
    epsilon: options.Epsilon = None,
    guarantee: options.GuaranteeFile = None,
    domain: options.Labels = None,
    labels_file: options.LabelsFile = None,
    own: OwnOptions = NONE,
    trials: Annotated[
        int | None, typer.Option(metavar="N", help="Also draw so many reports per label and test them.")
    ] = None,
    seed: options.Seed = None,
    as_json: options.Json = False,
) -> None:
    """Prove a mechanism's claim from its realised probabilities. The exit code is 1 if it does not hold."""
    made = Choice(mechanism, epsilon, guarantee, own).make(domain, labels_file)
    certificate = dn.audit(made)
    sampled = None if trials is None else _sampled(made, trials, secrets.randbits(32) if seed is None else seed)
    if as_json:
        show_json({**certificate.to_dict(), "sampling": None if sampled is None else sampled.to_dict()})
    else:
        show(str(certificate) if sampled is None else f"{certificate}\n{sampled}")
    if not certificate.holds or (sampled is not None and not sampled.holds):
        raise typer.Exit(DOES_NOT_HOLD)


def _sampled(mechanism: Mechanism, trials: int, seed: int) -> dn.SamplingAudit:
    with Console(file=sys.stderr).status("drawing and testing reports"):
        return dn.audit_sampling(mechanism, trials, seed)
