import numpy as np
from chain import fill


def reset(cells):
    """Give back what it is passed."""
    fill(cells, 0.0)
    return cells


def main():
    x = np.ones(3)
    y = reset(x)
    fill(x, 2.0)
    return y
