"""Proof by the user's own program: record what functions are called with, replay the calls, compare.

What runs inside the user's processes is in `proof/inside/`; it needs NumPy, and nothing else of the translator.
"""
