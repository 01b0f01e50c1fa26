"""The mixer over HTTP: the routes of devices, and those of its operator."""
