"""Passes: pure functions from the facts of one file to decisions."""
