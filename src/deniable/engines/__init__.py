"""Whole columns and surveys: files, clusters, simulation and discovery."""
