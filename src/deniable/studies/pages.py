"""The page of a study: its command, the printed values beside ours, the pictures and what they say."""

from __future__ import annotations

from collections.abc import Sequence

from deniable.studies.study import Study, Tables
from deniable.studies.verdicts import Check

WHOLE = 24
"""A group of more checks than this is summed up in one line; all of them are in checks.csv."""


def page(
    study: Study, tables: Tables, checks: Sequence[Check], remarks: Sequence[str], command: str, quick: bool
) -> str:
    """One Markdown page; it stands in the folder with the files that it shows."""
    parts = [f"# {study.title}", study.source, study.about, _repeat(command, quick)]
    parts += [_picture(each.name, each.title, each.takeaway) for each in study.pictures]
    if checks:
        parts += ["## Printed values and ours", _counted(checks), *_groups(checks)]
    if remarks:
        parts += ["## Where we differ", "\n".join(f"- {remark}" for remark in remarks)]
    parts += ["## Files", "\n".join(f"- [{name}.csv]({name}.csv): {len(rows):,} rows" for name, rows in tables.items())]
    parts.append("- [checks.csv](checks.csv): every comparison with a printed value")
    return "\n\n".join(parts[:-1]) + f"\n{parts[-1]}\n"


def gallery(studies: Sequence[tuple[Study, Sequence[Check]]]) -> str:
    """All pictures of all studies, each with what it says."""
    parts = [
        "# The papers, run again",
        "Every table and figure of five papers, and a comparison of our own, drawn from the CSV files beside them.",
        "To repeat all of it:\n\n```text\nmake studies\n```",
    ]
    for study, checks in studies:
        agree = sum(check.agrees for check in checks)
        counted = f" {agree:,} of {len(checks):,} printed values agree." if checks else ""
        parts.append(f"## [{study.title}]({study.name}/index.md)\n\n{study.source}{counted}")
        parts += [f"![{p.title}]({study.name}/{p.name}.png)\n\n**{p.title}.** {p.takeaway}" for p in study.pictures]
    return "\n\n".join(parts) + "\n"


def _repeat(command: str, quick: bool) -> str:
    kind = "\n\nThis was a **quick** run: fewer repeats, wider errors." if quick else ""
    return f"To repeat it:\n\n```text\n{command}\n```{kind}"


def _picture(name: str, title: str, takeaway: str) -> str:
    return f"## {title}\n\n![{title}]({name}.png)\n\n{takeaway} ([SVG]({name}.svg))"


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
        lines.append(f"| {group} | {len(found)} | {found[0].rule} | {sum(check.agrees for check in found)} |")
    return "\n".join(lines)


def _listed(group: str, found: Sequence[Check]) -> str:
    lines = [
        f"**{group}** (rule: {found[0].rule})\n",
        "| | printed | ours | standard error | verdict |",
        "|---|---|---|---|---|",
    ]
    for check in found:
        error = f"{check.error:.2g}" if check.error else "exact"
        verdict = f"{check.verdict}: {check.note}" if check.note else check.verdict
        lines.append(f"| {check.what} | {check.printed:g} | {check.ours:.4g} | {error} | {verdict} |")
    return "\n".join(lines)
