"""The page of a study: its command, the printed values beside ours, the pictures and what they say."""

from __future__ import annotations

from collections.abc import Sequence

from deniable.studies.study import MEASURED, Picture, Results
from deniable.studies.verdicts import Check

WHOLE = 24
"""A group of more checks than this is summed up in one line; all of them are in checks.csv."""


def page(found: Results, command: str, quick: bool) -> str:
    """One Markdown page; it stands in the folder with the files that it shows."""
    study, checks, remarks = found.study, found.checks, found.remarks
    machine = found.measured.machine if found.measured.rows else None
    parts = [f"# {study.title}", study.source, study.about, _repeat(command, quick)]
    parts += [_picture(each, machine) for each in study.pictures]
    if checks:
        parts += ["## Printed values and ours", _counted(checks), *_groups(checks)]
    if remarks:
        heading = "## Where we differ" if checks else "## What the numbers say"
        parts += [heading, "\n".join(f"- {remark}" for remark in remarks)]
    files = [f"- [{name}.csv]({name}.csv): {len(rows):,} rows" for name, rows in found.tables.items()]
    if checks:
        files.append("- [checks.csv](checks.csv): every comparison with a printed value")
    if machine is not None:
        files.append(f"- [{MEASURED}.json]({MEASURED}.json): measured, {machine}; another run has other numbers")
    return "\n\n".join([*parts, "## Files", "\n".join(files)]) + "\n"


def gallery(studies: Sequence[Results]) -> str:
    """All pictures of all studies, each with what it says."""
    parts = [
        "# The papers, run again",
        "Every table and figure of five papers, and a comparison of our own, drawn from the CSV files beside them.",
        "To repeat all of it:\n\n```text\nmake studies\n```",
    ]
    for found in studies:
        study, checks = found.study, found.checks
        agree = sum(check.agrees for check in checks)
        counted = f" {agree:,} of {len(checks):,} printed values agree." if checks else ""
        parts.append(f"## [{study.title}]({study.name}/index.md)\n\n{study.source}{counted}")
        parts += [f"![{p.title}]({study.name}/{p.name}.png)\n\n**{p.title}.** {p.takeaway}" for p in study.pictures]
    return "\n\n".join(parts) + "\n"


def _repeat(command: str, quick: bool) -> str:
    kind = "\n\nThis was a **quick** run: fewer repeats, wider errors." if quick else ""
    return f"To repeat it:\n\n```text\n{command}\n```{kind}"


def _picture(shown: Picture, machine: str | None) -> str:
    measured = f"\n\nMeasured on the machine of this run: {machine}." if shown.measured else ""
    name, title = shown.name, shown.title
    return f"## {title}\n\n![{title}]({name}.png)\n\n{shown.takeaway} ([SVG]({name}.svg)){measured}"


def _counted(checks: Sequence[Check]) -> str:
    agree = sum(check.agrees for check in checks)
    return f"{agree:,} of {len(checks):,} printed values agree with ours, each by the rule beside it."


def _groups(checks: Sequence[Check]) -> list[str]:
    """A table of all groups that are long, and a table for each that can be shown."""
    groups: dict[str, list[Check]] = {}
    for check in checks:
        groups.setdefault(check.group, []).append(check)
    long = {group: found for group, found in groups.items() if len(found) > WHOLE}
    parts = [_summed(long)] if long else []
    return parts + [_listed(group, found) for group, found in groups.items() if group not in long]


def _summed(groups: dict[str, list[Check]]) -> str:
    lines = ["| values | how many | rule | agree |", "|---|---|---|---|"]
    for group, found in groups.items():
        lines.append(f"| {group} | {len(found)} | {_rules(found)} | {sum(check.agrees for check in found)} |")
    return "\n".join(lines)


def _rules(checks: Sequence[Check]) -> str:
    """The rule of a group, or its rules."""
    return "; ".join(dict.fromkeys(check.rule for check in checks))


def _listed(group: str, found: Sequence[Check]) -> str:
    lines = [
        f"**{group}** (rule: {_rules(found)})\n",
        "| | printed | ours | standard error | verdict |",
        "|---|---|---|---|---|",
    ]
    for check in found:
        error = f"{check.error:.2g}" if check.error else "exact"
        verdict = f"{check.verdict}: {check.note}" if check.note else check.verdict
        lines.append(f"| {check.what} | {check.printed:g} | {check.ours:.4g} | {error} | {verdict} |")
    return "\n".join(lines)
