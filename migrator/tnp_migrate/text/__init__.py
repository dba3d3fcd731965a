"""Files as bytes: paths in, `Source` with spans and edits out, written back whole or not at all.

Which files a run works on is found here, and copied for `--out-dir`. Nothing here knows Python's meaning or NumPy.
"""
