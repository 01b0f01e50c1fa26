"""Advice on a survey: designs that tell something, for the people that there are."""
