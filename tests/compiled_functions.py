"""NumPy functions with loops, which the tests of compiled forms translate; `compiled_inputs` has their arguments."""

# ruff: noqa: B905, N803, N806, PERF401, SIM108 - written as users write

import numpy as np


def recurrence(x):
    y = np.zeros(len(x))
    for i in range(1, len(x)):
        y[i] = 0.9 * y[i - 1] + x[i] / 7
    return y


def solved(L, b):
    x = np.zeros(len(b))
    for i in range(len(b)):
        x[i] = (b[i] - L[i, :i] @ x[:i]) / L[i, i]
    return x


def heat(u: np.ndarray, steps):
    for _ in range(steps):
        u[1:-1] += 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])
    return u


def windows(x, width):
    out = np.empty(len(x) - width + 1)
    for i in range(len(out)):
        out[i] = np.mean(x[i : i + width])
    return out


def shells(x, radius, count):
    means = np.zeros(count)
    for i in range(count):
        means[i] = x[(radius >= i / count) & (radius < (i + 1) / count)].mean()
    return means


def escape(limit, size):
    C = np.linspace(-2, 0.5, size) + np.linspace(-1, 1, size)[:, None] * 1j
    Z = np.zeros(C.shape, dtype=np.complex128)
    N = np.zeros(C.shape, dtype=np.int64)
    for n in range(limit):
        inside = abs(Z) < 2.0
        N[inside] = n
        Z[inside] = Z[inside] ** 2 + C[inside]
    return N


def root(a, tolerance):
    x = a
    change = 1
    count = 0
    while change > tolerance:
        new = 0.5 * (x + a / x)
        change = np.max(np.abs(new - x))
        x = new
        count += 1
    return x, count


def first_above(x, limit):
    for i in range(len(x)):
        if x[i] > limit:
            return i, x[i]
    return -1, x[0]


def left_early(x):
    total = 0.0
    for i in range(len(x)):
        if x[i] < 0.2:
            continue
        if total > 2.0:
            break
        total += x[i]
    return total


def checksum(data):
    crc = 0xFFFF
    for byte in data:
        part = 0xFF & byte
        for _ in range(8):
            if (crc & 1) ^ (part & 1):
                crc = (crc >> 1) ^ 0x8408
            else:
                crc >>= 1
            part >>= 1
    return crc


def paired(seq):
    n = len(seq)
    table = np.zeros((n, n), np.int32)
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            table[i, j] = max(table[i, j - 1], table[i + 1, j])
            if seq[i] + seq[j] == 3:
                table[i, j] = max(table[i, j], table[i + 1, j - 1] + 1)
            for k in range(i + 1, j):
                table[i, j] = max(table[i, j], table[i, k] + table[k + 1, j])
    return table


def weighted_rows(A, w):
    total = 0.0
    longest = 0.0
    for i, (row, weight) in enumerate(zip(A, w)):
        length = np.sqrt((row * row).sum())
        longest = max(longest, length)
        total += i * weight * length
    return total, longest


def followed(x, links):
    place = 0
    total = 0.0
    for _ in range(len(x)):
        place = int(links[place])
        total += x[place]
    return total


def absorbed(x):
    """The large number takes the small one's digits, in this order only."""
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = (x[i] + 1e16) - 1e16
    return out


def single(x):
    scale = 0.5
    total = np.float32(0)
    for i in range(len(x)):
        scale = scale * 0.99
        total += x[i] * scale
    return total


def powers(x):
    """An integer of Python that outgrows 64 bits."""
    large = 1
    out = np.zeros(len(x))
    for i in range(len(x)):
        large = large * 7919
        out[i] = x[i] * (large % 1000)
    return out


def collected(x):
    rows = []
    for i in range(len(x)):
        rows.append(x * x[i])
    return np.array(rows)


def widened(x, y):
    s = 0
    for i in range(len(x)):
        if x[i] > 0.8:
            if y[i] > 0.5:
                s = 1.5
            else:
                s = i
        elif y[i] < 0.1:
            s = x[i]
    return s


def chosen(x, y):
    t = 0.0
    for i in range(len(x)):
        v = x[i] if x[i] > 0.3 else 0
        t += v * (1 if y[i] > 0.6 else 2.5)
    return t, v


def clipped(x, y):
    s = 0
    for i in range(len(x)):
        s = max(0, s + x[i] - y[i])
    return s


def flagged(x, y):
    flag = False
    n = 0
    for i in range(len(x)):
        flag = 0.2 < x[i] < 0.7 and (y[i] > 0.3 or n > 3)
        ok = not flag
        if flag:
            n += 1
        m = n > 2 and n < 5
    return flag, n, ok, m


def numbered(x, y):
    s = 0
    for i, (u, v) in enumerate(zip(x, y)):
        s += u - v
        s = i
    return s


def directed(x, y):
    total = np.zeros(len(x))
    for weight, shift in zip(y, np.arange(len(y)) % 3):
        total += weight * x[shift]
    return total


class Oscillator:
    """Keeps arrays, which its method reads."""

    def __init__(self, stiffness, mass):
        self.stiffness = stiffness
        self.mass = mass

    def force(self, x):
        return -self.stiffness @ x / self.mass

    def moved(self, x, v, steps):
        for _ in range(steps):
            v = v + 0.01 * self.force(x)
            x = x + 0.01 * v
        return x, v


def noisy(steps):
    x = np.zeros(steps)
    for i in range(1, steps):
        x[i] = 0.9 * x[i - 1] + np.random.randn()
    return x


def shown(x):
    for i in range(len(x)):
        print(x[i] + 1)


def guarded(x):
    total = 0.0
    for i in range(len(x)):
        try:
            total += 1 / x[i]
        except ZeroDivisionError:
            total += 1
    return total


def small(x):
    return x + 1


def decided(x, y):
    total = 0.0
    for i in range(len(x)):
        total += x[i] * y[i]
    same = np.sum([x[j] * y[j] for j in range(len(x))])
    found = np.zeros(3)
    if total < same:
        found[0] = 1.0
    if same < total:
        found[1] = 1.0
    found[2] = int(7 * np.sum(x * y) / np.dot(x, y))
    return found


def off_the_end(x, limit):
    i = 0
    passed = np.zeros(len(x))
    while x[i] < limit:
        passed = passed + x * x[i]
        i += 1
    return passed


def levels(x, count):
    kept = []
    for k in range(count):
        x = 0.5 * (x[::2] + x[1::2]) * 2**k
        kept.append(x[0])
    return np.array(kept), x


def leading(x, steps):
    for _ in range(steps):
        u, s, vt = np.linalg.svd(x, full_matrices=False)
        x = (u * np.sqrt(s)) @ vt
    return x


def through_places(weights, places, steps):
    found = np.zeros((3, 4))
    for k in range(steps):
        place = places[k % len(places)]
        found[place][k % 2] += weights[k]
        found[place][1:] *= 0.75
    return found
