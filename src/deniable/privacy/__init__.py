"""Privacy guarantees in exact arithmetic, the odds that keep them, and the randomness that they rely on."""
