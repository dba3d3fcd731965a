"""Tables of NumPy: a qualified name in, out what it gives (kind, dtype, rank), shares, writes, takes and becomes.

The rules are read here as text, and the measured signatures and public names of all versions stand in `data`.
"""
