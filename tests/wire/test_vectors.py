"""Tier three: every vector, good and bad, against the library; and the files are what their generator writes."""

from __future__ import annotations

import hashlib
import json
import struct
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from tests.cases import each
from tests.wire.make import FILES, FOLDER, page
from tests.wire.vectors import Taped, Vector, named, vectors

import deniable as dn
from deniable.kernels.hashing import hash_table, permuted_table
from deniable.mechanisms.mechanism import Mechanism, listed
from deniable.mechanisms.registry import FAMILIES, from_spec_bytes
from deniable.protocol.odds import Odds, dyadic_odds, weighted_odds
from deniable.reports.headed_layouts import BlockLayout, CohortLayout
from deniable.reports.index_layout import IndexLayout
from deniable.reports.packed_layout import PackedLayout
from deniable.reports.spec import canonical, digest
from deniable.theory.singer import positions
from deniable.values.texts import Texts

MOST_BYTES = 1_700_000
FILLS = (0, (1 << 64) - 1)
"""What stands where a part of a tape has no more words: the report must not depend on it."""


def mechanism(vector: Vector) -> Mechanism:
    """The mechanism of the vector's spec."""
    return from_spec_bytes(vector["spec"].encode())


def read(m: Mechanism, reports: list[Any]) -> list[Any]:
    """Reports as the library takes them: text stands for bytes where reports are packed."""
    if isinstance(m.layout, IndexLayout):
        return reports
    return [bytes.fromhex(report) if isinstance(report, str) else report for report in reports]


@each("file", FILES)
def test_the_generator_writes_the_files_as_they_are(file: str) -> None:
    assert page(FILES[file]()) == (FOLDER / file).read_bytes().decode("ascii")


def test_every_file_is_made_named_and_small() -> None:
    files = {path.name for path in FOLDER.glob("*.json")}
    readme = (FOLDER.parent / "README.md").read_text(encoding="utf-8")
    assert files == set(FILES)
    assert all(f"### `{file}`" in readme for file in files)
    assert all(f"| `{section}` |" in readme for file in files for section in json.loads((FOLDER / file).read_text()))
    assert sum((FOLDER / file).stat().st_size for file in files) < MOST_BYTES


@each("file", ["specs.json", "reports.json", "draws.json"])
def test_every_mechanism_has_vectors(file: str) -> None:
    assert {mechanism(vector).name for vector in vectors(file, "good")} == set(FAMILIES)


@each("file", sorted(set(FILES) - {"draws.json", "hashes.json", "sentences.json"}))
def test_every_kind_of_file_has_bad_vectors(file: str) -> None:
    assert len(vectors(file, "bad")) >= 10


@each("vector", vectors("specs.json", "good"), ids=named)
def test_good_specs(vector: Vector) -> None:
    written, m = vector["spec"].encode(), mechanism(vector)
    assert canonical(m.spec()) == m.spec_bytes == written
    assert digest(m.spec()) == hashlib.sha256(written).hexdigest() == vector["sha256"]
    assert layout(m) == vector["layout"]
    if vector["labels"] is None:
        assert isinstance(m, dn.HashedResponse | dn.HashedRappor)
        assert isinstance(m.domain, Texts)
        return
    labels = m.domain.labels
    assert len(labels) == vector["labels"]
    assert [labels.index(label) for label in labels] == list(range(len(labels)))


def layout(m: Mechanism) -> Vector:
    """The layout as vectors write it."""
    if isinstance(m.layout, IndexLayout):
        return {"kind": "index", "outputs": m.layout.outputs}
    if isinstance(m.layout, CohortLayout):
        return {"kind": "cohort", "cohorts": m.layout.cohorts, "symbols": m.layout.symbols}
    if isinstance(m.layout, BlockLayout):
        return {"kind": "block", "sizes": list(m.layout.sizes), "weights": list(m.layout.weights)}
    assert isinstance(m.layout, PackedLayout)
    single = {} if m.layout.single_from is None else {"single_from": m.layout.single_from}
    return {"kind": "bits", "symbols": m.layout.symbols, "weight": m.layout.weight, **single}


@each("vector", vectors("specs.json", "designs"), ids=lambda v: f"{v['q']}-{v['t']}")
def test_designs(vector: Vector) -> None:
    q, t, length, block = vector["q"], vector["t"], vector["length"], vector["block"]
    spec = {"version": 1, "mechanism": "Cyclic", "domain": length, "epsilon": 1.0, "q": q, "t": t}
    m = dn.from_spec(spec)
    assert isinstance(m, dn.Cyclic)
    assert (m.layout.outputs, positions(m.design).tolist()) == (length, block)
    shifts = Counter((a - b) % length for a in block for b in block if a != b)
    assert len(shifts) == length - 1
    assert set(shifts.values()) == {(q ** (t - 2) - 1) // (q - 1)}  # a difference set: every shift as often


@each("vector", vectors("reports.json", "good"), ids=lambda vector: str(len(vector["reports"])))
def test_good_reports(vector: Vector) -> None:
    m = mechanism(vector)
    tally = m.tally(read(m, vector["reports"]))
    assert (tally.n, tally.counts.tolist()) == (len(vector["reports"]), vector["counts"])
    assert tally.digest == hashlib.sha256(vector["spec"].encode()).hexdigest()


@each("vector", vectors("reports.json", "bad"), ids=named)
def test_bad_reports(vector: Vector) -> None:
    m = mechanism(vector)
    before, bad, after = read(m, vector["reports"])
    with pytest.raises(dn.ReportError, match=r"1 of 3 that .*; none was counted$"):
        m.tally([before, bad, after])
    with pytest.raises(dn.ReportError, match=r"1 of 1 that"):
        m.tally([bad])
    assert m.tally([before, after]).n == 2


@each("vector", vectors("tallies.json", "good"), ids=named)
def test_good_tallies(vector: Vector) -> None:
    written = bytes.fromhex(vector["hex"])
    tally = dn.Tally.from_bytes(written)
    assert tally.to_bytes() == written
    assert (str(tally.n), [*map(str, tally.counts.tolist())]) == (vector["n"], vector["counts"])
    assert (tally.spec_bytes.decode(), tally.digest) == (vector["spec"], vector["sha256"])
    assert dn.Tally(int(vector["n"]), [*map(int, vector["counts"])], mechanism(vector).spec()) == tally


@each("vector", vectors("tallies.json", "bad"), ids=named)
def test_bad_tallies(vector: Vector) -> None:
    with pytest.raises((dn.FormatError, dn.TallyError), match=r"^a (tally|spec)"):
        dn.Tally.from_bytes(bytes.fromhex(vector["hex"]))


@each("vector", vectors("tallies.json", "sums"), ids=lambda vector: str(len(vector["terms"])))
def test_sums(vector: Vector) -> None:
    terms = [dn.Tally.from_bytes(bytes.fromhex(term)) for term in vector["terms"]]
    assert sum(terms[1:], terms[0]).to_bytes().hex() == vector["sum"]
    assert sum(reversed(terms)) == dn.Tally.from_bytes(bytes.fromhex(vector["sum"]))


@each("vector", vectors("tallies.json", "bad_sums"), ids=named)
def test_bad_sums(vector: Vector) -> None:
    first, second = (dn.Tally.from_bytes(bytes.fromhex(term)) for term in vector["terms"])
    for one, other in ((first, second), (second, first)):
        with pytest.raises(dn.TallyError):
            one + other


def check_odds(section: str, answer: Callable[[Vector], Odds]) -> None:
    """All odds of a section at once: each is one comparison."""
    for vector in vectors("odds.json", section):
        epsilon = float(vector["text"])
        assert (vector["epsilon"], vector["text"]) == (epsilon, repr(epsilon))
        assert struct.pack(">d", epsilon).hex() == vector["ieee754"]
        assert answer(vector) == Odds(int(vector["above"]), int(vector["below"])), vector


def test_weighted_odds() -> None:
    check_odds("weighted", lambda v: weighted_odds(v["epsilon"], v["aboves"], v["belows"]))


def test_dyadic_odds() -> None:
    check_odds("dyadic", lambda v: dyadic_odds(v["epsilon"]))


def test_odds_of_hashes() -> None:
    check_odds("hashes", lambda v: dyadic_odds(Fraction(v["epsilon"]) / (2 * v["hashes"])))
    for vector in vectors("odds.json", "hashes"):
        m = dn.HashedRappor(vector["epsilon"], 128, 4, vector["hashes"])
        assert (str(m.odds.above), str(m.odds.below)) == (vector["above"], vector["below"])


@each("vector", vectors("odds.json", "bad"), ids=lambda v: f"{v['text']}-{v['belows']}")
def test_odds_that_there_are_not(vector: Vector) -> None:
    with pytest.raises(dn.CapacityError, match=r"^epsilon must leave room"):
        weighted_odds(vector["epsilon"], vector["aboves"], vector["belows"])


@each("fill", FILLS)
@each("vector", vectors("draws.json", "good") + vectors("hashes.json", "draws"), ids=named)
def test_draws(vector: Vector, fill: int) -> None:
    m, tape = mechanism(vector), Taped(vector["words"], fill)
    report = m.privatize(vector["text"] if "text" in vector else value_of(m, vector["value"]), tape)
    assert (report.hex() if isinstance(report, bytes) else report) == vector["report"]
    assert tape.parts == []


def value_of(m: Mechanism, written: int | list[int]) -> Any:
    """The label of an index, or the list of labels of several."""
    if isinstance(written, int):
        return m.domain.labels[written]
    return [m.domain.labels[place] for place in written]


def test_draws_see_both_sides_of_every_coin() -> None:
    names = Counter(vector["name"] for vector in vectors("draws.json", "good"))
    assert names["the last coin below the threshold"] == names["the first coin above it"] > 10
    assert names["coins that all 64 bits must settle"] >= 5


def test_both_sides_of_a_coin_draw_different_reports() -> None:
    """So a comparison that is off by one is seen."""
    drawn = vectors("draws.json", "good") + vectors("hashes.json", "draws")
    below = [v for v in drawn if v["name"] == "the last coin below the threshold"]
    above = [v for v in drawn if v["name"] == "the first coin above it"]
    assert all(a["report"] != b["report"] for a, b in zip(below, above, strict=True))


def test_draws_see_hashes_that_agree_and_cohorts_of_two_bytes() -> None:
    drawn = {file: vectors(file, section) for file, section in (("draws.json", "good"), ("hashes.json", "draws"))}
    assert all(any(v["name"] == "two hashes that agree" for v in found) for found in drawn.values())
    for found in drawn.values():
        filters = [v for v in found if mechanism(v).name == "HashedRappor"]
        assert any(bytes.fromhex(v["report"])[1] for v in filters)
        assert any(not bytes.fromhex(v["report"])[1] for v in filters)


@each("vector", vectors("hashes.json", "good"), ids=lambda v: repr(v["text"][:12]))
def test_hashes(vector: Vector) -> None:
    strings, text = Texts(vector["key"]), vector["text"]
    assert str(strings.base(text)) == vector["base"]
    assert [str(found) for found in strings.indices([text]).view(np.uint64)] == [vector["base"]]
    shape = [vector[name] for name in ("cohorts", "hashes", "symbols")]
    assert hash_table(np.array([int(vector["base"])], np.uint64), *shape)[0].tolist() == vector["table"]
    m = dn.HashedRappor(1.0, **{name: vector[name] for name in ("symbols", "cohorts", "hashes", "key")})
    assert listed(m, [text])._hashes.table[0].tolist() == vector["table"]


def test_hashes_see_every_way_to_write_a_text() -> None:
    texts, keys = ({v[name] for v in vectors("hashes.json", "good")} for name in ("text", "key"))
    assert {"", "a", "caf\u00e9", "cafe\u0301", "日本語", "\U0001f642", "a\0b"} <= texts
    assert max(map(len, texts)) >= 1000
    assert {len(key.encode()) for key in keys} >= {0, 64, 65}  # HMAC hashes keys that are longer than a block


@each("vector", vectors("hashes.json", "permutations"), ids=lambda v: f"{v['labels']}-{v['symbols']}")
def test_permutations(vector: Vector) -> None:
    labels, symbols, cohorts = (vector[name] for name in ("labels", "symbols", "cohorts"))
    base = np.uint64(Texts(vector["key"]).base(""))
    assert permuted_table(base, labels, cohorts, symbols)[:, :, 0].T.tolist() == vector["table"]
    m = dn.HashedResponse(1.0, symbols, cohorts, labels, vector["key"])
    assert m._hashes.table[:, :, 0].T.tolist() == vector["table"]
    for row in vector["table"]:
        shares = [row.count(symbol) for symbol in range(symbols)]
        assert max(shares) - min(shares) <= 1  # dealt out evenly


@each("half", ["\ud83d", "a\ude42"])
def test_half_a_surrogate_pair_is_no_text(half: str) -> None:
    """JSON in ASCII can write it, so a client may meet it."""
    with pytest.raises(dn.LabelError, match="must be text in Unicode"):
        dn.HashedResponse(1.0, 4, 4).privatize(half)
