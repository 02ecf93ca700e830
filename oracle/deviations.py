"""Where the module differs from torch on purpose.

By module name, a list of (entry, kind, dtype, reason); the first three are glob patterns (dtype "-" for checks that
have none). A failed check that matches is counted as a deviation. An item that no failed check needs any more is an
error.
"""

DEVIATIONS = {
    "winnow": [
        ("cumsum", "out-dtype", "*", "out= of a dtype that cannot hold the result is an error, as elsewhere"),
        ("cumprod", "out-dtype", "*", "out= of a dtype that cannot hold the result is an error, as elsewhere"),
        ("bernoulli", "out-dtype", "*", "out= of a dtype that cannot hold the result is an error, as elsewhere"),
        ("std", "out-dtype", "*float16", "torch refuses what winnow computes"),
        ("var", "out-dtype", "*float16", "torch refuses what winnow computes"),
        ("nn.functional.linear", "out", "*", "a strided out= keeps its strides"),
        ("matmul", "out", "*", "a strided out= keeps its strides"),
        ("cat", "out", "*", "an empty out= becomes row-major, not channels-last"),
        ("normal*", "out*", "*", "out= as for other operations: resized, converted"),
        ("nn.functional.gelu", "out", "*", "a strided out= is written; torch leaves it alone"),
        ("masked_select", "error", "-", "out= that overlaps an input works: the result is computed first"),
        ("gather", "error", "-", "out= that overlaps an input works: the result is computed first"),
        ("cat", "error", "-", "out= that overlaps an input works: the result is computed first"),
        ("nn.functional.conv_transpose3d", "*", "float32", "sums that cancel: as near to the exact result as torch's"),
        ("nn.functional.embedding", "*", "*float16", "max_norm: norms are summed in float32"),
        ("masked.*", "gradgrad", "float64", "where nothing counts torch's second derivative is NaN, winnow's 0"),
        ("norm.nuc", "*", "*", "not there yet: needs a singular value decomposition (issue 6)"),
    ],
}
