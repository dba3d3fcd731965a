"""The functional stage: stores into arrays become values that are bound again, still on NumPy."""
