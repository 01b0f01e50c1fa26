"""Where a server keeps what it took: one protocol, and SQLite and PostgreSQL behind it."""
