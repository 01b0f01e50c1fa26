"""Compiled loops on plain arrays; each has a slow readable twin in tests/kernels/."""
