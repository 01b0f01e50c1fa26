"""Which level the crowd of a period has, of which fewer answers could be read than its survey counts on."""

from __future__ import annotations

from dataclasses import replace

from deniable.collector.answer_form import AnswerForm
from deniable.intake.running import Run
from deniable.intake.storage.arrivals import ArrivalRow, Arrivals
from deniable.intake.storage.rows import Batch
from deniable.protocol.privacy.levels import rounded_up
from deniable.protocol.surveys.crowd import THIS_MACHINE, Crowd
from deniable.surveys.crowd_judges import certified
from deniable.surveys.survey import Survey


def is_small(crowd: Crowd, arrival: ArrivalRow) -> bool:
    """Whether fewer answers could be read than the levels of the crowd are of."""
    return not arrival.withheld and arrival.answers < crowd.honest


def level_of(survey: Survey, crowd: Crowd, arrival: ArrivalRow) -> float | None:
    """The level of the mixed answers of a period; none where one machine has both parties.

    It is that of the document; where fewer could be read, what is proven of so many, and at most the level of a report.
    """
    if crowd.mixer.startswith(THIS_MACHINE):
        return None
    if not is_small(crowd, arrival):
        return crowd.level
    report_level = survey.promise.level
    if arrival.answers < 2:
        return report_level
    smaller_crowd = replace(crowd, made_up=crowd.least - arrival.answers)
    return min(rounded_up(certified(survey, smaller_crowd).level.value), report_level)


def crowd_note(run: Run, form: AnswerForm, batch: Batch) -> str:
    """What readers of a result are told of a crowd that was smaller than its survey says; mostly nothing."""
    crowd = form.survey.crowd
    arrival = None if crowd is None else run(lambda t: Arrivals(t.run).of(batch.key))
    if crowd is None or arrival is None or not is_small(crowd, arrival) or arrival.answers < form.survey.minimum:
        return ""
    level = level_of(form.survey, crowd, arrival)
    consequence = "" if level is None else (
        f", so the mixed ones have the level {level:g} and not {crowd.level:g}, and {form.survey.promise.level:g} for "
        "whoever also sees whose each is"
    )  # fmt: skip
    return f"only {arrival.answers:,} answers could be read and not {crowd.honest:,}{consequence}"
