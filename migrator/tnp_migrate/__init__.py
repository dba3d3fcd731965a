"""Rewrite NumPy programs for TensorFlow's NumPy API."""

__version__ = "0.1.0"
