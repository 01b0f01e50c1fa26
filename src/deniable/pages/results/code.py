"""The Python that repeats a result from the tally that the page was made of."""

from __future__ import annotations

from deniable.pages.results.period_view import PeriodView


def python_of(found: PeriodView, url: str) -> str:
    """A program that reads the downloaded tally and prints the same numbers."""
    tally = f"{found.row.name}-{found.period}.tally"
    return f'''"""Repeats {url}

Download the tally first, into the folder where this runs: by the link "tally" of the page, or with a reader's token:
    curl -H "Authorization: Bearer TOKEN" -o {tally} \\
        {url.rsplit("/s/", 1)[0]}/v1/surveys/{found.row.digest}/periods/{found.period}/tally
"""

from pathlib import Path

import deniable as dn

tally = dn.SurveyTally.from_bytes(Path("{tally}").read_bytes())
survey = dn.Survey.from_json(tally.document.document)
assert survey.digest == "{found.row.digest}"
print(survey.estimate(tally))
'''
