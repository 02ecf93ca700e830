"""Drawing programs: statements on tensors, each drawn with torch's tensors of the moment in sight.

Most statements are valid; in-place steps that torch forbids (on a leaf, on an expanded view, of the wrong dtype) are
drawn on purpose, since a module has to refuse them too. A statement whose result is no longer a moderate number is
taken back, so that comparing means something.
"""
import re

import torch
from hypothesis import strategies as st

from calls import unsupported
from program_run import Machine, Program, Step

LARGEST = 1e4                   # of an element, and ELEMENTS of a tensor
ELEMENTS = 60000
SHAPES = [(), (3,), (3, 4), (4, 3), (2, 3, 4), (4, 4), (3, 4), (1, 4), (3, 1), (2, 3, 4), (1,), (0, 3), (2, 1, 3),
          (3, 4), (130, 160)]   # the last is large enough for a module that defers only what is worth it
LEAF_DTYPES = ["float64", "float32", "int64", "bool", "float64", "float32", "int32", "uint8"]
CASTS = ["float64", "float32", "int64", "int32", "bool", "float32", "float64", "uint8", "bfloat16", "float16"]
UNARY = ["neg", "abs", "sin", "cos", "tanh", "sigmoid", "relu", "square", "sign", "floor", "exp", "sqrt", "log1p",
         "reciprocal", "clone", "contiguous", "detach", "expm1", "logical_not"]
# All names that statements use, so that a module which does not have some of them yet can be judged by the others.
METHODS = """abs amax amin any all argmax argsort bool clamp contiguous clone cos cumsum detach
diagonal exp expand expm1 flatten flip floor gather index_select log1p log_softmax logical_not
logsumexp masked_fill mean mm movedim narrow neg norm permute prod reciprocal relu reshape roll
select sigmoid sign sin softmax split sqrt square squeeze std sum tanh to transpose unbind unsqueeze
var view T add_ mul_ sub_ copy_ fill_ relu_ zero_ clamp_ masked_fill_ index_add_ addcmul_ neg_ sin_
backward""".split()
FUNCTIONS = "add addcmul addmm bmm cat einsum maximum minimum no_grad stack tensor where".split()
NUMBERS = ["2", "0.5", "-1.5", "0", "1", "-3", "True"]


class Draw:
    """One program in the making."""

    def __init__(self, draw, machine):
        self.draw, self.machine = draw, machine
        self.count = 0

    def of(self, choices):
        return self.draw(st.sampled_from(choices))

    def chance(self, one_in):
        return self.draw(st.integers(0, one_in - 1)) == one_in - 1

    def number(self):
        return self.of(NUMBERS)

    def tensor(self, condition=lambda tensor: True):
        """The name of a tensor for which the condition holds, the youngest first; None if there is none."""
        fit = [name for name, tensor in self.machine.tensors().items() if condition(tensor)]
        return self.of(fit[::-1]) if fit else None

    def value(self, name):
        return self.machine.names[name]

    def beside(self, name):
        """An operand that broadcasts against `name`: a tensor, or a number. Now and then anything at all."""
        shape = self.value(name).shape

        def fits(tensor):
            return all(a == b or 1 in (a, b) for a, b in zip(reversed(tensor.shape), reversed(shape)))
        other = self.tensor((lambda tensor: True) if self.chance(25) else fits)
        return self.number() if other is None or self.chance(4) else other

    def dim(self, name):
        rank = self.value(name).dim()
        return self.draw(st.integers(-rank, rank - 1)) if rank else 0

    def index(self, size):
        return self.draw(st.integers(-size, size - 1)) if size else 0

    def leaf_of(self, shape, dtype):
        return f'leaf({self.draw(st.integers(1, 40))}, {tuple(shape)}, "{dtype}")'

    def places(self, count, size):
        """The text of an index tensor or list: `count` indices below `size`."""
        return str([self.index(size) for _ in range(count)])

    def part(self, name):
        """The text of a subscript made of slices, integers, None and ..."""
        shape, parts = self.value(name).shape, []
        for size in shape[:self.draw(st.integers(0, len(shape)))]:
            kind = self.of(["slice", "slice", "int", "all"])
            if kind == "int" and size:
                parts.append(str(self.index(size)))
            elif kind == "slice":
                start, stop = self.draw(st.integers(0, size)), self.draw(st.integers(0, size + 1))
                parts.append(f"{min(start, stop)}:{max(start, stop)}:{self.of([1, 2, 1, 3])}")
            else:
                parts.append(":")
        extra = self.of(["", "", "...", "None"])
        if extra:
            parts.append(extra)
        return ", ".join(parts) or "..."


def is_float(tensor):
    return tensor.is_floating_point()


# -------------------------------------------------------------------- statements: each gives a text, or None
# An expression makes a new tensor; a change works on one that is there.
def unary(d):
    name = d.tensor()
    op = d.of(UNARY)
    value = d.value(name)
    if op in ("sqrt", "log1p", "reciprocal") and (value.dtype == torch.bool or value.numel() and value.min() < 0.1):
        return f"({name}.abs() + 0.5).{op}()"
    if op in ("exp", "expm1"):
        return f"{name}.clamp(max=4).{op}()" if value.dtype != torch.bool else f"{name}.exp()"
    return f"{name}.{op}()"


def binary(d):
    name = d.tensor()
    other = d.beside(name)
    op = d.of(["+", "*", "-", "/", "maximum", "minimum", "+", "*", "addcmul", "alpha", "reflected"])
    if op in ("maximum", "minimum"):
        other = d.tensor() if other in NUMBERS else other
        return f"torch.{op}({name}, {other})"
    if op == "/":
        return f"{name} / (abs({other}) + 1)"
    if op == "alpha":
        return f"torch.add({name}, {other}, alpha=2)"
    if op == "addcmul":
        return f"torch.addcmul({name}, {name}, {d.tensor()}, value=2)"
    if op == "reflected":
        return f"{d.number()} {d.of(['-', '*', '+'])} {name}"
    return f"{name} {op} {other}"


def comparison(d):
    name = d.tensor()
    return f"{name} {d.of(['>', '<=', '==', '!=', '<', '>='])} {d.beside(name)}"


def logic(d):
    name = d.tensor(lambda tensor: not is_float(tensor))
    if name is None:
        return None
    dtype = d.value(name).dtype
    other = d.tensor(lambda tensor: tensor.dtype == dtype)
    return d.of([f"~{name}", f"{name} & {other}", f"{name} | {other}", f"{name} ^ {other}"])


def reduction(d):
    name = d.tensor()
    op = d.of(["sum", "mean", "amax", "amin", "sum", "any", "all", "std", "var", "prod", "logsumexp", "argmax", "norm"])
    if op in ("mean", "std", "var", "logsumexp", "norm") and not is_float(d.value(name)):
        op = "sum"
    if op == "argmax" and d.value(name).dtype == torch.bool:  # winnow has it, torch not (docs/deviations.md)
        op = "any"
    if op == "prod" and d.value(name).numel() > 30:
        op = "sum"
    if op != "logsumexp" and d.chance(3):
        return f"{name}.{op}()"
    keep = d.of([False, True])
    return f"{name}.{op}(dim={d.dim(name)}, keepdim={keep})"


def scan(d):
    name = d.tensor()
    op = d.of(["cumsum(dim={})", "softmax(dim={})", "flip({})", "roll(1, {})", "log_softmax(dim={})"])
    if "softmax" in op and not is_float(d.value(name)):
        return None
    return f"{name}.{op.format(d.dim(name))}"


def view(d):
    name = d.tensor()
    value, shape = d.value(name), d.value(name).shape
    kind = d.of(["part", "part", "part", "transpose", "transpose", "permute", "expand", "unsqueeze", "squeeze",
                 "reshape", "flatten", "select", "narrow", "diagonal", "split", "unbind", "movedim", "view", "T",
                 "detach"])
    if kind == "part":
        return f"{name}[{d.part(name)}]"
    if kind == "transpose" and value.dim() == 2:
        return f"{name}.transpose(0, 1)"
    if kind == "transpose":
        return f"{name}.transpose({d.dim(name)}, {d.dim(name)})"
    if kind == "permute":
        return f"{name}.permute({d.draw(st.permutations(range(value.dim())))})"
    if kind == "expand":
        return f"{name}.expand({(d.of([2, 3]), *(3 if size == 1 else size for size in shape))})"
    if kind == "unsqueeze":
        return f"{name}.unsqueeze({d.draw(st.integers(-value.dim() - 1, value.dim()))})"
    if kind == "select" and value.dim() and value.numel():
        dim = d.dim(name)
        return f"{name}.select({dim}, {d.index(shape[dim])})"
    if kind == "narrow" and value.dim() and value.numel():
        dim = d.dim(name)
        start = d.draw(st.integers(0, shape[dim] - 1))
        return f"{name}.narrow({dim}, {start}, {d.draw(st.integers(0, shape[dim] - start))})"
    if kind == "diagonal" and value.dim() >= 2:
        return f"{name}.diagonal({d.of([0, 1, -1])})"
    if kind in ("split", "unbind") and value.dim() and value.shape[0]:
        return f"{name}.split(2)[-1]" if kind == "split" else f"{name}.unbind()[{d.index(shape[0])}]"
    if kind == "movedim" and value.dim():
        return f"{name}.movedim({d.dim(name)}, {d.dim(name)})"
    if kind == "T" and value.dim() == 2:
        return f"{name}.T"
    if kind == "view":
        return f"{name}.view(-1)"
    return {"reshape": f"{name}.reshape(-1)", "squeeze": f"{name}.squeeze()",
            "detach": f"{name}.detach()"}.get(kind, f"{name}.flatten()")


def mask_for(d, name):
    """The text of a mask that broadcasts against `name`."""
    shape = tuple(d.value(name).shape)
    there = d.tensor(lambda tensor: tensor.dtype == torch.bool and tensor.shape == shape)
    if there is not None and d.chance(2):
        return there
    return d.of([f"({name} > {d.number()})", d.leaf_of(shape, "bool")])


def masked(d):
    name = d.tensor()
    mask, other = mask_for(d, name), d.beside(name)
    return d.of([f"torch.where({mask}, {name}, {other})", f"{name}.masked_fill({mask}, {d.number()})",
                 f"{name}[{mask}]", f"torch.where({mask}, {other}, {name})"])


def indexing(d):
    name = d.tensor(lambda tensor: tensor.dim() >= 1 and tensor.numel())
    if name is None:
        return None
    shape = d.value(name).shape
    dim = d.dim(name)
    places = d.places(d.draw(st.integers(1, 4)), shape[0])
    kind = d.of(["list", "tensor", "index_select", "gather", "two", "take_along", "last"])
    if kind == "list":
        return f"{name}[{places}]"
    if kind == "tensor":
        return f"{name}[torch.tensor({places})]"
    if kind == "last":
        return f"{name}[..., torch.tensor({d.places(2, shape[-1])})]"
    if kind == "two" and len(shape) >= 2:
        return f"{name}[torch.tensor({d.places(2, shape[0])}), torch.tensor({d.places(2, shape[1])})]"
    positive = [d.draw(st.integers(0, shape[dim] - 1)) for _ in range(3)]
    if kind == "index_select":
        return f"{name}.index_select({dim}, torch.tensor({positive}))"
    index = f"{name}.argsort(dim={dim}, stable=True)" if d.value(name).dtype != torch.bool else None
    return f"{name}.gather({dim}, {index})" if index and d.value(name).numel() < 1000 else f"{name}[{places}]"


def product(d):
    name = d.tensor(lambda tensor: is_float(tensor) and tensor.dim() >= 1 and tensor.shape[-1] < 200)
    if name is None:
        return None
    value = d.value(name)
    inner, dtype = value.shape[-1], str(value.dtype).rpartition(".")[2]
    if not dtype.startswith("float"):
        return None
    right = d.tensor(lambda tensor: tensor.dtype == value.dtype and tensor.dim() == 2 and tensor.shape[0] == inner)
    right = right or d.leaf_of((inner, 3), dtype)
    kinds = [f"{name} @ {right}"]
    if value.dim() == 2:
        kinds += [f"torch.addmm({d.leaf_of((1,), dtype)}, {name}, {right})", f"{name} @ {name}.T",
                  f"torch.einsum('ij,jk->ki', {name}, {right})", f"{name}.mm({right})",
                  f"torch.einsum('ij,ij->i', {name}, {name})"]
    if value.dim() == 3:
        kinds += [f"torch.bmm({name}, {name}.transpose(1, 2))", f"torch.einsum('bij,bkj->bik', {name}, {name})"]
    return d.of(kinds)


def joining(d):
    name = d.tensor()
    value = d.value(name)
    same = d.tensor(lambda tensor: tensor.shape == value.shape)
    if d.chance(2) or value.dim() == 0:
        return f"torch.stack([{name}, {same}, {name}], {d.of([0, -1])})"
    return f"torch.cat([{name}, {same}], {d.dim(name)})"


def cast(d):
    return f"{d.tensor()}.to(torch.{d.of(CASTS)})"


def change(d):
    """A step in place: on leaves, on views, on views of views."""
    name = d.tensor(torch.Tensor._is_view) if d.chance(2) else None
    name = name or d.tensor()
    value = d.value(name)
    other = d.beside(name)
    kind = d.of(["add_", "mul_", "+=", "*=", "sub_", "relu_", "fill_", "zero_", "clamp_", "copy_", "masked_fill_",
                 "part", "part", "part+=", "mask", "mask", "mask+=", "index", "index_add_", "addcmul_", "neg_",
                 "no_grad", "sin_", "view chain"])
    # Torch cannot differentiate x.mul_(x), winnow can (docs/deviations.md).
    if kind in ("mul_", "*=") and other not in NUMBERS and d.value(other).data_ptr() == value.data_ptr():
        other = "2"
    if kind in ("+=", "*="):
        return f"{name} {kind} {other}"
    if kind in ("add_", "mul_", "sub_"):
        return f"{name}.{kind}({other})"
    if kind == "copy_":
        return f"{name}.copy_({d.tensor()})" if other in NUMBERS else f"{name}.copy_({other})"
    if kind in ("fill_", "part", "mask"):
        where = {"part": d.part(name), "mask": mask_for(d, name)}.get(kind)
        return f"{name}[{where}] = {d.number()}" if where else f"{name}.fill_({d.number()})"
    if kind == "part+=":
        return f"{name}[{d.part(name)}] {d.of(['+=', '*='])} {d.number()}"
    if kind == "mask+=":
        return f"{name}[{mask_for(d, name)}] += {d.number()}"
    if kind == "clamp_":
        return f"{name}.clamp_(min={d.of(['0', '-0.5', '1'])})"
    if kind == "masked_fill_":
        return f"{name}.masked_fill_({mask_for(d, name)}, {d.number()})"
    if kind == "addcmul_":
        factor = d.tensor()
        return None if d.value(factor).data_ptr() == value.data_ptr() else f"{name}.addcmul_({name}, {factor})"
    if kind == "no_grad":
        return f"with torch.no_grad(): {name}.mul_(0.5)"
    if kind == "view chain" and value.dim() >= 1 and value.shape[0]:
        return f"{name}[{d.index(value.shape[0])}][...].mul_(2)"
    if kind == "index" and value.dim() and value.shape[0]:
        return f"{name}[torch.tensor({d.places(2, value.shape[0])})] = {d.number()}"
    if kind == "index_add_" and value.dim() and value.shape[0] and value.numel() < 1000:
        dtype = str(value.dtype).rpartition(".")[2]
        source = d.leaf_of((2, *value.shape[1:]), dtype) if dtype in LEAF_DTYPES else f"{name}[:2]"
        first, second = (d.draw(st.integers(0, value.shape[0] - 1)) for _ in range(2))
        return f"{name}.index_add_(0, torch.tensor([{first}, {second}]), {source})"
    return f"{name}.{kind}()" if kind in ("relu_", "zero_", "neg_", "sin_") else f"{name}.neg_()"


def forget(d):
    """A name goes; what was made of it stays."""
    made = [name for name in d.machine.tensors() if name.startswith("t")]
    return f"del {d.of(made)}" if len(made) > 2 else None


EXPRESSIONS = [unary, binary, view, reduction, masked, binary, view, indexing, product, comparison, joining,
               cast, logic, scan]
STATEMENTS = EXPRESSIONS + [change, change, change, change, change, forget]


def moderate(machine):
    """Are all tensors still of a size and magnitude at which comparing means something?"""
    for tensor in machine.tensors().values():
        if tensor.numel() > ELEMENTS:
            return False
        if tensor.numel() and not (tensor.detach().double().abs() < LARGEST).all():
            return False
    return True


def replay(program):
    machine = Machine(torch)
    for step in program.leaves + program.steps:
        machine.do(step.text)
    return machine


@st.composite
def programs(draw, longest=20, missing=()):
    """`missing`: texts that must not occur, since the module has no such operation."""
    program = Program([], [], draw(st.integers(0, 5)))
    for index in range(draw(st.integers(1, 4))):
        dtype = draw(st.sampled_from(LEAF_DTYPES if index else ["float64", "float32"]))
        shape = draw(st.sampled_from(SHAPES))
        grad = dtype.startswith("float") and draw(st.integers(0, 3)) > 0
        text = f'x{index} = leaf({draw(st.integers(1, 40))}, {shape}, "{dtype}"{", grad=True" if grad else ""})'
        program.leaves.append(Step(text, f"x{index}"))
    machine = replay(program)
    count, failed = draw(st.integers(1, longest)), 0
    for index in range(count):
        d = Draw(draw, machine)
        make = draw(st.sampled_from(STATEMENTS))
        text = make(d)
        if text is None or any(re.search(re.escape(one) + r"\b", text) for one in missing):
            continue
        target = f"t{index}" if make in EXPRESSIONS else None
        step = Step(f"{target} = {text}" if target else text, target)
        error = machine.do(step.text, index)
        # What failed stays, for the module has to refuse it too, unless torch only lacks a kernel; but a program is not
        # to consist of that.
        stays = error is None or failed < 3 and isinstance(error, (RuntimeError, IndexError, TypeError)) \
            and not unsupported(error)
        if not stays or not moderate(machine):
            machine = replay(program)
            continue
        failed += error is not None
        program.steps.append(step)
    return program


def absent(module):
    """What of METHODS and so on the module does not have, as it stands in a statement."""
    return [f".{name}" for name in METHODS if not hasattr(module.Tensor, name)] + \
        [f"torch.{name}" for name in FUNCTIONS + CASTS if not hasattr(module, name)]
