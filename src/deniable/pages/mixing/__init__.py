"""The page of whoever runs a mixer."""
