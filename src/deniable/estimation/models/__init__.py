"""Regression: how answers that nobody gave away depend on what is known openly of the same people."""
