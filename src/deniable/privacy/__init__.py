"""What is promised, in exact arithmetic: odds, entropy, guarantees."""
