"""Sealing by the package cryptography: what it writes is opened by whoever has the key, and is new each time."""

from __future__ import annotations

import sys

import pytest
from tests.cases import each
from tests.wire.generate.crowds import point_of, private, scalar
from tests.wire.vectors import Vector, named, vectors

from deniable.collector.opener import Opener
from deniable.protocol.crowd import SUITE, HpkeSealer
from deniable.protocol.device.sealing import installed_sealer
from deniable.protocol.errors import ParameterError
from deniable.protocol.surveys.crowd import POINT, read_key
from deniable.protocol.surveys.sealed_answer import TAG, SealedForm, info_of

GOOD = vectors("crowd.json", "good")


@each("vector", vectors("crowd.json", "rfc"), ids=lambda _: "a31")
def test_the_vector_of_rfc_9180(vector: Vector) -> None:
    """Its messages have other data beside them, which ours never have; key and nonce are the same without."""
    key, info = private(int(vector["private"], 16)), bytes.fromhex(vector["info"])
    assert SUITE.decrypt(bytes.fromhex(vector["sealed"]), key, info=info).hex() == vector["plain"]


@each("vector", GOOD, ids=named)
def test_what_is_sealed_is_opened(vector: Vector) -> None:
    plain, info = bytes.fromhex(vector["plain"]), bytes.fromhex(vector["info"])
    sealed = {HpkeSealer().seal(read_key(vector["key"]), info, plain) for _ in range(3)}
    assert len(sealed) == 3
    for each_one in sealed:
        assert len(each_one) == POINT + len(plain) + TAG
        assert SUITE.decrypt(each_one, private(int(vector["private"], 16)), info=info) == plain


def test_a_key_off_the_curve_seals_nothing() -> None:
    point = point_of(scalar("a key"))
    HpkeSealer().check(point)
    for wrong in (b"", point[:-1], point[:-1] + bytes([point[-1] ^ 1]), b"\2" + point[1:33], bytes(POINT)):
        with pytest.raises(ParameterError, match="a point on the curve P-256"):
            HpkeSealer().seal(wrong, b"", b"")


def test_the_sealer_is_the_installed_one(monkeypatch: pytest.MonkeyPatch) -> None:
    form, key = SealedForm(0, (1,)), private(scalar("a key"))
    info = info_of("ab" * 32, "once")
    sealed = installed_sealer().seal(point_of(scalar("a key")), info, form.write(bytes(16), b"\1"))
    assert Opener(key, form, info).open(sealed) == (bytes(16), b"\1")
    monkeypatch.setitem(sys.modules, "deniable.protocol.crowd", None)
    with pytest.raises(ParameterError, match=r"pip install 'deniable-client\[crowd\]'"):
        installed_sealer()
