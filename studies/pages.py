"""The page of a study: its command, the paper's values beside ours, and the pictures with their findings."""

from __future__ import annotations

from collections.abc import Sequence

from studies.counted import counts, said
from studies.sources import IN_WORDS, Origin
from studies.study import MEASURED, Picture, Results
from studies.verdicts import ENOUGH, EVERY, MATTERS, Check, Verdict

WHOLE = 24
"""A group of more checks than this is summed up in one line; all of them are in checks.csv.

So is one of numbers that the paper does not print, if none differs.
"""
HEADS = {
    Origin.PRINTED: "printed",
    Origin.SENTENCE: "as said",
    Origin.FORMULA: "by formula",
    Origin.INDEPENDENT: "from elsewhere",
}
"""The heading of the column of reference values."""
LEGEND = (
    f"What does not agree in groups of up to {WHOLE} is listed below; [checks.csv](checks.csv) has every comparison, "
    "with its source, rule and [power](../index.md)."
)
POWER = (
    f'Power is the chance of "differs" if ours were off by {MATTERS:.0%}, or by twice what is tolerated where that is '
    f'more; below {ENOUGH:.0%} a check that finds nothing says "cannot tell".'
)


def page(found: Results, command: str, quick: bool) -> str:
    """The Markdown page of a study, for the folder that holds the files it shows."""
    study, checks, remarks = found.study, found.checks, found.remarks
    machine = found.measured.machine if found.measured.rows else None
    parts = [f"# {study.title}", study.source, (quick and study.quick_about) or study.about, _repeat(command, quick)]
    parts += [_picture(each, machine) for each in study.pictures]
    if checks:
        parts += ["## The paper's values and ours", _counted(checks), *_groups(checks)]
    if remarks:
        heading = "## Where we differ" if checks else "## What the numbers say"
        parts += [heading, _bullets(remarks)]
    if study.errata:
        parts += ["## Errata in the paper", _bullets(study.errata)]
    if study.left_out:
        parts += ["## What is not run, and why", _bullets(study.left_out)]
    files = [f"[{name}.csv]({name}.csv)" for name in found.tables]
    if machine is not None:
        files.append(f"[{MEASURED}.json]({MEASURED}.json) (measured, {machine}; another run has other numbers)")
    return "\n\n".join([*parts, "## Files", " · ".join(files)]) + "\n"


def gallery(studies: Sequence[Results]) -> str:
    """The Markdown page with the first picture of each study."""
    parts = [
        "# The papers, run again",
        "Tables and figures of five papers, and two comparisons of our own, drawn from the CSV files beside them.",
        POWER,
        "To repeat all of it:\n\n```text\nmake studies\n```",
    ]
    for found in studies:
        study, checks = found.study, found.checks
        counted = f" {said(checks)}" if checks else ""
        parts.append(f"## [{study.title}]({study.name}/index.md)\n\n{study.source}{counted}")
        first = study.pictures[0]
        parts.append(f"![{first.title}]({study.name}/{first.name}.svg)")
    return "\n\n".join(parts) + "\n"


def _repeat(command: str, quick: bool) -> str:
    kind = "\n\nThis was a **quick** run: fewer repeats, wider errors, and fewer cells of every grid." if quick else ""
    return f"To repeat it:\n\n```text\n{command}\n```{kind}"


def _picture(shown: Picture, machine: str | None) -> str:
    measured = f"\n\nMeasured on the machine of this run: {machine}." if shown.measured else ""
    name, title = shown.name, shown.title
    return f"## {title}\n\n![{title.partition(':')[0]}]({name}.svg)\n\n{shown.takeaway}{measured}"


def _bullets(sentences: Sequence[str]) -> str:
    return "\n".join(f"- {each}" for each in sentences)


def _counted(checks: Sequence[Check]) -> str:
    """The table of checks by origin, with an explanation of its last columns."""
    lines = [
        "| held against | comparisons | different values | agree | differ | cannot tell |",
        "|---|---|---|---|---|---|",
    ]
    for origin, found in counts(checks).items():
        numbers = (found.comparisons, found.values, found.agree, found.differ, found.unclear)
        lines.append(f"| {IN_WORDS[origin]} | {' | '.join(f'{number:,}' for number in numbers)} |")
    return "\n".join(lines) + f"\n\n{LEGEND}"


def _groups(checks: Sequence[Check]) -> list[str]:
    """One summary table for all groups that a line says enough of, and a full table for each other one."""
    groups: dict[tuple[str, Origin], list[Check]] = {}
    for check in checks:
        groups.setdefault((check.group, check.source.origin), []).append(check)
    summed = [found for found in groups.values() if _is_summed(found)]
    parts = [_summed(summed)] if summed else []
    return parts + [_listed(found) for found in groups.values() if not _is_summed(found)]


def _is_summed(found: Sequence[Check]) -> bool:
    """Whether one line says enough of a group."""
    differing = any(check.verdict is Verdict.DIFFERS for check in found)
    return len(found) > WHOLE or not (differing or found[0].source.origin is Origin.PRINTED)


def _summed(groups: Sequence[Sequence[Check]]) -> str:
    lines = ["| values | least power | agree |", "|---|---|---|"]
    for found in groups:
        power, agree = min(check.power for check in found), sum(check.agrees for check in found)
        lines.append(f"| {found[0].group} | {power:.2g} | {agree} of {len(found)} |")
    return "\n".join(lines)


def _rules(checks: Sequence[Check]) -> str:
    """The rule of a group, or its rules."""
    return "; ".join(dict.fromkeys(check.rule for check in checks))


def _source(checks: Sequence[Check]) -> str:
    """The origin of a group, and its place in the paper if it has one."""
    first, *others = dict.fromkeys(check.source.place for check in checks)
    return checks[0].source.origin.value if others else f"{checks[0].source.origin}: {first}"


def _listed(found: Sequence[Check]) -> str:
    """What is known of each value that does not agree, and of each number that the paper prints."""
    agree, origin = sum(check.agrees for check in found), found[0].source.origin
    shown = [check for check in found if origin is Origin.PRINTED or not check.agrees]
    about = f"{_source(found)}; {agree} of {len(found)} agree"
    return _captioned(shown, about, *zip(_names(shown), *_columns(shown, HEADS[origin]), strict=True))


def _names(found: Sequence[Check]) -> tuple[str, ...]:
    return ("value", *(check.what for check in found))


def _columns(found: Sequence[Check], head: str) -> list[tuple[str, ...]]:
    """Headings, and what is known of each check; without errors if all are exact, and without a power of 1 in all.

    A check over cells says in its verdict in how many of them it holds.
    """
    values = (head, *(f"{check.reference:g}" for check in found)), ("ours", *(f"{check.ours:.4g}" for check in found))
    errors = ("standard error", *(f"{check.error:.2g}" if check.error else "exact" for check in found))
    power = ("power", *(f"{check.power:.2g}" for check in found))
    verdicts = (f"{check.verdict}: {check.note}" if check.note else check.verdict.value for check in found)
    some = [each for each in (errors, power) if set(each[1:]) not in ({"exact"}, {"1"})]
    return [*(() if _rules(found) == EVERY else values), *some, ("verdict", *verdicts)]


def _captioned(found: Sequence[Check], about: str, head: Sequence[str], *rows: Sequence[str]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    table = "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
    return f"**{found[0].group}** ({about}; rule: {_rules(found)})\n\n{table}"
