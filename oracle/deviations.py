"""Where the module differs from torch on purpose.

By module name, a list of (entry, kind, dtype, reason); the first three are glob patterns (dtype "-" for checks that
have none). A failed check that matches is counted as a deviation. An item that no failed check needs any more is an
error.
"""

DEVIATIONS = {
    "winnow": [
        ("sort", "out*", "*", "equal elements keep their order: out= gets the indices of a stable sort"),
        ("topk", "out*", "*", "of equal elements the first"),
        ("cumsum", "out-dtype", "*", "out= of a dtype that cannot hold the result is an error, as for other operations"),
        ("cumprod", "out-dtype", "*", "out= of a dtype that cannot hold the result is an error, as for other operations"),
        ("bernoulli", "out-dtype", "*", "out= of a dtype that cannot hold the result is an error, as for other operations"),
        ("std", "out-dtype", "float16", "torch refuses what winnow computes"),
        ("var", "out-dtype", "float16", "torch refuses what winnow computes"),
        ("nn.functional.linear", "out", "*", "a strided out= keeps its strides"),
        ("nn.functional.gelu", "out", "*", "a strided out= is written; torch leaves it alone"),
        ("masked_select", "error", "-", "out= that overlaps an input works: the result is computed first"),
        ("gather", "error", "-", "out= that overlaps an input works: the result is computed first"),
        ("cat", "error", "-", "out= that overlaps an input works: the result is computed first"),
        ("add", "inplace", "float16", "alpha: rounded once, not in between"),
        ("nn.functional.conv_transpose3d", "*", "float32", "sums that cancel: as near to the exact result as torch's"),
        ("max_pool2d_with_indices_backward", "*", "*", "torch.ops is torch's own plumbing; winnow has the gradient, not the name"),
        ("norm.nuc", "*", "*", "not there yet: needs a singular value decomposition (issue 6)"),
    ],
}
