"""The values that people may hold: closed domains of labels, and any text."""
