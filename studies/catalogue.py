"""All studies, in the order in which they are listed and run."""

from __future__ import annotations

from collections.abc import Mapping

from studies.acharya2019 import study as acharya2019
from studies.beyond import study as beyond
from studies.jiang2018 import study as jiang2018
from studies.kairouz2016 import study as kairouz2016
from studies.numbers import study as numbers
from studies.study import Study
from studies.wang2016 import study as wang2016
from studies.ye2017 import study as ye2017

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
