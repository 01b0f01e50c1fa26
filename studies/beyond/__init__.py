"""Our own comparison of all mechanisms: error, bits and time."""
