"""The snapshot of an open period: what readers see of it, so that no two of them differ by single reports."""

from __future__ import annotations

from dataclasses import replace

from deniable.surveys.survey import Survey
from deniable.surveys.tally import SurveyTally

FEWEST = 10
"""The fewest further answers of an arm that are shown together; none at all change nothing."""
RARE = 100
"""An arm that fewer than one device in so many draw is left out until its period is closed."""


def renewed(survey: Survey, before: SurveyTally, now: SurveyTally) -> SurveyTally | None:
    """The next snapshot after one, of all that has been counted; None while it would tell too little apart.

    Every arm that is shown has either no further answer or at least FEWEST, and all together have the survey's minimum:
    whoever subtracts one snapshot from another never gets at the reports of fewer people.
    """
    shown = _without_rare_arms(survey, now)
    further = [shown_arm[0].n - before_arm[0].n for shown_arm, before_arm in zip(shown.arms, before.arms, strict=True)]
    enough = sum(further) >= survey.minimum and all(n == 0 or n >= FEWEST for n in further)
    return shown if enough else None


def _without_rare_arms(survey: Survey, tally: SurveyTally) -> SurveyTally:
    """The tally with nothing in those arms that few devices draw."""
    total = sum(arm.weight for arm in survey.arms)
    rare = [arm.weight * RARE < total for arm in survey.arms]
    if not any(rare):
        return tally
    empty = survey.tally()
    arms = zip(rare, tally.arms, empty.arms, strict=True)
    return replace(tally, arms=tuple(empty_arm if is_rare else arm for is_rare, arm, empty_arm in arms))
