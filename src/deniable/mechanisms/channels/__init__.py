"""Mechanisms whose channel is written out."""
