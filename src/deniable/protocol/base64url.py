"""Bytes as base64url without padding, in the one writing that there is of them (RFC 4648, section 5)."""

from __future__ import annotations

import base64


def write_base64url(body: bytes) -> str:
    """The text of bytes, with spare bits of 0.

    >>> write_base64url(bytes([251, 255]))
    '-_8'
    """
    return base64.urlsafe_b64encode(body).rstrip(b"=").decode()


def read_base64url(text: str) -> bytes | None:
    """The bytes of a text; None unless it is the only writing of them."""
    try:
        body = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:  # a character or a length that is none
        return None
    return body if write_base64url(body) == text else None
