"""Planning a survey: which mechanism, how many users, what accuracy."""
