"""All studies, in the order of the house."""

from __future__ import annotations

from collections.abc import Mapping

from deniable.studies import acharya2019, beyond, jiang2018, kairouz2016, wang2016, ye2017
from deniable.studies.study import Study

ORDER: tuple[Study, ...] = (
    wang2016.STUDY,
    ye2017.STUDY,
    kairouz2016.STUDY,
    acharya2019.STUDY,
    jiang2018.STUDY,
    beyond.STUDY,
)
STUDIES: Mapping[str, Study] = {study.name: study for study in ORDER}
