"""Mechanisms of plain LDP, which treat all labels alike."""
