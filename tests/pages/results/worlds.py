"""Surveys with answers that were drawn by seed, and how they are handed in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.collector.servers import Server, put, started, stopped
from tests.collector.worlds import WEEK, Clock, Service, an_id
from tests.waiting import until

import deniable as dn
from deniable.intake.phases import Phase
from deniable.intake.storage.rows import RELEASED, WITHHELD, Standing, SurveyRow
from deniable.intake.storage.sqlite import SqliteStore
from deniable.pages.results.period_view import PeriodView, read
from deniable.pages.results.time_series import PeriodResult, timeline_of
from deniable.pages.results.timeline import Timeline

CARS = {"car": 0.4, "bus": 0.2, "train": 0.13, "bike": 0.19, "foot": 0.08}


def a_survey(
    name: str,
    labels: Sequence[str] = tuple(CARS),
    epsilon: float = 2.0,
    wording: str = "How do you come to work?",
    **terms: Any,
) -> dn.Survey:
    """One question with one answer."""
    question = dn.OneOf("way", list(labels), wording=wording)
    arm = dn.Arm([dn.Part([question], dn.RandomizedResponse(list(labels), epsilon))])
    return dn.Survey(name, [question], [arm], **{"title": "The way to work", "grace": 0, **terms})


def upload(survey: dn.Survey, answers: Mapping[str, Sequence[Any]], seed: int = 1) -> bytes:
    """The upload of a gateway with everybody's answers: a section for each arm."""
    found = survey.answer_many(answers, seed=seed).to_bytes()
    if len(survey.arms) == 1:
        return an_id() + _section(0, found)
    arms = [int.from_bytes(each[:2], "little") for each in found]
    parts = ([each[2:] for each, own in zip(found, arms, strict=True) if own == arm] for arm in sorted(set(arms)))
    return an_id() + b"".join(map(_section, sorted(set(arms)), parts))


def _section(arm: int, answers: Sequence[bytes]) -> bytes:
    return arm.to_bytes(2, "little") + len(answers).to_bytes(4, "little") + b"".join(answers)


def period_of(survey: dn.Survey, answers: Mapping[str, Sequence[Any]], seed: int = 1) -> PeriodView:
    """A period that is over, as its readers see it."""
    tally = survey.tally(survey.answer_many(answers, seed=seed)).to_bytes()
    people = len(next(iter(answers.values())))
    row = SurveyRow(survey.digest, survey.name, survey.document, "ann", "2026-01-01", None, False)
    period = "once" if survey.period == "once" else "2026-W32"
    return PeriodView(row, survey, period, (), Phase.RELEASED, people, read(tally), tally)


def column(shares: Mapping[str, float], people: int) -> list[str]:
    """So many people with these shares, as exactly as whole people allow."""
    found = [label for label, share in shares.items() for _ in range(round(share * people))]
    return (found + [next(iter(shares))] * people)[:people]


def collected(server: Server, survey: dn.Survey, body: bytes, close: bool = True) -> dn.Survey:
    """A survey that was put and answered, and closed."""
    put(server, server.operator, survey)
    assert server.send(survey, body).status == 200
    wanted, what = ("released", "close") if close else ("open", "periods/once/recount")  # which folds first
    assert server.ask("POST", f"/v1/surveys/{survey.digest}/{what}", None, server.operator).status == 200

    def is_there() -> bool:
        [period] = server.ask("GET", f"/v1/surveys/{survey.digest}/periods", None, server.operator).json
        tally = server.ask("GET", f"/v1/surveys/{survey.digest}/periods/once/tally", None, server.operator)
        is_over = period["state"] in (wanted, "withheld")
        return is_over and (tally.status == 200 or period["answers"] < period["minimum"])

    until(is_there, 0.1)
    return survey


def over_weeks(data: Path, asked: Mapping[str, Sequence[str]], **words: Any) -> Iterator[Server]:
    """A collector over the data of an earlier one, whose clock went on from week to week with other people in each."""
    clock, survey = Clock(), a_survey("weekly", period="week", repeat="fresh", **words)
    with Service(clock, lambda: SqliteStore(data, clock)) as service:
        service.desk.put(survey, "operator")
        for period, answers in asked.items():
            assert service.send(survey, upload(survey, {"way": answers}, 3), period=period) == [len(answers)]
            service.pass_time(WEEK)
    found = started(data, "--rate", "0")
    yield found
    assert stopped(found) == 0


def in_a_row(survey: dn.Survey, given: Sequence[Mapping[str, Sequence[Any]] | None], last: str = RELEASED) -> Timeline:
    """The only question of a survey over weeks of which these answers came; None where too few did."""
    [question] = survey.questions
    told = []
    for week, answers in enumerate(given):
        state = last if week == len(given) - 1 else RELEASED if answers else WITHHELD
        tally = survey.tally(survey.answer_many(answers, seed=week)).to_bytes() if answers else b""
        standing = Standing(week, "", f"2026-W{10 + week}", state, 0, 0, False)
        estimate = read(tally)[question.name] if tally else None
        told.append(PeriodResult(standing.period, standing, tally, estimate))
    return timeline_of(survey, question.name, told, None)
