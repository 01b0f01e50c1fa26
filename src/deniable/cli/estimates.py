"""A reading on standard output or in a file: as a table, as JSON, as CSV or as a picture."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from deniable.cli.output import INDENT, hint, show
from deniable.estimation.grouped_readings import GroupedReadings
from deniable.estimation.reading import Reading
from deniable.protocol.errors import ParameterError
from deniable.reports.atomic_files import written_whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def show_reading(reading: Reading | GroupedReadings, as_json: bool, as_csv: bool, out: Path | None) -> None:
    """As a table, as JSON or as CSV, on standard output or into a file."""
    if as_csv:
        show(reading.to_csv().rstrip("\n"), out=out)
    else:
        show(reading.to_json(INDENT) if as_json else reading, out=out)


def check_formats(as_json: bool, as_csv: bool) -> None:
    """One format at a time."""
    if as_json and as_csv:
        raise ParameterError("--json and --csv must not be given together")


def draw(figure: Figure, path: Path) -> None:
    """The picture as a file, in the format of its name. Signs that its font lacks are told in one line."""
    with written_whole(path) as file, warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        figure.savefig(file, format=path.suffix[1:].lower())
    if any("missing from font" in str(each.message) for each in told):
        hint(f"deniable: {path} shows boxes for signs, such as emoji, that its font lacks")
