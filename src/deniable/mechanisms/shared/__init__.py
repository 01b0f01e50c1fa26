"""Helpers that several families of mechanisms share: limits, candidates, noise, Hadamard halves."""
