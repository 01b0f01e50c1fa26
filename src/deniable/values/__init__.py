"""What can be asked: closed domains of labels, and any text."""
