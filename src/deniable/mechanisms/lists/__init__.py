"""Mechanisms for checklists: each person holds a list of labels, maybe none."""
