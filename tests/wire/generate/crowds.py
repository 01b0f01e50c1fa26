"""`crowd.json`: RFC 9180's own vector, sealed answers, keys that are none, and sealed bytes that hold no answer.

Sealing under a given key of its own is composed here of HMAC, ECDH and AES, apart from the libraries that are tested.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from tests.wire.generate.documents import PEOPLE, samples

import deniable as dn
from deniable.protocol.base64url import write_base64url
from deniable.protocol.surveys.sealed_answer import SealedForm, info_of

Json = dict[str, Any]
KEM: Final = b"HPKE-v1KEM" + bytes([0, 16])
SUITE: Final = b"HPKE-v1HPKE" + bytes([0, 16, 0, 1, 0, 1])
ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""Of the curve."""
PRIME: Final = 0xFFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFF
"""Of its field."""
CONSTANT: Final = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
"""Of its equation, y^2 = x^3 - 3 x + b."""
RFC: Final = {
    "info": "4f6465206f6e2061204772656369616e2055726e",
    "private": "f3ce7fdae57e1a310d87f1ebbde6f328be0a99cdbcadf4d6589cf29de4b8ffd2",
    "ephemeral": "4995788ef4b9d6132b249ce59a77281493eb39af373d236a1fe415cb0c2d7beb",
    "point": "04a92719c6195d5085104f469a8b9814d5838ff72b60501e2c4466e5e67b325ac9"
    "8536d7b61a1af4b78e5b7f951c0900be863c403ce65c9bfcb9382657222d18c4",
    "key": "868c066ef58aae6dc589b6cfdd18f97e",
    "nonce": "4e0bc5018beba4bf004cca59",
    "plain": "4265617574792069732074727574682c20747275746820626561757479",
    "other_data": "436f756e742d30",
    "ciphertext": "5ad590bb8baa577f8619db35a36311226a896e7342a6d836d8b7bcd2f20b6c7f9076ac232e3ab2523f39513434",
}
"""RFC 9180, A.3.1 and A.3.1.1, its first message; the names are ours."""
UNEVEN: Final = "ways apart"
"""A survey whose arms have answers of two lengths."""
SURVEYS: Final = (UNEVEN, "a pair and a part of each kind", "one question")


class Schedule(NamedTuple):
    """What a message is encrypted with, and the point that comes before it."""

    point: bytes
    key: bytes
    nonce: bytes


def scalar(name: str) -> int:
    """A private key by a name."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest(), "big") % (ORDER - 1) + 1


def private(number: int) -> ec.EllipticCurvePrivateKey:
    """A private key from its number."""
    return ec.derive_private_key(number, ec.SECP256R1())


def point_of(number: int) -> bytes:
    """The public key of a number, as it is written uncompressed."""
    return private(number).public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def schedule(key: bytes, ephemeral: int, info: bytes) -> Schedule:
    """RFC 9180, 4.1 and 5.1, of base mode."""
    point, theirs = point_of(ephemeral), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), key)
    shared = private(ephemeral).exchange(ec.ECDH(), theirs)
    secret = _expanded(KEM, _extracted(KEM, b"", b"eae_prk", shared), b"shared_secret", point + key, 32)
    told = b"\0" + _extracted(SUITE, b"", b"psk_id_hash", b"") + _extracted(SUITE, b"", b"info_hash", info)
    root = _extracted(SUITE, secret, b"secret", b"")
    return Schedule(point, _expanded(SUITE, root, b"key", told, 16), _expanded(SUITE, root, b"base_nonce", told, 12))


def _extracted(suite: bytes, salt: bytes, label: bytes, given: bytes) -> bytes:
    return hmac.digest(salt, suite + label + given, "sha256")


def _expanded(suite: bytes, key: bytes, label: bytes, given: bytes, length: int) -> bytes:
    return hmac.digest(key, length.to_bytes(2, "big") + suite + label + given + b"\1", "sha256")[:length]


def sealed(key: bytes, info: bytes, plain: bytes, ephemeral: int) -> bytes:
    """What is sent of something."""
    found = schedule(key, ephemeral, info)
    return found.point + AESGCM(found.key).encrypt(found.nonce, plain, b"")


def period_of(survey: dn.Survey) -> str:
    """A period of a survey."""
    return {"once": "once", "day": "2026-08-01", "week": "2026-W31", "month": "2026-08"}[survey.period]


def _rfc() -> Iterator[Json]:
    plain, found = bytes.fromhex(RFC["plain"]), bytes.fromhex(RFC["point"])
    hidden = AESGCM(bytes.fromhex(RFC["key"])).encrypt(bytes.fromhex(RFC["nonce"]), plain, b"")
    yield {**RFC, "recipient": point_of(int(RFC["private"], 16)).hex(), "sealed": (found + hidden).hex()}


def _good() -> Iterator[Json]:
    for name in SURVEYS:
        survey = samples()[name]
        for number in range(2, 5):
            answer, own_id = survey.answer(PEOPLE[name], dn.SeededEntropy(number)), bytes(range(number, number + 16))
            private, ephemeral = scalar(f"{name} for all"), scalar(f"{name}, {number}")
            plain = SealedForm.of(survey).write(own_id, answer)
            key, info = point_of(private), info_of(survey.digest, period_of(survey))
            yield {
                "name": f"{name}, {number}", "document": survey.to_json(), "period": period_of(survey),
                "private": f"{private:064x}", "key": write_base64url(key), "id": own_id.hex(), "answer": answer.hex(),
                "info": info.hex(), "plain": plain.hex(), "ephemeral": f"{ephemeral:064x}",
                "sealed": sealed(key, info, plain, ephemeral).hex(),
            }  # fmt: skip


def height(x: int) -> bytes:
    """The second coordinate of a point of the curve that has this first one."""
    y = pow(x**3 - 3 * x + CONSTANT, (PRIME + 1) // 4, PRIME)
    ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()
    return y.to_bytes(32, "big")


def _keys() -> Iterator[Json]:
    point = point_of(scalar("a key"))
    x, y = point[1:33], point[33:]
    text = write_base64url(point)
    wrong = {
        "nothing": "",
        "infinity": write_base64url(b"\0"),
        "infinity in the length of a point": write_base64url(bytes(65)),
        "a point of zeros": write_base64url(b"\4" + bytes(64)),
        "compressed": write_base64url(bytes([2 + y[-1] % 2]) + x),
        "both ways at once": write_base64url(bytes([6 + y[-1] % 2]) + x + y),
        "off the curve": write_base64url(b"\4" + x + y[:-1] + bytes([y[-1] ^ 1])),
        "a coordinate above the field": write_base64url(b"\4" + (PRIME + 5).to_bytes(32, "big") + height(5)),
        "coordinates in the other order": write_base64url(b"\4" + y + x),
        "a byte less": write_base64url(point[:-1]),
        "a byte more": write_base64url(point + b"\0"),
        "without its first byte": write_base64url(point[1:]),
        "of another curve, by its length": write_base64url(bytes(range(32))),
        "padding": text + "=",
        "spare bits": text[:-1] + chr(ord(text[-1]) + 1),
        "the other alphabet": text.replace("-", "+").replace("_", "/"),
        "hexadecimal": point.hex(),
        "a blank behind it": text + " ",
    }
    for why, key in wrong.items():
        yield {"why": why, "key": key}


def _bad() -> Iterator[Json]:
    survey, number, ephemeral = samples()[UNEVEN], scalar("a key"), scalar("a key of its own")
    form, key, period = SealedForm.of(survey), point_of(number), period_of(survey)
    answers = [survey.answer(PEOPLE[UNEVEN], dn.SeededEntropy(seed)) for seed in range(99)]
    short = min(answers, key=len)
    plain, info = form.write(bytes(16), short), info_of(survey.digest, period)
    good = sealed(key, info, plain, ephemeral)

    def with_info(told: bytes) -> bytes:
        return sealed(key, told, plain, ephemeral)

    def with_plain(other: bytes) -> bytes:
        return sealed(key, info, other, ephemeral)

    wrong = {
        "nothing": b"",
        "a point alone": good[:65],
        "a byte less": good[:-1],
        "a byte more": good + b"\0",
        "a bit changed": good[:-1] + bytes([good[-1] ^ 1]),
        "another key of its own": point_of(number) + good[65:],
        "a key of its own off the curve": good[:64] + bytes([good[64] ^ 1]) + good[65:],
        "a key of its own at infinity": bytes(65) + good[65:],
        "for another key": sealed(point_of(scalar("another")), info, plain, ephemeral),
        "for another survey": with_info(info_of(hashlib.sha256(b"another").hexdigest(), period)),
        "for another period": with_info(info_of(survey.digest, "2026-08-02")),
        "for no period": with_info(info_of(survey.digest, "")),
        "for another protocol": with_info(info.replace(b"crowd 1", b"crowd 2")),
        "for nothing": with_info(b""),
        "sealed in another length, a byte less": with_plain(plain[:-1]),
        "sealed in another length, a byte more": with_plain(plain + b"\0"),
        "an id alone": with_plain(plain[:16]),
        "a last zero that is not one": with_plain(plain[:-1] + b"\1"),
        "a first zero that is not one": with_plain((plain[: 16 + len(short)] + b"\1").ljust(form.plain, b"\0")),
        "an arm that is not there": with_plain(plain[:16] + b"\xff\xff" + plain[18:]),
    }
    for why, body in wrong.items():
        yield {
            "why": why, "digest": survey.digest, "head": form.head, "lengths": list(form.lengths), "period": period,
            "private": f"{number:064x}", "sealed": body.hex(),
        }  # fmt: skip


def crowds() -> dict[str, list[Json]]:
    """The sections of the file."""
    return {"rfc": list(_rfc()), "good": list(_good()), "keys": list(_keys()), "bad": list(_bad())}
