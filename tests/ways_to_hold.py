"""Ways in which a function may get an array under another name: each binds `b` to the memory of `a`."""

WAYS: dict[str, str] = {
    "fromkeys": """
d = dict.fromkeys(['x'], a)
b = d['x']
""",
    "ordered": """
d = collections.OrderedDict([('x', a)])
b = d['x']
""",
    "chainmap": """
d = collections.ChainMap({}, {'x': a})
b = d['x']
""",
    "defaultdict": """
d = collections.defaultdict(list, {'x': a})
b = d['x']
""",
    "defaultfactory": """
d = collections.defaultdict(lambda: a)
b = d['x']
""",
    "namedtuple": """
P = collections.namedtuple('P', 'x y')
b = P(a, 1).x
""",
    "namedtuple_item": """
P = collections.namedtuple('P', 'x y')
b = P(a, 1)[0]
""",
    "namespace": """
ns = types.SimpleNamespace(x=a)
b = ns.x
""",
    "vars_of_namespace": """
ns = types.SimpleNamespace(x=a)
b = vars(ns)['x']
""",
    "dict_of_namespace": """
ns = types.SimpleNamespace(x=a)
b = ns.__dict__['x']
""",
    "queue": """
q = queue.Queue()
q.put(a)
b = q.get()
""",
    "deque": """
q = collections.deque([a])
b = q[0]
""",
    "list_slice": """
xs = [a, 1]
b = xs[:][0]
""",
    "list_repeated": """
xs = [a] * 2
b = xs[1]
""",
    "list_joined": """
xs = [1] + [a]
b = xs[1]
""",
    "sumlists": """
xs = sum([[a], [1]], [])
b = xs[0]
""",
    "chain": "b = next(itertools.chain([a], []))",
    "from_iterable": "b = next(itertools.chain.from_iterable([[a]]))",
    "repeat": "b = next(itertools.repeat(a))",
    "accumulate": "b = list(itertools.accumulate([a], lambda x, y: y))[0]",
    "tee": """
s, t = itertools.tee([a])
b = next(t)
""",
    "product": "b = list(itertools.product([a], [1]))[0][0]",
    "groupby": "b = [list(g) for k, g in itertools.groupby([a], key=len)][0][0]",
    "nlargest": "b = heapq.nlargest(1, [a], key=len)[0]",
    "max": "b = max([a], key=len)",
    "sorted": "b = sorted([a], key=len)[0]",
    "reversed": "b = list(reversed([a]))[0]",
    "reduce": "b = functools.reduce(lambda x, y: x, [a, 1])",
    "partial": """
f = functools.partial(lambda x: x, a)
b = f()
""",
    "map": "b = list(map(lambda x: x, [a]))[0]",
    "filter": "b = list(filter(lambda x: x is not None, [a]))[0]",
    "zip": "b = list(zip([a], [1]))[0][0]",
    "dictzip": "b = dict(zip(['x'], [a]))['x']",
    "dictcomp": "b = {k: v for k, v in [('x', a)]}['x']",
    "listcomp": "b = [v for v in [a]][0]",
    "genexp": "b = next(v for v in [a])",
    "setdefault": """
d = {}
b = d.setdefault('x', a)
""",
    "pop": """
d = {'x': a}
b = d.pop('x')
""",
    "popitem": """
d = {'x': a}
_, b = d.popitem()
""",
    "get": """
d = {'x': a}
b = d.get('x')
""",
    "dict_merged": """
d = {} | {'x': a}
b = d['x']
""",
    "dict_spread": """
d = {**{'x': a}}
b = d['x']
""",
    "starlist": "b = [*[a]][0]",
    "unpack": "b, c = [a, 1]",
    "starunpack": """
c, *rest = [1, a]
b = rest[0]
""",
    "walrus": "c = len(b := a)",
    "conditional": "b = a if n else None",
    "boolean_or": "b = None or a",
    "match_sequence": """
match [a, 1]:
    case [b, _]:
        pass
""",
    "match_mapping": """
match {'x': a}:
    case {'x': b}:
        pass
""",
    "lambda_default": """
f = lambda x=a: x
b = f()
""",
    "closure": """
f = lambda: a
b = f()
""",
    "inner": """
def inner():
    return a
b = inner()
""",
    "inner_gen": """
def inner():
    yield a
b = next(inner())
""",
    "send": """
def inner():
    x = yield
    yield x
g = inner()
next(g)
b = g.send(a)
""",
    "nullcontext": """
with contextlib.nullcontext(a) as b:
    pass
""",
    "ctxmgr": """
@contextlib.contextmanager
def held(x):
    yield x
with held(a) as b:
    pass
""",
    "attrgetter": """
ns = types.SimpleNamespace(x=a)
b = operator.attrgetter('x')(ns)
""",
    "itemgetter": "b = operator.itemgetter(0)([a])",
    "getitem": "b = operator.getitem([a], 0)",
    "getattr": """
ns = types.SimpleNamespace(x=a)
b = getattr(ns, 'x')
""",
    "type_call": """
T = type('T', (), {'x': a})
b = T.x
""",
    "type_call_instance": """
T = type('T', (), {'x': a})
b = T().x
""",
    "copycopy": "b = copy.copy([a])[0]",
    "asarray": "b = np.asarray(a)",
    "asanyarray": "b = np.asanyarray(a)",
    "array_without_copy": "b = np.array(a, copy=False)",
    "ravel": "b = a.ravel()",
    "reshape": "b = a.reshape(-1)",
    "view": "b = a.view()",
    "squeeze": "b = np.squeeze(a)",
    "atleast": "b = np.atleast_1d(a)",
    "require": "b = np.require(a)",
    "split": "b = np.split(a, 1)[0]",
    "transposed": "b = a.T",
    "ellipsis": "b = a[...]",
    "newaxis": "b = a[None][0]",
    "flatview": "b = a.reshape(1, -1)[0]",
    "swap": "b = np.swapaxes(a[None], 0, 1)[:, 0]",
    "real": "b = a.real",
    "nan_to_num": "b = np.nan_to_num(a, copy=False)",
    "rollaxis": "b = np.moveaxis(a[None], 0, -1)[:, 0]",
    "array_split": "b = np.array_split(a, 1)[0]",
    "vsplit": "b = np.vsplit(a[:, None], 1)[0][:, 0]",
    "enumerate": """
for i, b in enumerate([a]):
    pass
""",
    "for_loop": """
for b in (a,):
    pass
""",
    "while_loop": """
todo = [a]
while todo:
    b = todo.pop()
""",
    "try_finally": """
try:
    b = a
finally:
    pass
""",
    "executor": """
with concurrent.futures.ThreadPoolExecutor(1) as ex:
    b = ex.submit(lambda x: x, a).result()
""",
    "exmap": """
with concurrent.futures.ThreadPoolExecutor(1) as ex:
    b = list(ex.map(lambda x: x, [a]))[0]
""",
    "attribute": """
class K:
    pass
k = K()
k.x = a
b = k.x
""",
    "class_attribute": """
class K:
    x = a
b = K.x
""",
    "slots": """
class K:
    __slots__ = ('x',)
k = K()
k.x = a
b = k.x
""",
    "dataclass": """
@dataclasses.dataclass
class K:
    x: object
b = K(a).x
""",
    "dataclass_replaced": """
@dataclasses.dataclass
class K:
    x: object
b = dataclasses.replace(K(a)).x
""",
    "called_object": """
class K:
    def __init__(self, x):
        self.x = x
    def __call__(self):
        return self.x
b = K(a)()
""",
    "getattr_method": """
class K:
    def __init__(self, x):
        self._x = x
    def __getattr__(self, name):
        return self._x
b = K(a).anything
""",
    "iter_method": """
class K:
    def __init__(self, x):
        self.x = x
    def __iter__(self):
        return iter([self.x])
b, = K(a)
""",
    "descriptor": """
class D:
    def __get__(self, o, t):
        return o._x
class K:
    x = D()
k = K()
k._x = a
b = k.x
""",
    "getitem_protocol": """
class K:
    def __init__(self, x):
        self.x = x
    def __getitem__(self, i):
        if i: raise IndexError
        return self.x
b = list(K(a))[0]
""",
    "operator_method": """
class K:
    def __init__(self, x):
        self.x = x
    def __matmul__(self, o):
        return self.x
b = K(a) @ 1
""",
    "reflected_operator": """
class K:
    def __init__(self, x):
        self.x = x
    def __radd__(self, o):
        return self.x
b = 1 + K(a)
""",
    "context_manager_method": """
class K:
    def __init__(self, x):
        self.x = x
    def __enter__(self):
        return self.x
    def __exit__(self, *e):
        pass
with K(a) as b:
    pass
""",
    "exception_argument": """
try:
    raise ValueError(a)
except ValueError as e:
    b = e.args[0]
""",
    "exception_attribute": """
class Found(Exception):
    def __init__(self, x):
        self.x = x
try:
    raise Found(a)
except Found as e:
    b = e.x
""",
    "globals": """
globals()['g'] = a
b = globals()['g']
""",
    "weak_reference": "b = weakref.ref(a)()",
    "yield_from": """
def inner():
    return a
    yield
def outer():
    r = yield from inner()
    yield r
b = next(outer())
""",
    "args": """
def inner(*args):
    return args[0]
b = inner(a)
""",
    "kwargs": """
def inner(**kw):
    return kw['x']
b = inner(x=a)
""",
    "starcall": """
def inner(x, y):
    return x
b = inner(*[a, 1])
""",
    "starcallkw": """
def inner(x, y):
    return x
b = inner(**{'x': a, 'y': 1})
""",
    "dispatch_table": """
def inner(x):
    return x
b = {'f': inner}['f'](a)
""",
    "decorator": """
def deco(f):
    def w(*k):
        return f(*k)
    return w
@deco
def inner(x):
    return x
b = inner(a)
""",
    "recursion": """
def inner(x, k):
    return x if k == 0 else inner(x, k - 1)
b = inner(a, 3)
""",
    "static_method": """
class K:
    @staticmethod
    def f(x):
        return x
b = K.f(a)
""",
    "class_method": """
class K:
    @classmethod
    def f(cls, x):
        cls.x = x
        return cls.x
b = K.f(a)
""",
    "property": """
class K:
    @property
    def x(self):
        return self._x
k = K()
k._x = a
b = k.x
""",
    "property_setter": """
class K:
    @property
    def x(self):
        return self._x
    @x.setter
    def x(self, v):
        self._x = v
k = K()
k.x = a
b = k._x
""",
    "super_method": """
class B:
    def f(self, x):
        return x
class K(B):
    def f(self, x):
        return super().f(x)
b = K().f(a)
""",
    "coroutine": """
async def inner():
    return a
b = asyncio.run(inner())
""",
    "object_array": """
o = np.empty(1, dtype=object)
o[0] = a
b = o[0]
""",
    "memory_view": "b = np.asarray(memoryview(a))",
    "frombuffer": "b = np.frombuffer(a)",
    "islice": "b = list(itertools.islice([a], 1))[0]",
    "cycle": "b = next(itertools.cycle([a]))",
    "starmap": "b = list(itertools.starmap(lambda x, y: x, [(a, 1)]))[0]",
    "compress": "b = list(itertools.compress([a], [1]))[0]",
    "pairwise": "b = list(itertools.pairwise([a, 1]))[0][0]",
    "zip_longest": "b = list(itertools.zip_longest([a], [1, 2]))[0][0]",
    "item_of_tuple_assignment": """
d = {}
d['x'], c = a, 1
b = d['x']
""",
    "update": """
d = {}
d.update(x=a)
b = d['x']
""",
    "update_pairs": """
d = {}
d.update([('x', a)])
b = d['x']
""",
    "insert": """
xs = []
xs.insert(0, a)
b = xs[0]
""",
    "extend": """
xs = []
xs.extend([a])
b = xs[0]
""",
    "iadd": """
xs = []
xs += [a]
b = xs[0]
""",
    "setslice": """
xs = [1]
xs[:] = [a]
b = xs[0]
""",
    "setattr": """
ns = types.SimpleNamespace()
setattr(ns, 'x', a)
b = ns.x
""",
    "mapping_proxy": "b = types.MappingProxyType({'x': a})['x']",
    "lru_cache": """
@functools.lru_cache
def inner():
    return a
b = inner()
""",
    "cached_property": """
class K:
    @functools.cached_property
    def x(self):
        return a
b = K().x
""",
    "singledispatch": """
@functools.singledispatch
def inner(x):
    return x
b = inner(a)
""",
    "wraps": """
def deco(f):
    @functools.wraps(f)
    def w(*k, **kw):
        return f(*k, **kw)
    return w
@deco
def inner(x):
    return x
b = inner(a)
""",
    "userdict": """
d = collections.UserDict(x=a)
b = d['x']
""",
    "userlist": """
d = collections.UserList([a])
b = d[0]
""",
    "filtered_comprehension": "b = [x for i, x in enumerate([a]) if i == 0][0]",
    "dictvalues": "b = list({'x': a}.values())[0]",
    "dictitems": "b = list({'x': a}.items())[0][1]",
    "nested": "b = {'x': [(1, a)]}['x'][0][1]",
    "exc_info": """
try:
    raise ValueError(a)
except ValueError:
    b = sys.exc_info()[1].args[0]
""",
    "exception_cause": """
try:
    try:
        raise KeyError(a)
    except KeyError as first:
        raise ValueError('late') from first
except ValueError as error:
    b = error.__cause__.args[0]
""",
    "exception_from_function": """
def inner(x):
    raise ValueError(x)
try:
    inner(a)
except ValueError as error:
    b = error.args[0]
""",
    "exception_unpacked": """
try:
    raise ValueError('text', a)
except ValueError as error:
    text, b = error.args
""",
    "stop_iteration": """
def inner():
    yield 1
    return a
g = inner()
next(g)
try:
    next(g)
except StopIteration as end:
    b = end.value
""",
    "locals_": "b = locals()['a']",
    "cell_contents": """
def inner():
    return a
b = inner.__closure__[0].cell_contents
""",
    "defaults_attribute": """
def inner(x=a):
    return x
b = inner.__defaults__[0]
""",
    "context_variable": """
v = contextvars.ContextVar('v')
v.set(a)
b = v.get()
""",
    "gather": """
async def inner(x):
    return x
async def main():
    return await asyncio.gather(inner(a), inner(1))
b = asyncio.run(main())[0]
""",
    "async_with": """
class M:
    async def __aenter__(self):
        return a
    async def __aexit__(self, *error):
        return None
async def main():
    async with M() as x:
        return x
b = asyncio.run(main())
""",
    "async_iterator": """
class I:
    def __init__(self):
        self.left = [a]
    def __aiter__(self):
        return self
    async def __anext__(self):
        if not self.left:
            raise StopAsyncIteration
        return self.left.pop()
async def main():
    async for x in I():
        return x
b = asyncio.run(main())
""",
    "missing": """
class D(dict):
    def __missing__(self, key):
        return a
b = D()['x']
""",
    "class_item": """
class K:
    def __class_getitem__(cls, key):
        return a
b = K['x']
""",
    "enum_value": """
class E(enum.Enum):
    X = [a]
b = E.X.value[0]
""",
    "object_setattr": """
class K:
    pass
k = K()
object.__setattr__(k, 'x', a)
b = k.x
""",
    "metaclass": """
class M(type):
    def __call__(cls, x):
        return x
class K(metaclass=M):
    pass
b = K(a)
""",
    "new_gives": """
class K:
    def __new__(cls, x):
        return x
b = K(a)
""",
    "init_subclass": """
class K:
    kept = []
    def __init_subclass__(cls, x, **rest):
        K.kept.append(x)
class L(K, x=a):
    pass
b = K.kept[0]
""",
    "insort": """
xs = []
bisect.insort(xs, (1, a))
b = xs[0][1]
""",
    "instance_dict": """
class K:
    pass
k = K()
k.__dict__['x'] = a
b = k.x
""",
    "partialmethod": """
class K:
    def get(self, x):
        return x
    got = functools.partialmethod(get, a)
b = K().got()
""",
    "callback_list": """
got = []
handlers = [got.append]
for handler in handlers:
    handler(a)
b = got[0]
""",
    "counter_closure": """
def make():
    held = None
    def put(x):
        nonlocal held
        held = x
    def get():
        return held
    return put, get
put, get = make()
put(a)
b = get()
""",
    "generator_in_class": """
class K:
    def __iter__(self):
        yield a
[b] = K()
""",
    "len_getitem": """
class K:
    def __len__(self):
        return 1
    def __getitem__(self, i):
        if i:
            raise IndexError(i)
        return a
for b in K():
    pass
""",
    "field_factory": """
@dataclasses.dataclass
class P:
    x: object = dataclasses.field(default_factory=lambda: a)
b = P().x
""",
    "descriptor_set": """
class D:
    def __get__(self, o, t):
        return o.__dict__['held']
    def __set__(self, o, value):
        o.__dict__['held'] = value
class K:
    x = D()
k = K()
k.x = a
b = k.x
""",
    "descriptor_named": """
class D:
    def __set_name__(self, owner, name):
        self.name = '_' + name
    def __get__(self, o, t=None):
        return getattr(o, self.name)
    def __set__(self, o, value):
        setattr(o, self.name, value)
class K:
    x = D()
    def __init__(self, x):
        self.x = x
b = K(a).x
""",
    "descriptor_keeps": """
class D:
    def __init__(self):
        self.values = {}
    def __get__(self, o, t=None):
        return self.values[id(o)]
    def __set__(self, o, value):
        self.values[id(o)] = value
class K:
    x = D()
k = K()
k.x = a
b = k.x
""",
    "array_method": """
class K:
    def __array__(self, dtype=None, copy=None):
        return a
b = np.asarray(K())
""",
}
