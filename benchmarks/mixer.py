"""Sealed answers a second, taken and opened: ``python -m benchmarks.mixer [--json FILE] [--quick]``.

wrk sends sealed answers to a mixer, each with a code of its own, in turns with the mixer's own route that does nothing
(`/live`). Opening takes turns, in one process, with opening the same bytes by the package `cryptography` alone.
"""

from __future__ import annotations

import argparse
import json
import secrets
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import deniable as dn
from benchmarks import kept, machine
from benchmarks.collector import Load, ask, load, started
from benchmarks.pages import markdown_table
from deniable.collector.keys import KeyFolder, pem_of
from deniable.collector.opening import ParcelReader
from deniable.intake.sections import HEAD
from deniable.intake.uploads import ID
from deniable.protocol.crowd import SUITE, HpkeSealer
from deniable.protocol.surveys.crowd import POINT, read_key
from deniable.protocol.surveys.sealed_answer import INNER_ID, TAG, SealedForm, info_of, new_inner_id

CODES = 100_000
"""The most that a mixer makes at a time; a turn spends fewer."""
OPENED = 2000
LABELS = ((4,), (300,), (4, 300))
"""The labels of the questions of which bytes are told; of two everybody is asked one, by lot."""
RATES = ("what", "a second", "beside it", "a second", "share")
LAYERS = (
    "answer", "its bytes", "zeros to the longest", "inner id", "HPKE's point and tag", "sealed", "outer id and head",
    "sent",
)  # fmt: skip


def a_survey(key: str, labels: Sequence[int]) -> dn.Survey:
    """A survey whose answers go through a mixer: each person is asked one of its questions."""
    questions = [dn.OneOf(f"way-{place}", each) for place, each in enumerate(labels)]
    parts = [dn.Part([each], dn.RandomizedResponse(len(each.labels), 2.0)) for each in questions]
    crowd = dn.Crowd(
        mixer="http://127.0.0.1:8090", operator="a works council", least=1000, level=0.5, belief=0.7,
        collector="http://127.0.0.1:8080", key=key,
    )  # fmt: skip
    arms = [dn.Arm([part]) for part in parts]
    return dn.Survey("bench", questions, arms, owner="a company", closes="2999-01-01T00:00:00Z", grace=0, crowd=crowd)


def sealing(folder: Path, seconds: int, turns: int) -> dict[str, Any]:
    """Sealed answers that a mixer acknowledges a second, in turns with a route that does nothing."""
    survey, ready = a_survey(KeyFolder(folder / "keys").make(), (4,)), folder / "ready.json"
    data = ["--data", str(folder / "data-0"), "--port", "0", "--rate", "0", "--ready-file", str(ready)]
    own = f"/v1/surveys/{survey.digest}"
    with started([sys.executable, "-m", "deniable", "mixer", "serve", *data], ready) as url:
        ask(folder, "PUT", "/v1/surveys", survey.document, **{"deniable-token": secrets.token_urlsafe()})

        def send(seconds: int) -> Load:
            codes = ask(folder, "POST", f"{own}/invitations", json.dumps({"people": CODES}).encode())["codes"]
            (folder / "codes").write_text("\n".join(codes), encoding="ascii")
            width = str(SealedForm.of(survey).sealed)
            return load(
                [url], [f"{own}/periods/once/answers"], seconds, width, "1", "0", "POST", codes=folder / "codes"
            )

        warm = send(1)
        found = [(send(seconds), load([url], ["/live"], seconds, "0", "1", "0", "GET")) for _ in range(turns)]
        ask(folder, "POST", f"{own}/close")
        while "answers" not in (period := ask(folder, "GET", "/v1/status")[0]["periods"][0]):
            time.sleep(0.1)
    acknowledged = warm.done + sum(ours.done for ours, _ in found)
    if period["answers"] < acknowledged:
        raise AssertionError(f"{acknowledged} answers were acknowledged, but {period['answers']} are in the parcel")
    return {
        "what": "sealed answers, durable, at a mixer",
        "rate": statistics.median(ours.rate for ours, _ in found),
        "beside": "its route `/live`",
        "beside_rate": statistics.median(idle.rate for _, idle in found),
        "share": statistics.median(ours.rate / idle.rate for ours, idle in found),
    }


def opening(folder: Path, turns: int) -> dict[str, Any]:
    """Sealed answers that one process of a collector opens and checks a second, in turns with opening alone."""
    keys = KeyFolder(folder / "keys")
    survey = a_survey(public := keys.make(), (4,))
    private, info, form = keys.load(public), info_of(survey.digest, "once"), SealedForm.of(survey)
    point, sealer = read_key(public), HpkeSealer()
    plain = [form.write(new_inner_id(), survey.answer({"way-0": place % 4})) for place in range(OPENED)]
    sealed = [sealer.seal(point, info, each) for each in plain]
    told = {"document": survey.to_json(), "period": "once", "key": pem_of(private).decode()}
    reader, body = ParcelReader.of(json.dumps(told).encode()), b"".join(sealed)
    found = []
    for _ in range(turns):
        ours = _seconds(lambda: reader.read(body))
        found.append((ours, _seconds(lambda: [SUITE.decrypt(each, private, info=info) for each in sealed])))
    if len(reader.read(body)) != OPENED:
        raise AssertionError("each sealed answer must be opened")
    return {
        "what": "sealed answers, opened and checked, in one process of a collector",
        "rate": OPENED / statistics.median(ours for ours, _ in found),
        "beside": "HPKE by `cryptography` alone",
        "beside_rate": OPENED / statistics.median(bare for _, bare in found),
        "share": statistics.median(bare / ours for ours, bare in found),
    }


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def layers(labels: Sequence[int], key: str) -> list[int]:
    """The bytes of an answer of the first arm, layer by layer."""
    form = SealedForm.of(a_survey(key, labels))
    own, outer = form.lengths[0], ID + HEAD.size
    return [own, max(form.lengths) - own, INNER_ID, POINT + TAG, form.sealed, outer, form.sealed + outer]


def run(seconds: int, turns: int) -> dict[str, Any]:
    """All of it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rates = [sealing(folder, seconds, turns), opening(folder, turns)]
        key = KeyFolder(folder / "keys").make()
        sizes = [{"labels": labels, "bytes": layers(labels, key)} for labels in LABELS]
    return {"machine": machine.brief(), "seconds": seconds, "turns": turns, "rates": rates, "layers": sizes}


def said(found: Mapping[str, Any]) -> str:
    """The table of the documentation."""
    rates = [
        [one["what"], f"{one['rate']:,.0f}", one["beside"], f"{one['beside_rate']:,.0f}", f"{one['share']:.2f}"]
        for one in found["rates"]
    ]
    return markdown_table(RATES, rates)


def layer_rows(found: Mapping[str, Any]) -> list[list[str]]:
    """The bytes that an answer gets on its way."""
    return [
        [f"one of {' or '.join(map(str, one['labels']))} labels", *map(str, one["bytes"])] for one in found["layers"]
    ]


def main(words: Sequence[str] | None = None) -> None:
    """Measure, show, keep; a line where wrk is not installed."""
    parser = argparse.ArgumentParser(prog="benchmarks.mixer", description="sealed answers, at a mixer and a collector")
    parser.add_argument("--quick", action="store_true", help="short and few turns: rougher")
    parser.add_argument("--json", type=Path, help="keep every figure here")
    args = parser.parse_args(words)
    if shutil.which("wrk") is None:
        print("The mixer was left out: wrk is not installed (on Debian or Ubuntu: sudo apt-get install wrk).")
        return
    found = run(2, 1) if args.quick else run(4, 3)
    print(said(found))
    if args.json:
        kept.write(args.json, found)


if __name__ == "__main__":
    main()
