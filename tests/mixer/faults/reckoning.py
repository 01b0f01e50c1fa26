"""What must be so at every moment of a crowd's life, and what must have become of each answer in the end."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from tests.mixer.faults.ledger import Key, Ledger
from tests.mixer.faults.parties import CollectorHere, MixerHere
from tests.mixer.faults.people import Begun

from deniable.intake.doors import Doors
from deniable.intake.storage.parcels import ParcelRow, Parcels
from deniable.intake.storage.rows import RELEASED, WITHHELD
from deniable.mixer.courier import GAPS
from deniable.mixer.sending import ANOTHER, REFUSED


def parcels_of(mixer: MixerHere) -> dict[Key, tuple[ParcelRow, bytes]]:
    """What a mixer has frozen."""
    batches = {each.number: each.key for each in mixer.app.intake.run(lambda t: t.batches())}
    rows = mixer.app.intake.run(lambda t: [(row, Parcels(t.run).body(row.batch)) for row in Parcels(t.run).all()])
    return {batches[row.batch]: (row, body) for row, body in rows}


def look_at(mixer: MixerHere, ledger: Ledger, log: str, addresses: Sequence[str], begun: Begun) -> None:
    """Whether everybody has kept their word, and a mixer keeps nothing that it need not."""
    assert ledger.wrong == [], "; ".join(ledger.wrong)
    found, now = parcels_of(mixer), mixer.clock()
    for key, (row, body) in found.items():
        wanted, held = ledger.freezes(key), ledger.periods[key]
        assert row.n == len(held.uploads), "a parcel must count everybody who was acknowledged"
        assert row.digest == (hashlib.sha256(wanted).hexdigest() if wanted else ""), "a parcel must be sorted"
        assert body in ((wanted,) if not row.reply else (wanted, b"")), "a parcel must stay as it was frozen"
    gone, left = set[bytes](), set[bytes]()
    for key, held in ledger.periods.items():
        if key in found:
            gone |= set(held.uploads)
        elif held.uploads:
            left |= set(held.uploads)
            assert now < Doors(ledger.surveys[key[0]]).shuts(key[1]), "a period must be shut when it is over"
    kept = mixer.held + log.encode()
    assert not any(own_id in kept for own_id in gone - left), "an outer id must be forgotten once its period is shut"
    codes = [code for each in begun.codes.values() for code in each]
    assert not any(text.encode() in kept for text in (*addresses, *codes)), "nobody's address or code may be kept"


def settle(mixer: MixerHere, collector: CollectorHere, ledger: Ledger) -> None:
    """Whether each answer that was acknowledged is counted exactly once, or it is said why not."""
    told = {
        (survey["digest"], period["period"]): period for survey in mixer.desk.status() for period in survey["periods"]
    }
    for key, (row, _) in parcels_of(mixer).items():
        held = ledger.periods[key]
        is_harmed = ledger.is_copied_back or key in ledger.stuffed
        if row.reply.startswith("{"):
            frozen = ledger.freezes(key)
            body, withheld = ledger.taken.get(key, (None, 0))
            few = 0 if frozen else row.n
            is_there = body == frozen and (withheld == few or ledger.is_copied_back)  # an older folder's few are others
            is_lost = ledger.is_restored and key not in ledger.sent_again
            assert is_there or is_lost or key in ledger.stuffed, "what is taken must be there"
        elif row.reply == "":  # it waits for a key that its collector no longer has
            status = collector.service.crowds.status(collector.service.collector.survey(key[0]))
            assert ledger.is_restored
            assert status is not None
            assert status["key"] != "kept"
        else:
            assert row.reply in (ANOTHER, GAPS), f"a parcel must be taken in the end, got {row.reply}"
            assert is_harmed, f"a parcel must be taken but by a copied folder, got {row.reply}"
            assert told[key]["state"] == REFUSED
        if not is_harmed:
            assert ledger.acknowledged[key] == set(held.uploads.values()), "an answer must be counted once"
    for key in ledger.taken:
        _check_result(collector, ledger, key)
    for key in ledger.noted.keys() - ledger.taken.keys():
        row_there = collector.service.collector.survey(key[0])
        [standing] = [each for each in collector.service.crowds.standings(row_there) if each.period == key[1]]
        assert standing.to_dict()["lost"], "a parcel that was lost must be said to be"


def _check_result(collector: CollectorHere, ledger: Ledger, key: Key) -> None:
    """A period's result is what its parcel holds; of one that was withheld it is said how many there were."""
    service, (body, withheld), survey = collector.service, ledger.taken[key], ledger.surveys[key[0]]
    row = service.collector.survey(key[0])
    [standing] = [each for each in service.crowds.standings(row) if each.period == key[1]]
    assert standing.arrival is not None
    assert standing.arrival.withheld == withheld
    state = service.desk.batch(row, key[1]).state
    assert state == (RELEASED if body else WITHHELD), "a period must have its result once"
    if body:
        counted = service.desk.tally(row, key[1]).tally
        assert counted == survey.tally(list(ledger.read(key, body).answers.elements())).to_bytes()
