"""Estimates as commands show them: a table, JSON, CSV or a picture; and what else is asked of one beside its shares."""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from deniable.checks import check_level
from deniable.cli.options import OptionGroup, two_names
from deniable.cli.output import INDENT, check_files, check_picture, hint, show
from deniable.estimation.decoders import DECODERS
from deniable.estimation.estimate import Estimate
from deniable.estimation.export import written_label
from deniable.estimation.finding import Finding
from deniable.estimation.grouped_readings import GroupedReadings
from deniable.estimation.rank_ranges import RankRanges
from deniable.estimation.reading import Reading
from deniable.protocol.checks import check_choice, near, shown
from deniable.protocol.errors import ParameterError
from deniable.reports.atomic_files import written_whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NOT_SPLIT = "The share is too close to none or all to say where its error comes from."


@dataclass(frozen=True, slots=True)
class FindingOptions(OptionGroup):
    """What is asked of an estimate beside its shares."""

    compare: Annotated[
        list[str] | None,
        typer.Option("--compare", metavar="A,B", help="Two labels: whether their shares can be told apart."),
    ] = None
    ranks: Annotated[bool, typer.Option("--ranks", help="Which rank each label can have.")] = False
    error_sources: Annotated[
        bool,
        typer.Option(
            "--error-sources", help="How much of the largest share's error is due to protection; or a mean's."
        ),
    ] = False
    people_needed: Annotated[
        float | None,
        typer.Option("--people-needed", metavar="MARGIN", help="How many people leave shares, or a mean, so sure."),
    ] = None

    @property
    def by_flag(self) -> dict[str, object]:
        """The values of the options, by flag."""
        return {f"--{name.replace('_', '-')}": value for name, value in asdict(self).items()}

    def __bool__(self) -> bool:
        return bool(self.compare or self.ranks or self.error_sources or self.people_needed is not None)

    def answers(self, estimate: Estimate, level: float) -> Findings:
        """The answers, of which each has a name."""
        pairs = [_pair(estimate, text) for text in self.compare or ()]
        findings: dict[str, Any] = {}
        if pairs:
            findings["comparisons"] = [estimate.compare(*pair, level) for pair in pairs]
        if self.ranks:
            findings["ranks"] = estimate.ranks(level)
        if self.error_sources:
            findings["error_sources"] = estimate.error_sources()
        if self.people_needed is not None:
            findings["people_needed"] = estimate.people_needed(self.people_needed)
        return Findings(findings)


@dataclass(frozen=True, slots=True)
class Findings:
    """Answers by name: one, a list of them, or none."""

    by_name: dict[str, Finding | RankRanges | list[Finding] | None]

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {name: _plain(each) for name, each in self.by_name.items()}

    @property
    def texts(self) -> list[str]:
        """All of it for people, below a blank line."""
        parts = [part for each in self.by_name.values() for part in (each if isinstance(each, list) else [each])]
        return ["", *(NOT_SPLIT if each is None else str(each) for each in parts)] if parts else []


NOTHING = Findings({})
NOTHING_ASKED = FindingOptions()


def _plain(finding: Finding | RankRanges | list[Finding] | None) -> Any:
    if isinstance(finding, list):
        return [each.to_dict() for each in finding]
    return None if finding is None else finding.to_dict()


def _pair(estimate: Estimate, text: str) -> tuple[Hashable, Hashable]:
    """The two labels that are to be compared."""
    names = two_names(text, "--compare", "two labels, such as --compare car,bus")
    first, second = (named(estimate.labels, name, "each of --compare") for name in names)
    return first, second


def named(labels: Iterable[Hashable], name: str | None, option: str) -> Any:
    """The label that is written like this name; refused unless there is just one."""
    written = [(str(written_label(label)), label) for label in labels]
    matching = [label for text, label in written if text == name]
    if len(matching) != 1:
        hint = near(name, [text for text, _ in written])
        raise ParameterError(f"{option} must be one of the survey's labels, got {shown(name)}{hint}")
    return matching[0]


def show_reading(
    reading: Reading | GroupedReadings, as_json: bool, as_csv: bool, out: Path | None, more: Findings = NOTHING
) -> None:
    """Show a reading as a table, as JSON or as CSV, on standard output or into a file, and below it the findings."""
    if as_csv:
        show(reading.to_csv().rstrip("\n"), out=out)
    elif as_json:
        show(reading.to_json(INDENT, **more.to_dict()), out=out)
    else:
        show(reading, *more.texts, out=out)


def check_results(level: float, decoder: str, plot: Path | None, out: Path | None, read: Iterable[Path | None]) -> None:
    """Refuse, before any work, how results could not be read or shown, or would replace a file that is ``read``."""
    check_level(level)
    check_choice("decoder", decoder, DECODERS)
    check_picture(plot)
    check_files([out, plot], read)


def check_formats(as_json: bool, as_csv: bool) -> None:
    """One format at a time."""
    if as_json and as_csv:
        raise ParameterError("--json and --csv must not be given together")


def draw(figure: Figure, path: Path) -> None:
    """The picture as a file, in the format of its name. Signs that its font lacks are told in one line."""
    with written_whole(path) as file, warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        figure.savefig(file, format=path.suffix[1:].lower())
    if any("missing from font" in str(each.message) for each in warned):
        hint(f"deniable: {path} shows boxes for signs, such as emoji, that its font lacks")
