"""Modules that import NumPy at odd places and use it at odd places, drawn at random."""
# ruff: noqa: E501  # a shape a line reads best

from __future__ import annotations

import random

# Ways to bind a name for NumPy, each with the expression that it makes possible afterwards.
IMPORTS = [
    ("import numpy as np", "np.median(np.ones({n}))"),
    ("import numpy", "numpy.linalg.norm(numpy.ones({n}))"),
    ("import os, numpy as np", "np.arange({n}) // 2.0"),
    ("import numpy as np, os", "np.full({n}, 1.5)"),
    ("from numpy import median, ones", "median(ones({n}))"),
    ("from numpy import *", "cumsum(arange({n}))"),
    ("import numpy.linalg as la; from numpy import eye", "la.inv(eye({n}) * 2)"),
    ("import os; import numpy as np", "np.zeros({n}) + 1"),
]
# Around an import: what it stands in.
PLACES = [
    "{line}\n",
    "try:\n    {line}\nexcept ImportError:\n    raise\n",
    "if True:\n    {line}\n",
    "import contextlib\nwith contextlib.suppress(ImportError):\n    {line}\n",
    "for _ in range(1):\n    {line}\n",
    "if __name__ != '':\n    {line}\nelse:\n    {line}\n",
]
# Around an expression: how the module comes to read it, then what the result is called with.
USES = [
    "{name} = {expression}\n",
    "def {name}_():\n    return {expression}\n\n\n{name} = {name}_()\n",
    "def {name}():\n    return {expression}\n\n\n",
    "{name} = lambda: {expression}\n",
    "class {name}_:\n    held = {expression}\n\n    def get(self):\n        return self.held + {expression}\n\n\n{name} = {name}_().get\n",
    "def {name}(x={expression}):\n    return x\n\n\n",
    "{name} = [{expression} for _ in range(2)]\n",
    "if {expression} is not None:\n    {name} = {expression}\n",
    "{name} = {expression}\n{name} += 1\n",
    "{name} = ({expression}).reshape(-1)\n{name}[0:1] = 5\n",
    "def {name}():\n    x = ({expression}).reshape(-1)\n    x[0:1] = 5\n    x[:1] += 1\n    return x\n\n\n",
    "{name} = sum([1, 2], -1), max([1, 2]), abs(-3), round(2.5)\n",
]
INSIDE = "def {name}():\n    {line}\n    return {expression}\n\n\n"
HEADS = [
    "",
    '"""Doc."""\n',
    '"""Doc."""\n\nfrom __future__ import annotations\n',
    "#!/usr/bin/env python\n",
    "tnp = tf = 0\n",
]
ENDS = [
    "",
    "import numpy as np\ndel np\nimport numpy as np\n",
    "import numpy as np\n",
    "from numpy import sum\n",
    "import tensorflow as tf\n",
]


def draw(seed: int) -> str:
    """Write one module with a `run()` that gives all that it has computed."""
    rng = random.Random(seed)
    text, names, ready = rng.choice(HEADS), [], []
    for number in range(rng.randint(2, 4)):
        line, expression = rng.choice(IMPORTS)
        name = f"value_{number}"
        expression = expression.format(n=number + 1)
        if rng.random() < 0.2 and "*" not in line:
            text += INSIDE.format(name=name, line=line, expression=expression)
        elif rng.random() < 0.25:  # a function above the import that it needs
            text += f"def {name}():\n    return {expression}\n\n\n" + rng.choice(PLACES).format(line=line)
            ready.append(expression)
        else:
            text += rng.choice(PLACES).format(line=line)
            ready.append(expression)
            text += rng.choice(USES).format(name=name, expression=rng.choice(ready))
        names.append(name)
    text += rng.choice(ENDS)
    listed = ", ".join(names)
    return f"{text}\n\ndef run():\n    return [one() if callable(one) else one for one in ({listed},)]\n"
