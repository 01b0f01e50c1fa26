"""What is promised: guarantees, tested on exact weights, and what several of them promise together."""
