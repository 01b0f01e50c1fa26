"""Good and bad bytes that every language must agree on, and what writes them: `python -m vectors.make`."""
