"""One of everything that people print, whose labels are nothing that a page may run."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import deniable as dn
from deniable.engines.file_certificate import certify
from deniable.estimation.grouped_readings import GroupedReadings

HOSTILE = "<script>window.ran = true</script>"
LABELS = ["never", "once a month", "<img src=x onerror='window.ran = true'>", HOSTILE]
WAYS = ["car", "bus", HOSTILE]


@cache
def every_result() -> dict[str, Any]:
    """By their names, the results of a small survey and of single mechanisms."""
    return {**_of_mechanisms(), **_of_surveys(), **_of_fits()}


def _of_mechanisms() -> dict[str, Any]:
    m = dn.RandomizedResponse(LABELS, 2.0)
    tallies = [m.tally(m.privatize_many([LABELS[0]] * 300 + [LABELS[k]] * 100, seed=k)) for k in (2, 3)]
    before, after = (m.estimate(tally) for tally in tallies)
    kept = dn.Remembered(dn.OptimizedUnary(LABELS, 3.0), each=1.0)
    days = [kept.estimate(kept.tally(kept.privatize_many(LABELS * 200, seed=seed))) for seed in (1, 2)]
    found = before.difference(after)
    return {
        "mechanism": m, "remembered": kept, "guarantee": m.guarantee, "tally": tallies[0], "estimate": before,
        "readings by group": GroupedReadings(("week",), {("1",): before.reading(), ("2",): after.reading()}),
        "reading": before.reading(truth=[0.75, 0, 0.25, 0]), "difference": found, "test": found.test,
        "same people": days[0].difference(days[1], stayed=0.5), "plan": dn.plan(LABELS, 2.0, 400),
        "certificate": dn.audit(m), "sampling audit": dn.audit_sampling(m, 1000, seed=1), "label": dn.label(m),
        "label contrast": before.compare(LABELS[0], LABELS[2]), "ranks": before.ranks(),
        "error sources": before.error_sources(), "people needed": before.people_needed(0.05),
        "crowd levels": dn.crowd.table(m, [100, 10_000]),
        "comparison of mechanisms": dn.compare({HOSTILE: m}, users=400, surveys=2),
        "conformance": dn.extend.conform(dn.extend.FAMILIES["RandomizedResponse"]), "file certificate": certify(m),
    }  # fmt: skip


def _of_fits() -> dict[str, Any]:
    coin, rng = dn.RandomizedResponse([HOSTILE, "yes"], 2.0), np.random.default_rng(1)
    frame = {"age": rng.integers(0, 5, 2000), "ward": rng.choice(["a", HOSTILE], 2000)}
    private = {"late": (coin, coin.privatize_many([HOSTILE, "yes", "yes"] * 666 + ["yes"] * 2, seed=1))}
    fit: Any = dn.regress("late ~ age + ward", frame, private)
    smaller: Any = dn.regress("late ~ age", frame, private)
    squares = dn.regress("late ~ age", frame, private, model="identity")
    return {"fit": fit, "fit by squares": squares, "effects": fit.marginal_effects(),
            "comparison of fits": fit.compare(smaller)}  # fmt: skip


def _of_surveys() -> dict[str, Any]:
    way = dn.OneOf("way", WAYS, wording=HOSTILE)
    spread = ("mean", "quantiles", "histogram", "spread")
    minutes, age = dn.Number("minutes", 0, 60, want=spread), dn.Number("age", 18, 90, want=spread)
    late = dn.OneOf("late", ["yes", "no"])
    cross = [("minutes", "way"), ("age", "minutes"), ("way", "late")]
    survey = dn.Survey.plan("commute", [way, late, minutes, age], 3.0, 20_000, cross=cross, title=HOSTILE)
    rng = np.random.default_rng(1)
    given = {"way": rng.choice(WAYS, 20_000), "late": rng.choice(["yes", "no"], 20_000),
             "minutes": rng.integers(0, 61, 20_000), "age": rng.integers(18, 91, 20_000)}  # fmt: skip
    tally = survey.tally(survey.answer_many(given, seed=1))
    advice = dn.advise([way, late], 120, 1.0)
    results = survey.estimate(tally)
    found: Any = results["minutes"]
    other = survey.estimate(survey.tally(survey.answer_many({**given, "minutes": given["minutes"] // 2}, seed=2)))
    changes = dn.change([results, None, other], first=1, last=1)
    return {
        "changes": changes, "question change": changes["way"],
        "survey": survey, "survey tally": tally, "results": results, "distribution": found,
        "distribution's reading": found.reading(), "quantity": found.mean,
        "cross table": results.cross("way", "late"), "row shares": results.cross("late", "way").within_rows(),
        "row difference": results.cross("late", "way").row_difference("yes", "no"),
        "row contrast": results.cross("late", "way").row_difference("yes", "no").contrast(HOSTILE),
        "means by group": results.means("minutes", by="way"),
        "mean contrast": results.means("minutes", by="way").difference("car", HOSTILE),
        "association": results.association("age", "minutes"), "survey label": survey.label(),
        "expectation": survey.expected(5000), "survey certificate": survey.audit(), "promise": survey.promise,
        "number difference": found.difference(other["minutes"]), "manipulation": survey.manipulation(0.01),
        "advice": advice, "advised design": advice.options[0], "table": results["way"].reading().table(),
    }  # fmt: skip
