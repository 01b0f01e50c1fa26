"""A device: consent, what has been spent, answers that are drawn once, and how they are sent."""
