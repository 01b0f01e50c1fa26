"""Mechanisms that know what is sensitive."""
