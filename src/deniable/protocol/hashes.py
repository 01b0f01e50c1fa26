"""How texts and labels become symbols of cohorts; see wire/hashes.md."""

from __future__ import annotations

import hashlib
import hmac

from .words import WORD


def base(key: str, text: str) -> int:
    """The 64 bits from which all symbols of a text follow, under the key of a survey."""
    return int.from_bytes(hmac.new(key.encode(), text.encode(), hashlib.sha256).digest()[:8], "little")


def split_mix(seed: int, k: int) -> int:
    """The k-th output of SplitMix64."""
    z = (seed + (k + 1) * 0x9E3779B97F4A7C15) % WORD
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % WORD
    z = (z ^ z >> 27) * 0x94D049BB133111EB % WORD
    return z ^ z >> 31


def hash_symbol(seed: int, place: int, symbols: int) -> int:
    """The symbol of a base at a place: the number of a cohort, times its hashes, plus that of the hash."""
    return split_mix(seed, place) * symbols >> 64


def dealt(seed: int, labels: int, place: int, symbols: int) -> list[int]:
    """Each label's symbol at a place, as in ``hash_symbol``: labels in a random order, dealt out to symbols in turn."""
    symbol_of = [0] * labels
    for rank, label in enumerate(sorted(range(labels), key=lambda i: (split_mix(seed, place * labels + i), i))):
        symbol_of[label] = rank % symbols
    return symbol_of
