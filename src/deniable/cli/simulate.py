"""``deniable simulate``: a whole survey on an assumed truth."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Annotated

import typer

import deniable as dn
from deniable.cli import options
from deniable.cli.estimates import Shown, draw
from deniable.cli.output import check_picture, progress, show, show_json
from deniable.cli.truth import Shares, named_truth, read_truth
from deniable.engines.simulate import simulate_tally
from deniable.mechanisms.mechanism import Mechanism


def simulate(
    mechanism: options.MechanismName,
    epsilon: options.Epsilon,
    users: Annotated[int, typer.Option(metavar="N", help="How many people answer.")],
    domain: options.Labels = None,
    labels_file: options.LabelsFile = None,
    size: options.Size = None,
    parts: options.Parts = None,
    max_bits: options.MaxBits = None,
    truth: Annotated[
        str, typer.Option(metavar="T", help="uniform, zipf, geometric, or a CSV file with columns label and share.")
    ] = "zipf",
    seed: options.Seed = None,
    decoder: options.Decoder = "projected",
    plot: options.Plot = None,
    as_json: options.Json = False,
) -> None:
    """Run a survey on made-up people, and show what it finds beside the truth."""
    check_picture(plot)
    labels = options.read_domain(domain, labels_file)
    made = options.make_mechanism(mechanism, labels, epsilon, size, parts, max_bits)
    assumed = named_truth(truth, len(labels))
    assumed = read_truth(Path(truth), labels) if assumed is None else assumed
    chosen = secrets.randbits(32) if seed is None else seed
    shown = Shown(_survey(made, assumed, users, chosen, decoder), truth=assumed)
    errors = {
        "squared_error": float(((shown.estimate.frequencies - assumed) ** 2).sum()),
        "predicted_squared_error": made.risk(users, truth=assumed),
    }
    if as_json:
        show_json({"seed": chosen, **errors, **shown.to_dict()})
    else:
        show(
            f"{shown}\ntotal squared error {errors['squared_error']:.3g}; the unbiased decoder is expected to make "
            f"{errors['predicted_squared_error']:.3g}; --seed {chosen} repeats this run"
        )
    if plot is not None:
        draw(shown, plot)


def _survey(mechanism: Mechanism, truth: Shares, users: int, seed: int, decoder: str) -> dn.Estimate:
    if decoder == "likelihood":  # it may need the reports themselves, not their tally
        return dn.simulate(mechanism, truth, users, seed, decoder)
    with progress("simulate", "people", total=users) as advance:
        return mechanism.estimate(simulate_tally(mechanism, truth, users, seed, advance), decoder)
