"""What takes answers, whoever they are for: each at most once, and none lost that was acknowledged."""
