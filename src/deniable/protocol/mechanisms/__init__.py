"""Every way to randomize a value, one class for each mechanism that a spec may name."""
