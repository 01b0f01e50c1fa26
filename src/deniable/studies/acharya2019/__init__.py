"""The paper acharya2019, run again."""
