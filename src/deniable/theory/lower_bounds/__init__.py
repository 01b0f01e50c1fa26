"""What no mechanism can do better."""
