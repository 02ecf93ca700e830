"""Lines that type checkers refuse, each with the kind of error that mypy has for it: test_typed.py compares. It is not run."""
import winnow as torch

x = torch.ones(2, 3)
x + "a"  # operator
x["a"]  # index
x.max().nosuch  # attr-defined
x.sum(0, keep=True)  # call-arg
x.nosuchmethod()  # attr-defined
torch.nosuch(x)  # attr-defined
torch.add(x)  # call-arg
torch.zeros(2, dtype="float32")  # call-overload
s: str = x.sum()  # assignment
n: int = x.shape  # assignment
x.add_(None)  # arg-type
x @ 1  # operator
torch.cat(x)  # arg-type
x.view("a")  # arg-type
x[0] = "a"  # assignment
torch.nn.functional.relu(1)  # arg-type
x < None  # operator
-x + [1]  # operator
torch.relu()  # call-arg
torch.nn.functional.cross_entropy(x)  # call-arg
x.reshape(2, 3).backward(nosuch=1)  # call-arg
x.size("a")  # call-overload
x.requires_grad = "yes"  # assignment
x.shape.nosuch  # attr-defined
torch.stack([1, 2])  # list-item
