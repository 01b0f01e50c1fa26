"""``deniable simulate``: a whole survey on an assumed truth."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

import deniable as dn
from deniable.arrays import Vector
from deniable.cli import options
from deniable.cli.findings import draw
from deniable.cli.mechanisms import NONE, MechanismName, MechanismTerms
from deniable.cli.output import INDENT, check_files, check_picture, progress, show
from deniable.cli.truth import check_truth, named_truth, read_truth
from deniable.engines.simulate import AGGREGATE_FROM, in_aggregate, needs_reports, simulate_tally
from deniable.estimation import picture
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.shared.candidates import read_candidates
from deniable.values.values import closed_domain

Aggregate: TypeAlias = Annotated[
    bool | None,
    typer.Option(
        "--aggregate/--reports",
        help="Draw the tally at once from its exact distribution, or every report. Reports by default, up to "
        f"{AGGREGATE_FROM:,} people; beyond, what is quicker.",
        show_default=False,
    ),
]


@options.with_groups
def simulate(
    mechanism: MechanismName,
    users: Annotated[int, typer.Option(metavar="N", help="How many people answer.")],
    terms: MechanismTerms = NONE,
    candidates: Annotated[
        Path | None, typer.Option(metavar="FILE", help="For an open alphabet, people's texts, one per line.")
    ] = None,
    truth: Annotated[
        str, typer.Option(metavar="T", help="uniform, zipf, geometric, or a CSV file with columns label and share.")
    ] = "zipf",
    seed: options.Seed = None,
    aggregate: Aggregate = None,
    decoder: options.Decoder = "projected",
    plot: options.Plot = None,
    as_json: options.Json = False,
) -> None:
    """Run a survey on made-up people, and show the estimates beside the truth."""
    check_picture(plot)
    check_truth(truth)
    check_files([plot], [terms.labels_file, terms.guarantee, candidates, truth])
    chosen = terms.make(mechanism)
    texts = None if candidates is None else options.read_lines(candidates)
    labels = read_candidates(texts) if chosen.domain.size is None else closed_domain(chosen.domain)
    assumed = named_truth(truth, len(labels))
    assumed = read_truth(Path(truth), labels) if assumed is None else assumed
    run_seed = secrets.randbits(32) if seed is None else seed
    at_once = in_aggregate(chosen, users, 1 if texts is None else len(texts), aggregate, decoder)
    reading = _survey(chosen, assumed, users, run_seed, decoder, texts, at_once).reading(truth=assumed)
    error, predicted = float(((reading.estimate.frequencies - assumed) ** 2).sum()), _predicted(chosen, users, assumed)
    if as_json:
        errors = {"squared_error": error, "predicted_squared_error": predicted}
        show(reading.to_json(INDENT, seed=run_seed, aggregate=at_once, **errors))
    else:
        expected = "" if predicted is None else f"the unbiased decoder is expected to make {predicted:.3g}; "
        how = "; the tally was drawn in aggregate" if at_once else ""
        show(reading, f"total squared error {error:.3g}; {expected}--seed {run_seed} repeats this run{how}")
    if plot is not None:
        draw(picture.draw(reading), plot)


def _predicted(mechanism: Mechanism, users: int, truth: Vector) -> float | None:
    """The unbiased decoder's error; None where the reports do not tell all labels apart."""
    return mechanism.risk(users, truth=truth) if mechanism.law.told_apart else None


def _survey(
    mechanism: Mechanism, truth: Vector, users: int, seed: int, decoder: str, texts: list[str] | None, at_once: bool
) -> dn.Estimate:
    """The estimate of a simulated survey, whose tally is drawn ``at_once`` or report by report."""
    if needs_reports(mechanism, decoder):
        return dn.simulate(mechanism, truth, users, seed, decoder, aggregate=at_once)
    with progress("simulate", "people", total=users) as advance:
        tally = simulate_tally(mechanism, truth, users, seed, advance, texts, at_once)
        return mechanism.estimate(tally, decoder, texts)
