"""Guarantee files, and the picture of a guarantee."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

from deniable.planning import pictures
from deniable.planning.plan import Plan
from deniable.privacy.guarantee_json import from_dict
from deniable.protocol.errors import DenialError, FormatError, ParameterError
from deniable.protocol.privacy.context import Blocks, Pairwise
from deniable.protocol.privacy.guarantees import LDP, Guarantee
from deniable.protocol.privacy.informed import InformationPrivacy
from deniable.reports.atomic_files import written_whole
from deniable.values.domain import Domain

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def read_guarantee(path: Path, domain: Domain | None) -> tuple[Guarantee, Domain]:
    """The guarantee that a TOML file describes, and its labels; ``domain`` is for one that names none."""
    try:
        written = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FormatError(f"{path} must be TOML: {error}") from error
    except (ValueError, RecursionError) as error:  # raised for huge numbers and deeply nested lists
        raise FormatError(f"{path} must be TOML that can be read, got numbers too long or tables too deep") from error
    try:
        guarantee = from_dict(written, domain)
        named = Domain.from_json(written["domain"]) if "domain" in written else domain
    except DenialError as error:
        raise type(error)(f"{path}: {error}") from error
    labels = guarantee.domain or named
    if labels is None:
        raise ParameterError(f"{path} must name its domain, or --domain or --labels-file be given, got none")
    if domain is not None and domain != labels:
        raise ParameterError(f"--domain must be that of {path}, or left out, got another")
    return guarantee, Domain.of(labels)


def draw_plan(plan: Plan, path: Path) -> None:
    """What more people would give, or what says most of a plan's guarantee or symbols, as a .png or .svg file."""
    figure = _drawn(plan)
    with written_whole(path) as file:
        figure.savefig(file, format=path.suffix[1:].lower(), dpi=150)


def _drawn(plan: Plan) -> Figure:
    if plan.texts:
        return pictures.symbol_tradeoff(plan.epsilon, plan.size, plan.users)
    return pictures.margins(plan) if isinstance(plan.guarantee, LDP) else _picture(plan.guarantee)


def _picture(guarantee: Guarantee) -> Figure:
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
