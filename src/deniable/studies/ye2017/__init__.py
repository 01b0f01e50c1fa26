"""The paper ye2017, run again."""
