"""Proof that a mechanism keeps its word: exactly from its channel, and as a black box from its samples."""
