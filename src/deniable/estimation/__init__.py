"""From counts to a distribution: decoders, likelihood, exact intervals and the estimate that users read."""
