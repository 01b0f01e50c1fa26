"""Without the compiler the kernels are plain Python: slow, and the same integers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

from deniable.mechanisms.registry import FAMILIES

SURVEYS = """
import json, warnings
warnings.simplefilter("error")
import numba, numpy as np
from deniable.engines.warm import answers_of, samples
from deniable.mechanisms.registry import FAMILIES
found = {}
for family in FAMILIES.values():
    for survey in samples(family)[:2]:
        answers, texts = answers_of(survey)
        reports = survey.privatize_many(answers, seed=5)
        tally = survey.tally(reports)
        estimate = survey.estimate(tally, candidates=texts)
        found[repr(survey)] = [reports.tolist(), tally.counts.tolist(), estimate.frequencies.round(9).tolist()]
print(json.dumps([numba.config.DISABLE_JIT, found]))
"""
KERNELS = """
import json, warnings
warnings.simplefilter("error")
import numba, numpy as np
from deniable.kernels.count.popcounts import beyond_single, count_packed
from deniable.kernels.decode.inversion import total
from deniable.kernels.draw.bits import draw_bernoulli
from deniable.kernels.words import philox
most = np.uint64(2**64 - 1)
tape, part, out = np.empty(600, np.uint64), np.empty(38, np.uint64), np.zeros(8, np.uint64)
philox(most, most, most - np.uint64(3), tape)
philox(most, most, most - np.uint64(3), part)
found = [tape.tolist(), part.tolist()]
for below in (0, 1, 2**63, 2**63 - 1, 2**64 - 1, 3**40):
    for words in (3, 4, 100, 600):
        found.append([*map(int, draw_bernoulli(tape[:words], 0, np.uint64(below), out)), *out.tolist()])
reports = tape.view(np.uint8)[: 4797].reshape(533, 9)
found += [count_packed(reports, 36)[0].tolist(), *(int(beyond_single(reports, first)) for first in range(65))]
found.append(int(total(np.array([2**63 - 1, 5]))))
print(json.dumps([numba.config.DISABLE_JIT, found]))
"""


def printed(code: str, off: bool) -> Any:
    """What a fresh process makes of the code, with Numba on or off."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": str(int(off))}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    disabled, found = json.loads(done.stdout)
    assert disabled == off
    return found


def test_every_mechanism_gives_the_same_without_the_compiler() -> None:
    """And no warning of a word that wraps, which would be an error here."""
    plain, compiled = (printed(SURVEYS, off) for off in (True, False))
    assert {name.partition("(")[0] for name in plain} == set(FAMILIES)
    assert plain == compiled


def test_kernels_give_the_same_at_their_edges() -> None:
    """Counters that wrap, tapes that end within a group, sixteen rows that carry, loads where no word begins."""
    plain, compiled = (printed(KERNELS, off) for off in (True, False))
    assert len(plain) == 93
    assert plain == compiled
