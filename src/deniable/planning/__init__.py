"""Which mechanism, how many users, what it costs."""
