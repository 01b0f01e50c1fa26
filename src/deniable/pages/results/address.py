"""What the address of a result asks for: its question, the labels and their order, a range, a page of a long list."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlencode

from starlette.requests import Request

from deniable.collector.desk import TOO_FEW
from deniable.intake.refusals import UNKNOWN, Refused
from deniable.pages.builder.notation import number_of
from deniable.pages.results.period_view import PeriodView
from deniable.pages.results.selection import ORDERS, Selection
from deniable.protocol.questions.question import Question
from deniable.surveys.manipulation import MADE_UP
from deniable.surveys.results import Results

LONGEST_SEARCH: Final = 100
DIGITS: Final = 6
CARRIED: Final = ("digest", "period", "question", "link", "zoom")
"""What links on a page carry along."""


def selection_of(request: Request) -> Selection:
    """The order of labels, which of them, and whether the picture is zoomed."""
    query = request.query_params
    order = query.get("order", "")
    return Selection(
        order if order in ORDERS else "", query.get("show") == "all", query.get("find", "")[:LONGEST_SEARCH],
        page_of(request), above=hundredth_of(request, "above"), zoomed=query.get("zoom") == "1",
    )  # fmt: skip


def made_up_share(request: Request) -> float:
    """Which share of the answers a reader supposes to be made up."""
    return hundredth_of(request, "made") or MADE_UP


def hundredth_of(request: Request, name: str) -> float | None:
    """A share that a reader typed as people of a hundred."""
    written = request.query_params.get(name, "")[:LONGEST_SEARCH]
    typed = number_of(written, (0, 100))
    return None if typed is None else typed / 100


def query_of(request: Request, **changes: str | None) -> str:
    """The query of a link on the page: that of its own address, with some values changed; None leaves one out."""
    carried = {name: request.query_params[name] for name in CARRIED if name in request.query_params}
    return urlencode({name: value for name, value in {**carried, **changes}.items() if value is not None})


def range_of(request: Request) -> tuple[str, str] | None:
    """The range of numbers that a reader typed, if any."""
    low, high = (request.query_params.get(name, "")[:LONGEST_SEARCH] for name in ("from", "to"))
    return (low, high) if low or high else None


def page_of(request: Request) -> int:
    """The page of a long list, from 1 on; 0 unless one is asked for."""
    return place_of(request.query_params.get("page")) or 0


def place_of(written: str | None) -> int | None:
    """The place of a label, as an address names it; None if that is no number."""
    if written is None or not (written.isascii() and written.isdigit() and len(written) <= DIGITS):
        return None
    return int(written)


def question_of(request: Request, view: PeriodView) -> Question:
    """The question that an address names, or the first; refused if its reader sees none of that name."""
    name = request.query_params.get("question")
    if name is None:
        return view.questions[0]
    question = next((each for each in view.questions if each.name == name), None)
    if question is None:
        raise Refused(UNKNOWN)
    return question


def results_of(view: PeriodView) -> Results:
    """The results, refused where too few answered."""
    if view.results is None:
        raise Refused(TOO_FEW)
    return view.results
