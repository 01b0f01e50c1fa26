"""A reproduction of acharya2019 on context-aware local differential privacy."""
