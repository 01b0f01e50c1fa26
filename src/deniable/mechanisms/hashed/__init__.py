"""Mechanisms that hash their values, for open alphabets and closed ones."""
