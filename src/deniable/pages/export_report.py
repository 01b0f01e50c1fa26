"""A report on a column of somebody else's export: one file that looks like a page of results and needs no network."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Final, NamedTuple

from markupsafe import Markup

from deniable.engines.read_export import ReadExport
from deniable.intake.phases import Phase
from deniable.intake.storage.rows import SurveyRow
from deniable.pages.assets import asset
from deniable.pages.frame import OWN
from deniable.pages.moments import day
from deniable.pages.results.about import ANSWERS, WHEN, AboutRow, about
from deniable.pages.results.by_groups import GroupsView, by_groups
from deniable.pages.results.cautions import Caution, below_zero
from deniable.pages.results.period_view import PeriodView
from deniable.pages.results.selection import Selection
from deniable.pages.results.survey_view import all_questions
from deniable.pages.site import templates
from deniable.protocol.say import Statement
from deniable.surveys.field_column import ALTERED, DECLINED, EMPTY, KINDS, REPEATED, STRANGE, USED
from deniable.surveys.results import Results

LINES: Final = {
    USED: (Statement("line_used"), Statement("line_used_means")),
    DECLINED: (Statement("line_declined"), Statement("line_declined_means")),
    EMPTY: (Statement("line_empty"), Statement("line_empty_means")),
    REPEATED: (Statement("line_repeated"), Statement("line_repeated_means")),
    ALTERED: (Statement("line_altered"), Statement("line_altered_means")),
    STRANGE: (Statement("line_strange"), Statement("line_strange_means")),
}
"""What lines count as, in words, and what that means: in this order, the faults last."""
FAULTS: Final = (ALTERED, STRANGE)


class LineCount(NamedTuple):
    """How many lines of an export are of one kind, such as repeated ones: its name, and what it means."""

    lines: int
    share: float
    """Of all lines, in per cent of the width of a bar."""
    before: float
    """The share of the kinds before, where this one's part of the bar begins."""
    name: Statement
    means: Statement
    is_fault: bool


def report(read: ReadExport, code: str = OWN, command: str = "") -> str:
    """The report, in a language of authors; ``command`` is what makes it again."""
    view = _as_period(read)
    views, cautions = all_questions(view, Selection())
    groups = {name: read.results(column) for name, column in read.groups.items() if column.tally.n}
    shown = (each[name] for each in groups.values() for name in each if not isinstance(each.shown(name), str))
    below = next((found for estimate in shown if (found := below_zero(estimate))), [])
    cautions = [*_cautions(read), *cautions, *(each for each in below if each not in cautions)]
    return templates(code).get_template("result/export_report.html").render(
        found=view, views=views, lines=lines_of(read), total=len(read.whole.answers), file=read.file, by=read.by,
        grouped=_grouped(view, groups), cautions=cautions, about=_about(view), command=command,
        style=Markup(report_style()), today=Statement("day", day=day(datetime.datetime.now(datetime.UTC))), query=None,
    )  # fmt: skip


def report_style() -> str:
    """The stylesheet of pages, which stands in the report."""
    style = asset("pages.css")
    assert style is not None
    return style.decode()


def lines_of(read: ReadExport) -> list[LineCount]:
    """How many lines count as what, of those kinds that there are."""
    counts, total, before, lines = read.whole.counts, len(read.whole.answers), 0.0, []
    assert set(LINES) == set(KINDS)
    for kind, (name, means) in LINES.items():
        if counts[kind]:
            share = 100 * counts[kind] / total
            lines.append(LineCount(counts[kind], round(share, 3), round(before, 3), name, means, kind in FAULTS))
            before += share
    return lines


def _grouped(view: PeriodView, groups: Mapping[str, Results]) -> list[GroupsView]:
    """Each question by groups, if groups were asked for."""
    if not groups or view.results is None:
        return []
    views = [by_groups(question, view.results, groups) for question in view.questions]
    return [each for each in views if each is not None]


def _as_period(read: ReadExport) -> PeriodView:
    """The reports as a closed period with invitations: whom a questionnaire asks is for its host to say."""
    survey, results = read.survey, read.results(read.whole)
    row = SurveyRow(survey.digest, survey.name, survey.document, "", "", None, True)
    return PeriodView(row, survey, "", (), Phase.RELEASED, results.n, results)


def _cautions(read: ReadExport) -> list[Caution]:
    """What differs as the question stood in another questionnaire, and how many declined."""
    cautions = [Caution(Statement("stands_beside_other_answers"), Statement("and_whatever_else_stands_there"))]
    if declined := read.whole.counts[DECLINED]:
        cautions.append(Caution(Statement("so_many_declined", count=declined), Statement("who_declines_may_differ")))
    return cautions


def _about(view: PeriodView) -> list[AboutRow]:
    """The facts of any result but when people answered, which an export does not say, and how many, as lines show."""
    return [row for row in about(view) if row.name not in (WHEN, ANSWERS)]
