"""What runs inside the user's processes: the recorder, and the replay. Imports the standard library and NumPy only."""
