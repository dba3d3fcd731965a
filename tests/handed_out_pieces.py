"""All holders of stored memory by kind, and the imports that their text wants."""

from handed_out_bound_late import BOUND_LATE
from handed_out_callables import CALLABLES
from handed_out_classes import CLASSES
from handed_out_functions import FUNCTIONS
from handed_out_left_behind import LEFT_BEHIND
from handed_out_names import NAMES
from handed_out_records import RECORDED
from handed_out_resumed import RESUMED
from handed_out_two_places import TWO_PLACES
from handed_out_unwrapped import UNWRAPPED
from handed_out_views import VIEWED

HOLDERS = {**CLASSES, **NAMES, **FUNCTIONS, **CALLABLES, **TWO_PLACES, **LEFT_BEHIND, **RECORDED, **UNWRAPPED}
HOLDERS |= BOUND_LATE | RESUMED | VIEWED
IMPORTS = {
    "argparse.": "import argparse",
    "asyncio.": "import asyncio",
    "contextlib.": "import contextlib",
    "contextvars.": "import contextvars",
    "futures.": "from concurrent import futures",
    "inspect.": "import inspect",
    "itertools.": "import itertools",
    "operator.": "import operator",
    "sys.": "import sys",
    "threading.": "import threading",
    "types.": "import types",
    "weakref.": "import weakref",
    "chain(": "from itertools import chain",
    "copy.copy(": "import copy",
    "@contextmanager": "from contextlib import contextmanager",
    "reduce(": "from functools import reduce",
    "cached_property": "from functools import cached_property",
    "defaultdict(": "from collections import defaultdict",
    "islice(": "from itertools import islice",
    "deque(": "from collections import deque",
    "namedtuple(": "from collections import namedtuple",
    "@cache\n": "from functools import cache",
    "@lru_cache": "from functools import lru_cache",
    "functools.": "import functools",
    "partial(": "from functools import partial",
    "@dataclass": "from dataclasses import dataclass, field",
    " replace(": "from dataclasses import replace",
    "NamedTuple)": "from typing import NamedTuple",
    "SimpleNamespace)": "from types import SimpleNamespace",
    "SimpleNamespace(": "from types import SimpleNamespace",
    "heappush(": "from heapq import heappush",
    "Thread(": "from threading import Thread",
    "itemgetter(": "from operator import itemgetter",
    "attrgetter(": "from operator import attrgetter",
    "random.sample(": "import random",
}
