"""Diagnostics 3xx of writes to arrays: what became a value, what stays on NumPy for it."""

from __future__ import annotations

from tnp_migrate.diagnostics.codes.entry import Code

MUTATION = (
    Code(
        "TNP301",
        "function stays on NumPy as an island, because it mutates arrays",
        "warning",
        "likely",
        "medium",
        meaning="Writes to arrays become values that are bound again: `a[k] = v` becomes `a = index_update(a, k, v)`. "
        "In this function that would not be sound. It stays NumPy behind the `island` decorator, which converts "
        "tensors on the way in and results on the way out. The message says what is in the way, and names the line of "
        "the write and, where there is one, the line that it conflicts with. Functions that share arrays with an "
        "island, or call one that writes to its argument, can become islands too.",
        why="Tensors are values: a write reaches only the names that are bound again. It would be lost, or seen at the "
        "wrong time, by a list, a generator's consumer or another argument that may hold the same array. Some writes, "
        "such as an assignment to `.dtype`, have no functional form.",
        before="""\
def history(steps):
    state, seen = np.zeros(9), []
    for step in range(steps):
        state[step % 9] = step
        seen.append(state)
    return seen
""",
        after="""\
@tnh.island
def history(steps):
    state, seen = np.zeros(9), []
    for step in range(steps):
        state[step % 9] = step
        seen.append(state)
    return seen
""",
        advice="See where the arrays come from that the function writes to. What it makes itself, or gets as an "
        "ndarray, is written to as in NumPy; for scalar loops over small arrays an island is also the fastest form. "
        "What translated code hands it, such as the result of a getter or an attribute of another object, is a tensor "
        "there and a copy here: a write to it changes nothing outside, or raises. To move the function to the device, "
        "keep one holder for each array that is written to: with `seen.append(state.copy())` the tool translates this "
        "one. (The numbers change then: as written, the list holds one array many times.)",
    ),
    Code(
        "TNP302",
        "island changes an argument of its caller",
        "warning",
        "likely",
        "medium",
        meaning="The function writes into a parameter and stays on NumPy, for the reason that TNP301 gives at the same "
        "place. Its callers must pass ndarrays that they keep. Callers that the analysis found became islands too; "
        "another one that passes a tensor raises. Where it may have made a copy before it writes "
        "(`if copy: x = x.copy()`), callers that do not say `copy=False` are translated: the call raises if what it "
        "passes is a tensor, and would change.",
        why="An island works on a copy when it gets a tensor: the write would not reach the caller. Only an ndarray is "
        "shared.",
        before="""\
def keep_largest(state, seen):
    seen.append(state)
    state[state < np.max(state)] = 0


def run(n):
    state, seen = np.random.rand(n), []
    keep_largest(state, seen)
    return state, seen
""",
        after="""\
@tnh.island(mutates=("state",))
def keep_largest(state, seen):
    seen.append(state)
    state[state < np.max(state)] = 0


@tnh.island
def run(n):
    state, seen = np.random.rand(n), []
    keep_largest(state, seen)
    return state, seen
""",
        advice="Remove what TNP301 names (here: append a copy), so that the function can return its argument instead "
        "(TNP310), and run the tool again. Or return the new array by hand and assign it where the function is called. "
        "Callers outside the project pass an ndarray as long as it is an island.",
    ),
    Code(
        "TNP306",
        "stays on NumPy as an island, because of another that has its arrays",
        "warning",
        "likely",
        "high",
        meaning="The function shares arrays with one that stays on NumPy and writes to them, or with a method of its "
        "class that does; or it uses an attribute whose array something else holds. It stays NumPy behind a boundary, "
        "too; the message names the other, or the attribute and what else holds its array. The other's own finding, "
        "TNP301 for the most part, says what to mend: these go with it. An attribute that nobody else holds is "
        "translated: `self.x[i] = v` becomes `self.x = index_update(self.x, i, v)`.",
        why="What writes to an array on NumPy shows it to all who have the array; a tensor is a copy that does not "
        "change. If one of two functions that share an array were translated, the two would have arrays that drift "
        "apart.",
        before="""\
class Trace:
    def __init__(self, n):
        self.data = np.zeros(n)
        self.kept = []

    def push(self, value):
        self.data[0] = value
        self.kept.append(self.data)
""",
        after="""\
class Trace:
    @tnh.island
    def __init__(self, n):
        self.data = np.zeros(n)
        self.kept = []

    @tnh.island
    def push(self, value):
        self.data[0] = value
        self.kept.append(self.data)
""",
        advice="Keep one owner for each array: with `append(self.data.copy())` the tool translates this class. That is "
        "right where nobody relies on seeing later writes. Then run the tool again.",
    ),
    Code(
        "TNP308",
        "module-level code stays on NumPy, because it mutates arrays",
        "warning",
        "likely",
        "low",
        meaning="Statements outside any function write into arrays in a way that has no sound functional form. They "
        "stay NumPy, all of the module's; its functions are translated. The message says what is in the way.",
        why="Only a function can be an island: module-level names are visible to other modules, which may hold the "
        "same array.",
        before="""\
window = np.zeros(64)
seen = [window]
for gain in range(3):
    window[gain] = gain
    seen.append(window)


def total(x):
    return np.sum(x)
""",
        after="""\
window = np.zeros(64)
seen = [window]
for gain in range(3):
    window[gain] = gain
    seen.append(window)


def total(x):
    return tnp.sum(x)
""",
        advice="Move the statements into a function that returns the finished arrays, or remove what the message names "
        "(here: append a copy). The names hold ndarrays: functions that are translated take them as they take any "
        "ndarray.",
    ),
    Code(
        "TNP310",
        "function now returns the array that it used to change",
        "warning",
        "likely",
        "low",
        meaning="The function wrote into its parameter. Now it returns the new value, behind the result that it had, "
        "and the calls in this project assign it. Callers elsewhere have to do so too, also where the function has "
        "returned the array before.",
        why="A tensor cannot be changed in place, so the caller's array no longer changes by itself. (An ndarray still "
        "does: the helpers write into it and give it back.)",
        before="""\
def normalise(weights):
    total = weights.sum()
    weights /= total
    return total


def blend(images):
    weights = np.ones(len(images))
    total = normalise(weights)
    return np.tensordot(weights, images, 1) * total
""",
        after="""\
def normalise(weights):
    total = weights.sum()
    weights = tnh.in_place(weights, weights / total)
    return total, weights


def blend(images):
    weights = tnp.ones(len(images))
    total, weights = normalise(weights)
    return tnh.tensordot(weights, images, 1) * total
""",
        advice="Tell users of the function: `t = f(a)` becomes `t, a = f(a)`, and `f(a)` without a result becomes "
        "`a = f(a)`. The message names the parameters in their order.",
    ),
    Code(
        "TNP315",
        "operation in place on what may be an array that others hold",
        "warning",
        "manual",
        "low",
        meaning="`x -= d` on what may be an array or a number, by all that the project shows: a parameter, an "
        "attribute, an item of a container or a variable of the module.",
        why="NumPy changes the array in place, for all that hold it. A tensor is bound anew instead: the others keep "
        "the old one.",
        before="""\
def centred(x, middle):
    x -= middle
    return np.sqrt(np.sum(x**2))
""",
        after="""\
def centred(x, middle):
    x = x - middle
    return tnp.sqrt(tnp.sum(x**2))
""",
        advice="Where others count on the change, return the array as well, or put it back where it was taken from. "
        "Where they do not, write `x = x - d`, or annotate the parameter (`x: float`, `x: np.ndarray`): the tool then "
        "knows.",
    ),
    Code(
        "TNP316",
        "returned array no longer changes with its object",
        "warning",
        "manual",
        "low",
        meaning="A method returns an attribute that another one writes to. The calls in this project use the array "
        "before it changes; callers elsewhere may hold on to it.",
        why="NumPy hands out the array itself, which shows every later write. A tensor is what it was when it was "
        "returned: the object is given a new one.",
        before="""\
class Walk:
    def __init__(self):
        self.at = np.zeros(2)

    def position(self):
        return self.at

    def step(self):
        self.at[0] += 1
""",
        after="""\
class Walk:
    def __init__(self):
        self.at = tnp.zeros(2)

    def position(self):
        return self.at

    def step(self):
        self.at = tnh.index_add(self.at, 0, 1)
""",
        advice="Ask the object again after it has changed. Code that copied the array, to keep the value of that "
        "moment, needs the copy no longer.",
    ),
    Code(
        "TNP322",
        "array that an object was given no longer changes with it",
        "warning",
        "manual",
        "low",
        meaning="A constructor, or another method, keeps an argument in an attribute, and the object writes to that. "
        "No call in this project uses the array that it has passed after the object has changed it; callers "
        "elsewhere may.",
        why="In NumPy the object and its caller have one array, so that the caller's changes, too. A tensor is what "
        "it was when it was passed: the object is given a new one.",
        before="""\
class Filter:
    def __init__(self, state):
        self.state = state

    def update(self, gain):
        self.state += gain
""",
        after="""\
class Filter:
    def __init__(self, state):
        self.state = state

    def update(self, gain):
        self.state = tnh.in_place(self.state, self.state + gain)
""",
        advice="Mostly the change of the caller's array is a mistake that the tensor does not make. A caller that "
        "counts on it asks the object for its attribute.",
    ),
    Code(
        "TNP318",
        "write that may be to the caller's array",
        "warning",
        "manual",
        "low",
        meaning="The function writes to an array that may be the one that its caller passed: after "
        "`x = np.asarray(x)`, `if copy: x = x.copy()` or `if out is None: out = np.empty(n)`. No call in this project "
        "reads the array after.",
        why="NumPy changes the caller's array where it is the same one. A tensor is bound anew: the caller's stays.",
        before="""\
def clipped(x, low):
    x = np.asarray(x, dtype=float)
    x[x < low] = low
    return x
""",
        after="""\
def clipped(x, low):
    x = tnp.asarray(x, dtype=tnp.float64)
    x = tnh.index_update(x, x < low, low)
    return x
""",
        advice="Mostly the change of the caller's array is a mistake that the tensor does not make. A caller outside "
        "this project that counts on it takes the result instead.",
    ),
    Code(
        "TNP319",
        "write of which it is not known what else has the array",
        "warning",
        "manual",
        "medium",
        meaning="Arrays and objects of more than 16 kinds stand in one container or under one name, or a call may run "
        "any of more than 16 functions. What has such an array is not followed any further.",
        why="NumPy changes the array for all that hold it. A tensor is bound anew: a holder that was not found keeps "
        "the old one.",
        before="""\
for name in NAMES:
    STEPS[name](state)
""",
        after="""\
for name in NAMES:
    STEPS[name](state)
""",
        advice="Look for what else holds the array: where something does, let the function return it and put it there. "
        "Containers for arrays that hold nothing else, and annotations, tell the tool more.",
    ),
)
