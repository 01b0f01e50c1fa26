"""Invitations: codes that people can type, of which only hashes are kept."""

from __future__ import annotations

import re

import pytest

from deniable.intake.access import hash_of, hash_of_code, new_code

CODE = "K7QM-2P4X-9TRD-WH3C"


def test_a_code_has_80_bits_in_signs_that_nobody_mistakes() -> None:
    codes = {new_code() for _ in range(500)}
    assert len(codes) == 500
    signs = set("".join(codes)) - {"-"}
    assert len(signs) == 32
    assert not signs & set("OIL")
    assert all(re.fullmatch(r"\w{4}(-\w{4}){3}", code) for code in codes)
    assert all(hash_of_code(code) == hash_of(code) for code in codes), "as printed it is what is kept"


@pytest.mark.parametrize(
    "typed", ["k7qm-2p4x-9trd-wh3c", "K7QM2P4X9TRDWH3C", " K7QM 2P4X 9TRD WH3C ", "K7QM.2P4X.9TRD.WH3C"]
)
def test_a_code_is_known_however_it_was_typed(typed: str) -> None:
    assert hash_of_code(typed) == hash_of(CODE)


def test_letters_that_look_like_digits_are_read_as_these() -> None:
    assert hash_of_code("oooo-iiii-llll-0011") == hash_of("0000-1111-1111-0011")


@pytest.mark.parametrize("other", ["K7QM-2P4X-9TRD-WH3D", "K7QM-2P4X-9TRD-WH3", "K7QM-2P4X-9TRD-WH3CC", "", "U" * 16])
def test_another_text_is_another_code(other: str) -> None:
    assert hash_of_code(other) == hash_of(other) != hash_of(CODE)
