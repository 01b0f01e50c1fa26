"""What people see of a collector in a browser: authors, the persons asked, readers of results."""
