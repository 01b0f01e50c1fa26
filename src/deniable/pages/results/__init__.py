"""What a result page says of a tally, as plain values: rows, sentences, warnings."""
