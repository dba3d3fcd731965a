"""Classes of NumPy code whose methods store attributes, which tests of outlined blocks translate; `CALLS` calls them.

Each call gives what the attributes hold in the end.
"""

# ruff: noqa: N803, N806 - written as users write

import numpy as np


class Filter:
    """A Kalman filter whose inverse can be exchanged."""

    def __init__(self, n):
        self.x, self.P = np.zeros(n), np.eye(n)
        self.F = np.eye(n) + 0.1 * np.eye(n, k=1)
        self.Q, self.H, self.R = 0.01 * np.eye(n), np.eye(n)[:2], 0.5 * np.eye(2)
        self.S = None
        self.inv = np.linalg.inv
        self._likely = None

    def predict(self, F=None):
        """Predict."""
        if F is None:
            F = self.F
        # the state
        self.x = F @ self.x
        self.P = F @ self.P @ F.T + self.Q
        self.x_prior = self.x.copy()

    def update(self, z):
        self._likely = None
        if z is None:
            self.S = None
            return
        y = z - self.H @ self.x  # the residual
        PHT = self.P @ self.H.T
        self.S = self.H @ PHT + self.R
        SI = self.inv(self.S)
        K = PHT @ SI
        self.x = self.x + K @ y
        self.P = (np.eye(len(self.x)) - K @ self.H) @ self.P
        self.residual = y


def filtered(zs):
    one = Filter(4)
    for z in zs:
        one.predict()
        one.update(z)
    one.update(None)
    one.predict(np.eye(4))
    return one.x, one.P, one.x_prior, one.residual


def force(place, out):
    out[:] = -2 * place
    out[1:] += place[:-1]
    out[:-1] += place[1:]


class Chain:
    """Masses between springs."""

    def __init__(self, n):
        self.place, self.speed, self.force = np.zeros(n), np.zeros(n), np.zeros(n)
        self.place[n // 2] = 1.0
        self.damping = 0.1

    def step(self, dt):
        force(self.place, out=self.force)
        self.force -= self.damping * self.speed
        self.speed += dt * self.force
        self.place += dt * self.speed


def oscillated(steps):
    chain = Chain(6)
    for _ in range(steps):
        chain.step(0.1)
    return chain.place, chain.speed, chain.force


def descended(A, b):
    A, b = np.array(A), np.array(b)
    x = np.zeros(3)
    history = []
    for _ in range(8):
        error = A @ x - b
        slope = A.T @ error
        x = x - 0.001 * slope
        loss = 0.5 * (error * error).sum()
        history.append(float(loss))
        print(len(history))
    return x, history


class Clock:
    """Counts its time, which is another number at each call."""

    def __init__(self, n):
        self.t = 0.0
        self.x = np.zeros(n)

    def tick(self):
        self.t += 0.1
        self.x = np.sin(self.x + self.t) + np.cos(self.x) * np.exp(-self.x) / 3


def clocked(steps):
    clock = Clock(3)
    for _ in range(steps):
        clock.tick()
    return clock.x, clock.t


class Timed:
    """Has attributes that are called as functions and modules are."""

    def __init__(self, n):
        self.tf, self.max, self._x, self.x = 2.0, 0.5, np.ones(n), np.zeros(n)

    def cool(self):
        self._x = np.cos(self._x) / max(self.tf, 1) + self.max * np.exp(-self._x)
        self.x = self._x + 0.5 * self.x


def timed(steps):
    one = Timed(3)
    for _ in range(steps):
        one.cool()
    return one.x, one._x


class Checked:
    """Looks at what is stored."""

    def __init__(self, n):
        self.x = np.ones(n)
        self.stored = 0

    def __setattr__(self, name, value):
        self.__dict__[name] = value
        self.__dict__["stored"] = self.__dict__.get("stored", 0) + 1

    def advance(self):
        y = np.sin(self.x) + np.cos(self.x) * np.exp(-self.x) / 3
        self.x = y - y.mean()


def checked(steps):
    one = Checked(3)
    for _ in range(steps):
        one.advance()
    return one.x, one.stored


class Derived:
    """Computes an attribute."""

    def __init__(self, n):
        self.x = np.ones(n)

    @property
    def scale(self):
        return self.x.sum()

    def shrink(self):
        y = np.sin(self.x) + np.cos(self.x) * np.exp(-self.x) / (2 + self.scale)
        self.x = y - y.mean()


def derived(steps):
    one = Derived(3)
    for _ in range(steps):
        one.shrink()
    return (one.x,)


class Late:
    """Has an attribute only once something happened."""

    def __init__(self, n):
        self.x = np.ones(n)

    def heat(self, hot):
        y = np.sin(self.x) + np.cos(self.x) * np.exp(-self.x) / 3
        if hot:
            self.best = y + 1
        self.x = y - y.mean()


def late(steps):
    one = Late(3)
    for step in range(steps):
        one.heat(step > 2)
    return one.x, one.best if steps > 3 else one.x


class Shared:
    """Keeps one array in two places."""

    def __init__(self, n):
        self.x = np.ones(n)
        self.first = self.x

    def halve(self):
        y = np.sin(self.x) + np.cos(self.x) * np.exp(-self.x) / 3
        self.x += y
        self.x *= 0.5


def shared(steps):
    one = Shared(3)
    for _ in range(steps):
        one.halve()
    return one.x, one.first


class Small:
    """Does too little."""

    def __init__(self, n):
        self.x = np.ones(n)

    def nudge(self):
        self.x = np.sin(self.x) + 1


def small(steps):
    one = Small(3)
    for _ in range(steps):
        one.nudge()
    return (one.x,)


class Spoken:
    """Tells and draws between what it computes."""

    def __init__(self, n):
        self.x = np.ones(n)
        self.rng = np.random.default_rng(2)

    def speak(self):
        y = np.sin(self.x) + np.cos(self.x) * np.exp(-self.x) / 3
        self.x = y - y.mean() + self.rng.random(len(self.x))
        print("half")
        self.y = np.tanh(self.x) * np.sqrt(np.abs(self.x)) + np.exp(-self.x) / 2


def spoken(steps):
    one = Spoken(3)
    for _ in range(steps):
        one.speak()
    return one.x, one.y


class Failing:
    """Is tried."""

    def __init__(self, n):
        self.x = np.ones(n)
        self.A = np.zeros((n, n))

    def attempt(self):
        try:
            y = np.sin(self.x) + np.cos(self.x) * np.exp(-self.x) / 3
            self.x = y - 1
            self.x = np.linalg.solve(self.A, y)
        except np.linalg.LinAlgError:
            self.x = self.x * 2


def failing(steps):
    one = Failing(3)
    for _ in range(steps):
        one.attempt()
    return (one.x,)


def by_counter(A):
    A = np.array(A)
    x, seen = np.zeros(3), []
    for i in range(len(A)):
        x = np.sin(x) + np.cos(x) * np.exp(-x) / (1 + i)
        x = x + A[i]
        seen.append(float(x[0]))
        print(len(seen))
    return x, seen


_A = np.arange(24.0).reshape(8, 3) % 5
CALLS = {
    "filtered": (np.linspace(0, 1, 12).reshape(6, 2),),
    "oscillated": (9,),
    "descended": (_A, np.arange(8.0)),
    "clocked": (5,),
    "timed": (5,),
    "checked": (5,),
    "derived": (5,),
    "late": (5,),
    "shared": (5,),
    "small": (5,),
    "spoken": (5,),
    "failing": (2,),
    "by_counter": (_A,),
}
