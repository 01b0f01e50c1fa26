"""Opening a survey with a crowd: what its document lacks until a collector has made its key."""

from __future__ import annotations

import json

from deniable.surveys.survey import Survey


def with_key(survey: Survey, collector: str, key: str) -> Survey:
    """The survey with the address of its collector, and the key that its answers are sealed for: another document.

    >>> import deniable as dn
    >>> crowd = dn.Crowd("https://mixer.example", "Works Council", least=1000, level=1.0)
    >>> terms = {"owner": "Company", "closes": "2030-01-01T00:00:00Z", "crowd": crowd}
    >>> survey = Survey.plan("late", [dn.OneOf("late", ["yes", "no"])], 3.0, 1000, **terms)
    >>> opened = with_key(survey, "https://ask.example", "BAAA" + "A" * 83)
    >>> opened.crowd.collector, opened.digest == survey.digest
    ('https://ask.example', False)
    """
    fields = json.loads(survey.document)
    return Survey.from_json(json.dumps({**fields, "crowd": {**fields["crowd"], "collector": collector, "key": key}}))
