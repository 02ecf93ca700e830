"""The graph of a model as add_graph draws it: one call of the model is watched, operation by operation, and each becomes a NodeDef of TensorFlow's
GraphDef. Names of nodes are paths, whose parts TensorBoard shows as boxes: `Net/Block[block]/Linear[a]/linear`."""
import inspect

import winnow as torch
from ...nn.modules._hooks import register_module_forward_hook, register_module_forward_pre_hook
from ...overrides import TorchFunctionMode
from ._events import integer, message

_PRODUCER = 22  # the version of TensorFlow's graphs that PyTorch writes


class _Node:
    """One node: where its values come from, and the shapes of what it makes."""

    def __init__(self, name, op, inputs=(), attributes="", shapes=()):
        self.name, self.op, self.inputs, self.attributes, self.shapes = name, op, list(inputs), attributes, shapes

    def __repr__(self):
        return f"{self.name} = {self.op}({', '.join(self.inputs)}) {self.attributes} {[tuple(s) for s in self.shapes]}"

    def encoded(self):
        """A NodeDef. Its attributes are a map, which is a list of pairs: "attr" is a text, "_output_shapes" are lists of sizes."""
        shapes = b"".join([message(7, b"".join([message(2, integer(1, n)) for n in shape])) for shape in self.shapes])
        pairs = [message(1, "attr") + message(2, message(2, self.attributes)), message(1, "_output_shapes") + message(2, message(1, shapes))]
        return message(1, self.name) + message(2, self.op) + b"".join([message(3, i) for i in self.inputs]) + b"".join([message(5, p) for p in pairs])


def _tensors(value):
    """The tensors in a value and in the containers that it consists of, in order."""
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    return [t for v in value for t in _tensors(v)] if isinstance(value, (list, tuple)) else []


def _described(args, kwargs):
    """The arguments that are no tensors, as a text. (PyTorch has no ' in it: TensorBoard would stumble over them.)"""
    named = {**{str(i): a for i, a in enumerate(args)}, **kwargs}
    return str({k: v for k, v in named.items() if not _tensors(v)}).replace("'", " ")


def _class_name(module):
    return getattr(module, "original_name", type(module).__name__)


class Trace(TorchFunctionMode):
    """What a call of the model does. Tensors are known by their identity, so all that were seen are kept until the end."""

    def __init__(self, model):
        super().__init__()
        self.nodes, self.names, self.made_by, self.kept = [], set(), {}, []
        self.root = _class_name(model)
        self.boxes, self.stack, self.places = {}, [], {}
        if isinstance(model, torch.nn.Module):
            self.find_places(model)

    def find_places(self, model):
        """The box of each module, and those where parameters and buffers stand."""
        for path, module in model.named_modules():
            parent, _, name = path.rpartition(".")
            self.boxes[id(module)] = f"{self.boxes[id(model.get_submodule(parent))]}/{_class_name(module)}[{name}]" if path else self.root
        for path, tensor in [*model.named_parameters(), *model.named_buffers()]:
            owner, _, name = path.rpartition(".")
            self.places[id(tensor)] = self.boxes[id(model.get_submodule(owner))], name

    # -------------------------------------------------------------- nodes

    def node(self, box, name, *rest):
        """A node of this name, or of the first one after it that is free."""
        path = f"{box}/{name}"
        count = 1
        while path in self.names:
            path = f"{box}/{name}.{count}"
            count += 1
        self.names.add(path)
        self.nodes.append(_Node(path, *rest))
        return path

    def makes(self, path, tensors):
        for t in tensors:
            self.made_by[id(t)] = path
            self.kept.append(t)

    def source(self, t):
        """The node that made a tensor. One that no operation made is a parameter, or a constant where it is first seen."""
        if id(t) not in self.made_by:
            box, name = self.places.get(id(t), (self.box, None))
            shapes = [t.shape]
            if name is not None:
                path = self.node(f"{box}/{name}", name, "prim::GetAttr", (), f"{{ name :  {name} }}", shapes)
            elif t._base is not None and id(t._base) in self.made_by:  # a view made by an attribute (x.data)
                path = self.node(box, "alias", "aten::alias", [self.made_by[id(t._base)]], "{}", shapes)
            else:
                path = self.node(box, "constant", "prim::Constant", (), "{}", shapes)
            self.makes(path, [t])
        return self.made_by[id(t)]

    # -------------------------------------------------------------- what is watched

    @property
    def box(self):
        return self.stack[-1] if self.stack else self.root

    def enter(self, module, args):
        self.stack.append(self.boxes.get(id(module)) or f"{self.box}/{_class_name(module)}")

    def leave(self, module, args, output):
        self.stack.pop()

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        inputs = [self.source(t) for t in _tensors((args, kwargs))]
        result = func(*args, **kwargs)
        name = getattr(func, "__name__", "call")
        name = name.strip("_") if name.startswith("__") else name
        changed = args[:1] if result is None else result  # x[i] = y makes x anew
        made = _tensors(changed)
        if made:
            self.makes(self.node(self.box, name, "aten::" + name, inputs, _described(args, kwargs), [t.shape for t in made]), made)
        return result

    def run(self, model, args):
        forward = model.forward if isinstance(model, torch.nn.Module) else model
        names = list(inspect.signature(forward).parameters) if callable(forward) else []
        for i, a in enumerate(args):
            for t in _tensors(a):
                self.makes(self.node("input", names[i] if i < len(names) else str(i), "IO Node", (), "", [t.shape]), [t])
        hooks = register_module_forward_pre_hook(self.enter), register_module_forward_hook(self.leave, always_call=True)
        try:
            with self:
                result = model(*args)
        finally:
            for hook in hooks:
                hook.remove()
        for i, t in enumerate(_tensors(result)):
            self.node("output", f"output.{i + 1}", "IO Node", [self.source(t)], "", [t.shape])


def graph(model, args, verbose=False):
    """(GraphDef, RunMetadata) of a call of the model in evaluation mode, encoded."""
    if args is None:
        raise RuntimeError("SummaryWriter.add_graph: input_to_model must be given: a graph is what the model does with it")
    trace = Trace(model)
    modes = [(m, m.training) for m in model.modules()] if isinstance(model, torch.nn.Module) else []
    try:
        if modes:
            model.eval()
        trace.run(model, tuple(args) if isinstance(args, (tuple, list)) else (args,))
    except RuntimeError as error:
        print(error)
        print("Error occurs, No graph saved")
        raise
    finally:
        for module, mode in modes:
            module.training = mode
    if verbose:
        print(*trace.nodes, sep="\n")
    definition = b"".join([message(1, n.encoded()) for n in trace.nodes]) + message(4, integer(1, _PRODUCER))
    return definition, message(1, message(1, message(1, "/device:CPU:0")))
