"""The functional stage: writes to arrays in, out decisions that bind new values instead, still on NumPy.

Who holds the array, which form the write takes, what becomes of loops and calls; or a refusal that says why.
"""
