"""Islands: effects, classes and uses in, out the functions that stay on NumPy behind a boundary, each with its reason.

What is written at a boundary is decided in `backend`.
"""
