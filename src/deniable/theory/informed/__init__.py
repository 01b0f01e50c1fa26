"""Channels and bounds for localized information privacy, with a known prior."""
