"""Rules: what each NumPy name becomes on TensorFlow, as functions that run and that are read as text."""
