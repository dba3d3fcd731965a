import numpy as np

state = np.zeros(3)
state[0] = 1  #! state


def stores(a: np.ndarray, k, v):
    a[0] = v  #! a
    a[k] += v  #! a
    a[:, 0], a[1] = v, v  #! a
    a.T[0] = v  #! a
    a.reshape(-1)[k] = v  #! a
    a.flat[0] = v  #! a
    a.shape = (2, 3)  #! a
    a.real = 0  #! a
    a[0][1] = v  #! a


def views(a: np.ndarray):
    b = a[1:]
    b[0] = 1  #! a, b
    c = np.transpose(a)
    c[0] = 1  #! a, c
    for row in a:
        row[0] = 1  #! a, row
    d = a.copy()
    d[0] = 1  #! d


def counter_that_was_a_parameter(i, a: np.ndarray):
    for i, row in enumerate(a):
        row[0] = i  #! a, row


def methods(a: np.ndarray, b: np.ndarray):
    a.sort()  #! a
    a.fill(0)  #! a
    np.copyto(a, b)  #! a
    np.fill_diagonal(a, 0)  #! a
    np.add.at(a, [0], 1)  #! a
    np.multiply(a, 2, out=b)  #! b
    np.multiply(a, 2, b)  #! b
    np.divmod(a, 2, out=(a, b))  #! a, b
    a.sum(axis=0, out=b)  #! b
    np.random.shuffle(a)  #! a
    np.multiply(a, 2, out=None)


def augmented(a: np.ndarray):
    a += 1  #! a
    x = np.zeros(3)
    x += 1  #! x
    y = x
    y += 1  #! x, y
    return x


def kept(results):
    x = np.zeros(3)
    results.append(x)
    x += 1  #! x
    return results


def writer(a: np.ndarray):
    a[0] = 1  #! a


def caller():
    x = np.zeros(3)
    writer(x)  #! x
    writer(x[1:])  #! x
    writer(x + 1)  #! -
    return x


def unknown(thing, k):
    thing[k] = 1  #! thing
    thing[k, :] = 1  #! thing
    thing[thing > 0] = 1  #! thing


class Model:
    def __init__(self, n):
        self.w = np.zeros(n)

    def step(self):
        self.w[0] = 1  #! Model.w
        self.w += 1  #! Model.w
