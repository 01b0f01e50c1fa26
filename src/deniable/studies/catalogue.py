"""All studies, in the order of the house."""

from __future__ import annotations

from collections.abc import Mapping

from deniable.studies.study import Study

ORDER: tuple[Study, ...] = ()
STUDIES: Mapping[str, Study] = {study.name: study for study in ORDER}
