"""A survey written in five forms: what was typed, what it means, and what it costs."""
