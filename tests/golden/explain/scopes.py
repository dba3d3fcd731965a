import numpy as np

TABLE = np.zeros(4)


def counter(start):
    seen = np.zeros(3) + start

    def count(k):
        seen[k] += 1

    return count, seen


def lookup(i, table=TABLE):
    # The default is the global.
    return table[i:]
