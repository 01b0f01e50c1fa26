"""Surveys: the document, what it promises, answers as bytes, and what the person asked is told."""
