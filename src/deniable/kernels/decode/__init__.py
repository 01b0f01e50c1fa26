"""Compiled decoding: transforms, inversions and exact tails."""
