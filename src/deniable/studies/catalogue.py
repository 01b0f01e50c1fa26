"""All studies, in the order in which they are listed and run."""

from __future__ import annotations

from collections.abc import Mapping

from deniable.studies.acharya2019 import study as acharya2019
from deniable.studies.beyond import study as beyond
from deniable.studies.jiang2018 import study as jiang2018
from deniable.studies.kairouz2016 import study as kairouz2016
from deniable.studies.numbers import study as numbers
from deniable.studies.study import Study
from deniable.studies.wang2016 import study as wang2016
from deniable.studies.ye2017 import study as ye2017

ORDER: tuple[Study, ...] = (
    wang2016.STUDY,
    ye2017.STUDY,
    kairouz2016.STUDY,
    acharya2019.STUDY,
    jiang2018.STUDY,
    beyond.STUDY,
    numbers.STUDY,
)
STUDIES: Mapping[str, Study] = {study.name: study for study in ORDER}
