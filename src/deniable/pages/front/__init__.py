"""The list of all surveys: its rows, and what on it needs a look first."""
