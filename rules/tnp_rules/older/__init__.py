"""Rules that older versions of TensorFlow and NumPy need, in place of those that the newest do with."""
