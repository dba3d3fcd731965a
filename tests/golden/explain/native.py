# Everything moves.
import numpy as np


class Box:
    def __init__(self):
        self.size = 2
        self.data = np.zeros((2, 3))
        self.data[0] = np.arange(3.0)


# Loops become one update.
def squares(n, scale=1.0):
    found = np.zeros(n)
    for i in range(n):
        found[i] = scale * i**2
    middle = np.median(found)
    return found - middle
