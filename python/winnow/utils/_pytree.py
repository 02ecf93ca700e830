"""torch.utils._pytree: containers of containers as a list of leaves and a description, and back.

Containers are tuples (named ones too, several results of an operation, Size), lists, dictionaries (also ordered, default), deques, and what was
registered; all else is a leaf."""
from collections import OrderedDict, defaultdict, deque, namedtuple
from typing import Any

from .._hook import lacking as _lacking
from .._types import Size

Context = PyTree = Any

# flatten(x) -> (children, context); unflatten(children, context); with_keys(x) -> (pairs of key and child, context), or None
_Kind = namedtuple("_Kind", "flatten unflatten with_keys", defaults=(None,))


class MappingKey(namedtuple("MappingKey", "key")):
    """The way from a dictionary to the value of a key."""
    __slots__ = ()
    __str__ = lambda self: f"[{self.key!r}]"

    def get(self, mapping):
        return mapping[self.key]


class SequenceKey(namedtuple("SequenceKey", "idx")):
    """The way from a sequence to one of its elements."""
    __slots__ = ()
    __str__ = lambda self: f"[{self.idx!r}]"

    def get(self, sequence):
        return sequence[self.idx]


class GetAttrKey(namedtuple("GetAttrKey", "name")):
    """The way from an object to an attribute."""
    __slots__ = ()
    __str__ = lambda self: f".{self.name}"

    def get(self, obj):
        return getattr(obj, self.name)


def keystr(key_path):
    """A way to a leaf as Python writes it: ['a'][0].x"""
    return "".join(map(str, key_path))


def _dict_flatten(d):
    return list(d.values()), list(d)


def _dict_flatten_with_keys(d):
    return [(MappingKey(k), v) for k, v in d.items()], list(d)


def _dict_unflatten(values, keys):
    return dict(zip(keys, values))


def _list_flatten(x):
    return x, None


def _list_unflatten(values, context):
    return list(values)


def _sequence_with_keys(x):
    return [(SequenceKey(i), v) for i, v in enumerate(x)], None


_list_flatten_with_keys = _tuple_flatten_with_keys = _sequence_with_keys


def _attributes_with_keys(x):
    return [(GetAttrKey(name), v) for name, v in zip(x._fields, x)], type(x)


def is_namedtuple_class(cls):
    """Is it a class that collections.namedtuple or typing.NamedTuple made?"""
    return isinstance(cls, type) and issubclass(cls, tuple) and isinstance(getattr(cls, "_fields", None), tuple)


def is_namedtuple(obj):
    """Is it of such a class, or such a class?"""
    return is_namedtuple_class(obj if isinstance(obj, type) else type(obj))


def is_namedtuple_instance(obj):
    """Is it of such a class?"""
    return is_namedtuple_class(type(obj))


_kinds = {
    tuple: _Kind(lambda x: (list(x), None), lambda c, _: tuple(c), _sequence_with_keys),
    list: _Kind(_list_flatten, lambda c, _: list(c), _sequence_with_keys),
    dict: _Kind(_dict_flatten, _dict_unflatten, _dict_flatten_with_keys),
    OrderedDict: _Kind(_dict_flatten, lambda c, keys: OrderedDict(zip(keys, c)), _dict_flatten_with_keys),
    defaultdict: _Kind(lambda x: (list(x.values()), [x.default_factory, list(x)]), lambda c, context: defaultdict(context[0], zip(context[1], c)),
                       _dict_flatten_with_keys),
    deque: _Kind(lambda x: (list(x), x.maxlen), lambda c, length: deque(c, maxlen=length), _sequence_with_keys),
    namedtuple: _Kind(lambda x: (list(x), type(x)), lambda c, cls: cls(*c), _attributes_with_keys),
    Size: _Kind(lambda x: (list(x), None), lambda c, _: tuple(c)),  # as torch has it
}
SUPPORTED_NODES = _kinds


def register_pytree_node(cls, flatten_fn, unflatten_fn, *, flatten_with_keys_fn=None, **others):
    """Objects of cls are containers: flatten_fn(x) gives (children, context), unflatten_fn(children, context) the object, flatten_with_keys_fn(x)
    (pairs of key and child, context)."""
    if cls in _kinds:
        raise ValueError(f"{cls} is already registered as pytree node.")
    _kinds[cls] = _Kind(flatten_fn, unflatten_fn, flatten_with_keys_fn)


_register_pytree_node = register_pytree_node


def _type_of(tree):
    kind = type(tree)
    if kind not in _kinds and is_namedtuple_class(kind):
        return namedtuple
    if kind not in _kinds and kind.__module__ == "torch.return_types":  # made with the first result of that operation
        register_pytree_node(kind, lambda x: (list(x), None), lambda children, _: kind(children))
    return kind


_get_node_type = _type_of


def tree_is_leaf(tree, is_leaf=None):
    """Is it no container?"""
    return (is_leaf is not None and is_leaf(tree)) or _type_of(tree) not in _kinds


class TreeSpec:
    """What was flattened, without its leaves: the kind of container (None: a leaf), its context, its children's descriptions."""

    def __init__(self, type, context, children_specs):
        self.type, self.context, self.children_specs = type, context, children_specs
        self.num_children = len(children_specs)
        self.num_leaves = sum(c.num_leaves for c in children_specs) if type is not None else 1
        self.num_nodes = 1 + sum(c.num_nodes for c in children_specs)

    def is_leaf(self):
        """Does it describe a leaf?"""
        return self.type is None

    def child(self, i):
        """The description of child i."""
        return self.children_specs[i]

    def children(self):
        """The descriptions of all children."""
        return list(self.children_specs)

    def unflatten(self, leaves):
        """The container with these leaves."""
        return tree_unflatten(leaves, self)

    def __eq__(self, other):
        return isinstance(other, TreeSpec) and (self.type, self.context, self.children_specs) == (other.type, other.context, other.children_specs)

    __hash__ = None

    def __repr__(self):
        if self.type is None:
            return "*"
        return f"TreeSpec({self.type.__name__}, {self.context}, [{', '.join(map(repr, self.children_specs))}])"


PyTreeSpec = TreeSpec


def LeafSpec():
    """The description of a leaf."""
    return TreeSpec(None, None, [])


def _flatten(tree, leaves, is_leaf):
    if tree_is_leaf(tree, is_leaf):
        leaves.append(tree)
        return LeafSpec()
    kind = _type_of(tree)
    children, context = _kinds[kind].flatten(tree)
    return TreeSpec(kind, context, [_flatten(c, leaves, is_leaf) for c in children])


def tree_flatten(tree, is_leaf=None):
    """(leaves, description)"""
    leaves = []
    return leaves, _flatten(tree, leaves, is_leaf)


def tree_unflatten(leaves, treespec):
    """The container that treespec describes, with these leaves."""
    if not isinstance(treespec, TreeSpec):
        raise TypeError(f"tree_unflatten(leaves, treespec): Expected `treespec` to be instance of PyTreeSpec but got item of type {type(treespec)}.")
    leaves = list(leaves)
    if len(leaves) != treespec.num_leaves:
        raise ValueError(f"tree_unflatten(leaves, treespec): `leaves` has length {len(leaves)} but the spec refers to a pytree that holds "
                         f"{treespec.num_leaves} items ({treespec}).")
    return _unflatten(iter(leaves), treespec)


def _unflatten(leaves, spec):
    if spec.type is None:
        return next(leaves)
    return _kinds[spec.type].unflatten([_unflatten(leaves, c) for c in spec.children_specs], spec.context)


def tree_leaves(tree, is_leaf=None):
    """The leaves."""
    return tree_flatten(tree, is_leaf)[0]


def _with_path(tree, path, is_leaf):
    if tree_is_leaf(tree, is_leaf):
        yield path, tree
        return
    kind = _kinds[_type_of(tree)]
    if kind.with_keys is None:
        raise ValueError(f"Did not find a flatten_with_keys_fn for type: {type(tree)}. Please pass a flatten_with_keys_fn argument to register_pytree_node.")
    for key, child in kind.with_keys(tree)[0]:
        yield from _with_path(child, (*path, key), is_leaf)


def tree_leaves_with_path(tree, is_leaf=None):
    """Pairs of the way to a leaf (a tuple of keys) and the leaf."""
    return list(_with_path(tree, (), is_leaf))


def tree_flatten_with_path(tree, is_leaf=None):
    """(tree_leaves_with_path, description)"""
    return tree_leaves_with_path(tree, is_leaf), tree_structure(tree, is_leaf)


def tree_map_with_path(func, tree, *rests, is_leaf=None):
    """The container with func(way, leaf, the leaves of rests at its place...) for each leaf."""
    leaves, spec = tree_flatten_with_path(tree, is_leaf)
    return tree_unflatten(map(func, *zip(*leaves), *[_leaves_like(spec, r) for r in rests]) if leaves else [], spec)


def tree_iter(tree, is_leaf=None):
    """An iterator over the leaves."""
    return iter(tree_leaves(tree, is_leaf))


def tree_structure(tree, is_leaf=None):
    """The description."""
    return tree_flatten(tree, is_leaf)[1]


def _leaves_like(spec, tree):
    """The parts of tree at spec's leaves."""
    if spec.type is None:
        return [tree]
    if _type_of(tree) is not spec.type:
        raise ValueError(f"Node type mismatch; expected {spec.type}, but got {type(tree)}.")
    children, context = _kinds[spec.type].flatten(tree)
    if len(children) != spec.num_children or (context != spec.context and spec.type is not deque):
        raise ValueError(f"Node arity or keys mismatch; expected {spec}, but got {tree_structure(tree)}.")
    return [leaf for s, c in zip(spec.children_specs, children) for leaf in _leaves_like(s, c)]


def tree_map(func, tree, *rests, is_leaf=None):
    """The container with func(leaf, the leaves of rests at its place...) for each leaf."""
    leaves, spec = tree_flatten(tree, is_leaf)
    return tree_unflatten(map(func, leaves, *[_leaves_like(spec, r) for r in rests]), spec)


def tree_map_(func, tree, *rests, is_leaf=None):
    """Calls func as tree_map does: tree itself."""
    tree_map(func, tree, *rests, is_leaf=is_leaf)
    return tree


def _is_one_of(types):
    if isinstance(types, (type, tuple)) or hasattr(types, "__args__"):  # also int | float
        return lambda x: isinstance(x, types)
    if callable(types):
        return types
    raise TypeError(f"Argument must be a type, a tuple of types, or a callable. Got {types}")


def tree_map_only(type_or_types_or_pred, func, tree, is_leaf=None):
    """tree_map for leaves of these types (or for which a predicate holds); others stay."""
    chosen = _is_one_of(type_or_types_or_pred)
    return tree_map(lambda x: func(x) if chosen(x) else x, tree, is_leaf=is_leaf)


def tree_map_only_(type_or_types_or_pred, func, tree, is_leaf=None):
    """Calls func as tree_map_only does: tree itself."""
    tree_map_only(type_or_types_or_pred, func, tree, is_leaf)
    return tree


def tree_all(pred, tree, is_leaf=None):
    """Does pred hold for all leaves?"""
    return all(map(pred, tree_iter(tree, is_leaf)))


def tree_any(pred, tree, is_leaf=None):
    """Does pred hold for a leaf?"""
    return any(map(pred, tree_iter(tree, is_leaf)))


def tree_all_only(type_or_types, pred, tree, is_leaf=None):
    """Does pred hold for all leaves of these types?"""
    chosen = _is_one_of(type_or_types)
    return all(pred(x) for x in tree_iter(tree, is_leaf) if chosen(x))


def tree_any_only(type_or_types, pred, tree, is_leaf=None):
    """Does pred hold for a leaf of these types?"""
    chosen = _is_one_of(type_or_types)
    return any(pred(x) for x in tree_iter(tree, is_leaf) if chosen(x))


__getattr__ = _lacking(__name__, globals())
