"""A pickle machine that runs nothing from the file: globals come from a fixed list, only what stands in the list is called, and with
arguments that were checked. It takes the opcodes that pickle writes for data in protocols 2 to 5, but none that would need memory
that the file does not fill. What a few bytes can repeat (a list that is made a set again and again, a key that is a tuple of the same
tuple twice, ...) is counted, so that time and memory stay in proportion to the file.
"""
import struct
from collections import Counter, OrderedDict, defaultdict
from pickle import UnpicklingError
from reprlib import repr as shown  # for messages: a value in a file may have a text of any length

__all__ = ["Machine", "Scanner", "UnpicklingError", "Call", "shown"]


class Call:
    """A global that may be called: run(machine, *args)."""
    __slots__ = ("name", "run")

    def __init__(self, name, run):
        self.name, self.run = name, run


_MARK = object()
_SIZED = (tuple, list, dict, set, frozenset, str, bytes, bytearray)


class Machine:
    """Runs the pickle that begins at data[at]. find_global(module, name) gives a Call, a constant or raises; registered: classes that
    may be made and whose state may be set, since the user trusts them; persistent(id) gives what a persistent id stands for; size:
    the bytes of the whole file, to which the work is held."""

    def __init__(self, data, find_global, persistent, registered=(), encoding="utf-8", at=0, size=None):
        self.data, self.at = data, at
        self.find_global, self.persistent_load, self.encoding = find_global, persistent, encoding
        self.registered = registered
        self.builders = {}  # type -> function(thing, state), which checks the state
        self.stack, self.memo = [], {}
        self.work_left = 4 * (len(data) if size is None else size) + 65536
        self.odd_keys_left = 4096

    def charge(self, n):
        """n elements are looked at or copied that may not have been read from the file for this alone."""
        self.work_left -= n
        if self.work_left < 0:
            raise UnpicklingError("the pickle repeats more work than the file's size accounts for")

    def hashable(self, key, depth=32):
        """The key, when hashing it is cheap: a tuple of tuples is hashed again in full each time, a deep one would overflow the C stack;
        wide ints that have the same hash are easily made."""
        kind = type(key)
        if kind is tuple:
            if not depth:
                raise UnpicklingError("a key is nested too deeply")
            self.charge(len(key))
            for part in key:
                self.hashable(part, depth - 1)
        elif kind is complex or (kind is int and not -1 << 63 <= key < 1 << 64):
            self.odd_keys_left -= 1
            if self.odd_keys_left < 0 or (kind is int and key.bit_length() > 4096):
                raise UnpicklingError("too many complex numbers or large integers as keys, or one that is too large")
        return key

    # -------------------------------------------------------------- reading

    def take(self, n):
        at = self.at
        if n < 0 or at + n > len(self.data):
            raise UnpicklingError("pickle data was truncated")
        self.at = at + n
        return self.data[at:at + n]

    def line(self):
        end = self.data.find(b"\n", self.at)
        if end < 0:
            raise UnpicklingError("pickle data was truncated")
        text = self.data[self.at:end]
        self.at = end + 1
        return _text(text)

    def number(self, form):
        return struct.unpack(form, self.take(struct.calcsize(form)))[0]

    # -------------------------------------------------------------- running

    def run(self):
        data, stack, ops = self.data, self.stack, _OPS
        while True:
            at = self.at
            if at >= len(data):
                raise EOFError("Ran out of input") if not data else UnpicklingError("pickle data was truncated")
            code = data[at]
            self.at = at + 1
            if code == 0x2E:  # STOP
                return self.pop()
            op = ops[code]
            if op is None:
                raise UnpicklingError(f"Unsupported operand {code}")
            try:
                op(self, stack)
            except UnpicklingError:
                raise
            except IndexError:
                raise UnpicklingError(f"opcode {code:#x} at {at} finds nothing on the stack") from None
            except KeyError:  # its text would be the key's
                raise UnpicklingError(f"opcode {code:#x} at {at} looks something up that is not there") from None
            except (TypeError, ValueError, AttributeError, RecursionError, OverflowError) as error:
                raise UnpicklingError(f"opcode {code:#x} at {at}: {error}") from error

    def pop(self):
        if not self.stack or self.stack[-1] is _MARK:
            raise UnpicklingError("the stack is empty where a value is needed")
        return self.stack.pop()

    def top(self, kind):
        if not self.stack or not isinstance(self.stack[-1], kind):
            raise UnpicklingError("items are added to something that takes none")
        return self.stack[-1]

    def pop_mark(self):
        stack = self.stack
        k = len(stack) - 1
        while k >= 0 and stack[k] is not _MARK:
            k -= 1
        if k < 0:
            raise UnpicklingError("could not find MARK")
        items = stack[k + 1:]
        del stack[k:]
        return items

    def call(self, function, args):
        if not isinstance(args, tuple):
            raise UnpicklingError("arguments are no tuple")
        if isinstance(function, Call):
            self.charge(1 + sum(len(a) for a in args if isinstance(a, _SIZED)))
            return function.run(self, *args)
        if self.is_registered(function) and callable(function):
            return function(*args)
        raise UnpicklingError(f"Trying to call {_name(function)}, which is not in the list of what may be called")

    def is_registered(self, thing):
        return any(thing is r for r in self.registered)

    def make(self, cls, args, kwargs):
        """NEWOBJ."""
        if isinstance(cls, Call) and not kwargs:
            return self.call(cls, args)
        if isinstance(cls, type) and self.is_registered(cls) and isinstance(args, tuple) and isinstance(kwargs, dict):
            return cls.__new__(cls, *args, **kwargs)
        raise UnpicklingError(f"Trying to make an object of {_name(cls)}, which is not in the list of what may be made")

    def build(self, thing, state):
        """BUILD."""
        if isinstance(state, _SIZED):
            self.charge(len(state))
        if self.is_registered(type(thing)):
            _set_state(thing, state)
        elif type(thing) in self.builders:
            self.builders[type(thing)](thing, state)
        elif type(thing) in (OrderedDict, Counter, defaultdict):  # a state_dict has its _metadata so
            if type(thing) is not OrderedDict or not isinstance(state, dict) or not all(isinstance(k, str) for k in state):
                raise UnpicklingError(f"state for {type(thing).__name__} that it does not take")
            thing.__dict__.update(state)
        else:
            raise UnpicklingError(f"Can only build Tensor, Parameter, OrderedDict or types allowlisted via add_safe_globals, but got {_name(type(thing))}")


class Scanner(Machine):
    """Goes through a pickle without making anything of its own: only find_global is asked."""

    def call(self, function, args):
        return None

    def make(self, cls, args, kwargs):
        return None

    def build(self, thing, state):
        return None

    def top(self, kind):
        if not self.stack:
            raise UnpicklingError("the stack is empty where a value is needed")
        return self.stack[-1] if isinstance(self.stack[-1], kind) else kind()

    def hashable(self, key, depth=32):
        return id(key)


def _text(data, encoding="utf-8"):
    try:
        return bytes(data).decode(encoding, "surrogatepass") if encoding == "utf-8" else bytes(data).decode(encoding)
    except UnicodeDecodeError as error:
        raise UnpicklingError(f"a string is no {encoding}: {error}") from None


def _name(thing):
    return getattr(thing, "name", None) or getattr(thing, "__name__", None) or type(thing).__name__


# ------------------------------------------------------------------ opcodes

_OPS = [None] * 256


def op(code):
    def add(f):
        _OPS[code if isinstance(code, int) else ord(code)] = f
        return f
    return add


def _constant(code, value):
    _OPS[ord(code)] = lambda m, stack: stack.append(value)


def _fresh(code, make):
    _OPS[ord(code)] = lambda m, stack: stack.append(make())


def _read(code, form):
    _OPS[ord(code)] = lambda m, stack: stack.append(m.number(form))


_constant("N", None), _constant("\x88", True), _constant("\x89", False), _constant(")", ())
_fresh("]", list), _fresh("}", dict), _fresh("\x8f", set)
_read("K", "<B"), _read("M", "<H"), _read("J", "<i"), _read("G", ">d")
_OPS[ord("(")] = lambda m, stack: stack.append(_MARK)


@op(0x80)
def proto(m, stack):
    version = m.number("<B")
    if not 2 <= version <= 5:
        raise UnpicklingError(f"pickle protocol {version} is not supported (2 to 5 are)")


@op(0x95)
def frame(m, stack):
    if m.number("<Q") > len(m.data) - m.at:
        raise UnpicklingError("a frame is longer than the pickle")


@op(0x8A)
def long1(m, stack):
    stack.append(int.from_bytes(m.take(m.number("<B")), "little", signed=True))


@op(0x8B)
def long4(m, stack):
    n = m.number("<i")
    if n < 0:
        raise UnpicklingError("LONG pickle has negative byte count")
    stack.append(int.from_bytes(m.take(n), "little", signed=True))


def _string(code, form, decode):
    _OPS[code] = lambda m, stack: stack.append(decode(m, m.take(m.number(form))))


_unicode = lambda m, data: _text(data)
for _code, _form in ((0x58, "<I"), (0x8C, "<B"), (0x8D, "<Q")):  # BINUNICODE, SHORT_, 8
    _string(_code, _form, _unicode)
for _code, _form in ((0x42, "<I"), (0x43, "<B"), (0x8E, "<Q")):  # BINBYTES, SHORT_, 8
    _string(_code, _form, lambda m, data: bytes(data))
for _code, _form in ((0x54, "<i"), (0x55, "<B")):  # BINSTRING, SHORT_: str of Python 2
    _string(_code, _form, lambda m, data: bytes(data) if m.encoding == "bytes" else _text(data, m.encoding))
_string(0x96, "<Q", lambda m, data: bytearray(data))


def _tuple(code, n):
    def make(m, stack):
        items = [m.pop() for _ in range(n)]
        stack.append(tuple(items[::-1]))
    _OPS[code] = make


_tuple(0x85, 1), _tuple(0x86, 2), _tuple(0x87, 3)
_OPS[ord("t")] = lambda m, stack: stack.append(tuple(m.pop_mark()))
_OPS[ord("l")] = lambda m, stack: stack.append(m.pop_mark())
_OPS[0x91] = lambda m, stack: stack.append(frozenset(map(m.hashable, m.pop_mark())))
_OPS[ord("0")] = lambda m, stack: m.pop() if stack and stack[-1] is not _MARK else m.pop_mark()
_OPS[ord("1")] = lambda m, stack: m.pop_mark()


@op("d")
def dict_of_items(m, stack):
    result = {}
    _set_items(m, result, m.pop_mark())
    stack.append(result)


@op("2")
def dup(m, stack):
    value = m.pop()
    stack += [value, value]


@op("a")
def append(m, stack):
    value = m.pop()
    m.top(list).append(value)


@op("e")
def appends(m, stack):
    items = m.pop_mark()
    m.top(list).extend(items)


@op("s")
def setitem(m, stack):
    value, key = m.pop(), m.pop()
    m.top(dict)[m.hashable(key)] = value


@op("u")
def setitems(m, stack):
    items = m.pop_mark()
    _set_items(m, m.top(dict), items)


def _set_items(m, target, items):
    if len(items) % 2:
        raise UnpicklingError("odd number of items for SETITEMS")
    for i in range(0, len(items), 2):
        target[m.hashable(items[i])] = items[i + 1]


@op(0x90)
def additems(m, stack):
    items = m.pop_mark()
    m.top(set).update(map(m.hashable, items))


# ------------------------------------------------------------------ the memo: a dict, so that a large index takes no memory

@op("q")
def binput(m, stack):
    m.memo[m.number("<B")] = _last(stack)


@op("r")
def long_binput(m, stack):
    m.memo[m.number("<I")] = _last(stack)


@op(0x94)
def memoize(m, stack):
    m.memo[len(m.memo)] = _last(stack)


def _last(stack):
    if not stack or stack[-1] is _MARK:
        raise UnpicklingError("nothing to remember")
    return stack[-1]


def _get(code, form):
    def get(m, stack):
        i = m.number(form)
        if i not in m.memo:
            raise UnpicklingError(f"Memo value not found at index {i}")
        stack.append(m.memo[i])
    _OPS[ord(code)] = get


_get("h", "<B"), _get("j", "<I")

# ------------------------------------------------------------------ globals, calls, state


@op("c")
def global_(m, stack):
    module, name = m.line(), m.line()
    stack.append(m.find_global(module, name))


@op(0x93)
def stack_global(m, stack):
    name, module = m.pop(), m.pop()
    if not isinstance(name, str) or not isinstance(module, str):
        raise UnpicklingError("STACK_GLOBAL requires str")
    stack.append(m.find_global(module, name))


@op("Q")
def persistent(m, stack):
    stack.append(m.persistent_load(m.pop()))


@op("R")
def reduce(m, stack):
    args, function = m.pop(), m.pop()
    stack.append(m.call(function, args))


@op(0x81)
def newobj(m, stack):
    args, cls = m.pop(), m.pop()
    stack.append(m.make(cls, args, {}))


@op(0x92)
def newobj_ex(m, stack):
    kwargs, args, cls = m.pop(), m.pop(), m.pop()
    stack.append(m.make(cls, args, kwargs))


@op("b")
def build(m, stack):
    state = m.pop()
    if not stack or stack[-1] is _MARK:
        raise UnpicklingError("state for nothing")
    m.build(stack[-1], state)


def _set_state(thing, state):
    own = getattr(thing, "__setstate__", None)
    if own is not None:
        own(state)
        return
    slots = None
    if isinstance(state, tuple) and len(state) == 2:
        state, slots = state
    if state:
        thing.__dict__.update(state)
    for key, value in (slots or {}).items():
        setattr(thing, key, value)
