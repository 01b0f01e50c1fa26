"""What the library does with each kind of question: how it is planned, what error to expect, how it is estimated."""
