"""Random specs, surveys and words, and what the Python client makes of each."""

from __future__ import annotations

import contextlib
import json
import random
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from deniable.mechanisms.registry import FAMILIES
from deniable.mechanisms.shared.chosen import some_level
from deniable.protocol import DenialError, LabelError, Mechanism, read_spec, read_survey
from deniable.protocol.layouts import Report
from deniable.protocol.mechanisms.registry import MECHANISMS
from deniable.protocol.mechanisms.remembered import Remembered
from deniable.protocol.testing import answer_from, privatize_from
from deniable.protocol.values import Domain, Lists
from deniable.protocol.words import WORD, Words

Case = dict[str, Any]
LABELS: tuple[Any, ...] = (
    "a", "é", "", "🙂", "a\nb", 0, 7, -3, 1 << 80, 2.5, 1e-7, 1e300, 4.0, True, {"bytes": "00ff"},
    {"date": "2024-02-29"},
    {"datetime": "2024-02-29T23:59:59.000001+01:30"}, {"tuple": ["a", 1]}, {"tuple": [2.0, {"tuple": []}]},
)  # fmt: skip


class RecordedWords(Words):
    """Random words, the extremes more often than by chance; what was read is kept."""

    def __init__(self, source: random.Random) -> None:
        self._source = source
        self.read: list[str] = []

    def __next__(self) -> int:
        word = self._source.getrandbits(64)
        if self._source.random() < 0.01:
            word = self._source.choice((0, 1, WORD - 1))
        self.read.append(str(word))
        return word


def spec_of(source: random.Random, name: str) -> str:
    """The text of a random member's spec, often with labels of its own; now and then of one that cannot be."""
    spec: Case = FAMILIES[name].random_member(source).spec()
    named = spec.get("ever", spec)
    if isinstance(named["domain"], int) and named["domain"] <= len(LABELS) and source.random() < 0.5:
        named["domain"] = source.sample(LABELS, named["domain"])
    if source.random() < 0.1:
        spec[source.choice(list(spec))] = source.choice((None, True, 0, 1, -1, 7, 2.5, "inf", "", [], [0], {}))
    return json.dumps(spec)


def remembered(ever: Case) -> Case:
    """The spec of permanent reports, with the coin that follows from the rest if there can be one."""
    spec: Case = {"version": 1, "mechanism": "Remembered", "ever": ever, "each": ever["epsilon"] / 2}
    with contextlib.suppress(DenialError):
        return MECHANISMS["Remembered"].of({**spec, "ever": read_spec(json.dumps(ever))}).spec()
    return {**spec, "u": 0, "m": 1 << 40}


def value_of(source: random.Random, m: Mechanism) -> Any:
    """The index of a label, a list of them, or a text."""
    if isinstance(m.domain, Domain):
        return source.randrange(len(m.domain))
    if isinstance(m.domain, Lists):
        d = len(m.domain.labels)
        return source.sample(range(d), source.randint(0, d))
    return source.choice(("", "a", "café", "🙂" * 30))


def spec_cases(source: random.Random, count: int) -> Iterator[tuple[Case, Case]]:
    """Cases of single mechanisms, each with what the Python client makes of it."""
    for k in range(count):
        yield spec_case(source, spec_of(source, list(MECHANISMS)[k % len(MECHANISMS)]))


def spec_case(source: random.Random, text: str) -> tuple[Case, Case]:
    try:
        m = read_spec(text)
    except DenialError as error:
        return {"spec": text, "words": []}, {"refused": type(error).__name__}
    words, value = RecordedWords(source), value_of(source, m)
    domain: Any = m.domain
    own = value
    if isinstance(domain, Domain):
        own = domain[value]
    elif isinstance(domain, Lists):
        own = [domain.labels[place] for place in value]
    report = privatize_from(m, own, words)
    kept = m.enrol_from(lambda: words) if isinstance(m, Remembered) else []
    sent = [m.again_from(m.recall(kept, own), words)] if isinstance(m, Remembered) else []
    told = {"text": m.to_json(), "report": _written(report)}
    made = {**told, "kept": list(map(_written, kept)), "sent": list(map(_written, sent)), "left": 0}
    return {"spec": text, "value": value, "words": words.read}, made


def _written(report: Report) -> str | int:
    return report.hex() if isinstance(report, bytes) else report


WAYS, NEWS = ["car", "bus", "bike"], ["paper", "radio", "net", "talk"]
SCALES = (("0", "12", "1"), ("-2.5", "3.5", "0.5"), ("0", "1048576", "1"), ("2024-02-01", "2024-02-29", "7"))
NUMBERS = (0, 1, -1, 3, 12, 0.25, -0.25, 2.75, 1e-7, -1e-7, 1.15, 1e300, -1e300, 0.1 + 0.2, 1 << 60, 5e-324)
DATES = ("2024-02-29", "2024-02-30", "0001-01-01", "9999-12-31", "2024-2-1", "2024-02-11")


def question_of(source: random.Random, name: str) -> Case:
    """A random question."""
    kind = source.choice(("one_of", "one_of", "any_of", "text", "number", "number"))
    question: Case = {"kind": kind, "name": name, "wording": source.choice(("", "How?", "Wie — 🙂?"))}
    if kind == "text":
        return {**question, "longest": source.choice((None, 8))}
    if kind == "any_of":
        alone: Case = source.choice(
            ({}, {}, {"exclusive": ["talk"]}, {"exclusive": ["paper", "talk"]}, {"exclusive": []})
        )
        return {**question, "labels": NEWS, "most": source.choice((None, 1, 3)), **alone}
    if kind == "number":
        scale = dict(zip(("low", "high", "step"), source.choice(SCALES), strict=True))
        return {**question, **scale, "unit": source.choice(("", "€ 🙂")), "want": source.choice((["mean"], ["spread"]))}
    own = source.choice(
        ({}, {}, {"sensitive": ["car"]}, {"blocks": [["car", "bike"], ["bus"]]}, {"prior": [0.5, 0.3, 0.2]})
    )
    skipped = source.choice((None, "car"))
    return {**question, "labels": WAYS, "sensitive": None, "blocks": None, "prior": None, "no_answer": skipped, **own}


def part_of(source: random.Random, question: Case) -> Case:
    """A report about one question, by a mechanism that may suit it."""
    kind = question["kind"]
    spec: Case = {"version": 1, "epsilon": some_level(source)}
    if kind == "text":
        encoder = source.choice(({"kind": "text"}, {"kind": "prefix", "length": source.randint(1, 9)}))
        spec.update(mechanism="HashedResponse", domain=None, symbols=8, cohorts=4, key="k")
    elif kind == "number":
        encoder, spec["domain"] = place_of(source, question)
        spec["mechanism"] = source.choice(("RandomizedResponse", "Rappor", "OptimizedUnary"))
    elif kind == "any_of" and source.random() < 0.5:
        encoder = {"kind": "has", "label": source.choice(NEWS)}
        spec.update(mechanism="RandomizedResponse", domain=["yes", "no"])
    elif kind == "any_of":
        encoder, name = {"kind": "list"}, source.choice(("AskedItems", "PrivateSet", "ItemResponse"))
        own = {"AskedItems": {"together": 2}, "PrivateSet": {"most": 2, "size": 3}, "ItemResponse": {}}[name]
        spec.update(mechanism=name, domain=NEWS, **own)
    else:
        encoder = {"kind": "label"}
        if question["sensitive"] and source.random() < 0.7:
            spec.update(mechanism=source.choice(("HighLowHadamard", "HighLowResponse", "HighLowRappor")), sensitive=[0])
        elif question["blocks"] and source.random() < 0.7:
            spec.update(mechanism="BlockHadamard", sizes=[2, 1], order=[0, 2, 1])
        else:
            spec.update(mechanism=source.choice(("RandomizedResponse", "Rappor", "OptimizedUnary")))
        spec["domain"] = WAYS
    return {"questions": [question["name"]], "encoder": encoder, "spec": spec}


def place_of(source: random.Random, question: Case) -> tuple[Case, int]:
    """A random encoder of a number, mostly one that fits its scale, and how many values it has."""
    steps = {"12": 12, "3.5": 12, "1048576": 1 << 20, "2024-02-29": 4}[question["high"]]
    if source.random() < 0.4:
        size = source.randint(max(1, steps // 8), steps)
        offset = source.randrange(size)
        return {"kind": "block", "size": size, "offset": offset}, (steps + offset) // size + 1
    points, levels = source.randint(2, 5), source.randint(1, 4)
    about = source.choice((None, None, 0, steps // 3, steps, steps + 1))
    return {
        "kind": "point",
        "points": points,
        "levels": levels,
        "level": source.randrange(levels),
        "about": about,
    }, points


def document_of(source: random.Random) -> Case:
    """A random survey; some of them cannot be asked."""
    questions = [question_of(source, f"q{k}") for k in range(source.randint(1, 3))]
    arms: list[Case] = [{"weight": 1, "parts": [part_of(source, question) for question in questions]}]
    if source.random() < 0.5:
        arms = [{"weight": source.randint(1, 5), "parts": [part_of(source, question)]} for question in questions]
        arms += [{"weight": 2, "parts": [part_of(source, questions[0])]}]
    repeat = source.choice(("once", "fresh"))
    if source.random() < 0.3:
        repeat = "remembered"
        for arm in arms:
            for part in arm["parts"]:
                part["spec"] = remembered(part["spec"])
    terms = {"cap": source.choice((1.5, 1000.0, 1e6)), "period": "week", "opens": None, "closes": None, "skew": 3600}
    words = {field: source.choice(("", "Ä 🙂")) for field in ("title", "purpose", "owner", "contact")}
    last = {"grace": 0, "minimum": 50, "keep": 0, "mode": "asked", "repeat": repeat}
    more = wordings_of(source, words, questions) if source.random() < 0.4 else {}
    if source.random() < 0.1:
        more["kiosk"] = source.choice((True, True, False))
    if source.random() < 0.1:
        more["lan"] = source.choice((True, True, None))
    if repeat == "once" and source.random() < 0.25:
        more["carrier"] = source.choice(("field", "field", "field", "collector"))
        terms["period"] = source.choice(("once", "once", "once", "week"))
    if source.random() < 0.1:
        more["responsible"] = source.choice(({"host": "Ä 🙂", "rights": "x"}, {"officer": "x"}, {"host": ""}, {}))
    asked = {"questions": questions, "arms": arms}
    return {"version": 1, "name": "s", "topic": "t", **words, **terms, **last, **more, **asked}


TAGS = ("en", "de-CH", "zh-Hant", "sl-rozaj-biske-1994", "EN", "de_CH", "")


def wordings_of(source: random.Random, words: Case, questions: list[Case]) -> Case:
    """A language, and perhaps translations, most of which are complete."""
    asked = {question["name"]: translated(source, question) for question in questions}
    title, purpose = (own and "Ein anderer 🙂" for own in (words["title"], words["purpose"]))
    own = {"language": source.choice(TAGS[:4] if source.random() < 0.8 else TAGS)}
    if source.random() < 0.3:
        return own
    given = {"title": title, "purpose": purpose, "questions": asked}
    if source.random() < 0.2:
        given.pop(source.choice(list(given)))
    return {**own, "translations": {source.choice(TAGS[1:4]): given}}


def translated(source: random.Random, question: Case) -> Case:
    """What people read of a question in another language; some of it may be missing, or be too much."""
    found: Case = {"wording": question["wording"] and "Wie?"}
    if "labels" in question:
        found["labels"] = [f"{label} 🙂" for label in question["labels"]]
    if question.get("unit"):
        found["unit"] = "€"
    faults: tuple[Case, ...] = ({"unit": ""}, {"labels": ["a", "a", "b"]}, {"wording": ""}, {"wording": "W" * 4001})
    return {**found, **(source.choice(faults) if source.random() < 0.1 else {})}


def answers_of(source: random.Random, questions: list[Case]) -> Case:
    """Answers to all questions, or to most."""
    found: Case = {}
    for question in questions:
        kind = question["kind"]
        if kind == "any_of":
            given = source.sample(NEWS, source.randint(0, question["most"] or 4))
            alone = question.get("exclusive") if source.random() < 0.8 else None
            found[question["name"]] = answer_with(alone, given) if alone else given
        elif kind == "text":
            found[question["name"]] = source.choice(("", "a text that is long", "é🙂"))
        elif kind == "number":
            found[question["name"]] = source.choice(DATES if question["high"] == "2024-02-29" else NUMBERS)
        elif source.random() < 0.9:
            found[question["name"]] = source.choice(WAYS)
    return found


def answer_with(alone: list[str], given: list[str]) -> list[str]:
    """A list that is an answer where some labels stand alone."""
    return given if given and not set(alone) & set(given) else alone[:1]


def survey_cases(source: random.Random, count: int) -> Iterator[tuple[Case, Case]]:
    """Cases of whole surveys, each with what the Python client makes of it."""
    for _ in range(count):
        document = document_of(source)
        text, answers = json.dumps(document), answers_of(source, document["questions"])
        yield _survey_case(source, text, answers)


def _survey_case(source: random.Random, text: str, answers: Case) -> tuple[Case, Case]:
    words = RecordedWords(source)
    try:
        survey = read_survey(text)
        facts, outcomes = survey.facts(), survey.outcomes(answers)
        answer = None if survey.repeat == "remembered" else answer_from(survey, answers, words).hex()
    except (DenialError, LabelError) as error:
        return {"survey": text, "answers": answers, "words": words.read}, {"refused": type(error).__name__}
    told = {field: facts[field] for field in ("digest", "level", "charge", "sentences")}
    chances = [[p.hex(), str(c.numerator), str(c.denominator)] for p, c in outcomes.payloads.items()]
    made = {**told, "count": str(outcomes.count), "chances": sorted(chances), "answer": answer, "left": 0}
    made["shapes"] = [list(arm) for arm in outcomes.shapes]
    return {"survey": text, "answers": answers, "words": words.read}, made


def replayed(built: Path, cases: Iterable[Case]) -> list[Case]:
    """What the TypeScript client makes of the cases."""
    lines = "".join(json.dumps(case) + "\n" for case in cases)
    command = ["node", str(built / "replay.js")]
    made = subprocess.run(command, input=lines, check=False, capture_output=True, text=True, encoding="utf-8")
    assert made.returncode == 0, made.stderr
    return [json.loads(line) for line in made.stdout.split("\n") if line]  # texts may hold other ends of lines


def differing(built: Path, cases: list[tuple[Case, Case]]) -> list[tuple[Case, Case, Case]]:
    """The cases of which the clients make something else: given, Python's, TypeScript's."""
    found = replayed(built, (case for case, _ in cases))
    for made in found:
        if "chances" in made:
            made["chances"].sort()
    assert len(found) == len(cases)
    both = zip(cases, found, strict=True)
    return [(case, wanted, made) for (case, wanted), made in both if wanted != made]
