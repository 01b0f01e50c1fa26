"""``deniable plan``: which mechanism, how many people, what accuracy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

import deniable as dn
from deniable.cli import options
from deniable.cli.mechanisms import read_guarantee
from deniable.cli.output import check_files, check_picture, show_result
from deniable.planning import pictures
from deniable.planning.plan import Plan
from deniable.protocol.errors import ParameterError
from deniable.protocol.privacy.context import Blocks, Pairwise
from deniable.protocol.privacy.guarantees import LDP, Guarantee
from deniable.protocol.privacy.informed import InformationPrivacy
from deniable.reports.atomic_files import written_whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def plan(
    domain: options.Labels = None,
    labels_file: options.LabelsFile = None,
    epsilon: options.Epsilon = None,
    users: Annotated[int | None, typer.Option(metavar="N", help="How many people answer.")] = None,
    accuracy: Annotated[
        float | None,
        typer.Option(metavar="A", help="The error wanted in one label's share (root mean square): 0.05, not 5."),
    ] = None,
    max_bits: Annotated[
        int | None, typer.Option(metavar="B", help="Only mechanisms whose reports have at most so many bits.")
    ] = None,
    candidates: Annotated[
        int | None,
        typer.Option(metavar="N", help="For an open alphabet, instead of labels: the number of candidate texts."),
    ] = None,
    guarantee: options.GuaranteeFile = None,
    odds_ratio: Annotated[
        float | None,
        typer.Option("--odds-ratio", metavar="R", help="Also how many people a group show odds so many times as high."),
    ] = None,
    share: Annotated[
        float | None,
        typer.Option("--share", metavar="P", help="With --odds-ratio, the share of the second label in one group."),
    ] = None,
    plot: options.Plot = None,
    as_json: options.Json = False,
) -> None:
    """Rank the mechanisms for a survey. Give two of epsilon, users and accuracy; the third is computed."""
    check_picture(plot)
    check_files([plot], [labels_file, guarantee])
    labels, promise = options.domain_if_given(domain, labels_file), None
    if labels is None and guarantee is None and candidates is None:
        labels = options.read_domain(domain, labels_file)
    if guarantee is not None:
        promise, labels = read_guarantee(guarantee, labels)
    if (odds_ratio is None) != (share is None):
        raise ParameterError("--odds-ratio must be given together with --share, got one of them")
    ranking = dn.plan(labels, epsilon, users, promise, max_bits, accuracy, candidates)
    if odds_ratio is not None and share is not None:
        ranking = ranking.with_odds(odds_ratio, share)
    if plot is not None:
        figure = _picture(ranking)
        with written_whole(plot) as file:
            figure.savefig(file, format=plot.suffix[1:].lower(), dpi=150)
    show_result(ranking, as_json)


def _picture(plan: Plan) -> Figure:
    """What more people would give, or what says most of a plan's guarantee or symbols."""
    if plan.texts:
        return pictures.symbol_tradeoff(plan.epsilon, plan.size, plan.users)
    return pictures.margins(plan) if isinstance(plan.guarantee, LDP) else _picture_of(plan.guarantee)


def _picture_of(guarantee: Guarantee) -> Figure:
    match guarantee:
        case InformationPrivacy():
            return pictures.utility(guarantee.prior)
        case Pairwise() if len(guarantee.domain) == 2:
            names = str(guarantee.domain[0]), str(guarantee.domain[1])
            return pictures.error_regions([(guarantee.pair_level(0, 1), guarantee.pair_level(1, 0))], names)
        case Blocks():
            return pictures.block_map(guarantee, _in_rows(guarantee))
    raise ParameterError(f"--plot must go with plain LDP, two labels, blocks or a prior, got {guarantee}")


def _in_rows(blocks: Blocks) -> dict[object, tuple[float, float]]:
    """Coordinates for a map of blocks that have none: one row per block."""
    return {label: (float(i), -float(row)) for row, block in enumerate(blocks.blocks) for i, label in enumerate(block)}
