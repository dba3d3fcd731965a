import numpy as np
from numba import njit


@njit
def fill(a, v):
    for i in range(len(a)):
        a[i] = v


class Grid:
    def __init__(self, n):
        self.cells = np.zeros(n)

    def reset(self):
        fill(self.cells, 0.0)

    def clear(self):
        self.reset()
        return self
