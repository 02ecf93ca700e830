"""repr of sparse tensors, as torch lays it out."""
from .._types import sparse_csr


def _part(name, t, indent):
    """name=tensor(...), its further lines moved below its first bracket."""
    prefix = f"{name}=tensor("
    body = repr(t.detach())[len("tensor("):-1]
    for end in (", dtype=",):
        body = body.split(end)[0] if t.numel() else "[]"
    lines = [line.strip() if k == 0 else line[len("tensor("):] for k, line in enumerate(body.split("\n"))]
    text = ("\n" + " " * (indent + len(prefix))).join(lines)
    if t.numel() == 0:
        text += f", size={tuple(t.shape)}"
    return prefix + text + ")"


def text(s):
    from .. import get_default_dtype

    indent = len("tensor(")
    csr = s.layout is sparse_csr
    parts = [("crow_indices", s.crow_indices()), ("col_indices", s.col_indices())] if csr else [("indices", s._indices())]
    parts.append(("values", s._values()))
    body = (",\n" + " " * indent).join(_part(n, t, indent) for n, t in parts)
    suffixes = [f"size={tuple(s.shape)}", f"nnz={s._nnz()}"]
    dtype = s._v.dtype
    if dtype != get_default_dtype() and str(dtype) not in ("torch.int64", "torch.bool"):
        suffixes.append(f"dtype={dtype}")
    suffixes.append(f"layout={s.layout}")
    if s.grad_fn is not None:
        suffixes.append(f"grad_fn={s.grad_fn}" if isinstance(s.grad_fn, str) else f"grad_fn=<{s.grad_fn.name()}>")
    elif s.requires_grad:
        suffixes.append("requires_grad=True")
    out, column = "tensor(" + body, None
    column = len(out.split("\n")[-1]) + 2
    if not csr:
        suffixes[0] = "\n" + " " * indent + suffixes[0]
        column = 0
    for k, suffix in enumerate(suffixes):
        plain = suffix.lstrip("\n ") if k == 0 and not csr else suffix
        if k == 0 and not csr:
            out += "," + suffix
            column = indent + len(plain)
        elif column + len(suffix) + 2 > 80:
            out += ",\n" + " " * indent + suffix
            column = indent + len(suffix)
        else:
            out += ", " + suffix
            column += len(suffix) + 2
    return out + ")"
