"""Surveys: one document from question to result."""
